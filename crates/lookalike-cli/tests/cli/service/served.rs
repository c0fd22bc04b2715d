//! The service as a process, and a client with a persistent connection.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::fixture::BINARY;
use crate::skip::skip;

pub struct Server {
    child: Child,
    pub address: SocketAddr,
    /// Its messages before it listened.
    pub said: String,
    /// Kept open, because writing to a closed pipe fails.
    stderr: BufReader<ChildStderr>,
}

impl Server {
    /// Starts it, and waits until it listens.
    #[track_caller]
    pub fn start(data: &Path, options: &str) -> Server {
        Server::start_by(Command::new(BINARY), data, options)
    }

    /// Starts it through a command that runs its arguments.
    #[track_caller]
    pub fn start_by(mut command: Command, data: &Path, options: &str) -> Server {
        command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(data).args(options.split_whitespace());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let mut server = Server { child, address: ([127, 0, 0, 1], 0).into(), said: String::new(), stderr };
        loop {
            let mut line = String::new();
            if server.stderr.read_line(&mut line).unwrap() == 0 {
                panic!("it ended: {}\n{}", server.child.wait().unwrap(), server.said);
            }
            if let Some(address) = line.strip_prefix("listening on http://") {
                server.address = address.trim().parse().unwrap();
                return server;
            }
            server.said += &line;
        }
    }

    /// Kills it.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Server {
    /// Asks it to stop, and waits.
    pub fn terminate(&mut self) -> ExitStatus {
        let sent = Command::new("kill").arg(self.child.id().to_string()).status().unwrap();
        assert!(sent.success());
        self.child.wait().unwrap()
    }

    /// Kills it, and returns its messages since it listened.
    pub fn said_until_killed(&mut self) -> String {
        self.kill();
        let mut said = String::new();
        self.stderr.read_to_string(&mut said).unwrap();
        said
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Resident memory, in kilobytes.
    pub fn memory(&self) -> usize {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        resident.and_then(|resident| resident.trim().trim_end_matches(" kB").parse().ok()).unwrap_or_else(|| {
            skip("this system does not tell how much memory a process has");
            0
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A persistent connection.
pub struct Connection {
    stream: BufReader<TcpStream>,
}

pub struct Reply {
    pub status: u16,
    pub body: Vec<u8>,
}

impl Reply {
    #[track_caller]
    pub fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{}", String::from_utf8_lossy(&self.body));
        serde_json::from_slice(&self.body).unwrap()
    }
}

impl Connection {
    pub fn open(address: SocketAddr) -> io::Result<Connection> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        Ok(Connection { stream: BufReader::new(stream) })
    }

    pub fn get(&mut self, path: &str) -> io::Result<Reply> {
        self.send("GET", path, "application/json", "")?;
        self.reply()
    }

    pub fn delete(&mut self, path: &str) -> io::Result<Reply> {
        self.send("DELETE", path, "application/json", "")?;
        self.reply()
    }

    pub fn post(&mut self, path: &str, body: &Value) -> io::Result<Reply> {
        self.send("POST", path, "application/json", &body.to_string())?;
        self.reply()
    }

    /// Posts lines, and calls `each` with every answer as it arrives.
    pub fn post_lines(&mut self, path: &str, lines: &str, mut each: impl FnMut(Value)) -> io::Result<()> {
        self.send("POST", path, "application/x-ndjson", lines)?;
        let (status, length) = self.head()?;
        assert_eq!((status, length), (200, None));
        let mut open = Vec::new();
        while let Some(chunk) = self.chunk()? {
            open.extend(chunk);
            while let Some(end) = open.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = open.drain(..=end).collect();
                each(serde_json::from_slice(&line).unwrap());
            }
        }
        assert!(open.is_empty());
        Ok(())
    }

    fn send(&mut self, method: &str, path: &str, kind: &str, body: &str) -> io::Result<()> {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        self.stream.get_mut().write_all(&[head.as_bytes(), body.as_bytes()].concat())
    }

    fn reply(&mut self) -> io::Result<Reply> {
        let (status, length) = self.head()?;
        let mut body = Vec::new();
        match length {
            Some(length) => {
                body.resize(length, 0);
                self.stream.read_exact(&mut body)?;
            }
            None => {
                while let Some(chunk) = self.chunk()? {
                    body.extend(chunk);
                }
            }
        }
        Ok(Reply { status, body })
    }

    /// Reads status and length of an answer; `None` if it is chunked.
    fn head(&mut self) -> io::Result<(u16, Option<usize>)> {
        let first = self.line()?;
        let status =
            first.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or(io::ErrorKind::InvalidData)?;
        let mut length = (status == 204).then_some(0);
        loop {
            let line = self.line()?.to_ascii_lowercase();
            if line.is_empty() {
                return Ok((status, length));
            }
            if let Some(bytes) = line.strip_prefix("content-length: ") {
                length = bytes.parse().ok();
            }
        }
    }

    fn chunk(&mut self) -> io::Result<Option<Vec<u8>>> {
        let length = usize::from_str_radix(&self.line()?, 16).map_err(|_| io::ErrorKind::InvalidData)?;
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes)?;
        self.line()?;
        Ok((length > 0).then_some(bytes))
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        match line.strip_suffix("\r\n") {
            Some(line) => Ok(line.to_string()),
            None => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}
