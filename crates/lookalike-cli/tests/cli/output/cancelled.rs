//! A program that runs a command can cancel it at any moment: the command then writes nothing, in no stage.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use lookalike::engine::{Progress, Unit};
use lookalike_cli::print_for_program;

use crate::fixture::{Folder, numbered};

/// Is cancelled after it was asked so often whether it is, counted in one stage or in all.
#[derive(Default)]
struct After {
    checks: u64,
    only_in: Option<&'static str>,
    asked: AtomicU64,
    is_over: AtomicBool,
    stage: Mutex<&'static str>,
    total: AtomicU64,
}

impl Progress for After {
    fn begin(&self, stage: &'static str, total: u64, _: Unit) {
        *self.stage.lock().unwrap() = stage;
        self.total.store(total, Relaxed);
    }

    fn reach(&self, done: u64) {
        let (stage, total) = (*self.stage.lock().unwrap(), self.total.load(Relaxed));
        assert!(total == 0 || done <= total, "{stage}: {done} of {total}");
    }

    fn end(&self) {
        *self.stage.lock().unwrap() = "";
    }

    fn is_cancelled(&self) -> bool {
        let counts = self.only_in.is_none_or(|stage| stage == *self.stage.lock().unwrap());
        if counts && self.asked.fetch_add(1, Relaxed) >= self.checks {
            self.is_over.store(true, Relaxed);
        }
        self.is_over.load(Relaxed)
    }
}

/// All files below a folder. Those that only say who holds a lock do not count.
fn files(folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            files(&entry, found);
        } else if entry.file_name().is_some_and(|name| name != "lock") {
            found.insert(entry.display().to_string(), fs::read(&entry).unwrap());
        }
    }
}

/// Cancels a command in each of these stages, and after more and more checks, until it has ended before.
fn cancel_everywhere(folder: &Folder, command: &str, stages: &[&'static str]) {
    let path = |word: &str| match word.strip_prefix('@') {
        Some(name) => folder.path(name).into_os_string(),
        None => word.into(),
    };
    let all = || {
        let mut found = BTreeMap::new();
        files(&folder.path(""), &mut found);
        found
    };
    let before = all();
    let cancel = |checks: u64, only_in: Option<&'static str>| {
        let when = format!("{command}, after {checks} checks in {only_in:?}");
        let after = Arc::new(After { checks, only_in, ..After::default() });
        match print_for_program(command.split(' ').map(path).collect(), after) {
            Ok(printed) => assert!(printed.status < 2, "{when}: {printed:?}"),
            Err(error) => {
                assert_eq!(error.to_string(), "cancelled", "{when}");
                assert!(all() == before, "{when}: something is left");
                return true;
            }
        }
        false
    };
    for stage in stages {
        assert!(cancel(0, Some(stage)), "{command} is not stopped in the stage '{stage}'");
    }
    assert!(cancel(0, None), "{command} is not stopped at once");
    let moments = (1..9).chain((3..).map(|n: u64| n * n * 3 / 2));
    let stopped = moments.take_while(|&checks| cancel(checks, None)).count();
    assert!(stopped > 0, "{command} is not stopped after its first check");
}

fn collection() -> Folder {
    let documents = || (0..60_u32).map(|at| numbered(&format!("d{at}"), at / 3 * 100 + at % 3..at / 3 * 100 + 40));
    let of = |rows: Vec<String>| rows.concat();
    let pairs: String = (0..57).map(|at| format!("d{at},d{},0.{}\n", at + 3, 100 + at)).collect();
    Folder::with(&[
        ("in.jsonl", of(documents().collect())),
        (
            "more.jsonl",
            of((0..30)
                .map(|at| numbered(&format!("e{at}"), 9000 + at / 2 * 50 + at % 2..9040 + at / 2 * 50))
                .collect()),
        ),
        ("pairs.csv", format!("a,b,similarity\n{pairs}")),
        ("groups.csv", format!("id,group\n{}", (0..60).map(|at| format!("d{at},g{}\n", at / 3)).collect::<String>())),
    ])
}

/// Commands, and their stages.
const COMMANDS: [(&str, &[&str]); 17] = [
    (
        "dedup @in.jsonl -t 0.5 -o @out/kept.jsonl --removed @out/removed.csv --clusters @out/clusters.csv --pairs @out/pairs.csv --report @out/page.html",
        &["reading", "finding pairs", "comparing", "writing"],
    ),
    ("dedup @in.jsonl -t 0.5 -o @out/ --annotate @out/all.csv --keep longest", &["reading", "comparing", "writing"]),
    ("dedup @in.jsonl -t 3 --measure edit -o @out/kept.jsonl", &["reading", "comparing", "writing"]),
    ("dedup @in.jsonl -t 0.5 --method minhash -o @out/kept.jsonl", &["reading", "comparing", "writing"]),
    ("dedup @more.jsonl --index @index -o @out/kept.jsonl", &["asking index", "comparing", "writing"]),
    ("pairs @in.jsonl -t 0.5 -o @out/pairs.csv --report @out/page.html", &["reading", "joining", "writing"]),
    ("pairs @in.jsonl --top 20 -o @out/top.csv", &["reading", "writing"]),
    ("check @in.jsonl -t 0.5 --kept @kept.jsonl --removed @removed.csv", &["reading", "comparing", "joining"]),
    ("verify @in.jsonl -t 0.5 --candidates @pairs.csv -o @out/verified.csv", &["reading"]),
    (
        "evaluate @pairs.csv --labels @groups.csv --documents @in.jsonl --report @out/page.html",
        &["reading", "comparing"],
    ),
    (
        "calibrate @in.jsonl --labels @groups.csv --splits 20 --report @out/page.html",
        &["reading", "comparing", "choosing settings"],
    ),
    ("calibrate @in.jsonl --label 9 --tokens words -o @out/label.csv", &["reading", "comparing"]),
    ("boilerplate @in.jsonl --site field:id --min-pages 2 -o @out/table.jsonl", &["reading"]),
    ("sketch @in.jsonl -o @out/sketch.csv", &["reading"]),
    ("compare d1 d40 --in @in.jsonl", &["reading"]),
    ("graph @pairs.csv", &["reading"]),
    ("index check @index", &["checking"]),
];

#[test]
fn a_cancelled_command_writes_nothing() {
    let folder = collection();
    folder.run("dedup in.jsonl -t 0.5 -o kept.jsonl --removed removed.csv -q");
    folder.run("dedup in.jsonl --index index -q --removed first.csv");
    folder.write("out/here.txt", "");
    for (command, stages) in COMMANDS {
        // What the command before has written.
        let force = if command.contains("@out") { " --force" } else { "" };
        cancel_everywhere(&folder, &format!("{command}{force}"), stages);
    }
}

#[test]
fn a_cancelled_merge_leaves_the_index_as_it_was() {
    let folder = collection();
    folder.run("dedup in.jsonl --index index -q --removed first.csv");
    folder.run("dedup more.jsonl --index index -q --removed second.csv");
    cancel_everywhere(&folder, "index merge @index", &["merging"]);
    folder.run("index check index");
}
