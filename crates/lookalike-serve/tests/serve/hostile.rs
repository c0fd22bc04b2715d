//! Clients that are slow, broken or malicious. They get an error, and others are served as usual.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use lookalike_serve::api::Limits;
use serde_json::{Value, json};

use crate::client::{Answer, Running};
use crate::{FERRY, document};

/// A service with short timeouts.
fn with_short_timeouts() -> Running {
    let short = Duration::from_millis(400);
    Running::with(
        None,
        Limits { header: short, idle: short, transfer: 3 * short, shutdown: short, ..Limits::default() },
    )
}

fn connect(service: &Running) -> TcpStream {
    let stream = TcpStream::connect(service.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream
}

/// Reads until the connection is closed.
fn rest(mut stream: TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    match stream.read_to_end(&mut bytes) {
        Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => panic!("the connection stays open"),
        _ => bytes,
    }
}

/// Sends raw bytes, and reads until the connection is closed.
fn raw(service: &Running, bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let mut stream = connect(service);
    let _ = stream.write_all(bytes.as_ref());
    rest(stream)
}

fn post(headers: &str, body: &str) -> String {
    format!("POST /v1/documents HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{headers}\r\n{body}")
}

#[track_caller]
fn assert_works(service: &Running) {
    assert_eq!(service.post("/v1/query", &json!({"text": FERRY})).ok()["verdict"], "new");
}

#[test]
fn a_header_that_does_not_end() {
    let service = with_short_timeouts();
    let begun = Instant::now();
    let mut slow = connect(&service);
    slow.write_all(b"GET /v1/stats HTTP/1.1\r\nX-Slow: ").unwrap();
    let mut writer = slow.try_clone().unwrap();
    // Sending a byte at a time does not extend the timeout.
    std::thread::spawn(move || {
        while writer.write_all(b"x").is_ok() {
            std::thread::sleep(Duration::from_millis(50));
        }
    });
    // Neither does sending nothing.
    let idle = connect(&service);
    assert_works(&service);
    assert_eq!((rest(slow).len(), rest(idle).len()), (0, 0));
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_body_that_does_not_come() {
    let service = with_short_timeouts();
    let begun = Instant::now();
    let none = raw(&service, post("Content-Length: 100\r\n", "{\"id\":"));
    assert_eq!(Answer::of(&none).error(408), "too_slow");
    // A byte at a time, each in time, but without end.
    let mut drip = connect(&service);
    drip.write_all(post("Content-Length: 1000\r\n", "").as_bytes()).unwrap();
    let mut writer = drip.try_clone().unwrap();
    std::thread::spawn(move || {
        while writer.write_all(b" ").is_ok() {
            std::thread::sleep(Duration::from_millis(50));
        }
    });
    assert_eq!(Answer::of(&rest(drip)).error(408), "too_slow");
    let lines = "POST /v1/documents HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n";
    let line = document("a", FERRY, 0).to_string();
    let answers = raw(&service, format!("{lines}Content-Length: 1000\r\n\r\n{line}\n{{\"id\""));
    let answers = Answer::of(&answers).lines();
    assert_eq!((&answers[0]["verdict"], &answers[1]["error"]["code"]), (&"new".into(), &"too_slow".into()));
    assert_eq!(answers[1]["line"], 2);
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[test]
fn requests_that_break_off() {
    let service = Running::start(None);
    let whole = post("Content-Length: 200\r\n", &document("a", FERRY, 0).to_string());
    for length in (1..whole.len()).step_by(7) {
        let mut stream = connect(&service);
        stream.write_all(&whole.as_bytes()[..length]).unwrap();
        if length % 2 == 0 {
            stream.shutdown(Shutdown::Write).unwrap();
        }
    }
    // A client that disconnects before the response.
    for n in 0..20 {
        let body = document(&format!("gone-{n}"), &format!("{FERRY} {n}"), 0).to_string();
        connect(&service).write_all(post(&format!("Content-Length: {}\r\n", body.len()), &body).as_bytes()).unwrap();
    }
    assert_eq!(service.get("/v1/documents/a").error(404), "unknown_id");
    assert_eq!(service.get("/readyz").status, 200);
}

#[test]
fn a_response_that_is_not_read() {
    let mut service = with_short_timeouts();
    let mut deaf = connect(&service);
    let head = "POST /v1/documents HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n";
    deaf.write_all(head.as_bytes()).unwrap();
    deaf.set_write_timeout(Some(Duration::from_secs(5))).unwrap();
    let lines = "not a document\n".repeat(1000);
    let begun = Instant::now();
    // The body is rejected, and not read forever.
    while deaf.write_all(format!("{:x}\r\n{lines}\r\n", lines.len()).as_bytes()).is_ok() {
        assert!(begun.elapsed() < Duration::from_secs(60));
    }
    assert_works(&service);
    service.end();
}

#[test]
fn invalid_documents() {
    let service = Running::start(None);
    let deep = "[".repeat(90_000);
    for (body, code) in [
        (&b"{\"id\":\"a\",\"text\":\"\xff\xfe\"}"[..], "bad_json"),
        (b"{\"id\":\"\xc3\",\"text\":\"x\"}", "bad_json"),
        (b"\xef\xbb\xbf{\"id\":\"a\",\"text\":\"x\"}", "bad_json"),
        (format!("{{\"id\":{deep}").as_bytes(), "bad_json"),
        (format!("{{\"id\":\"a\",\"text\":\"x\",\"more\":{deep}").as_bytes(), "bad_json"),
        (format!("{{\"id\":{deep}{}}}", "]".repeat(90_000)).as_bytes(), "bad_id"),
        (b"{\"id\":\"a\",\"id\":\"b\",\"text\":\"x\"}", "bad_json"),
        (b"{\"id\":\"a\",\"text\":\"x\",\"text\":\"y\"}", "bad_json"),
        (b"{\"id\":[1,2,3],\"text\":\"x\"}", "bad_id"),
        (b"{\"id\":true,\"text\":\"x\"}", "bad_id"),
        (b"{\"id\":1e999,\"text\":\"x\"}", "bad_json"),
        (format!("{{\"id\":\"{}\",\"text\":\"x\"}}", "i".repeat(1025)).as_bytes(), "bad_id"),
        (b"{\"id\":\"a\",\"text\":\"x\",\"time\":{\"now\":[]}}", "bad_time"),
        (b"{\"id\":\"a\",\"text\":\"x\",\"time\":1e30}", "bad_time"),
        // Milliseconds instead of seconds.
        (b"{\"id\":\"a\",\"text\":\"x\",\"time\":1700000000000}", "bad_time"),
        (b"{\"id\":\"a\",\"text\":\"x\"} {}", "bad_json"),
    ] {
        let head = post(&format!("Connection: close\r\nContent-Length: {}\r\n", body.len()), "");
        let answer = Answer::of(&raw(&service, [head.as_bytes(), body].concat()));
        assert_eq!(answer.error(400), code, "{}", String::from_utf8_lossy(&body[..body.len().min(80)]));
    }
    // Fields that are not read may be nested to any depth.
    let deep = format!("{{\"id\":\"deep\",\"text\":\"x\",\"more\":{}{}}}", "[".repeat(40_000), "]".repeat(40_000));
    assert_eq!(service.post_text("/v1/documents", &deep).status, 200);
    assert_works(&service);
}

#[test]
fn invalid_requests() {
    let service = Running::start(Some("secret"));
    let status = |bytes: String| Answer::of(&raw(&service, bytes)).status;
    let ids: String = (0..10_000).map(|n| format!("document-{n},")).collect();
    assert_eq!(status(format!("GET /v1/documents/{ids} HTTP/1.1\r\nHost: localhost\r\n\r\n")), 431);
    assert_eq!(status(format!("GET /v1/stats HTTP/1.1\r\nHost: localhost\r\nX-Large: {ids}\r\n\r\n")), 431);
    assert_eq!(
        status(format!("GET /v1/stats HTTP/1.1\r\nHost: localhost\r\n{}\r\n", "X-More: y\r\n".repeat(1000))),
        431
    );
    assert_eq!(status("nonsense\r\n\r\n".into()), 400);
    assert_eq!(status("GET / HTTP/3.0\r\n\r\n".into()), 400);
    assert_eq!(status("GET /v1/stats HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n".into()), 400);
    let with = |token: &str| {
        format!("GET /v1/stats HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: {token}\r\n\r\n")
    };
    for token in ["Bearer secre", "Bearer secrets", "Bearer ", "Basic c2VjcmV0", "secret", "bearer"] {
        assert_eq!(Answer::of(&raw(&service, with(token))).error(401), "unauthorized", "{token}");
    }
    assert_eq!(status(with("Bearer secret")), 200);
    // Without the token, a client cannot find out which documents exist.
    for (path, status) in [("/v1/documents", 405), ("/v1/matches?since=x", 401), ("/v1/documents/%ff", 401)] {
        assert!(!service.get(path).error(status).is_empty(), "{path}");
    }
}

#[test]
fn errors_are_json() {
    let service = Running::start(None);
    assert_eq!(service.get("/v1/matches?since=-1").error(400), "bad_query");
    assert_eq!(service.get("/v1/matches?limit=x").error(400), "bad_query");
    assert_eq!(service.get("/v1/matches?limit=0").error(400), "bad_query");
    assert_eq!(service.get("/v1/documents/%ff%fe").error(400), "bad_id");
    assert_eq!(service.delete("/v1/stats").error(405), "method_not_allowed");
    assert_eq!(service.delete("/nothing").error(404), "not_found");
    let ask = |kind: &str| {
        let body = document("a", FERRY, 0).to_string();
        let head = format!(
            "POST /v1/documents HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{kind}Content-Length: {}\r\n\r\n",
            body.len()
        );
        Answer::of(&raw(&service, head + &body))
    };
    for kind in ["", "Content-Type: text/plain\r\n", "Content-Type: application/x-www-form-urlencoded\r\n"] {
        assert_eq!(ask(kind).error(415), "bad_content_type", "{kind}");
    }
    assert_eq!(ask("Content-Type: Application/JSON; charset=utf-8\r\n").status, 200);
}

#[test]
fn several_requests_at_once_on_one_connection() {
    let service = Running::start(None);
    let mut all = String::new();
    for n in 0..50 {
        let body = document(&n.to_string(), &format!("{FERRY} {n}"), n).to_string();
        all += &post(&format!("Content-Length: {}\r\n", body.len()), &body);
    }
    all += "GET /v1/stats HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    let answers = String::from_utf8(raw(&service, all)).unwrap();
    assert_eq!(answers.matches("HTTP/1.1 200 OK").count(), 51);
    assert!(answers.contains("\"documents\":50"));
}

#[test]
fn expect_100_continue() {
    let service = Running::start(None);
    let body = document("a", FERRY, 0).to_string();
    let mut stream = connect(&service);
    let head = post(&format!("Connection: close\r\nExpect: 100-continue\r\nContent-Length: {}\r\n", body.len()), "");
    stream.write_all(head.as_bytes()).unwrap();
    let mut interim = [0; 25];
    stream.read_exact(&mut interim).unwrap();
    assert_eq!(&interim, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(body.as_bytes()).unwrap();
    assert_eq!(Answer::of(&rest(stream)).ok()["verdict"], "new");
    // The service rejects a large body before the client sends it.
    let answer = raw(&service, post("Connection: close\r\nExpect: 100-continue\r\nContent-Length: 1000000000\r\n", ""));
    assert_eq!(Answer::of(&answer).error(413), "too_large");
}

#[test]
fn too_many_connections_wait() {
    let short = Duration::from_millis(500);
    let service = Running::with(None, Limits { connections: 5, header: short, ..Limits::default() });
    let idle: Vec<TcpStream> = (0..20).map(|_| connect(&service)).collect();
    // It is served when the idle connections have timed out.
    assert_works(&service);
    drop(idle);
}

#[test]
fn shutdown_finishes_accepted_documents() {
    let mut service = Running::start(None);
    let mut feed = connect(&service);
    let head = "POST /v1/documents HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n";
    let line = document("a", FERRY, 0).to_string() + "\n";
    feed.write_all(format!("{head}{:x}\r\n{line}\r\n", line.len()).as_bytes()).unwrap();
    while service.get("/v1/documents/a").status != 200 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let begun = Instant::now();
    service.end();
    // A stream of lines does not end by itself; the service ends it with an error.
    assert!(begun.elapsed() < Duration::from_secs(10));
    let answers: Vec<Value> = Answer::of(&rest(feed)).lines();
    assert_eq!((&answers[0]["verdict"], &answers[1]["error"]["code"]), (&"new".into(), &"unavailable".into()));
}
