//! Can an index that an earlier version wrote still be read?

use std::fs;

use crate::fixture::{Folder, numbered, repository};

/// The folder was written by the first version that had indexes: three batches, of which a document was taken out.
#[test]
fn an_index_of_version_1() {
    let folder = Folder::with(&[("new.jsonl", [numbered("x", 4..58), numbered("y", 900..954)].concat())]);
    let written = repository().join("crates/lookalike-cli/tests/fixtures/index-1");
    fs::create_dir(folder.path("archive")).unwrap();
    for entry in fs::read_dir(written).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), folder.path("archive").join(entry.file_name())).unwrap();
    }
    folder.run("index check archive").ends(0).says("3 documents in 3 parts");
    let found = folder.printing("index query archive new.jsonl", "").ends(0).stdout;
    assert_eq!(found, format!("{{\"id\":\"x\",\"match\":\"a\",\"similarity\":{}}}\n", 46.0 / 54.0));
    folder.run("dedup new.jsonl --index archive --removed removed.csv").ends(0).says("1 added, 4 documents");
    assert_eq!(folder.text("removed.csv"), format!("id,twin,similarity\nx,a,{}\n", 46.0 / 54.0));
    folder.run("index merge archive").ends(0).says("1 part, 4 before; 4 documents");
    folder.run("index check archive").ends(0);
}
