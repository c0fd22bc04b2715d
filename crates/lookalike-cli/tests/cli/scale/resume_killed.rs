//! Does a run of several parts go on after it was killed, wherever that was?

use std::fs;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::budget::least;
use super::resume::{OUTPUTS, dedup, folder, same};
use crate::brute::Random;
use crate::fixture::Folder;

/// A run that is killed again and again, and the files of one that was left alone.
struct Killed {
    folder: Folder,
    /// The options of the run, whose budget makes several parts.
    options: String,
    /// How long the run that was left alone took.
    alone: Duration,
    parts: usize,
    /// How often it was killed before its end, and ended before it was killed.
    kills: usize,
    ends: usize,
}

impl Killed {
    fn new() -> Killed {
        let folder = folder(3000);
        folder.run(&dedup("one", "")).ends(0);
        let memory = least(&folder, "dedup in.jsonl", 2);
        let options = format!("--memory {memory}MiB --threads 2");
        let start = Instant::now();
        let report = folder.printing(&dedup("two", &format!("{options} --run alone --json")), "").ends(0).json();
        let alone = start.elapsed();
        same(&folder);
        let parts = report["memory"]["parts"].as_u64().unwrap() as usize;
        assert!(parts >= 3, "only {parts} parts");
        let killed = Killed { folder, options, alone, parts, kills: 0, ends: 0 };
        killed.forget();
        killed
    }

    /// Removes what a finished run wrote.
    fn forget(&self) {
        let _ = fs::remove_dir_all(self.folder.path("state"));
        OUTPUTS.iter().for_each(|name| fs::remove_file(self.folder.path(&format!("two/{name}"))).unwrap());
    }

    fn has(&self, unit: &str) -> bool {
        self.folder.path(&format!("state/{unit}")).exists()
    }

    /// Starts the run, or continues it, and kills it when `wait` returns. A finished run is compared, and the next begins anew. Returns
    /// whether it was killed.
    fn attempt(&mut self, wait: impl FnOnce(&Killed, &mut Child)) -> bool {
        let mut command = self.folder.command(&dedup("two", &format!("--run state {}", self.options)));
        let mut child = command.stderr(Stdio::null()).spawn().unwrap();
        wait(self, &mut child);
        child.kill().unwrap();
        let code = child.wait().unwrap().code();
        assert!([None, Some(0)].contains(&code), "exit status {code:?}");
        // It may have been killed between its end and its exit.
        let is_killed = code.is_none() && !self.has("finished");
        if is_killed {
            self.kills += 1;
        } else {
            same(&self.folder);
            self.forget();
            self.ends += 1;
        }
        is_killed
    }

    /// Continues to the end.
    fn finish(&self) {
        let show = self.folder.command("run show state").stderr(Stdio::null()).status().unwrap();
        assert_eq!(show.success(), self.has("run.json"));
        self.folder.run(&dedup("two", &format!("--run state {}", self.options))).ends(0);
        same(&self.folder);
        self.folder.run("run show state").ends(0).says("write outputs: done");
    }
}

#[test]
fn killed_at_fifty_moments() {
    let mut killed = Killed::new();
    let mut random = Random(3);
    // A run that is continued needs less time than one from the start, so some end before.
    while killed.kills < 50 && killed.ends < 100 {
        let after = killed.alone * random.below(1000) as u32 / 1000;
        killed.attempt(|_, _| sleep(after));
    }
    assert!(killed.kills > 25, "killed {} times, ended {} times", killed.kills, killed.ends);
    killed.finish();
}

/// Each unit is done once, and the run is killed as soon as its file is there: so the next unit is interrupted, or not yet begun.
#[test]
fn killed_after_every_unit() {
    let mut killed = Killed::new();
    let last = killed.parts - 1;
    let units = ["run.json", "sieve", "documents", "sets", "selected.json", "parts.json"].map(str::to_string);
    let of_parts =
        ["pairs", "fates"].into_iter().flat_map(|kind| (0..=last).map(move |part| format!("{kind}-{part:04}")));
    let units: Vec<String> = units.into_iter().chain(of_parts).collect();
    let (mut interrupted, mut within) = (0, 0);
    for unit in &units {
        let is_killed = killed.attempt(|killed, child| {
            while !killed.has(unit) && child.try_wait().unwrap().is_none() {
                sleep(Duration::from_micros(200));
            }
        });
        interrupted += u32::from(is_killed && killed.has(unit));
        let some_of = |kind: &str| {
            let is_there = |part: &usize| killed.has(&format!("{kind}-{part:04}"));
            (1..=last).contains(&(0..=last).filter(is_there).count())
        };
        within += u32::from(is_killed && (some_of("pairs") || some_of("fates")));
    }
    assert!(interrupted as usize * 2 > units.len(), "only {interrupted} of {} units", units.len());
    assert!(within >= 2, "killed only {within} times while some parts were compared, and not all");
    killed.finish();
}
