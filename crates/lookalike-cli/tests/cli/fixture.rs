//! A fresh folder for each test, the binary run in it, and texts with known similarities.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

pub const BINARY: &str = env!("CARGO_BIN_EXE_lookalike");

/// The folder of the workspace, with the examples.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Numbered words. With `words:5`, n > 4 consecutive ones have n − 4 elements, and two ranges share the elements of their
/// intersection.
pub fn words(range: Range<u32>) -> String {
    range.map(|n| format!("w{n}")).collect::<Vec<_>>().join(" ")
}

/// Three texts of 50 shingles, each 46/54 = 0.85… similar to the next; the first and the last are only 42/58 = 0.72….
pub const CHAIN: [Range<u32>; 3] = [0..54, 4..58, 8..62];
pub const CHAIN_LINK: f64 = 46.0 / 54.0;

/// Two texts whose similarity, 75/82, has sixteen digits.
pub fn sixteen_digits() -> [String; 2] {
    [words(0..82), format!("{} {}", words(0..79), words(1000..1004))]
}
pub const SIXTEEN_DIGITS: f64 = 0.9146341463414634;

/// A JSON line with an id and a text.
pub fn row(id: &str, text: &str) -> String {
    format!("{}\n", serde_json::json!({"id": id, "text": text}))
}

/// A JSON line with an id and numbered words.
pub fn numbered(id: &str, range: Range<u32>) -> String {
    row(id, &words(range))
}

pub fn gzip(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut encoder, bytes.as_ref()).unwrap();
    encoder.finish().unwrap()
}

pub fn zstd(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    zstd::encode_all(bytes.as_ref(), 0).unwrap()
}

pub struct Folder {
    dir: TempDir,
}

impl Folder {
    pub fn new() -> Folder {
        Folder { dir: tempfile::tempdir().unwrap() }
    }

    /// A folder with these files.
    pub fn with<B: AsRef<[u8]>>(files: &[(&str, B)]) -> Folder {
        let folder = Folder::new();
        for (name, bytes) in files {
            folder.write(name, bytes);
        }
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    #[track_caller]
    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}; there is {:?}", self.list()))
    }

    #[track_caller]
    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    /// The rows of a file of JSON lines.
    #[track_caller]
    pub fn rows(&self, name: &str) -> Vec<Value> {
        self.text(name).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// One field of every row of a file of JSON lines, strings without their quotes.
    #[track_caller]
    pub fn field(&self, name: &str, field: &str) -> Vec<String> {
        let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), String::from);
        self.rows(name).iter().map(|row| plain(&row[field])).collect()
    }

    /// Everything below the folder, hidden files too; folders end in `/`.
    pub fn list(&self) -> Vec<String> {
        let mut found = Vec::new();
        list_below(self.dir.path(), "", &mut found);
        found.sort();
        found
    }

    /// The command in this folder, not yet run; arguments are separated by spaces.
    pub fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(BINARY);
        command.args(arguments.split_whitespace()).current_dir(self.dir.path());
        command
    }

    /// Runs a command that prints nothing to standard output.
    #[track_caller]
    pub fn run(&self, arguments: &str) -> Run {
        let run = self.printing(arguments, "");
        assert_eq!(run.stdout, "", "stdout of {arguments}");
        run
    }

    /// Runs a command that prints, or reads standard input.
    #[track_caller]
    pub fn printing(&self, arguments: &str, stdin: impl Into<Vec<u8>>) -> Run {
        let mut command = assert_cmd::Command::from_std(self.command(arguments));
        Run::of(self, command.write_stdin(stdin).output().unwrap())
    }
}

fn list_below(folder: &Path, prefix: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type().unwrap().is_dir() {
            list_below(&entry.path(), &format!("{name}/"), found);
            found.push(format!("{name}/"));
        } else {
            found.push(name);
        }
    }
}

/// How a run ended. It did not panic and left no unfinished file.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    #[track_caller]
    pub fn of(folder: &Folder, output: Output) -> Run {
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!stderr.contains("panicked"), "{stderr}");
        let unfinished: Vec<String> = folder.list().into_iter().filter(|name| name.ends_with(".unfinished")).collect();
        assert!(unfinished.is_empty(), "left behind: {unfinished:?}\n{stderr}");
        let code = output.status.code().unwrap_or_else(|| panic!("ended by a signal: {}\n{stderr}", output.status));
        Run { code, stdout: String::from_utf8_lossy(&output.stdout).into_owned(), stderr }
    }

    #[track_caller]
    pub fn ends(self, code: i32) -> Run {
        assert_eq!(self.code, code, "{}{}", self.stdout, self.stderr);
        self
    }

    /// Asserts that standard error contains this.
    #[track_caller]
    pub fn says(self, part: &str) -> Run {
        assert!(self.stderr.contains(part), "no '{part}' in:\n{}", self.stderr);
        self
    }

    /// Standard output as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}:\n{}", self.stdout))
    }
}
