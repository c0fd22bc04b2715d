//! Labels given in a terminal, and in a browser that is interrupted.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Stdio;

use crate::fixture::{Folder, row};
use crate::output::cut_short::{send, wait_until};

/// Types lines into a pseudo-terminal, and returns what the program printed.
fn type_into(folder: &Folder, arguments: &str, lines: &str) -> String {
    let pty = nix::pty::openpty(None, None).unwrap();
    let slave = || Stdio::from(pty.slave.try_clone().unwrap());
    let mut child = folder.command(arguments).stdin(slave()).stdout(slave()).stderr(slave()).spawn().unwrap();
    drop(pty.slave);
    let mut master = File::from(pty.master);
    master.write_all(lines.as_bytes()).unwrap();
    let mut said = Vec::new();
    // A pseudo-terminal that the other side has closed reports an error, and not the end.
    let mut buffer = [0; 4096];
    while let Ok(read @ 1..) = master.read(&mut buffer) {
        said.extend_from_slice(&buffer[..read]);
    }
    let said = String::from_utf8_lossy(&said).into_owned();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{said}");
    said
}

fn documents() -> Folder {
    let text = |n: u32, last: &str| format!("the old harbour wall of town{n} was rebuilt in {last}");
    let documents: String = (0..6)
        .flat_map(|n| [row(&format!("a{n}"), &text(n, "spring")), row(&format!("b,{n}"), &text(n, "autumn \u{1b}[2J"))])
        .collect();
    Folder::with(&[("in.jsonl", documents)])
}

const COMMAND: &str = "calibrate in.jsonl --tokens words --labels answers.csv -t 0.7 -q --label";

#[test]
fn answers_undo_and_quit() {
    let folder = documents();
    let said = type_into(&folder, &format!("{COMMAND} 4"), "y\nn\nb\nu\nd\nhelp\ny\nq\n");
    assert!(said.contains("1 of 4") && said.contains("3 answers in answers.csv"), "{said}");
    assert!(said.contains("\u{1b}[1;33m"), "differences are in colour: {said}");
    assert!(!said.contains("\u{1b}[2J"), "a document cannot clear the screen");
    let answers: Vec<String> = folder.text("answers.csv").lines().map(String::from).collect();
    assert_eq!(answers[0], "a,b,label");
    let labels: Vec<char> = answers[1..].iter().map(|line| line.chars().last().unwrap()).collect();
    assert_eq!(labels, ['1', 'u', '1']);
    // The next session asks about others, and adds to the file.
    let said = type_into(&folder, &format!("{COMMAND} 1"), "n\n");
    assert!(said.contains("1 answer in answers.csv"), "{said}");
    assert_eq!(folder.text("answers.csv").lines().count(), 5);
    assert_eq!(folder.list(), ["answers.csv", "in.jsonl"]);
}

#[test]
fn nothing_is_lost_at_the_end_of_input() {
    let folder = documents();
    // Control-D: the end of input.
    let said = type_into(&folder, &format!("{COMMAND} 4"), "b\ny\n\u{4}");
    assert!(said.contains("this is the first pair") && said.contains("1 answer in answers.csv"), "{said}");
    assert_eq!(folder.text("answers.csv").lines().count(), 2);
}

#[test]
fn a_file_of_another_kind_is_left_alone() {
    let folder = documents();
    folder.write("other.csv", "x,y,z\n1,2,3\n");
    let pty = nix::pty::openpty(None, None).unwrap();
    let slave = || Stdio::from(pty.slave.try_clone().unwrap());
    let mut command =
        folder.command("calibrate in.jsonl --tokens words --labels other.csv --label 2 --label-columns x,y,z -q");
    let status = command.stdin(slave()).stdout(slave()).stderr(Stdio::null()).status().unwrap();
    assert_eq!(status.code(), Some(2));
    assert_eq!(folder.text("other.csv"), "x,y,z\n1,2,3\n");
}

/// Ctrl-C ends a session after any answer, and the answers so far are kept.
#[test]
fn interrupted_in_a_terminal() {
    let folder = documents();
    let pty = nix::pty::openpty(None, None).unwrap();
    let slave = || Stdio::from(pty.slave.try_clone().unwrap());
    let mut child =
        folder.command(&format!("{COMMAND} 4")).stdin(slave()).stdout(slave()).stderr(slave()).spawn().unwrap();
    let mut master = File::from(pty.master);
    master.write_all(b"y\nn\n").unwrap();
    let path = folder.path("answers.csv");
    wait_until("the second answer", || fs::read_to_string(&path).is_ok_and(|text| text.lines().count() == 3));
    send("-INT", &child);
    let mut status = None;
    wait_until("the end", || {
        status = child.try_wait().unwrap();
        status.is_some()
    });
    assert_eq!(status.unwrap().code(), Some(130));
    assert_eq!(folder.text("answers.csv").lines().count(), 3);
    assert_eq!(folder.list(), ["answers.csv", "in.jsonl"]);
}

/// The same for the page in a browser, at every moment of a session.
#[test]
fn interrupted_in_a_browser() {
    for answers in 0..=4 {
        let folder = documents();
        let mut command = folder.command(&format!("{COMMAND} 4 --browser"));
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut said = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut said).unwrap();
        let (host, path) = said.trim().rsplit_once("http://").unwrap().1.split_once('/').unwrap();
        for at in 0..answers {
            let body = format!("at={at}&answer=y");
            let mut client = TcpStream::connect(host).unwrap();
            let head = format!(
                "POST /{path}answer HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: close\r\n"
            );
            write!(client, "{head}Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
            let mut answer = String::new();
            client.read_to_string(&mut answer).unwrap();
            assert!(answer.starts_with("HTTP/1.1 303"), "{answer}");
        }
        send("-INT", &child);
        let mut status = None;
        // Long before the session would end by itself.
        wait_until("the end", || {
            status = child.try_wait().unwrap();
            status.is_some()
        });
        assert_eq!(status.unwrap().code(), Some(130), "after {answers} answers");
        let kept = fs::read_to_string(folder.path("answers.csv")).unwrap_or_default();
        assert_eq!(kept.lines().count(), if answers == 0 { 0 } else { answers + 1 });
        assert!(folder.list().iter().all(|name| ["answers.csv", "in.jsonl"].contains(&name.as_str())));
    }
}
