//! Are gzip and Zstandard recognised by content, and written by name?

use std::io::Read;

use crate::fixture::{Folder, gzip, numbered, zstd};

pub fn gunzip(bytes: &[u8]) -> String {
    let mut text = String::new();
    flate2::bufread::MultiGzDecoder::new(bytes).read_to_string(&mut text).unwrap();
    text
}

pub fn unzstd(bytes: &[u8]) -> String {
    String::from_utf8(zstd::decode_all(bytes).unwrap()).unwrap()
}

#[test]
fn recognised_by_content_whatever_the_name() {
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|id| numbered(id, 0..54));
    let folder = Folder::with(&[
        ("1.jsonl", gzip(&a)),
        ("2.jsonl.gz", zstd(&b)),
        ("3.jsonl.zst", c.into_bytes()),
        ("4.ndjson.zst", gzip(&d)),
    ]);
    folder.run("dedup 1.jsonl 2.jsonl.gz 3.jsonl.zst 4.ndjson.zst -o kept.jsonl --removed removed.jsonl").ends(0);
    assert_eq!(folder.text("kept.jsonl"), a);
    assert_eq!(folder.field("removed.jsonl", "id"), ["b", "c", "d"]);

    let folder = Folder::with(&[("in.csv", gzip("id,text\n1,one\n2,two\n"))]);
    folder.run("dedup in.csv -o kept.csv").ends(0);
    assert_eq!(folder.text("kept.csv"), "id,text\n1,one\n2,two\n");
    let run = folder.printing("dedup - --format csv -o -", folder.read("in.csv")).ends(0);
    assert_eq!(run.stdout, "id,text\n1,one\n2,two\n");
}

/// A line may begin in one member and end in the next.
#[test]
fn all_members_and_frames_are_read() {
    let rows: Vec<String> = (0..200).map(|n| numbered(&format!("d{n}"), n * 100..n * 100 + 60)).collect();
    let whole = rows.concat();
    let pieces: Vec<&str> = whole.as_bytes().chunks(777).map(|piece| str::from_utf8(piece).unwrap()).collect();
    // A skippable frame, as pzstd and seekable archives put in front of and between others.
    let skippable: &[u8] = &[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
    let members: Vec<u8> = pieces.iter().flat_map(gzip).collect();
    let frames: Vec<u8> = pieces.iter().flat_map(|piece| [skippable.to_vec(), zstd(piece)].concat()).collect();
    for (name, bytes) in [("in.jsonl.gz", members), ("in.jsonl.zst", frames)] {
        let folder = Folder::with(&[(name, bytes)]);
        folder.run(&format!("dedup {name} -o kept.jsonl")).ends(0).says("200 documents").says("removed 0");
        assert_eq!(folder.text("kept.jsonl"), whole);
    }
}

#[test]
fn outputs_are_compressed_as_their_names_say() {
    let kept = [numbered("a", 0..54), numbered("c", 100..160)].concat();
    let folder = Folder::with(&[("in.jsonl", [&kept, &numbered("b", 0..54)[..]].concat())]);
    let outputs = "-o kept.jsonl.gz --removed removed.jsonl.zst --pairs pairs.csv.gz --clusters clusters.tsv.zst \
                   --annotate rows.jsonl.gz --bad bad.gz";
    folder.run(&format!("dedup in.jsonl {outputs}")).ends(0);
    assert_eq!(gunzip(&folder.read("kept.jsonl.gz")), kept);
    assert_eq!(unzstd(&folder.read("removed.jsonl.zst")), "{\"id\":\"b\",\"twin\":\"a\",\"similarity\":1.0}\n");
    assert_eq!(gunzip(&folder.read("pairs.csv.gz")), "a,b,similarity\na,b,1.0\n");
    assert_eq!(unzstd(&folder.read("clusters.tsv.zst")), "cluster\tid\tkept\n1\ta\ttrue\n1\tb\tfalse\n");
    assert_eq!(gunzip(&folder.read("rows.jsonl.gz")).lines().count(), 3);
    assert_eq!(gunzip(&folder.read("bad.gz")), "");

    folder.run("dedup in.jsonl -o kept.zst").ends(0);
    assert_eq!(unzstd(&folder.read("kept.zst")), kept);
    folder.run("check in.jsonl --kept kept.jsonl.gz --removed removed.jsonl.zst").ends(0).says("passed");
}

#[test]
fn compressed_shards_stay_compressed_in_a_folder() {
    let [a, b, c] = [numbered("a", 0..54), numbered("b", 0..54), numbered("c", 100..160)];
    let folder = Folder::with(&[("in/1.jsonl.gz", gzip(&a)), ("in/2.jsonl.zst", zstd([&b[..], &c].concat()))]);
    folder.run("dedup in -o clean/").ends(0);
    folder.write("large.jsonl.gz", gzip(numbered("d", 0..3000)));
    folder.run("dedup large.jsonl.gz").ends(0).says(" kB compressed with ");
    folder.write("large.jsonl", numbered("d", 0..3000));
    folder.run("dedup large.jsonl").ends(0).says(" kB with ");
    assert_eq!(gunzip(&folder.read("clean/1.jsonl.gz")), a);
    assert_eq!(unzstd(&folder.read("clean/2.jsonl.zst")), c);
}
