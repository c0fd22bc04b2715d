//! Are WARC archives read and written correctly, damaged ones too?

use std::io::Read;

use crate::fixture::{Folder, gzip, words};

/// A record of an archive.
fn record(kind: &str, url: &str, content_type: &str, block: impl AsRef<[u8]>) -> Vec<u8> {
    let block = block.as_ref();
    let target = if url.is_empty() { String::new() } else { format!("WARC-Target-URI: {url}\r\n") };
    let header = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\n{target}WARC-Record-ID: <urn:uuid:{}-{url}>\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\n\r\n",
        block.len(),
        block.len()
    );
    [header.as_bytes(), block, b"\r\n\r\n"].concat()
}

fn http(headers: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    [format!("HTTP/1.1 200 OK\r\n{headers}\r\n\r\n").as_bytes(), body.as_ref()].concat()
}

fn response(url: &str, headers: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    record("response", url, "application/http; msgtype=response", http(headers, body))
}

pub fn page(url: &str, range: std::ops::Range<u32>) -> Vec<u8> {
    response(url, "Content-Type: text/html; charset=utf-8", format!("<title></title><p>{}</p>", words(range)))
}

fn info() -> Vec<u8> {
    record("warcinfo", "", "application/warc-fields", "software: test\r\n")
}

/// An archive of two equal pages, another page, and records that are not pages.
fn archive() -> Vec<Vec<u8>> {
    vec![
        info(),
        record("request", "http://a.org/1", "application/http; msgtype=request", "GET / HTTP/1.0\r\n\r\n"),
        page("http://a.org/1", 0..54),
        response("http://a.org/x.png", "Content-Type: image/png", [0x89, b'P', 0, 0xff]),
        page("http://b.org/2", 0..54),
        page("http://a.org/3", 500..560),
    ]
}

fn gunzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    flate2::read::MultiGzDecoder::new(bytes).read_to_end(&mut out).unwrap();
    out
}

#[test]
fn records_come_and_go_as_they_are() {
    let records = archive();
    let all = records.concat();
    let members: Vec<u8> = records.iter().flat_map(gzip).collect();
    let kept = [&records[..4], &records[5..]].concat().concat();
    let folder = Folder::with(&[("in.warc", &all), ("members.warc.gz", &members), ("one.warc.gz", &gzip(&all))]);
    for input in ["in.warc", "members.warc.gz", "one.warc.gz"] {
        folder.run(&format!("dedup {input} -o kept.warc --removed removed.jsonl --force")).ends(0).says("3 documents");
        assert_eq!(folder.field("removed.jsonl", "id"), ["http://b.org/2"], "{input}");
        assert_eq!(folder.field("removed.jsonl", "twin"), ["http://a.org/1"]);
        assert_eq!(folder.read("kept.warc"), kept);
        folder.run(&format!("check {input} --kept kept.warc --removed removed.jsonl")).ends(0);
    }
    // Every record is a member of its own.
    folder.run("dedup in.warc -o kept.warc.gz").ends(0);
    let bytes = folder.read("kept.warc.gz");
    assert_eq!(gunzip(&bytes), kept);
    let mut first = Vec::new();
    flate2::bufread::GzDecoder::new(&bytes[..]).read_to_end(&mut first).unwrap();
    assert_eq!(first, info());
    folder.run("dedup in.warc members.warc.gz -o both/").ends(0);
    assert_eq!(folder.read("both/in.warc"), kept);
    assert_eq!(gunzip(&folder.read("both/members.warc.gz")), [&records[..2], &records[3..4]].concat().concat());
    folder.run("dedup in.warc -o kept.jsonl").ends(2).says("the inputs are warc, and dedup does not convert rows");
    folder.run("dedup in.warc --annotate all.jsonl").ends(0);
    assert_eq!(folder.field("all.jsonl", "id"), ["http://a.org/1", "http://b.org/2", "http://a.org/3"]);
}

#[test]
fn pages_however_they_were_sent() {
    let html = format!("<p>{} größer</p>", words(0..54));
    let chunked = format!("5;x=y\r\n{}\r\n{:x}\r\n{}\r\n0\r\n\r\n", &html[..5], html.len() - 5, &html[5..]);
    let zlib = |bytes: &str| {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        std::io::Write::write_all(&mut encoder, bytes.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let latin: Vec<u8> = html.chars().map(|c| c as u8).collect();
    let kind = "Content-Type: text/html";
    let records = [
        response("1", kind, &html),
        response("2", &format!("{kind}\r\nTransfer-Encoding: chunked"), &chunked),
        response("3", &format!("{kind}\r\ncontent-encoding: GZIP"), gzip(&html)),
        response("4", &format!("{kind}\r\nContent-Encoding: deflate"), zlib(&html)),
        response("5", &format!("{kind}\r\nContent-Encoding: deflate"), &zlib(&html)[2..]),
        response("6", &format!("{kind}; charset=latin1"), latin),
        // The crawler has already undone the encoding that the header names.
        response("7", &format!("{kind}\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked"), &html),
        response("8", "Server: none", &html),
        record("resource", "9", "text/html", &html),
        record("conversion", "10", "text/plain", format!("{} größer", words(0..54))),
        record("response", "11", "text/html", &html),
        response("12", "Content-Type: application/pdf", &html),
        record("revisit", "13", "application/http", http(kind, &html)),
        record("metadata", "14", "text/html", &html),
    ];
    let folder = Folder::with(&[("in.warc", records.concat())]);
    folder.run("dedup in.warc --removed removed.jsonl").ends(0).says("11 documents");
    assert_eq!(folder.field("removed.jsonl", "id"), ["2", "3", "4", "5", "6", "7", "8", "9", "10", "11"]);
    assert_eq!(folder.field("removed.jsonl", "similarity"), ["1.0"; 10]);
}

/// The lines of a record's header are its fields.
#[test]
fn fields_of_records() {
    let dated = |url: &str, date: &str| {
        let text = String::from_utf8(page(url, 0..54)).unwrap();
        text.replacen("\r\n", &format!("\r\nWARC-Date: {date}\r\n"), 1)
    };
    let folder = Folder::with(&[("in.warc", [dated("<u>", "2024-01-01"), dated("u", "2025-01-01")].concat())]);
    folder.run("dedup in.warc --removed removed.jsonl --keep max:WARC-Date --id warc-date").ends(0);
    assert_eq!(folder.field("removed.jsonl", "id"), ["2024-01-01"]);
    folder.run("dedup in.warc --within WARC-Date").ends(0).says("removed 0");
    folder.run("dedup in.warc --removed removed.csv").ends(0);
    assert_eq!(folder.text("removed.csv"), "id,twin,similarity\nu,u,1.0\n");
    let run = folder.printing("tokens in.warc --row 2 --limit 1", "").ends(0);
    assert!(run.stdout.starts_with("54 tokens: w0 | w1"), "{}", run.stdout);
    // Inputs after an archive are not named by addresses.
    folder.write("more.jsonl", format!("{{\"text\":\"{}\"}}\n", words(0..54)));
    folder.run("dedup in.warc more.jsonl --threads 1 --removed both.csv").ends(0);
    assert_eq!(folder.text("both.csv"), "id,twin,similarity\nu,u,1.0\nmore.jsonl:1,u,1.0\n");
    let anonymous = record("resource", "", "text/html", words(0..54));
    folder.write("in.warc", anonymous.repeat(2));
    folder.run("dedup in.warc --removed removed.csv --force").ends(0);
    assert_eq!(folder.text("removed.csv"), "id,twin,similarity\nin.warc:2,in.warc:1,1.0\n");
}

#[test]
fn damaged_records_are_bad_rows() {
    let kind = "Content-Type: text/html";
    let records = [
        page("1", 0..54),
        b"something else\nthat is no record\n".to_vec(),
        page("2", 0..54),
        b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: long\r\n\r\nx\r\n\r\n".to_vec(),
        response("3", &format!("{kind}\r\nTransfer-Encoding: chunked"), "5\r\nabcde\r\nff\r\nabc"),
        response("4", &format!("{kind}\r\nContent-Encoding: gzip"), &gzip(words(0..54))[..40]),
        response("5", &format!("{kind}\r\nContent-Encoding: br"), [0x1b, 2, 3]),
        response("6", kind, words(0..200)),
        page("7", 0..54),
    ];
    let folder = Folder::with(&[("in.warc", records.concat())]);
    folder
        .run("dedup in.warc -o kept.warc --bad bad --removed removed.jsonl --max-document 700")
        .ends(3)
        .says("in.warc, row 2: expected a WARC record")
        .says("in.warc, row 4: the record has no valid Content-Length")
        .says("in.warc, row 5: the page is truncated: its last chunk is incomplete")
        .says("in.warc, row 6: the page cannot be decompressed")
        .says("in.warc, row 7: the page has the encoding 'br', which is not supported")
        .says("4 without usable text");
    assert_eq!(folder.field("removed.jsonl", "id"), ["2", "7"]);
    assert_eq!(folder.read("bad"), [&*records[1], &records[3]].concat());
    assert_eq!(folder.read("kept.warc"), [&records[..1], &records[4..8]].concat().concat());
    folder.run("check in.warc --kept kept.warc --removed removed.jsonl --max-document 700").ends(3);
    folder.run("dedup in.warc --strict").ends(2).says("row 2");
    folder.write("heads.warc", [b"WARC/1.0\r\nWARC-Type: x\r\n".repeat(50_000), page("1", 0..54)].concat());
    folder.run("dedup heads.warc").ends(3).says("row 1: the header of the record has no end").says("50,000 unreadable");
    // A record that the crawler truncated is compared as it is.
    let cut = String::from_utf8(records[4].clone()).unwrap().replacen("\r\n", "\r\nWARC-Truncated: length\r\n", 1);
    folder.write("cut.warc", cut);
    folder.run("dedup cut.warc").ends(0);
    let huge = response("http://huge.org/", kind, vec![b'x'; 3 << 20]);
    folder.write("huge.warc", [huge, page("1", 0..54)].concat());
    folder
        .run("dedup huge.warc --max-document 1MB -o kept-huge.warc")
        .ends(3)
        .says("row 1: the record has")
        .says("2 documents");
    assert_eq!(folder.read("kept-huge.warc"), folder.read("huge.warc"));
}

/// An archive that ends in the middle of a record, or of its compression, is a fatal error.
#[test]
fn a_file_that_breaks_off() {
    let all = archive().concat();
    let folder = Folder::new();
    for cut in [all.len() - 30, all.len() - 500, 40, 9] {
        folder.write("in.warc", &all[..cut]);
        folder.run("dedup in.warc -o kept.warc").ends(2).says("in.warc is truncated or corrupt (record ");
        folder.write("in.warc.gz", &gzip(&all)[..gzip(&all).len() - 20]);
        folder.run("dedup in.warc.gz -o kept.warc").ends(2).says("in.warc.gz is truncated or corrupt");
        assert!(!folder.path("kept.warc").exists());
    }
    // An archive without blank lines at its end is complete. They are added if another record follows.
    folder.write("in.warc", &all[..all.len() - 4]);
    folder.write("more.warc", page("http://c.org/", 900..960));
    folder.run("dedup in.warc more.warc -o kept.warc").ends(0).says("4 documents");
    folder.run("dedup kept.warc").ends(0).says("3 documents").says("removed 0");
    folder.write("empty.warc", "");
    folder.run("dedup empty.warc -o none.warc").ends(0).says("0 documents");
}

/// The answer does not depend on threads, nor on where a file is cut into blocks.
#[test]
fn many_records() {
    let all: Vec<u8> = (0..4000u32).flat_map(|n| page(&format!("http://s{n}.org/"), n * 30..n * 30 + 40)).collect();
    let folder = Folder::with(&[("in.warc", [&all[..], &all[..]].concat())]);
    folder.run("dedup in.warc -o one.warc --threads 1").ends(0).says("removed 4,000");
    folder.run("dedup in.warc -o three.warc --threads 3").ends(0);
    assert_eq!(folder.read("one.warc"), all);
    assert_eq!(folder.read("three.warc"), all);
}
