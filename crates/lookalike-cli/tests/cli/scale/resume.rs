//! Does a run with `--run` go on after a crash, with the same result?

use std::fs::{self, OpenOptions};
use std::process::Stdio;

use crate::fixture::{Folder, row, words};
use crate::output::cut_short::wait_until;

/// Documents of which some resemble each other, with outputs that tell all about them.
pub fn folder(documents: u32) -> Folder {
    let row = |n: u32| {
        // Every third resembles the one before it.
        let first = if n % 3 == 1 { n - 1 } else { n } * 1000;
        row(
            &format!("d{n}"),
            &format!("{} {}", words(first..first + 60), words(n * 1000 + 900..n * 1000 + 900 + n % 5)),
        )
    };
    let folder = Folder::with(&[("in.jsonl", (0..documents).map(row).collect::<String>())]);
    for name in ["one", "two"] {
        fs::create_dir(folder.path(name)).unwrap();
    }
    folder
}

pub const OUTPUTS: [&str; 4] = ["kept.jsonl", "removed.csv", "pairs.csv", "clusters.csv"];

pub fn dedup(to: &str, more: &str) -> String {
    format!(
        "dedup in.jsonl -o {to}/kept.jsonl --removed {to}/removed.csv --pairs {to}/pairs.csv --clusters {to}/clusters.csv {more}"
    )
}

#[track_caller]
pub fn same(folder: &Folder) {
    for name in OUTPUTS {
        assert!(folder.read(&format!("one/{name}")) == folder.read(&format!("two/{name}")), "{name}");
    }
}

/// Kills a run when all is decided. Nobody reads its output, so it waits there.
fn stop_at_the_end(folder: &Folder) {
    let mut command = folder.command("dedup in.jsonl -o - --removed two/removed.csv --run state");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    wait_until("deciding", || folder.path("state/fates-0000").exists());
    child.kill().unwrap();
    child.wait().unwrap();
    // The next run removes what was not finished. `run show` writes nothing and removes nothing.
    for entry in fs::read_dir(folder.path("two")).unwrap() {
        fs::remove_file(entry.unwrap().path()).unwrap();
    }
}

#[test]
fn what_is_done_is_not_done_again() {
    let folder = folder(3000);
    stop_at_the_end(&folder);
    folder
        .run("run show state")
        .ends(0)
        .says("read documents: done")
        .says("compare: 1 of 1 parts done")
        .says("write outputs: to do");
    assert_eq!(folder.printing("run show state --json", "").ends(0).json()["compared"], 1);
    let removed = folder.printing("dedup in.jsonl -o - --removed two/removed.csv --run state -q", "").ends(0).stdout;
    folder.run("dedup in.jsonl -o one/kept.jsonl --removed one/removed.csv").ends(0);
    assert!(removed == folder.text("one/kept.jsonl"));
    assert!(folder.read("one/removed.csv") == folder.read("two/removed.csv"));
    let again = folder.printing("dedup in.jsonl -o - --removed two/removed.csv --run state", "").ends(2);
    again.says("the run in state is finished. Use --restart to run it again");
    folder.printing("dedup in.jsonl -o - --removed two/removed.csv --run state --restart --force", "").ends(0);
    folder.run("pairs in.jsonl -o one/p.csv").ends(0);
    folder.run("pairs in.jsonl -o two/p.csv --run pairs").ends(0);
    assert!(folder.read("one/p.csv") == folder.read("two/p.csv"));
}

/// A run of which only the manifest is left.
fn stopped(folder: &Folder) {
    folder.run(&dedup("two", "--run state --components")).ends(0);
    fs::remove_file(folder.path("state/finished")).unwrap();
    OUTPUTS.iter().for_each(|name| fs::remove_file(folder.path(&format!("two/{name}"))).unwrap());
}

#[test]
fn another_run_is_refused() {
    let folder = folder(30);
    stopped(&folder);
    let refused = |more: &str, why: &str| {
        folder.run(&dedup("two", &format!("--run state --components {more}"))).ends(2).says(why).says("--restart");
    };
    refused("-t 0.9", "threshold was 0.8, and is 0.9");
    refused("--tokens words:3", "tokens was words:5, and is words:3");
    refused("--keep last", "keep was first, and is last");
    folder.run(&dedup("two", "--run state")).ends(2).says("rule was components, and is survivors");
    let mut input = OpenOptions::new().append(true).open(folder.path("in.jsonl")).unwrap();
    std::io::Write::write_all(&mut input, row("new", "a new document").as_bytes()).unwrap();
    refused("", "in.jsonl has changed since");
    folder.run(&dedup("two", "--run state --components --restart")).ends(0);
    folder.printing("dedup - --run other", row("a", "some text")).ends(2).says("--run cannot be used with");
    folder.run("run show one").ends(2).says("one is not the folder of a run");
}

/// Other texts of the same length, and the time of the file as it was.
fn replace_unseen(folder: &Folder) {
    let path = folder.path("in.jsonl");
    let time = fs::metadata(&path).unwrap().modified().unwrap();
    folder.write("in.jsonl", folder.text("in.jsonl").replace("w1", "v1"));
    OpenOptions::new().write(true).open(&path).unwrap().set_modified(time).unwrap();
}

/// An input of the same size and time, but with other bytes, whatever was done before the run stopped.
#[test]
fn an_input_that_was_replaced_is_noticed() {
    let folder = folder(3000);
    let job = "dedup in.jsonl -o - --removed two/removed.csv --run state -q";
    stop_at_the_end(&folder);
    let input = folder.text("in.jsonl");
    let time = fs::metadata(folder.path("in.jsonl")).unwrap().modified().unwrap();
    for unit in ["fates-0000", "parts.json"] {
        replace_unseen(&folder);
        folder.printing(job, "").ends(2).says("in.jsonl has changed since the run began. Use --restart");
        assert_eq!(folder.list().iter().filter(|name| name.starts_with("two/")).count(), 1, "{unit}");
        folder.write("in.jsonl", &input);
        OpenOptions::new().write(true).open(folder.path("in.jsonl")).unwrap().set_modified(time).unwrap();
        // The next attempt begins where less was done.
        fs::remove_file(folder.path(&format!("state/{unit}"))).unwrap();
    }
    let kept = folder.printing(job, "").ends(0).stdout;
    folder.run("dedup in.jsonl -o one/kept.jsonl --removed one/removed.csv").ends(0);
    assert!(kept == folder.text("one/kept.jsonl"));
    assert!(folder.read("one/removed.csv") == folder.read("two/removed.csv"));
}

/// Whichever file of the state is cut or changed: an error that names the way out, or the right result.
#[test]
fn a_damaged_state_is_an_error() {
    let folder = folder(1500);
    folder.run("dedup in.jsonl -o one/kept.jsonl --removed one/removed.csv").ends(0);
    stop_at_the_end(&folder);
    let entries = fs::read_dir(folder.path("state")).unwrap();
    let names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let files: Vec<(String, Vec<u8>)> =
        names.into_iter().map(|name| format!("state/{name}")).map(|path| (path.clone(), folder.read(&path))).collect();
    let mut refused = 0;
    for (damaged, whole) in files.iter().filter(|(path, _)| path != "state/lock") {
        for at in [0, whole.len() / 2, whole.len().saturating_sub(1)] {
            let mut flipped = whole.clone();
            if let Some(byte) = flipped.get_mut(at) {
                *byte ^= 1;
            }
            for content in [&whole[..at], &flipped] {
                fs::remove_dir_all(folder.path("state")).unwrap();
                fs::create_dir(folder.path("state")).unwrap();
                files.iter().for_each(|(path, whole)| folder.write(path, whole));
                folder.write(damaged, content);
                let run = folder.printing("dedup in.jsonl -o - --removed two/removed.csv --force --run state -q", "");
                if folder.path("state/finished").exists() {
                    assert!(run.ends(0).stdout == folder.text("one/kept.jsonl"), "{damaged}");
                    assert!(folder.read("one/removed.csv") == folder.read("two/removed.csv"), "{damaged}");
                } else {
                    // A manifest that can still be read is that of another run.
                    let name = damaged.trim_start_matches("state/");
                    let named = run.stderr.contains(name) || run.stderr.contains("the run in state is another one");
                    assert!(named, "{damaged}: {}", run.stderr);
                    run.ends(2).says("--restart");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused >= 12, "only {refused} were refused");
}

/// Files of somebody else are never removed.
#[test]
fn a_folder_with_other_files_is_refused() {
    let folder = folder(30);
    folder.write("mine/part-time.txt", "work");
    folder.run(&dedup("two", "--run mine")).ends(2).says("mine is not empty, and not the folder of a run");
    folder.run(&dedup("two", "--run mine --restart")).ends(2).says("mine is not empty");
    assert_eq!(folder.text("mine/part-time.txt"), "work");
    folder.run(&dedup("two", "--run state")).ends(0);
    folder.write("state/notes.txt", "later");
    folder.run(&dedup("two", "--run state --restart --force")).ends(0);
    assert_eq!(folder.text("state/notes.txt"), "later");
}

/// A run that was killed while it divided sets, and goes on with so much memory that they need not be divided.
#[test]
fn a_part_that_was_left_is_not_used() {
    let folder = folder(3000);
    stop_at_the_end(&folder);
    for name in ["parts.json", "fates-0000"] {
        fs::remove_file(folder.path(&format!("state/{name}"))).unwrap();
    }
    fs::copy(folder.path("state/sets"), folder.path("state/part-0000")).unwrap();
    let whole = folder.read("state/part-0000");
    folder.write("state/part-0000", &whole[..whole.len() / 2]);
    let run = folder.printing("dedup in.jsonl -o - --removed two/removed.csv --run state -q", "").ends(0);
    folder.run("dedup in.jsonl -o one/kept.jsonl --removed one/removed.csv").ends(0);
    assert!(run.stdout == folder.text("one/kept.jsonl"));
    assert!(folder.read("one/removed.csv") == folder.read("two/removed.csv"));
}

#[cfg(target_os = "linux")]
#[test]
fn one_process_at_a_time() {
    let folder = folder(30);
    fs::create_dir(folder.path("state")).unwrap();
    let lock = OpenOptions::new().create(true).truncate(false).write(true).open(folder.path("state/lock")).unwrap();
    lock.lock().unwrap();
    folder.run(&dedup("two", "--run state")).ends(2).says("another process is using it");
    fs::write(folder.path("state/run.json"), r#"{"version": "", "hashes": [], "parameters": {}, "inputs": []}"#)
        .unwrap();
    folder.run("run show state").ends(0).says("read documents: to do");
    fs::remove_file(folder.path("state/run.json")).unwrap();
    drop(lock);
    folder.run(&dedup("two", "--run state")).ends(0);
}
