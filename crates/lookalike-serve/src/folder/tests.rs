//! Watches that are interrupted at each step, and restarted.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use lookalike::engine::{Recipe, SetMaker, SetWindow, Span};
use lookalike::{Measure, Threshold, Verdict};
use lookalike_io::extract::Extraction;
use tempfile::TempDir;

use self::skip::skip;
use super::stamp::{Origin, Stamp};
use super::*;
use crate::store::Incoming;

#[path = "../../../lookalike-cli/tests/cli/skip.rs"]
mod skip;

const TEXT: &str = "The ferry to the island leaves at nine in the morning, and again at noon.";

fn recipe() -> Recipe {
    Recipe { tokens: "letters:4".parse().unwrap(), ..Recipe::default() }
}

struct Fixture {
    dir: TempDir,
    link: bool,
}

impl Fixture {
    fn new(link: bool) -> Fixture {
        let fixture = Fixture { dir: tempfile::tempdir().unwrap(), link };
        fs::create_dir(fixture.path("in")).unwrap();
        fixture
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn open(&self) -> Watch {
        let [input, accept, reject, data] = ["in", "yes", "no", "data"].map(|name| self.path(name));
        let settings = Settings {
            folders: Folders { input, accept, reject, data },
            link: self.link,
            how: How::Once,
            interval: Duration::from_millis(5),
            extraction: Extraction { recipe: recipe(), ..Extraction::default() },
            format: None,
            max_document: 1_000,
        };
        let span = Span::new(86_400_000, 3_600_000).unwrap();
        let window = SetWindow::new(Threshold::new(Measure::Max, "0.8").unwrap(), span).unwrap();
        Watch::open(settings, window).unwrap().0
    }

    /// Runs once, and returns a line for each event.
    fn run(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let done = self.open().run(signals().1, &mut |event| {
            match event {
                Event::Watching(_) => (),
                Event::Verdict(verdict) => lines.push(format!("{} {}", verdict.id, verdict.kind.name())),
                Event::Left(path, reason) => {
                    lines.push(format!("{} {reason}", path.file_name().unwrap().to_string_lossy()));
                }
            }
            ControlFlow::Continue(())
        });
        assert!(!done.unwrap().is_stopped);
        lines
    }

    /// Writes a file, and logs its verdict, but does not move it.
    fn judge(&self, name: &str) -> (Origin, Verdict) {
        let mut watch = self.open();
        fs::write(self.path("in").join(name), TEXT).unwrap();
        let stamp = Stamp::of(&self.path("in").join(name).metadata().unwrap());
        let origin = Origin { name: name.to_string(), stamp };
        let id = watch.free_id(name).unwrap();
        let source = Some(serde_json::to_string(&origin).unwrap());
        let set = SetMaker::new(recipe()).set(TEXT).to_vec();
        let time = origin.stamp.time();
        let verdict = watch.store.add(Incoming { id, time, source, text: TEXT.to_string(), set }).unwrap();
        watch.store.commit().unwrap();
        (origin, verdict)
    }

    fn list(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

const PLACED: [&str; 2] = ["a.txt", "a.txt.lookalike.json"];

#[test]
fn interrupted_before_the_sidecar() {
    for link in [false, true] {
        let fixture = Fixture::new(link);
        fixture.judge("a.txt");
        assert_eq!(fixture.run(), ["a.txt new"]);
        assert_eq!(fixture.list("yes"), PLACED);
        assert_eq!(fixture.list("in").len(), usize::from(link));
        assert_eq!(fixture.run(), [""; 0]);
    }
}

#[test]
fn interrupted_before_the_file() {
    for link in [false, true] {
        let fixture = Fixture::new(link);
        let (origin, verdict) = fixture.judge("a.txt");
        let sidecar = place::sidecar(&verdict, &origin.name, "a.txt");
        fs::write(fixture.path("yes/a.txt.lookalike.json"), sidecar).unwrap();
        assert_eq!(fixture.run(), ["a.txt new"]);
        assert_eq!(fixture.list("yes"), PLACED);
        assert_eq!(fixture.list("in").len(), usize::from(link));
        assert_eq!(fixture.run(), [""; 0]);
    }
}

/// Copied, as between file systems, or linked.
#[test]
fn interrupted_before_the_original_is_removed() {
    for link in [false, true] {
        for is_copy in [false, true] {
            let fixture = Fixture::new(link);
            let (origin, verdict) = fixture.judge("a.txt");
            fs::write(fixture.path("yes/a.txt.lookalike.json"), place::sidecar(&verdict, &origin.name, "a.txt"))
                .unwrap();
            let (from, to) = (fixture.path("in/a.txt"), fixture.path("yes/a.txt"));
            if is_copy {
                fs::copy(from, to).map(drop).unwrap()
            } else {
                fs::hard_link(from, to).unwrap()
            }
            assert_eq!(fixture.run(), ["a.txt new"]);
            assert_eq!(fixture.list("yes"), PLACED);
            assert_eq!(fixture.list("in").len(), usize::from(link));
            assert_eq!(fixture.run(), [""; 0]);
        }
    }
}

/// The file was moved, and another with the same name and text came before the next run.
#[test]
fn the_same_again_after_an_interruption() {
    let fixture = Fixture::new(false);
    let (origin, verdict) = fixture.judge("a.txt");
    assert!(fixture.open().placer.place(&origin, &verdict).unwrap());
    fs::write(fixture.path("in/a.txt"), TEXT).unwrap();
    assert_eq!(fixture.run(), ["a.2.txt exact"]);
    assert_eq!(fixture.list("no"), ["a.2.txt", "a.2.txt.lookalike.json"]);
    let sidecar: serde_json::Value =
        serde_json::from_slice(&fs::read(fixture.path("no/a.2.txt.lookalike.json")).unwrap()).unwrap();
    assert_eq!(
        [&sidecar["id"], &sidecar["of"], &sidecar["name"], &sidecar["file"]],
        ["a.2.txt", "a.txt", "a.txt", "a.2.txt"]
    );
}

#[test]
fn the_name_is_taken_meanwhile() {
    let fixture = Fixture::new(false);
    fixture.judge("a.txt");
    fs::write(fixture.path("yes/a.txt"), "a stranger's").unwrap();
    fs::write(fixture.path("yes/a.2.txt.lookalike.json"), "too").unwrap();
    assert_eq!(fixture.run(), ["a.txt new"]);
    assert_eq!(fs::read(fixture.path("yes/a.txt")).unwrap(), b"a stranger's");
    assert_eq!(fs::read(fixture.path("yes/a.2.txt.lookalike.json")).unwrap(), b"too");
    assert_eq!(fs::read(fixture.path("yes/a.3.txt")).unwrap(), TEXT.as_bytes());
    let sidecar = fs::read_to_string(fixture.path("yes/a.3.txt.lookalike.json")).unwrap();
    assert!(sidecar.contains(r#""id":"a.txt""#) && sidecar.contains(r#""file":"a.3.txt""#), "{sidecar}");
}

/// The judged content is gone, and the new content has not been judged.
#[test]
fn changed_while_it_was_judged() {
    let fixture = Fixture::new(false);
    let (origin, verdict) = fixture.judge("a.txt");
    fs::write(fixture.path("in/a.txt"), "something else, and it has not been judged").unwrap();
    let mut watch = fixture.open();
    let mut reported = String::new();
    let end = watch.finish(&origin, &verdict, &mut |event| {
        reported = format!("{event:?}");
        ControlFlow::Continue(())
    });
    assert!(end.unwrap().is_continue() && reported.contains("changed"), "{reported}");
    assert!(!watch.store.has("a.txt"));
    drop(watch);
    assert_eq!((fixture.list("yes").len(), fixture.list("no").len()), (0, 0));
    assert_eq!(fixture.run(), ["a.txt new"]);
}

#[test]
fn linked_files_are_not_judged_again() {
    let fixture = Fixture::new(true);
    fs::write(fixture.path("in/a.txt"), TEXT).unwrap();
    assert_eq!(fixture.run(), ["a.txt new"]);
    // A reader of the other folder removes the file, and it expires from the window.
    fs::remove_file(fixture.path("yes/a.txt")).unwrap();
    fs::write(fixture.path("in/z.txt"), "of another time").unwrap();
    let later = fs::File::options().write(true).open(fixture.path("in/z.txt")).unwrap();
    later.set_modified(std::time::SystemTime::now() + Duration::from_secs(30 * 86_400)).unwrap();
    assert_eq!(fixture.run(), ["z.txt new"]);
    assert_eq!(fixture.run(), [""; 0]);
    // Not even if files are moved from now on.
    let fixture = Fixture { link: false, ..fixture };
    assert_eq!(fixture.run(), [""; 0]);
    fs::write(fixture.path("in/a.txt"), "news").unwrap();
    assert_eq!(fixture.run().len(), 1);
    assert_eq!(fixture.list("in"), ["z.txt"]);
}

/// Between file systems a file is copied, with its time, and then removed.
#[test]
fn to_another_file_system() {
    use std::os::unix::fs::MetadataExt;

    let fixture = Fixture::new(false);
    let Ok(elsewhere) = tempfile::tempdir_in("/dev/shm") else {
        return skip("there is no /dev/shm to have a second file system");
    };
    if elsewhere.path().metadata().unwrap().dev() == fixture.path("in").metadata().unwrap().dev() {
        return skip("/dev/shm and the temporary folder are one file system");
    }
    std::os::unix::fs::symlink(elsewhere.path(), fixture.path("yes")).unwrap();
    fs::write(fixture.path("in/a.txt"), TEXT).unwrap();
    let modified = fixture.path("in/a.txt").metadata().unwrap().modified().unwrap();
    assert_eq!(fixture.run(), ["a.txt new"]);
    assert_eq!((fixture.list("yes"), fixture.list("in")), (PLACED.map(String::from).to_vec(), Vec::new()));
    assert_eq!(fixture.path("yes/a.txt").metadata().unwrap().modified().unwrap(), modified);
    let fixture = Fixture { link: true, ..fixture };
    fs::write(fixture.path("in/b.txt"), "It stays, and goes.").unwrap();
    assert_eq!(fixture.run(), ["b.txt new"]);
    assert_eq!((fixture.list("yes").len(), fixture.list("in")), (4, vec!["b.txt".to_string()]));
}
