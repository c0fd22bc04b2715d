//! If runs are killed again and again, and repeated, is everything as if they had been left alone?

use std::fs;
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

/// Moments within a while, in a seeded order.
fn moments(within: Duration) -> impl FnMut() -> Duration {
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        within.mul_f64((seed % 1000) as f64 / 1000.0)
    }
}

/// The files of the index.
fn files(folder: &Folder) -> Vec<(String, Vec<u8>)> {
    let names = folder.list().into_iter().filter(|name| name.starts_with("archive/") && !name.ends_with('/'));
    names.map(|name| (name.clone(), folder.read(&name))).collect()
}

#[test]
fn killed_and_repeated() {
    let all = batches(BATCHES, 1000, 500);
    let (folder, peace) = (with_batches(&all), with_batches(&all));
    let start = Instant::now();
    add(&peace, 0..BATCHES, "");
    let mut moment = moments(start.elapsed() / BATCHES as u32);
    peace.run("index merge archive").ends(0);

    let mut kills = 0;
    for number in 0..BATCHES {
        let dedup = format!(
            "dedup b{number}.jsonl --index archive -o kept{number}.jsonl --removed removed{number}.jsonl --force"
        );
        for _ in 0..5 {
            kills += u32::from(!kill(&folder, &dedup, moment()));
        }
        folder.run(&dedup).ends(0);
        for name in ["kept", "removed"] {
            let name = format!("{name}{number}.jsonl");
            assert!(folder.read(&name) == peace.read(&name), "{name}");
        }
    }
    folder.run("index merge archive").ends(0);
    assert!(kills > 10, "only {kills} runs were killed");

    for folder in [&folder, &peace] {
        folder.run("index query archive all.jsonl -o matches.jsonl").ends(0);
        folder.run("index check archive").ends(0);
    }
    assert!(folder.read("matches.jsonl") == peace.read("matches.jsonl"));
    // Nothing is left over of the killed runs.
    assert_eq!(files(&folder).len(), files(&peace).len());
}

#[test]
fn merges_killed_and_repeated() {
    let folder = with_batches(&batches(6, 1000, 2000));
    add(&folder, 0..6, "");
    folder.run("index query archive all.jsonl -o expected.jsonl").ends(0);
    let parts = files(&folder);
    let start = Instant::now();
    folder.run("index merge archive").ends(0);
    let mut moment = moments(start.elapsed());
    let merged = files(&folder).len();
    assert!(merged < parts.len());

    let mut kills = 0;
    for number in 0..50 {
        // A merge that is done leaves nothing to merge.
        fs::remove_dir_all(folder.path("archive")).unwrap();
        parts.iter().for_each(|(name, bytes)| folder.write(name, bytes));
        kills += u32::from(!kill(&folder, "index merge archive", moment()));
        folder.run("index check archive").ends(0);
        if number % 10 == 0 {
            folder.run("index query archive all.jsonl -o matches.jsonl --force").ends(0);
            assert!(folder.read("matches.jsonl") == folder.read("expected.jsonl"));
        }
        folder.run("index merge archive").ends(0);
        assert_eq!(files(&folder).len(), merged);
    }
    assert!(kills > 10, "only {kills} merges were killed");
    folder.run("index query archive all.jsonl -o matches.jsonl --force").ends(0);
    assert!(folder.read("matches.jsonl") == folder.read("expected.jsonl"));
}

/// If the manifest named a batch first, a crash in between would lose its outputs: the next run would remove the batch as copies of itself.
#[cfg(target_os = "linux")]
#[test]
fn outputs_are_in_place_before_the_manifest_names_the_batch() {
    use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify};

    let folder = with_batches(&batches(2, 30, 30));
    add(&folder, 0..1, "");
    let inotify = Inotify::init(InitFlags::IN_NONBLOCK).unwrap();
    for place in ["", "archive"] {
        let placed = AddWatchFlags::IN_MOVED_TO | AddWatchFlags::IN_CREATE;
        inotify.add_watch(&folder.path(place), placed).unwrap();
    }
    add(&folder, 1..2, "");
    let events = inotify.read_events().unwrap();
    let names: Vec<String> = events.into_iter().filter_map(|event| event.name?.into_string().ok()).collect();
    let at = |name: &str| names.iter().position(|placed| placed == name).unwrap_or_else(|| panic!("{name}: {names:?}"));
    let manifest = names.iter().rposition(|placed| placed == "manifest").expect("a new manifest");
    assert_eq!(at("manifest"), manifest, "{names:?}");
    assert!(at("kept1.jsonl") < manifest && at("removed1.jsonl") < manifest, "{names:?}");
}
