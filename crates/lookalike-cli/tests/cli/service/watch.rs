//! Where does `watch` put files and sidecars, and which files stay?

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::fixture::{BINARY, Folder, Run, words};
use crate::output::cut_short::{SmallDisk, send, wait_until};

pub const WATCH: &str = "watch in --accept yes --reject no";

/// Moves in a complete file, with a time this many minutes ago.
pub fn drop_in(folder: &Folder, name: &str, text: impl AsRef<[u8]>, minutes_ago: u64) {
    let hidden = format!("in/.{name}");
    folder.write(&hidden, text);
    let time = SystemTime::now() - Duration::from_secs(60 * minutes_ago);
    File::options().write(true).open(folder.path(&hidden)).unwrap().set_modified(time).unwrap();
    fs::rename(folder.path(&hidden), folder.path("in").join(name)).unwrap();
}

/// Lists the files below a folder, without the data folder.
pub fn files(folder: &Folder) -> Vec<String> {
    let is_file = |name: &String| !name.ends_with('/') && !name.contains(".lookalike/");
    folder.list().into_iter().filter(is_file).collect()
}

fn once(folder: &Folder, more: &str) -> Run {
    folder.printing(&format!("{WATCH} --once --poll 0.02 {more}"), "")
}

fn ids(run: &Run) -> Vec<String> {
    let line = |line: &str| serde_json::from_str::<Value>(line).unwrap();
    run.stdout.lines().map(|text| format!("{} {}", line(text)["id"], line(text)["verdict"]).replace('"', "")).collect()
}

/// A running watch, and the lines that it prints.
struct Watching {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Watching {
    fn start(folder: &Folder, arguments: &str) -> Watching {
        let mut command = folder.command(arguments);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        // Its signal handler is set before it prints that it watches.
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.starts_with("watching") {
            line.clear();
            assert!(said.read_line(&mut line).unwrap() > 0, "it ended");
        }
        std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
        Watching { child, lines }
    }

    #[track_caller]
    fn verdict(&mut self) -> Value {
        serde_json::from_str(&self.lines.next().unwrap().unwrap()).unwrap()
    }

    fn end(mut self, signal: &str) -> i32 {
        send(signal, &self.child);
        self.child.wait().unwrap().code().unwrap()
    }
}

#[test]
fn where_files_go_and_what_lies_beside_them() {
    let folder = Folder::new();
    drop_in(&folder, "first.txt", words(0..100), 30);
    drop_in(&folder, "copy.txt", words(0..100).to_uppercase(), 20);
    drop_in(&folder, "near.txt", words(1..100), 10);
    drop_in(&folder, "other.txt", words(500..600), 5);
    drop_in(&folder, "page.html", format!("<title>x</title><p>{}", words(500..600)), 4);
    for name in [".hidden", "unfinished.tmp", "unfinished.part"] {
        folder.write(&format!("in/{name}"), words(0..100));
    }
    folder.write("in/below/deeper.txt", words(0..100));
    let run = once(&folder, "").ends(0).says("5 files: 2 new; stopped 3 (60.0 %): 1 exact copy, 2 near-duplicates");
    assert_eq!(ids(&run), ["first.txt new", "copy.txt exact", "near.txt near", "other.txt new", "page.html near"]);
    let left = ["in/.hidden", "in/below/deeper.txt", "in/unfinished.part", "in/unfinished.tmp"];
    let moved = [
        "no/copy.txt",
        "no/copy.txt.lookalike.json",
        "no/near.txt",
        "no/near.txt.lookalike.json",
        "no/page.html",
        "no/page.html.lookalike.json",
        "yes/first.txt",
        "yes/first.txt.lookalike.json",
        "yes/other.txt",
        "yes/other.txt.lookalike.json",
    ];
    assert_eq!(files(&folder), [&left[..], &moved[..]].concat());
    assert_eq!(folder.text("no/near.txt"), words(1..100));

    let line: Value = serde_json::from_str(run.stdout.lines().nth(1).unwrap()).unwrap();
    let mut sidecar = folder.rows("no/copy.txt.lookalike.json").remove(0);
    assert_eq!((&sidecar["name"], &sidecar["file"]), (&json!("copy.txt"), &json!("copy.txt")));
    sidecar.as_object_mut().unwrap().retain(|key, _| key != "name" && key != "file");
    assert_eq!(sidecar, line);
    assert_eq!(
        (&line["of"], &line["similarity"], &line["matches"][0]["id"]),
        (&json!("first.txt"), &json!(1.0), &json!("first.txt"))
    );
    assert!((599.0..601.0).contains(&line["matches"][0]["age"].as_f64().unwrap()), "{line}");

    // It remembers the documents and has nothing to do.
    let run = once(&folder, "").ends(0).says("loaded 5 documents");
    assert_eq!(run.stdout, "");
}

/// One story in two wrappers is one story. Pages are recognised by name or by content.
#[test]
fn items_in_xml() {
    let story = words(0..100);
    let short = format!("<item><title>Ferry</title><body>{story}</body></item>");
    let long = format!(
        "<newsItem guid=\"tag:agency.example,2026:item_{}\" standard=\"NewsML-G2\"><contentSet><headline>Ferry</headline><p><![CDATA[{story}]]></p></contentSet></newsItem>",
        words(900..990)
    );
    let declared = |item: &str| format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{item}");
    let folder = Folder::new();
    drop_in(&folder, "a.xml", &short, 9);
    drop_in(&folder, "b.xml", declared(&long), 8);
    drop_in(&folder, "c", declared(&long), 7);
    drop_in(&folder, "d.txt", format!(" <!DOCTYPE html><p>Ferry {story}"), 6);
    drop_in(&folder, "e.txt", &short, 5);
    let run = once(&folder, "").ends(0);
    assert_eq!(ids(&run), ["a.xml new", "b.xml exact", "c exact", "d.txt exact", "e.txt near"]);

    // --format sets the format of every file.
    drop_in(&folder, "f.txt", &short, 4);
    assert_eq!(ids(&once(&folder, "--format html").ends(0)), ["f.txt exact"]);
    drop_in(&folder, "g.xml", declared(&long), 3);
    assert_eq!(ids(&once(&folder, "--format text").ends(0)), ["g.xml new"]);
    once(&folder, "--format jsonl").ends(2).says("neither html nor text");

    // As `tokens` and `dedup` read them.
    folder.write("both/a.xml", &short);
    folder.write("both/b.xml", declared(&long));
    folder.run("dedup both -t 1").ends(0).says("removed 1");
    let seen = |more: &str| folder.printing(&format!("tokens both/b.xml --limit 0 {more}"), "").ends(0).stdout;
    assert_eq!(seen(""), seen("--format html"));
}

#[test]
fn a_name_that_comes_again() {
    let folder = Folder::new();
    for (text, id) in
        [(0..100, "a.txt new"), (500..600, "a.2.txt new"), (0..100, "a.3.txt exact"), (500..600, "a.4.txt exact")]
    {
        drop_in(&folder, "a.txt", words(text), 0);
        assert_eq!(ids(&once(&folder, "").ends(0)), [id]);
    }
    assert_eq!(folder.text("yes/a.2.txt"), words(500..600));
    assert_eq!(folder.rows("no/a.4.txt.lookalike.json")[0]["of"], "a.2.txt");
    assert_eq!(folder.rows("no/a.4.txt.lookalike.json")[0]["name"], "a.txt");
    // A name that is taken by another file, and a name that looks like a sidecar.
    folder.write("yes/b.txt", "a stranger's");
    folder.write("no/c.txt", "a stranger's");
    drop_in(&folder, "b.txt", words(1000..1100), 0);
    drop_in(&folder, "c.txt", words(2000..2100), 0);
    drop_in(&folder, "a.txt.lookalike.json", words(3000..3100), 0);
    assert_eq!(ids(&once(&folder, "").ends(0)), ["b.2.txt new", "c.2.txt new", "a.txt.lookalike.2.json new"]);
    assert_eq!((folder.text("yes/b.txt"), folder.text("no/c.txt")), ("a stranger's".into(), "a stranger's".into()));
}

#[test]
fn links_leave_the_original() {
    let folder = Folder::new();
    drop_in(&folder, "a.txt", words(0..100), 10);
    drop_in(&folder, "b.txt", words(0..100), 5);
    assert_eq!(ids(&once(&folder, "--link").ends(0)), ["a.txt new", "b.txt exact"]);
    let inode = |name: &str| folder.path(name).metadata().unwrap().ino();
    assert_eq!((inode("in/a.txt"), inode("in/b.txt")), (inode("yes/a.txt"), inode("no/b.txt")));
    assert_eq!(once(&folder, "--link").ends(0).stdout, "");
    drop_in(&folder, "b.txt", words(500..600), 0);
    assert_eq!(ids(&once(&folder, "--link").ends(0)), ["b.2.txt new"]);
}

#[test]
fn what_cannot_be_judged_stays() {
    let folder = Folder::new();
    drop_in(&folder, "good.txt", words(0..100), 10);
    drop_in(&folder, "empty.txt", "", 9);
    folder.write("in/latin1.txt", b"caf\xe9");
    folder.write("in/long.txt", words(0..400));
    symlink("good.txt", folder.path("in/link.txt")).unwrap();
    symlink("nowhere", folder.path("in/dangling.txt")).unwrap();
    assert!(Command::new("mkfifo").arg(folder.path("in/fifo.txt")).status().unwrap().success());
    let odd = std::ffi::OsStr::new("in");
    let mut odd = folder.path("").join(odd).into_os_string();
    odd.push(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"/odd\xff.txt"));
    fs::write(&odd, words(0..100)).unwrap();
    folder.write("in/secret.txt", "x");
    fs::set_permissions(folder.path("in/secret.txt"), fs::Permissions::from_mode(0o000)).unwrap();
    let is_root = fs::read(folder.path("in/secret.txt")).is_ok();
    let run = once(&folder, "--max-document 1kB").ends(3);
    let mut judged = vec!["good.txt new", "empty.txt new"];
    let mut said = vec![
        "latin1.txt invalid UTF-8 at byte 4",
        "long.txt is longer than the 1000 bytes that --max-document allows",
        "link.txt is a symbolic link",
        "dangling.txt is a symbolic link",
        "fifo.txt is not a regular file",
        "has a name that is not UTF-8",
    ];
    // Root can read every file.
    if is_root {
        judged.push("secret.txt new")
    } else {
        said.push("secret.txt cannot be read: Permission denied")
    }
    assert_eq!(ids(&run), judged);
    for part in said {
        assert!(run.stderr.contains(part), "no '{part}' in:\n{}", run.stderr);
    }
    assert_eq!(folder.read("in/latin1.txt"), b"caf\xe9");
    assert!(folder.path("in/fifo.txt").exists() && folder.path("in/long.txt").exists());
}

#[test]
fn what_cannot_be() {
    let folder = Folder::with(&[("in/a.txt", words(0..100))]);
    folder.run("watch nowhere --accept yes --reject no --once").ends(2).says("nowhere");
    folder.run("watch in/a.txt --accept yes --reject no --once").ends(2).says("in/a.txt");
    folder
        .run("watch in --accept in --reject no")
        .ends(2)
        .says("cannot use in: it is the watched folder, and files in it would be judged again");
    folder.run("watch in --accept yes --reject in/../in").ends(2).says("judged again");
    folder.run("watch in --accept yes --reject no --data in").ends(2).says("must be a folder of its own");
    folder.run("watch in --accept yes --reject no --data yes").ends(2).says("must be a folder of its own");
    folder.run("watch in --accept yes --reject no --max-document 101MB").ends(2).says("more than 100MB");
    folder.run("watch in --accept yes --reject no --poll 0").ends(2).says("seconds");
    folder.run("watch in --accept yes --reject no --poll nan").ends(2).says("seconds");
    folder.run("watch in --accept in/a.txt --reject no --once").ends(2).says("in/a.txt");
    folder.run("watch in --accept yes --reject no -t 2").ends(2);
    assert_eq!(folder.text("in/a.txt"), words(0..100));
}

/// Files are written, moved in, linked, changed or made readable, also from folders inside the watched one.
fn as_they_come(more: &str) {
    let folder = Folder::new();
    folder.write("in/there.txt", words(0..100));
    let arguments = format!("watch in --accept in/yes --reject in/no {more}");
    let mut watching = Watching::start(&folder, &arguments);
    assert_eq!(watching.verdict()["id"], "there.txt");
    drop_in(&folder, "moved.txt", words(0..100), 0);
    let verdict = watching.verdict();
    assert_eq!((&verdict["id"], &verdict["of"]), (&json!("moved.txt"), &json!("there.txt")));
    wait_until("the move", || folder.path("in/no/moved.txt").exists());
    folder.write("in/written.txt", words(500..600));
    assert_eq!(watching.verdict()["id"], "written.txt");
    folder.write("linked", words(1000..1100));
    fs::hard_link(folder.path("linked"), folder.path("in/linked.txt")).unwrap();
    assert_eq!(watching.verdict()["id"], "linked.txt");
    folder.write("in/bad.txt", b"\xff");
    folder.write("in/next.txt", words(2000..2100));
    assert_eq!(watching.verdict()["id"], "next.txt");
    folder.write("in/bad.txt", words(3000..3100));
    assert_eq!(watching.verdict()["id"], "bad.txt");

    let again = folder.run("watch in --accept in/yes --reject in/no --once").ends(2);
    assert!(again.stderr.contains("in use by another process"), "{}", again.stderr);
    assert_eq!(watching.end("-TERM"), 0);
    let left = |name: &String| name.starts_with("in/") && !name[3..].contains('/') && name != "in/";
    assert_eq!(folder.list().into_iter().find(left), None);
}

#[test]
fn as_they_come_by_being_told() {
    as_they_come("");
}

#[test]
fn as_they_come_by_polling() {
    as_they_come("--poll 0.03");
}

/// A file that is still being written is not taken, however slow the writer.
#[test]
fn half_a_file_is_not_taken() {
    use std::io::Write;

    let folder = Folder::new();
    folder.write("in/there.txt", "x");
    let mut watching = Watching::start(&folder, WATCH);
    watching.verdict();
    let mut slow = File::create(folder.path("in/slow.txt")).unwrap();
    slow.write_all(b"half of ").unwrap();
    std::thread::sleep(Duration::from_millis(1_200));
    drop_in(&folder, "quick.txt", "quick", 0);
    assert_eq!(watching.verdict()["id"], "quick.txt");
    slow.write_all(b"the news").unwrap();
    drop(slow);
    assert_eq!(watching.verdict()["id"], "slow.txt");
    assert_eq!(folder.text("yes/slow.txt"), "half of the news");
    assert_eq!(watching.end("-INT"), 0);

    let mut slow = File::create(folder.path("in/slow.txt")).unwrap();
    slow.write_all(b"again ").unwrap();
    let mut command = folder.command(&format!("{WATCH} --once --poll 1"));
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    for _ in 0..40 {
        slow.write_all(b"and again ").unwrap();
        std::thread::sleep(Duration::from_millis(50));
    }
    let run = Run::of(&folder, child.wait_with_output().unwrap()).ends(3).says("slow.txt is still being written");
    assert_eq!(run.stdout, "");
}

#[test]
fn a_folder_that_goes_away() {
    let folder = Folder::new();
    folder.write("in/a.txt", "x");
    let mut watching = Watching::start(&folder, &format!("{WATCH} --data data"));
    watching.verdict();
    fs::remove_dir(folder.path("in")).unwrap();
    assert_eq!(watching.child.wait().unwrap().code(), Some(2));
}

/// Stops when it is interrupted, and when its output is closed.
#[test]
fn ended_early() {
    let folder = Folder::new();
    drop_in(&folder, "a.txt", words(0..100), 2);
    drop_in(&folder, "b.txt", words(0..100), 1);
    let watching = Watching::start(&folder, &format!("{WATCH} --once --poll 600"));
    assert_eq!(watching.end("-INT"), 130);
    assert!(folder.path("in/a.txt").exists());

    let mut command = folder.command(&format!("{WATCH} --once --poll 0.02"));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    Run::of(&folder, child.wait_with_output().unwrap()).ends(0);
    assert!(folder.path("yes/a.txt").exists() && folder.path("in/b.txt").exists());
    assert_eq!(ids(&once(&folder, "").ends(0)), ["b.txt exact"]);
}

/// If the log cannot grow, it stops without judging the file, and continues when there is space.
#[test]
fn no_room() {
    let folder = Folder::new();
    drop_in(&folder, "a.txt", words(0..100), 2);
    // Without the signal, a write beyond the limit is an error like that of a full disk.
    let full = format!("trap '' XFSZ; ulimit -f 0; exec {BINARY} {WATCH} --once --poll 0.02");
    let output = Command::new("bash").args(["-c", &full]).current_dir(folder.path("")).output().unwrap();
    Run::of(&folder, output).ends(2).says("in/.lookalike");
    assert_eq!(files(&folder), ["in/a.txt"]);
    assert_eq!(ids(&once(&folder, "").ends(0)), ["a.txt new"]);
}

/// If there is no space in the target folder on another file system, the judged file is not judged again.
#[test]
fn no_room_where_it_is_to_go() {
    let folder = Folder::new();
    drop_in(&folder, "a.txt", words(0..12_000), 2);
    let Some(disk) = SmallDisk::mount(folder.path("yes")) else { return };
    let run = once(&folder, "").ends(2).says("No space left on device");
    assert_eq!(run.stdout, "");
    assert_eq!(files(&folder), ["in/a.txt", "yes/a.txt.lookalike.json"]);
    drop(disk);
    assert_eq!(ids(&once(&folder, "").ends(0)), ["a.txt new"]);
    assert_eq!(folder.text("yes/a.txt"), words(0..12_000));
}

/// If a judged file cannot be moved, the run ends, and the next run does not judge it again.
#[test]
fn nowhere_to_go() {
    let folder = Folder::new();
    drop_in(&folder, "a.txt", words(0..100), 2);
    let mut watching = Watching::start(&folder, WATCH);
    watching.verdict();
    fs::remove_dir_all(folder.path("yes")).unwrap();
    drop_in(&folder, "b.txt", words(500..600), 1);
    assert_eq!(watching.child.wait().unwrap().code(), Some(2));
    assert!(folder.path("in/b.txt").exists());
    assert_eq!(ids(&once(&folder, "").ends(0)), ["b.txt new"]);
    assert_eq!(folder.text("yes/b.txt"), words(500..600));
}
