//! Do endless requests and silent clients cost the service no memory?

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use nix::sys::resource::{Resource, getrlimit, setrlimit};
use serde_json::json;

use crate::fixture::Folder;
use crate::service::served::{Connection, Server};

const GIGABYTE: usize = 1 << 30;
/// How much the service may grow, in kilobytes: a few documents of maximum length.
const SOME: usize = 150_000;

/// Sends a gigabyte after a header and the start of a body, and returns the answer.
fn send_gigabyte(server: &Server, head: &str, begins: &str) -> String {
    let mut stream = TcpStream::connect(server.address).unwrap();
    let mut reader = stream.try_clone().unwrap();
    reader.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    // Reads while it writes, like a client that waits for an early answer.
    let answer = std::thread::spawn(move || {
        let (mut bytes, mut some) = (Vec::new(), [0; 4096]);
        while let Ok(length @ 1..) = reader.read(&mut some) {
            bytes.extend_from_slice(&some[..length]);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    });
    stream.write_all(format!("{head}Host: localhost\r\nConnection: close\r\n\r\n").as_bytes()).unwrap();
    let is_chunked = head.contains("chunked");
    let mut put = |bytes: &[u8]| {
        let ends = if is_chunked { (format!("{:x}\r\n", bytes.len()), "\r\n") } else { Default::default() };
        stream.write_all(&[ends.0.as_bytes(), bytes, ends.1.as_bytes()].concat())
    };
    let (body, mut sent) = ([b'x'; 1 << 16], 0);
    if put(begins.as_bytes()).is_ok() {
        while sent < GIGABYTE && put(&body).is_ok() {
            sent += body.len();
        }
    }
    answer.join().unwrap()
}

#[test]
fn a_gigabyte_is_refused_and_not_kept() {
    let folder = Folder::new();
    let server = Server::start(&folder.path("data"), "");
    let before = server.memory();
    let document = "POST /v1/documents HTTP/1.1\r\nContent-Type: application/json\r\n";
    let lines = "POST /v1/documents HTTP/1.1\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n";
    let begins = "{\"id\":\"large\",\"text\":\"";
    let length = begins.len() + GIGABYTE;
    let announced = send_gigabyte(&server, &format!("{document}Content-Length: {length}\r\n"), begins);
    assert!(announced.starts_with("HTTP/1.1 413 "), "{announced}");
    let chunked = send_gigabyte(&server, &format!("{document}Transfer-Encoding: chunked\r\n"), begins);
    assert!(chunked.starts_with("HTTP/1.1 413 "), "{chunked}");
    let line = send_gigabyte(&server, lines, &format!("{}\n{begins}", json!({"id": "a", "text": "x"})));
    assert!(
        line.contains("\"verdict\":\"new\"") && line.contains("\"too_large\"") && line.contains("\"line\":2"),
        "{line}"
    );
    let grown = server.memory().saturating_sub(before);
    assert!(grown < SOME, "{grown} kB");
    assert_eq!(Connection::open(server.address).unwrap().get("/v1/documents/a").unwrap().ok()["text"], "x");
}

#[test]
fn a_thousand_connections_that_do_nothing() {
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
    setrlimit(Resource::RLIMIT_NOFILE, most, most).unwrap();
    let folder = Folder::new();
    let mut server = Server::start(&folder.path("data"), "");
    let before = server.memory();
    let idle: Vec<TcpStream> = (0..1000).map(|_| TcpStream::connect(server.address).unwrap()).collect();
    let mut connection = Connection::open(server.address).unwrap();
    assert_eq!(connection.post("/v1/documents", &json!({"id": "a", "text": "x"})).unwrap().ok()["verdict"], "new");
    let grown = server.memory().saturating_sub(before);
    assert!(grown < SOME, "{grown} kB");
    // They do not prevent an orderly stop either.
    assert!(server.terminate().success());
    drop(idle);
}
