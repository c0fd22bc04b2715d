//! The stream of events.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::Running;
use super::{FERRY, document};

struct Reader(BufReader<TcpStream>);

impl Reader {
    /// Connects a reader. The service notices with a delay that earlier readers are gone, so this may need several attempts.
    fn of(service: &Running, path: &str, headers: &str) -> Reader {
        let begun = Instant::now();
        loop {
            let mut stream = TcpStream::connect(service.address).unwrap();
            stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
            write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n").unwrap();
            let mut reader = Reader(BufReader::new(stream));
            let first = reader.line().unwrap();
            while !reader.line().unwrap().is_empty() {}
            if first.contains(" 200 ") {
                return reader;
            }
            assert!(first.contains(" 429 ") && begun.elapsed() < Duration::from_secs(20), "{first}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The next line; `None` at the end.
    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        (self.0.read_line(&mut line).unwrap() > 0).then(|| line.trim_end().to_string())
    }

    /// The next event of a kind, and its id.
    fn next(&mut self, kind: &str) -> (String, Value) {
        let (mut found, mut id) = (String::new(), String::new());
        loop {
            let line = self.line().expect("an event");
            match line.split_once(": ") {
                Some(("event", name)) => found = name.to_string(),
                Some(("id", number)) => id = number.to_string(),
                Some(("data", data)) if found == kind => return (id, serde_json::from_str(data).unwrap()),
                _ => (),
            }
        }
    }
}

#[test]
fn documents_are_reported() {
    let service = Running::start(None);
    service.post("/v1/documents", &json!({"id": "a", "text": FERRY, "time": 1000, "source": "x"})).ok();
    let mut reader = Reader::of(&service, "/v1/events", "");
    let (_, stats) = reader.next("stats");
    assert_eq!((&stats["documents"], &stats["came"]["new"]), (&1.into(), &1.into()));
    let (id, opening) = reader.next("judged");
    assert_eq!((id.as_str(), &opening["next"], &opening["latest"]), ("1", &1.into(), &json!([])));

    service.post("/v1/documents", &json!({"id": "b/2", "text": FERRY, "time": 1060.5, "source": "y"})).ok();
    let (id, news) = reader.next("judged");
    assert_eq!(
        (id.as_str(), news),
        (
            "2",
            json!({"since": 1, "next": 2, "duplicates": 1, "left_off": 0, "latest": [
            {"number": 1, "id": "b/2", "source": "y", "time": 1060.5, "verdict": "exact", "of": "a", "similarity": 1.0, "age": 60.5}]})
        )
    );
    assert_eq!(reader.next("stats").1["came"]["exact"], 1);

    // A reader that reconnects gets what came since. With a number of an earlier store, it gets everything.
    let again = |path: &str, headers: &str| {
        Reader::of(&service, path, headers).next("judged").1["latest"].as_array().unwrap().len()
    };
    assert_eq!((again("/v1/events?since=2", ""), again("/v1/events?since=1", "")), (0, 1));
    assert_eq!((again("/v1/events", "Last-Event-ID: 2\r\n"), again("/v1/events?since=900", "")), (0, 1));
    // A deleted duplicate is not reported.
    service.delete("/v1/documents/b/2");
    assert_eq!(again("/v1/events", ""), 0);
}

#[test]
fn a_fast_feed_makes_few_events() {
    let service = Running::start(None);
    let mut reader = Reader::of(&service, "/v1/events", "");
    reader.next("judged");
    // Ten documents each have the same text.
    let word = |n: u64| format!("{:x}", (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let text = |n: u64| (0..8).map(|at| word(n / 10 * 8 + at)).collect::<Vec<_>>().join(" ");
    let lines: String = (0..3000).map(|n| format!("{}\n", document(&n.to_string(), &text(n), 1000))).collect();
    service.post_lines("/v1/documents", &lines);
    let (mut next, mut events, mut duplicates, mut listed) = (0, 0, 0, 0);
    while next < 3000 {
        let (_, news) = reader.next("judged");
        assert_eq!(news["since"], next);
        next = news["next"].as_u64().unwrap();
        let latest = news["latest"].as_array().unwrap();
        assert!(latest.len() <= 50);
        assert!(latest.iter().is_sorted_by_key(|brief| brief["number"].as_u64()));
        assert!(latest.iter().all(|brief| brief["number"].as_u64().unwrap() < next));
        events += 1;
        duplicates += news["duplicates"].as_u64().unwrap();
        listed += latest.len() as u64 + news["left_off"].as_u64().unwrap();
    }
    assert!(events < 300, "{events}");
    assert_eq!((duplicates, listed), (2700, 2700));
}

#[test]
fn readers_are_limited() {
    let service = Running::start(None);
    let readers = [0, 1].map(|_| Reader::of(&service, "/v1/events", ""));
    let refused = service.get("/v1/events");
    assert_eq!((refused.error(429).as_str(), refused.header("retry-after")), ("too_many_readers", "10"));
    service.post("/v1/documents", &document("a", FERRY, 1000)).ok();
    assert_eq!(service.get("/v1/events?since=x").status, 400);
    drop(readers);
    Reader::of(&service, "/v1/events", "").next("judged");
}

#[test]
fn shutdown_disconnects_readers() {
    let mut service = Running::start(None);
    let mut reader = Reader::of(&service, "/v1/events", "");
    reader.next("judged");
    // A reader that reads nothing must not delay the shutdown either.
    let _idle = Reader::of(&service, "/v1/events", "");
    let begun = Instant::now();
    service.restart();
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    while reader.line().is_some() {}
}
