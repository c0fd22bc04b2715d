//! A watch that is interrupted at each step, and begun again.

use std::fs;
use std::path::PathBuf;

use lookalike::engine::Span;
use lookalike::{Measure, Threshold};
use tempfile::TempDir;

use self::skip::skip;
use super::stamp::Stamp;
use super::*;

#[path = "../../../lookalike-cli/tests/cli/skip.rs"]
mod skip;

const TEXT: &str = "The ferry to the island leaves at nine in the morning, and again at noon.";

struct Folds {
    dir: TempDir,
    link: bool,
}

impl Folds {
    fn new(link: bool) -> Folds {
        let folds = Folds { dir: tempfile::tempdir().unwrap(), link };
        fs::create_dir(folds.path("in")).unwrap();
        folds
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn open(&self) -> Folder {
        let [input, accept, reject, data] = ["in", "yes", "no", "data"].map(|name| self.path(name));
        let settings = Settings {
            folders: Folders { input, accept, reject, data },
            link: self.link,
            how: How::Once,
            interval: Duration::from_millis(5),
            recipe: Recipe { tokens: "letters:4".parse().unwrap(), ..Recipe::default() },
            page: PageRule::default(),
            format: None,
            max_document: 1_000,
        };
        let span = Span::new(86_400_000, 3_600_000).unwrap();
        let window = SetWindow::new(Threshold::new(Measure::Max, "0.8").unwrap(), span).unwrap();
        Folder::open(settings, window).unwrap().0
    }

    /// Runs once; what was told, a line each.
    fn run(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let rings = Bell::new().1;
        let done = self.open().run(rings, &mut |told| {
            match told {
                Told::Watching(_) => (),
                Told::Verdict(answer) => lines.push(format!("{} {}", answer.id, answer.kind.name())),
                Told::Left(path, reason) => {
                    lines.push(format!("{} {reason}", path.file_name().unwrap().to_string_lossy()));
                }
            }
            ControlFlow::Continue(())
        });
        assert!(!done.unwrap().is_stopped);
        lines
    }

    /// The same file in the log, judged and synced, and nothing done since.
    fn judge(&self, name: &str) -> (Origin, Verdict) {
        let mut folder = self.open();
        fs::write(self.path("in").join(name), TEXT).unwrap();
        let stamp = Stamp::of(&self.path("in").join(name).metadata().unwrap());
        let origin = Origin { name: name.to_string(), stamp };
        let id = folder.free_id(name).unwrap();
        let source = Some(serde_json::to_string(&origin).unwrap());
        let set = folder.sets.set(TEXT).to_vec();
        let time = origin.stamp.time();
        let answer = folder.stock.add(Incoming { id, time, source, text: TEXT.to_string(), set }).unwrap();
        folder.stock.commit().unwrap();
        (origin, answer)
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
        let folds = Folds::new(link);
        folds.judge("a.txt");
        assert_eq!(folds.run(), ["a.txt new"]);
        assert_eq!(folds.list("yes"), PLACED);
        assert_eq!(folds.list("in").len(), usize::from(link));
        assert_eq!(folds.run(), [""; 0]);
    }
}

#[test]
fn interrupted_before_the_file() {
    for link in [false, true] {
        let folds = Folds::new(link);
        let (origin, answer) = folds.judge("a.txt");
        let sidecar = place::sidecar(&answer, &origin.name, "a.txt");
        fs::write(folds.path("yes/a.txt.lookalike.json"), sidecar).unwrap();
        assert_eq!(folds.run(), ["a.txt new"]);
        assert_eq!(folds.list("yes"), PLACED);
        assert_eq!(folds.list("in").len(), usize::from(link));
        assert_eq!(folds.run(), [""; 0]);
    }
}

/// Copied, as between file systems, or linked.
#[test]
fn interrupted_before_the_original_went() {
    for link in [false, true] {
        for is_copy in [false, true] {
            let folds = Folds::new(link);
            let (origin, answer) = folds.judge("a.txt");
            fs::write(folds.path("yes/a.txt.lookalike.json"), place::sidecar(&answer, &origin.name, "a.txt")).unwrap();
            let (from, to) = (folds.path("in/a.txt"), folds.path("yes/a.txt"));
            if is_copy {
                fs::copy(from, to).map(drop).unwrap()
            } else {
                fs::hard_link(from, to).unwrap()
            }
            assert_eq!(folds.run(), ["a.txt new"]);
            assert_eq!(folds.list("yes"), PLACED);
            assert_eq!(folds.list("in").len(), usize::from(link));
            assert_eq!(folds.run(), [""; 0]);
        }
    }
}

/// The file was brought to its place, and another of its name and text came before the next run: it is another.
#[test]
fn the_same_again_after_an_interruption() {
    let folds = Folds::new(false);
    let (origin, answer) = folds.judge("a.txt");
    assert!(folds.open().placer.place(&origin, &answer).unwrap());
    fs::write(folds.path("in/a.txt"), TEXT).unwrap();
    assert_eq!(folds.run(), ["a.2.txt exact"]);
    assert_eq!(folds.list("no"), ["a.2.txt", "a.2.txt.lookalike.json"]);
    let sidecar: serde_json::Value =
        serde_json::from_slice(&fs::read(folds.path("no/a.2.txt.lookalike.json")).unwrap()).unwrap();
    assert_eq!(
        [&sidecar["id"], &sidecar["of"], &sidecar["name"], &sidecar["file"]],
        ["a.2.txt", "a.txt", "a.txt", "a.2.txt"]
    );
}

#[test]
fn somebody_has_the_name_meanwhile() {
    let folds = Folds::new(false);
    folds.judge("a.txt");
    fs::write(folds.path("yes/a.txt"), "a stranger's").unwrap();
    fs::write(folds.path("yes/a.2.txt.lookalike.json"), "too").unwrap();
    assert_eq!(folds.run(), ["a.txt new"]);
    assert_eq!(fs::read(folds.path("yes/a.txt")).unwrap(), b"a stranger's");
    assert_eq!(fs::read(folds.path("yes/a.2.txt.lookalike.json")).unwrap(), b"too");
    assert_eq!(fs::read(folds.path("yes/a.3.txt")).unwrap(), TEXT.as_bytes());
    let sidecar = fs::read_to_string(folds.path("yes/a.3.txt.lookalike.json")).unwrap();
    assert!(sidecar.contains(r#""id":"a.txt""#) && sidecar.contains(r#""file":"a.3.txt""#), "{sidecar}");
}

/// What was judged is nowhere any more, and what is there was not judged.
#[test]
fn changed_while_it_was_judged() {
    let folds = Folds::new(false);
    let (origin, answer) = folds.judge("a.txt");
    fs::write(folds.path("in/a.txt"), "something else, and it has not been judged").unwrap();
    let mut folder = folds.open();
    let mut told = String::new();
    let end = folder.finish(&origin, &answer, &mut |said| {
        told = format!("{said:?}");
        ControlFlow::Continue(())
    });
    assert!(end.unwrap().is_continue() && told.contains("changed"), "{told}");
    assert!(!folder.stock.has("a.txt"));
    drop(folder);
    assert_eq!((folds.list("yes").len(), folds.list("no").len()), (0, 0));
    assert_eq!(folds.run(), ["a.txt new"]);
}

#[test]
fn what_stays_is_not_judged_again() {
    let folds = Folds::new(true);
    fs::write(folds.path("in/a.txt"), TEXT).unwrap();
    assert_eq!(folds.run(), ["a.txt new"]);
    // Whoever reads the other folder takes it away, and the window forgets.
    fs::remove_file(folds.path("yes/a.txt")).unwrap();
    fs::write(folds.path("in/z.txt"), "of another time").unwrap();
    let later = fs::File::options().write(true).open(folds.path("in/z.txt")).unwrap();
    later.set_modified(std::time::SystemTime::now() + Duration::from_secs(30 * 86_400)).unwrap();
    assert_eq!(folds.run(), ["z.txt new"]);
    assert_eq!(folds.run(), [""; 0]);
    // Not even if they are moved from now on.
    let folds = Folds { link: false, ..folds };
    assert_eq!(folds.run(), [""; 0]);
    fs::write(folds.path("in/a.txt"), "news").unwrap();
    assert_eq!(folds.run().len(), 1);
    assert_eq!(folds.list("in"), ["z.txt"]);
}

/// Between file systems a file is copied, with its time, and then removed.
#[test]
fn to_another_file_system() {
    use std::os::unix::fs::MetadataExt;

    let folds = Folds::new(false);
    let Ok(elsewhere) = tempfile::tempdir_in("/dev/shm") else {
        return skip("there is no /dev/shm to have a second file system");
    };
    if elsewhere.path().metadata().unwrap().dev() == folds.path("in").metadata().unwrap().dev() {
        return skip("/dev/shm and the temporary folder are one file system");
    }
    std::os::unix::fs::symlink(elsewhere.path(), folds.path("yes")).unwrap();
    fs::write(folds.path("in/a.txt"), TEXT).unwrap();
    let modified = folds.path("in/a.txt").metadata().unwrap().modified().unwrap();
    assert_eq!(folds.run(), ["a.txt new"]);
    assert_eq!((folds.list("yes"), folds.list("in")), (PLACED.map(String::from).to_vec(), Vec::new()));
    assert_eq!(folds.path("yes/a.txt").metadata().unwrap().modified().unwrap(), modified);
    let folds = Folds { link: true, ..folds };
    fs::write(folds.path("in/b.txt"), "It stays, and goes.").unwrap();
    assert_eq!(folds.run(), ["b.txt new"]);
    assert_eq!((folds.list("yes").len(), folds.list("in")), (4, vec!["b.txt".to_string()]));
}
