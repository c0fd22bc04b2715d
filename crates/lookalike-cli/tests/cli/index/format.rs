//! Can an index that an earlier version wrote still be read?

use std::fs;

use crate::fixture::{Folder, numbered, repository};

/// The folder was written by the first version that had indexes: three batches, of which a document was taken out.
#[test]
fn an_index_of_version_1() {
    let folder = Folder::with(&[("new.jsonl", [numbered("x", 4..58), numbered("y", 900..954)].concat())]);
    copy("index-1", &folder);
    folder.run("index check archive").ends(0).says("3 documents in 3 parts");
    let found = folder.printing("index query archive new.jsonl", "").ends(0).stdout;
    assert_eq!(found, format!("{{\"id\":\"x\",\"match\":\"a\",\"similarity\":{}}}\n", 46.0 / 54.0));
    folder.run("dedup new.jsonl --index archive --removed removed.csv").ends(0).says("1 added, 4 documents");
    assert_eq!(folder.text("removed.csv"), format!("id,twin,similarity\nx,a,{}\n", 46.0 / 54.0));
    folder.run("index merge archive").ends(0).says("1 part, 4 before; 4 documents");
    folder.run("index check archive").ends(0);
}

/// Parts of several blocks with a checksum each: 30 documents, then 10 and five that are near-duplicates of the first; one was taken out.
#[test]
fn an_index_of_several_blocks() {
    let text = |number: u32| number * 1000..number * 1000 + 30;
    let rows = |ids: std::ops::Range<u32>, id: &str| -> String {
        ids.map(|number| numbered(&format!("{id}{number}"), text(number))).collect()
    };
    let folder = Folder::with(&[("old.jsonl", rows(0..40, "q")), ("new.jsonl", rows(38..44, "x"))]);
    copy("index-1-blocks", &folder);
    folder.run("index check archive").ends(0).says("39 documents in 2 parts");
    let found = folder.printing("index query archive old.jsonl", "").ends(0).stdout;
    let row = |number: u32| format!("{{\"id\":\"q{number}\",\"match\":\"d{number}\",\"similarity\":1.0}}\n");
    assert_eq!(found, (0..40).filter(|&number| number != 7).map(row).collect::<String>());
    folder.run("dedup new.jsonl --index archive --removed removed.csv").ends(0).says("4 added, 43 documents");
    assert_eq!(folder.text("removed.csv"), "id,twin,similarity\nx38,d38,1.0\nx39,d39,1.0\n");
    folder.run("index merge archive --memory 64MiB --threads 2").ends(0).says("1 part, 3 before; 43 documents");
    folder.run("index check archive").ends(0);
    assert_eq!(folder.printing("index query archive old.jsonl", "").ends(0).stdout, found);
}

fn copy(written: &str, folder: &Folder) {
    let written = repository().join("crates/lookalike-cli/tests/fixtures").join(written);
    fs::create_dir(folder.path("archive")).unwrap();
    for entry in fs::read_dir(written).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), folder.path("archive").join(entry.file_name())).unwrap();
    }
}
