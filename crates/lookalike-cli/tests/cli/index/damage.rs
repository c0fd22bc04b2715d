//! Is damage found, named, and left as it is?

use std::fs;

use super::{add, batches, with_batches};
use crate::fixture::Folder;

/// An index with two parts, two answers and a removed document.
fn archive() -> Folder {
    let folder = with_batches(&batches(3, 30, 30));
    add(&folder, 0..2, "");
    folder.run("index remove archive b0-0").ends(0);
    folder
}

fn files(folder: &Folder) -> Vec<String> {
    let is_file = |name: &String| name.starts_with("archive/") && !name.ends_with('/') && !name.ends_with("lock");
    folder.list().into_iter().filter(is_file).collect()
}

#[test]
fn a_flipped_bit() {
    let folder = archive();
    folder.run("index check archive").ends(0);
    let files = files(&folder);
    assert_eq!(files.len(), 6, "{files:?}");
    for name in files {
        let whole = folder.read(&name);
        for at in [0, 9, whole.len() / 3, whole.len() / 2, whole.len() - 20, whole.len() - 1] {
            let mut bytes = whole.clone();
            bytes[at] ^= 4;
            folder.write(&name, &bytes);
            let run = folder.run("index check archive").ends(2);
            assert!(run.stderr.contains(&name), "byte {at} of {name}: {}", run.stderr);
        }
        folder.write(&name, &whole);
    }
    folder.run("index check archive").ends(0);
}

#[test]
fn cut_and_missing_files() {
    let folder = archive();
    for name in files(&folder) {
        let whole = folder.read(&name);
        for left in [0, 1, whole.len() / 2, whole.len() - 1] {
            folder.write(&name, &whole[..left]);
            folder.run("index check archive").ends(2).says(&name);
        }
        fs::remove_file(folder.path(&name)).unwrap();
        let says = if name.ends_with("manifest") { "there is no index in archive" } else { &name };
        folder.run("index check archive").ends(2).says(says);
        folder.write(&name, &whole);
    }
    folder.run("index check archive").ends(0);
}

/// Whatever a run needs of a damaged part, it does not answer from it, and it writes nothing.
#[test]
fn no_answer_from_damaged_bytes() {
    let folder = archive();
    let expected = {
        folder.run("index query archive b2.jsonl -o expected.jsonl").ends(0);
        folder.text("expected.jsonl")
    };
    let part = files(&folder).into_iter().find(|name| name.contains("part-")).unwrap();
    let whole = folder.read(&part);
    let mut found = 0;
    for at in (0..whole.len()).step_by(whole.len() / 40) {
        let mut bytes = whole.clone();
        bytes[at] ^= 16;
        folder.write(&part, &bytes);
        let run = folder.run("index query archive b2.jsonl -o matches.jsonl --force");
        match run.code {
            0 => assert_eq!(folder.text("matches.jsonl"), expected),
            code => {
                assert_eq!(code, 2);
                run.says(&part);
                found += 1;
            }
        }
        if at == 0 {
            let before = folder.list();
            folder.run("dedup b2.jsonl --index archive -o kept2.jsonl").ends(2).says(&part);
            assert_eq!(folder.list(), before);
        }
    }
    assert!(found > 10, "{found}");
}
