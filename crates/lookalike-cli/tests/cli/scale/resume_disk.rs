//! What becomes of a run whose folder lies on a disk that is full, or that cannot be written to?

use crate::fixture::Folder;
use crate::output::cut_short::SmallDisk;

use super::resume::folder;

const JOB: &str = "dedup in.jsonl -o two/kept.jsonl --removed two/removed.csv --run small/state";

#[track_caller]
fn fails(folder: &Folder, reason: &str) {
    folder.run(JOB).ends(2).says("small/state").says(reason);
    assert!(!folder.list().iter().any(|name| name.starts_with("two/") && name != "two/"), "{:?}", folder.list());
}

#[track_caller]
fn ends_as_alone(folder: &Folder) {
    folder.run(JOB).ends(0);
    folder.run("dedup in.jsonl -o one/kept.jsonl --removed one/removed.csv").ends(0);
    for name in ["kept.jsonl", "removed.csv"] {
        assert!(folder.read(&format!("one/{name}")) == folder.read(&format!("two/{name}")), "{name}");
    }
}

#[test]
fn a_full_disk() {
    let folder = folder(3000);
    let Some(disk) = SmallDisk::mount(folder.path("small")) else { return };
    fails(&folder, "No space left on device");
    // What was saved before may be used or not; it is never wrong.
    if disk.remount("size=64m") {
        ends_as_alone(&folder);
    }
}

#[test]
fn a_read_only_disk() {
    let folder = folder(300);
    let Some(disk) = SmallDisk::mount(folder.path("small")) else { return };
    if !disk.remount("ro") {
        return;
    }
    fails(&folder, "Read-only file system");
    if disk.remount("rw,size=64m") {
        ends_as_alone(&folder);
    }
}
