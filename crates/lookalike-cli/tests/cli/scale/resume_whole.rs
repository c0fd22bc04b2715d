//! Does `--run` hold for searches whose steps are not kept? They begin again, with the same result, and a finished one is recognised.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::resume::folder;
use crate::brute::Random;
use crate::output::cut_short::wait_until;

/// Jobs, an option that makes each another run, and what the message says of it.
const JOBS: [(&str, &str, &str); 5] = [
    ("pairs in.jsonl --top 700 -o TO/out.csv", "--distinct", "distinct was false, and is true"),
    ("pairs in.jsonl --measure edit -t 9 -o TO/out.csv", "--distinct", "distinct was false, and is true"),
    ("pairs in.jsonl --method minhash -o TO/out.csv", "--recall 0.9", "method was"),
    ("dedup in.jsonl --method minhash --removed TO/out.csv", "--unverified", "candidates was"),
    ("dedup in.jsonl --index TO/index --removed TO/out.csv", "--existing allow", "index was"),
];

fn remove(path: &Path) {
    let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}

#[test]
fn killed_at_any_moment() {
    let folder = folder(1500);
    for (job, other, difference) in JOBS {
        ["one", "two", "state"].iter().for_each(|name| remove(&folder.path(name)));
        ["one", "two"].iter().for_each(|name| fs::create_dir(folder.path(name)).unwrap());
        let start = Instant::now();
        folder.run(&job.replace("TO", "one")).ends(0);
        let alone = start.elapsed().max(Duration::from_millis(50));
        let again = format!("{} --run state", job.replace("TO", "two"));
        let mut random = Random(5);
        for _ in 0..10 {
            let mut child = folder.command(&again).stderr(Stdio::null()).spawn().unwrap();
            std::thread::sleep(alone * random.below(1200) as u32 / 1000);
            child.kill().unwrap();
            if child.wait().unwrap().code() == Some(0) {
                assert!(folder.read("one/out.csv") == folder.read("two/out.csv"), "{job}");
                ["two/out.csv", "two/index", "state"].iter().for_each(|name| remove(&folder.path(name)));
            }
        }
        // It may have been killed after its end.
        let last = folder.run(&again);
        if !folder.path("state/finished").exists() {
            last.ends(0);
        }
        assert!(folder.read("one/out.csv") == folder.read("two/out.csv"), "{job}");
        folder.run(&again).ends(2).says("the run in state is finished");
        folder.run(&format!("{again} {other}")).ends(2).says(difference).says("--restart");
        folder.run("run show state").ends(0).says("write outputs: done");
    }
}

/// The most similar pairs: the documents are not read for the first time again, and no search uses the sets of another.
#[test]
fn the_most_similar_pairs_keep_what_was_read() {
    let folder = folder(3000);
    let job = "pairs in.jsonl --top 1500 --run state -o";
    let mut child = folder.command(&format!("{job} -")).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    wait_until("reading", || folder.path("state/documents").exists());
    child.kill().unwrap();
    child.wait().unwrap();
    folder.run("run show state").ends(0).says("read documents: done").says("select sets: to do");
    let found = folder.printing(&format!("{job} - -q"), "").ends(0).stdout;
    folder.run("pairs in.jsonl --top 1500 -o one/out.jsonl").ends(0);
    assert!(found == folder.text("one/out.jsonl"));
}
