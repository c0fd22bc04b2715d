//! A service on its own thread, and a minimal HTTP client.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::JoinHandle;

use lookalike::engine::{Recipe, SetWindow, Span};
use lookalike::{Measure, Threshold};
use lookalike_io::extract::Extraction;
use lookalike_serve::api::{FieldNames, Limits, Reading, Service, serve};
use lookalike_serve::store::Store;
use lookalike_serve::writer::{Sync, Writer};
use serde_json::Value;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

pub struct Running {
    folder: TempDir,
    token: Option<String>,
    limits: Limits,
    fields: FieldNames,
    pub address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

pub struct Answer {
    pub status: u16,
    head: String,
    body: Vec<u8>,
}

impl Running {
    pub fn start(token: Option<&str>) -> Running {
        Running::with(token, Limits::default())
    }

    pub fn with(token: Option<&str>, limits: Limits) -> Running {
        Running::with_fields(token, limits, FieldNames::default())
    }

    pub fn with_fields(token: Option<&str>, limits: Limits, fields: FieldNames) -> Running {
        let mut running = Running {
            folder: tempfile::tempdir().unwrap(),
            token: token.map(String::from),
            limits: Limits { document: 200_000, readers: 2, ..limits },
            fields,
            address: ([127, 0, 0, 1], 0).into(),
            stop: None,
            thread: None,
        };
        running.run();
        running
    }

    fn run(&mut self) {
        let hour = 3_600_000;
        let span = Span::new(24 * hour, hour).unwrap();
        let window = SetWindow::new(Threshold::new(Measure::Max, "0.8").unwrap(), span).unwrap();
        let recipe = Recipe { tokens: "letters:4".parse().unwrap(), ..Recipe::default() };
        let (store, _) = Store::open(self.folder.path(), window, recipe).unwrap();
        let (writer, worker) = Writer::start(store, Sync::Always, |_| ());
        let reading =
            Reading { extraction: Extraction { recipe, ..Extraction::default() }, fields: self.fields.clone() };
        let service = Service::new(writer, reading, self.limits, self.token.as_deref());
        let (stop, stopped) = oneshot::channel();
        let (sender, receiver) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(async {
                let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
                sender.send(listener.local_addr().unwrap()).unwrap();
                serve(listener, service, async { stopped.await.unwrap_or(()) }).await.unwrap();
            });
            drop(runtime);
            worker.join().unwrap().unwrap();
        });
        self.address = receiver.recv().unwrap();
        (self.stop, self.thread) = (Some(stop), Some(thread));
    }

    /// Stops the service, and starts it again in the same folder.
    pub fn restart(&mut self) {
        self.end();
        self.run();
    }

    pub fn end(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }

    pub fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, "", None, None)
    }

    pub fn delete(&self, path: &str) -> Answer {
        self.ask("DELETE", path, "", None, None)
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.post_text(path, &body.to_string())
    }

    pub fn post_text(&self, path: &str, body: &str) -> Answer {
        self.ask("POST", path, body, Some("application/json"), None)
    }

    pub fn post_lines(&self, path: &str, body: &str) -> Answer {
        self.ask("POST", path, body, Some("application/x-ndjson"), None)
    }

    pub fn with_token<'a>(&'a self, token: &'a str) -> WithToken<'a> {
        WithToken(self, token)
    }

    pub fn ask(&self, method: &str, path: &str, body: &str, kind: Option<&str>, token: Option<&str>) -> Answer {
        let kind = kind.map_or(String::new(), |kind| format!("Content-Type: {kind}\r\n"));
        let token = token.map_or(String::new(), |token| format!("Authorization: Bearer {token}\r\n"));
        self.send(method, path, &format!("Host: localhost\r\n{kind}{token}"), body)
    }

    /// Sends a request with these headers, which include the line ends.
    pub fn send(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let head =
            format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n", body.len());
        stream.write_all(head.as_bytes()).unwrap();
        // The service may respond before it has read the whole body.
        let _ = stream.write_all(body.as_bytes());
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        Answer::of(&bytes)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.end();
        }
    }
}

pub struct WithToken<'a>(&'a Running, &'a str);

impl WithToken<'_> {
    pub fn get(&self, path: &str) -> Answer {
        self.0.ask("GET", path, "", None, Some(self.1))
    }
}

impl Answer {
    /// Parses a response.
    #[track_caller]
    pub fn of(bytes: &[u8]) -> Answer {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("an answer");
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let body = bytes[end + 4..].to_vec();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let is_chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
        Answer { status, body: if is_chunked { unchunk(&body) } else { body }, head }
    }

    #[track_caller]
    pub fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text());
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The code of an error with this status.
    #[track_caller]
    pub fn error(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.text());
        let body: Value = serde_json::from_slice(&self.body).unwrap();
        assert!(!body["error"]["message"].as_str().unwrap().is_empty());
        body["error"]["code"].as_str().unwrap().to_string()
    }

    /// The value of a header; empty if there is none.
    pub fn header(&self, name: &str) -> &str {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(found, _)| found.eq_ignore_ascii_case(name)).map_or("", |(_, value)| value)
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn lines(&self) -> Vec<Value> {
        self.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

fn unchunk(mut bytes: &[u8]) -> Vec<u8> {
    let mut all = Vec::new();
    while let Some(end) = bytes.windows(2).position(|two| two == b"\r\n") {
        let length = usize::from_str_radix(std::str::from_utf8(&bytes[..end]).unwrap(), 16).unwrap();
        if length == 0 {
            break;
        }
        all.extend_from_slice(&bytes[end + 2..end + 2 + length]);
        bytes = &bytes[end + 4 + length..];
    }
    all
}
