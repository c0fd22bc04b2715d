//! What is left of a run that uses temporary files and fails?

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::{DISK, collection, documents, least, rows};
use crate::fixture::{Folder, Run, words};
use crate::output::cut_short::{SmallDisk, send};

const JOBS: [&str; 2] =
    ["dedup in.jsonl -o kept.jsonl --removed removed.csv --pairs pairs.csv", "pairs in.jsonl -o pairs.csv"];

/// A folder with an input, and an empty one for temporary files.
fn folder(bytes: usize) -> Folder {
    let folder = Folder::with(&[("in.jsonl", rows(&documents(bytes, 'd')))]);
    fs::create_dir(folder.path("tmp")).unwrap();
    folder
}

/// Options for as little memory as possible.
fn little(folder: &Folder) -> String {
    format!("--memory {}MiB --threads 1", least(folder, "dedup in.jsonl", 1))
}

#[track_caller]
fn fails(folder: &Folder, place: &str, reasons: &[&str]) {
    let before = folder.list();
    for job in JOBS {
        let run = folder.run(&format!("{job} {} --tmp {place}", little(folder))).ends(2);
        reasons.iter().fold(run.says(place), |run, reason| run.says(reason));
        assert_eq!(folder.list(), before, "{job}");
    }
}

#[test]
fn no_room_for_temporary_files() {
    let folder = folder(5_500_000);
    fails(&folder, "none", &["--tmp none: there is no such folder"]);
    fails(&folder, "in.jsonl", &["--tmp in.jsonl: there is no such folder"]);
    let Some(disk) = SmallDisk::mount(folder.path("small")) else { return };
    fails(&folder, "small", &["cannot use temporary space in", "No space left on device"]);
    if !disk.remount("ro") {
        return;
    }
    fails(&folder, "small", &["cannot use temporary space in", "Read-only file system"]);
}

/// Root may write to any folder; for root, the read-only disk above does the same. So nothing is skipped.
#[test]
fn a_folder_that_may_not_be_written_to() {
    let folder = folder(5_500_000);
    let user = Command::new("id").arg("-u").output().unwrap().stdout;
    if user.trim_ascii() == b"0" {
        return;
    }
    fs::set_permissions(folder.path("tmp"), std::os::unix::fs::PermissionsExt::from_mode(0o555)).unwrap();
    fails(&folder, "tmp", &["cannot use temporary space in", "Permission denied"]);
}

/// What the message asks for is enough.
#[test]
fn too_small_a_budget_names_one_that_is_enough() {
    let folder = folder(5_500_000);
    let before = folder.list();
    for threads in [1, 3] {
        for job in JOBS {
            let needed = least(&folder, job, threads);
            let run = folder.run(&format!("{job} --memory {}MiB --threads {threads} --tmp tmp", needed - 1)).ends(2);
            run.says(&format!("{} MiB of memory is too little for about ", needed - 1));
            assert_eq!(folder.list(), before);
            let run = folder.printing(&format!("{job} --memory {needed}MiB --threads {threads} --tmp tmp --json"), "");
            assert_eq!(run.ends(0).json()["memory"]["plan"], DISK, "{job}");
            for name in folder.list().iter().filter(|name| !before.contains(name)) {
                fs::remove_file(folder.path(name)).unwrap();
            }
        }
    }
    folder.run(&format!("{} --memory 1kB", JOBS[0])).ends(2).says("less than 1 MiB of memory is too little for about ");
}

fn start(folder: &Folder, job: &str) -> Child {
    let mut command = folder.command(&format!("{job} {} --tmp tmp", little(folder)));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until a run has a temporary file: it is then reading for the second time. False if it has ended before.
fn wait_for_a_temporary_file(folder: &Folder, child: &mut Child) -> bool {
    let files = format!("/proc/{}/fd", child.id());
    let place = folder.path("tmp").canonicalize().unwrap();
    while child.try_wait().unwrap().is_none() {
        let mut open = fs::read_dir(&files).into_iter().flatten().flatten();
        if open.any(|file| fs::read_link(file.path()).is_ok_and(|path| path.starts_with(&place))) {
            return true;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    false
}

#[test]
fn interrupted_and_killed() {
    let folder = folder(12_000_000);
    let before = folder.list();
    for job in JOBS {
        for (signal, code) in [("-INT", Some(130)), ("-TERM", Some(130)), ("-KILL", None)] {
            let mut child = start(&folder, job);
            assert!(wait_for_a_temporary_file(&folder, &mut child), "{job}");
            send(signal, &child);
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), code, "{job}, {signal}: {}", String::from_utf8_lossy(&output.stderr));
            assert_eq!(output.status.signal(), code.is_none().then_some(9));
            assert_eq!(folder.list(), before, "{job}, {signal}");
        }
    }
}

fn append(folder: &Folder) {
    let mut file = File::options().append(true).open(folder.path("in.jsonl")).unwrap();
    file.write_all(format!("{{\"id\":\"new\",\"text\":\"{}\"}}\n", words(0..54)).as_bytes()).unwrap();
}

/// Other texts of the same length, and the time of the file as it was.
fn replace_unseen(folder: &Folder) {
    let path = folder.path("in.jsonl");
    let time = fs::metadata(&path).unwrap().modified().unwrap();
    let text = fs::read_to_string(&path).unwrap().replace("w1", "v1");
    let file = File::options().write(true).open(&path).unwrap();
    (&file).write_all(text.as_bytes()).unwrap();
    file.set_modified(time).unwrap();
}

/// The input changes while it is read for the second time. That is an error, unless the run has read all it needs.
#[test]
fn an_input_that_changes_before_it_is_read_again() {
    let folder = folder(12_000_000);
    let input = folder.read("in.jsonl");
    for job in JOBS {
        folder.run(&format!("{job} {} --tmp tmp", little(&folder))).ends(0);
        let written: Vec<String> = folder.list().into_iter().filter(|name| name.contains(".csv")).collect();
        let expected: Vec<Vec<u8>> = written.iter().map(|name| folder.read(name)).collect();
        let clear = || {
            for name in ["kept.jsonl", "removed.csv", "pairs.csv"] {
                let _ = fs::remove_file(folder.path(name));
            }
        };
        clear();
        let before = folder.list();
        for change in [append, replace_unseen] {
            let mut attempts = 0;
            loop {
                attempts += 1;
                assert!(attempts < 20, "{job} never noticed");
                let mut child = start(&folder, job);
                assert!(wait_for_a_temporary_file(&folder, &mut child), "{job}");
                send("-STOP", &child);
                change(&folder);
                send("-CONT", &child);
                let run = Run::of(&folder, child.wait_with_output().unwrap());
                folder.write("in.jsonl", &input);
                if run.code == 2 {
                    run.says("in.jsonl changed while it was being read");
                    assert_eq!(folder.list(), before, "{job}");
                    break;
                }
                assert_eq!(run.code, 0, "{job}: {}", run.stderr);
                let found: Vec<Vec<u8>> = written.iter().map(|name| folder.read(name)).collect();
                assert!(found == expected, "{job} wrote something else");
                clear();
            }
        }
    }
}

/// Nothing but `--tmp` is used, and nothing stays there.
#[test]
fn temporary_files_lie_where_they_should() {
    let folder = collection(5_500_000);
    fs::create_dir(folder.path("tmp")).unwrap();
    let job = "dedup in.jsonl --against other.jsonl --removed removed.csv --pairs pairs.csv";
    let memory = least(&folder, job, 1);
    let mut command = folder.command(&format!("{job} --json --threads 1 --memory {memory}MiB --tmp tmp"));
    let output = command.env("TMPDIR", folder.path("none")).output().unwrap();
    let report = Run::of(&folder, output).ends(0).json();
    assert_eq!(report["memory"]["plan"], DISK);
    assert!(report["memory"]["temporary_bytes"].as_u64().unwrap() > 1_000_000, "{report}");
    assert_eq!(folder.list(), ["in.jsonl", "other.jsonl", "pairs.csv", "removed.csv", "tmp/"]);
}

/// Signatures that are not verified, and the batch of an index, are kept in memory: if they do not fit, the run says so at the start, and how much is enough.
#[test]
fn signatures_and_batches_that_do_not_fit() {
    let folder = collection(6_000_000);
    for job in ["dedup in.jsonl --method minhash --unverified", "dedup in.jsonl --index archive"] {
        let said = folder.run(&format!("{job} --memory 36MiB --threads 2")).ends(2).stderr;
        let needed = said.split_once("Use --memory ").and_then(|(_, said)| said.split_once("MiB or more"));
        let needed: u32 = needed.and_then(|(needed, _)| needed.parse().ok()).unwrap_or_else(|| panic!("{job}: {said}"));
        assert!(needed > 36, "{said}");
        assert_eq!(said.contains("or add fewer files at a time"), job.contains("--index"), "{said}");
        assert!(!folder.path("archive").exists());
        folder.run(&format!("{job} --memory {needed}MiB --threads 2")).ends(0);
    }
    assert!(!folder.list().contains(&"kept.jsonl".to_string()));
}
