//! What becomes of an index on a disk that is full, or that cannot be written to?

use super::{add, batches, with_batches};
use crate::fixture::Folder;
use crate::output::cut_short::{SmallDisk, many_rows};

/// Two batches of which the second is too large for the disk, in a folder with an index of the first, and beside it in peace.
fn folders() -> Option<(Folder, Folder, SmallDisk)> {
    let batches = [batches(1, 30, 30).remove(0), many_rows()];
    let (folder, peace) = (with_batches(&batches), with_batches(&batches));
    add(&peace, 0..2, "");
    let disk = SmallDisk::mount(folder.path("small"))?;
    folder.run("dedup b0.jsonl --index small/archive").ends(0);
    Some((folder, peace, disk))
}

const ADD: &str = "dedup b1.jsonl --index small/archive -o kept1.jsonl --removed removed1.jsonl";

/// These fail, and change nothing.
#[track_caller]
fn fails(folder: &Folder, commands: &[&str], reason: &str) {
    let (before, shown) = (folder.list(), folder.printing("index show small/archive --json", "").stdout);
    for command in commands {
        folder.run(command).ends(2).says("small/archive").says(reason);
        assert_eq!(folder.list(), before, "{command}");
        assert_eq!(folder.printing("index show small/archive --json", "").stdout, shown, "{command}");
        folder.run("index check small/archive").ends(0);
    }
}

#[track_caller]
fn adds_as_in_peace(folder: &Folder, peace: &Folder) {
    folder.run(ADD).ends(0);
    for name in ["kept1.jsonl", "removed1.jsonl"] {
        assert!(folder.read(name) == peace.read(name), "{name}");
    }
    folder.run("index check small/archive").ends(0);
}

#[test]
fn a_full_disk() {
    let Some((folder, peace, disk)) = folders() else { return };
    fails(&folder, &[ADD], "No space left on device");
    if disk.remount("size=64m") {
        adds_as_in_peace(&folder, &peace);
    }
}

#[test]
fn a_read_only_disk() {
    let Some((folder, peace, disk)) = folders() else { return };
    if !disk.remount("ro") {
        return;
    }
    fails(&folder, &[ADD, "index remove small/archive b0-0", "index merge small/archive"], "Read-only file system");
    folder.run("index query small/archive b0.jsonl -o matches.jsonl").ends(0);
    if disk.remount("rw,size=64m") {
        adds_as_in_peace(&folder, &peace);
    }
}
