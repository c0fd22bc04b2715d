//! If runs are killed again and again, and repeated, is everything as if they had been left alone?

use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{add, batches, with_batches};
use crate::fixture::Folder;

const BATCHES: usize = 10;

/// Starts a command, and kills it after a while. Returns whether it had ended by itself.
fn kill(folder: &Folder, arguments: &str, after: Duration) -> bool {
    let mut command = folder.command(arguments);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    sleep(after);
    let is_done = child.try_wait().unwrap().is_some();
    let _ = child.kill();
    child.wait().unwrap();
    is_done
}

#[test]
fn killed_and_repeated() {
    let all = batches(BATCHES, 1000, 500);
    let (folder, peace) = (with_batches(&all), with_batches(&all));
    let start = Instant::now();
    add(&peace, 0..BATCHES, "");
    let undisturbed = start.elapsed() / BATCHES as u32;
    peace.run("index merge archive").ends(0);

    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut moment = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        undisturbed.mul_f64((seed % 1000) as f64 / 1000.0)
    };
    let mut kills = 0;
    for number in 0..BATCHES {
        let dedup = format!(
            "dedup b{number}.jsonl --index archive -o kept{number}.jsonl --removed removed{number}.jsonl --force"
        );
        for _ in 0..3 {
            kills += u32::from(!kill(&folder, &dedup, moment()));
        }
        folder.run(&dedup).ends(0);
        for name in ["kept", "removed"] {
            let name = format!("{name}{number}.jsonl");
            assert!(folder.read(&name) == peace.read(&name), "{name}");
        }
    }
    for _ in 0..5 {
        kills += u32::from(!kill(&folder, "index merge archive", moment() / 3));
        folder.run("index check archive").ends(0);
    }
    folder.run("index merge archive").ends(0);
    assert!(kills > 0, "no run was killed");

    for folder in [&folder, &peace] {
        folder.run("index query archive all.jsonl -o matches.jsonl").ends(0);
        folder.run("index check archive").ends(0);
    }
    assert!(folder.read("matches.jsonl") == peace.read("matches.jsonl"));
    // Nothing is left over of the killed runs.
    let files = |folder: &Folder| folder.list().iter().filter(|name| name.starts_with("archive/")).count();
    assert_eq!(files(&folder), files(&peace));
}
