//! Do the seeds of the fuzzer end without a panic and with the right exit status?

use std::fs;
use std::path::PathBuf;

use crate::fixture::{Folder, repository};

fn seeds(of: &str) -> Vec<PathBuf> {
    let folder = repository().join("fuzz/seeds").join(of);
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= 5, "{paths:?}");
    paths
}

#[test]
fn pages() {
    let folder = Folder::new();
    for path in seeds("page") {
        for rule in ["text", "main", "paper"] {
            folder
                .printing(&format!("tokens {} --format html --page {rule} --json", path.display()), "")
                .ends(0)
                .json();
        }
    }
}

/// The name of a seed says how its run ends.
#[test]
fn archives() {
    let folder = Folder::new();
    for path in seeds("warc") {
        let code = match path.file_name().and_then(|name| name.to_str()) {
            Some("damaged.warc") => 3,
            Some("cut.warc") => 2,
            _ => 0,
        };
        for threads in [1, 2] {
            folder.run(&format!("dedup {} --threads {threads} -o kept.warc --force", path.display())).ends(code);
        }
    }
}

/// The first byte of a seed is a choice of its target.
#[test]
fn rows() {
    let folder = Folder::new();
    for (of, format) in
        [("json", "jsonl"), ("lines", "jsonl"), ("csv", "csv"), ("parquet", "parquet"), ("codec", "jsonl")]
    {
        for path in seeds(of) {
            let seed = fs::read(&path).unwrap();
            folder.write("in", if of == "codec" { &seed } else { &seed[1..] });
            for arguments in ["dedup in --text text,id", "dedup in --text text,id --threads 2 --bad bad --force"] {
                let run = folder.run(&format!("{arguments} --format {format}"));
                assert!([0, 2, 3].contains(&run.code), "{}: {}", path.display(), run.stderr);
            }
        }
    }
}
