//! If `watch` is killed again and again, is no file lost or judged twice, and are the verdicts those of an undisturbed run?

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use crate::fixture::{Folder, words};
use crate::service::watch::files;
use crate::skip::skip;

const FILES: u32 = 240;

/// Pseudo-random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// The first half is new; the second half has copies and near-duplicates of it, far apart.
fn text(number: u32) -> String {
    let first = number % (FILES / 2);
    let range = 1_000 * first..1_000 * first + 60;
    match (number < FILES / 2, number % 3) {
        (true, _) => words(range),
        (false, 0) => words(range).to_uppercase(),
        (false, 1) => words(range.start + 1..range.end + 1),
        (false, _) => words(range.start + 500..range.end + 500),
    }
}

/// Moves a complete file in, with a time that follows from its number.
fn drop_in(folder: &Folder, number: u32, start: SystemTime) {
    let hidden = folder.path(&format!("in/.{number}"));
    fs::write(&hidden, text(number)).unwrap();
    let time = start + Duration::from_secs(u64::from(number) * 10);
    File::options().write(true).open(&hidden).unwrap().set_modified(time).unwrap();
    fs::rename(&hidden, folder.path(&format!("in/{number:03}.txt"))).unwrap();
}

/// The files go to a folder below `elsewhere`, if there is one.
fn killed(arguments: &str, elsewhere: Option<&Path>, seed: u64, kills: u32) {
    let start = SystemTime::now() - Duration::from_secs(36_000);
    let [folder, peace] = [Folder::new(), Folder::new()];
    for (name, folder) in [("killed", &folder), ("peace", &peace)] {
        let place = elsewhere.map_or_else(|| folder.path("in"), |elsewhere| elsewhere.join(name));
        fs::create_dir(&place).unwrap();
        if elsewhere.is_some() {
            symlink(place, folder.path("in")).unwrap();
        }
    }
    let watch = format!("watch in --accept yes --reject no -q --tokens words:5 {arguments}");
    let mut random = Random(seed);
    let mut dropped = 0;
    let mut printed = String::new();
    for kill in 1..=kills {
        // Every tenth run is long enough to take files that were there before, without `--poll`.
        let is_told = kill % 10 == 0;
        let life = if is_told { 900 + random.below(400) } else { random.below(120) };
        let how = if is_told { "" } else { "--poll 0.004" };
        let out = File::create(folder.path("printed")).unwrap();
        let mut child = folder.command(&format!("{watch} {how}")).stdin(Stdio::null()).stdout(out).spawn().unwrap();
        let upto = FILES * kill / kills;
        for number in dropped..upto {
            drop_in(&folder, number, start);
            sleep(Duration::from_micros(random.below(1_000 * life / u64::from(upto - dropped))));
        }
        sleep(Duration::from_millis(random.below(life / 2 + 1)));
        dropped = upto;
        assert_eq!(child.try_wait().unwrap().map(|status| status.to_string()), None, "it ended by itself");
        child.kill().unwrap();
        child.wait().unwrap();
        printed += &folder.text("printed");
    }
    assert_eq!(dropped, FILES);
    printed += &folder.printing(&format!("{watch} --once --poll 0.02"), "").ends(0).stdout;
    fs::remove_file(folder.path("printed")).unwrap();

    for number in 0..FILES {
        drop_in(&peace, number, start);
    }
    let expected = peace.printing(&format!("{watch} --once --poll 0.02"), "").ends(0).stdout;
    assert_eq!(expected.lines().filter(|line| line.contains("\"of\":\"")).count(), 80);

    assert_eq!(files(&folder), files(&peace));
    let placed: Vec<String> = files(&peace).into_iter().filter(|name| !name.starts_with("in")).collect();
    assert_eq!(placed.len(), 2 * FILES as usize);
    for name in placed {
        assert_eq!(folder.text(&name), peace.text(&name), "{name}");
    }
    // Each line is printed once. The last of a run may be missing, but its sidecar exists.
    let (printed, expected): (Vec<&str>, BTreeSet<&str>) = (printed.lines().collect(), expected.lines().collect());
    let distinct: BTreeSet<&str> = printed.iter().copied().collect();
    assert_eq!(distinct.len(), printed.len());
    assert!(distinct.is_subset(&expected) && printed.len() + kills as usize >= expected.len());
}

#[test]
fn killed_while_files_are_moved() {
    killed("", None, 0x5eed_0001, 40);
}

#[test]
fn killed_while_files_are_linked() {
    killed("--link", None, 0x5eed_0002, 20);
}

/// Copies between file systems, if there are two.
#[test]
fn killed_while_files_are_copied() {
    let Ok(elsewhere) = tempfile::tempdir_in("/dev/shm") else {
        return skip("there is no /dev/shm to have a second file system");
    };
    if elsewhere.path().metadata().unwrap().dev() == std::env::temp_dir().metadata().unwrap().dev() {
        return skip("/dev/shm and the temporary folder are one file system");
    }
    killed("", Some(elsewhere.path()), 0x5eed_0003, 20);
}
