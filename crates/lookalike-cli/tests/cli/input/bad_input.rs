//! Are bad rows counted and reported, and kept if they can be read?

use crate::fixture::{Folder, numbered, row, words};

const EVERYTHING: &str = "-o kept.jsonl --removed removed.jsonl --bad bad.jsonl";

#[test]
fn malformed_json_is_left_out_and_collected() {
    let good = [numbered("a", 0..54), numbered("b", 4..58), numbered("c", 500..560)];
    let bad = ["{\"id\":\"x\",\"text\":\"broken off\n", "not json\n", "{} {}\n", "{\"id\":\"y\""];
    let input = [&good[0], bad[0], &good[1], bad[1], bad[2], &good[2], bad[3]].concat();
    let folder = Folder::with(&[("in.jsonl", input)]);
    let run = folder.run(&format!("dedup in.jsonl {EVERYTHING}")).ends(3);
    for row in [2, 4, 5, 7] {
        assert!(run.stderr.contains(&format!("in.jsonl, row {row}: malformed JSON at column ")), "{}", run.stderr);
    }
    run.says("3 documents").says("4 unreadable (left out)");
    assert_eq!(folder.text("kept.jsonl"), [&good[0][..], &good[2]].concat());
    assert_eq!(folder.field("removed.jsonl", "id"), ["b"]);
    assert_eq!(folder.text("bad.jsonl"), bad.concat());
    assert_eq!(folder.list(), ["bad.jsonl", "in.jsonl", "kept.jsonl", "removed.jsonl"]);
}

/// A truncated last line is a bad row, wherever it is cut.
#[test]
fn a_last_line_that_breaks_off_anywhere() {
    let line = "{\"n\":-12.5e+3,\"id\":-7,\"text\":\"a\\ud83d\\ude00\\n\",\"z\":[null,{\"x\":false}]}";
    for end in 1..line.len() {
        let folder = Folder::with(&[("in.jsonl", [&numbered("a", 0..54), &line[..end]].concat())]);
        folder.run("dedup in.jsonl -o kept.jsonl").ends(3).says("in.jsonl, row 2: malformed JSON at column ");
        assert_eq!(folder.text("kept.jsonl"), numbered("a", 0..54));
    }
    let folder = Folder::new();
    folder.printing("stream", "{\"n\":-").ends(3).says("-, row 1: malformed JSON at column 6: ");
}

#[test]
fn a_row_without_usable_text_is_kept_as_it_is() {
    let odd = [
        "{\"id\":\"missing\"}\n",
        "{\"id\":\"null\",  \"text\":null}\n",
        "{\"id\":\"number\",\"text\":17}\n",
        "{\"id\":\"bool\",\"text\":true}\n",
        "{\"id\":\"array\",\"text\":[\"x\"]}\n",
        "{\"id\":\"object\",\"text\":{\"text\":\"x\"}}\n",
        "[1,2]\n",
        "\"text\"\n",
        "null\n",
        "{}\n",
    ];
    // Twice, because equal ones must not resemble each other either.
    let input = [numbered("a", 0..54), odd.concat(), numbered("b", 0..54), odd.concat()].concat();
    let folder = Folder::with(&[("in.jsonl", &input)]);
    let run = folder.run(&format!("dedup in.jsonl {EVERYTHING} --pairs pairs.csv")).ends(3);
    run.says("in.jsonl, row 2: no field 'text' (fields: id). Use --text to name the text field.\n")
        .says("in.jsonl, row 4: field 'text' is not a string\n")
        .says("and 15 more bad rows\n")
        .says("22 documents")
        .says("20 without usable text (kept, not compared)");
    assert_eq!(folder.text("kept.jsonl"), [numbered("a", 0..54), odd.concat(), odd.concat()].concat());
    assert_eq!(folder.field("removed.jsonl", "id"), ["b"]);
    assert_eq!(folder.text("pairs.csv"), "a,b,similarity\na,b,1.0\n");
    assert_eq!(folder.text("bad.jsonl"), "");

    let report = folder.printing("dedup in.jsonl --json", "").ends(3).json();
    assert_eq!((&report["unusable"], &report["unreadable"]), (&20.into(), &0.into()));
    assert_eq!(
        report["problems"][0],
        "in.jsonl, row 2: no field 'text' (fields: id). Use --text to name the text field."
    );
}

#[test]
fn of_several_text_fields_one_that_is_no_string_is_named() {
    let folder = Folder::with(&[("in.jsonl", "{\"title\":7,\"text\":\"words\"}\n{\"title\":\"words\",\"text\":7}\n")]);
    let run = folder.run("dedup in.jsonl --text title,text").ends(3);
    assert_eq!(run.stderr.matches("is not a string").count(), 2, "{}", run.stderr);
}

#[test]
fn invalid_utf8_is_no_document() {
    let bad: &[u8] = b"{\"id\":\"bad\",\"text\":\"caf\xe9\"}\n";
    let good = numbered("a", 0..54);
    let folder = Folder::with(&[("in.jsonl", [good.as_bytes(), bad].concat())]);
    folder.run(&format!("dedup in.jsonl {EVERYTHING}")).ends(3).says("in.jsonl, row 2: invalid UTF-8 at byte 24");
    assert_eq!(folder.text("kept.jsonl"), good);
    assert_eq!(folder.read("bad.jsonl"), bad);

    let folder = Folder::with(&[("in.txt", &b"one line\ncaf\xe9\nanother\n"[..])]);
    folder
        .run("dedup in.txt --format lines -o kept.txt --bad bad.txt")
        .ends(3)
        .says("in.txt, row 2: invalid UTF-8 at byte 4");
    assert_eq!(folder.text("kept.txt"), "one line\nanother\n");
    assert_eq!(folder.read("bad.txt"), b"caf\xe9\n");

    let folder = Folder::with(&[("in.csv", &b"id,text\n1,one\n2,caf\xe9\n3,\"three\"\n"[..])]);
    folder.run("dedup in.csv -o kept.csv --bad bad.csv").ends(3).says("in.csv, row 2: invalid UTF-8");
    assert_eq!(folder.text("kept.csv"), "id,text\n1,one\n3,\"three\"\n");
    assert_eq!(folder.read("bad.csv"), b"2,caf\xe9\n");
}

/// Such a file is reported as a bad row and not copied.
#[test]
fn a_text_file_of_invalid_utf8_is_no_document() {
    let folder = Folder::with(&[("pages/bad.txt", &b"caf\xe9"[..]), ("pages/good.txt", b"caf\xc3\xa9")]);
    folder.run("dedup pages -o kept/ --bad bad.txt").ends(3).says("pages/bad.txt, row 1: invalid UTF-8 at byte 4");
    assert_eq!(folder.text("bad.txt").trim_end(), "pages/bad.txt");
    assert_eq!(folder.list(), ["bad.txt", "kept/", "kept/good.txt", "pages/", "pages/bad.txt", "pages/good.txt"]);
}

#[test]
fn nul_is_a_character_like_another() {
    let line = format!("{}\0{}\n", words(0..30), words(30..54));
    let input = [&line, &line, "\0\n", "\0\n"].concat();
    let folder = Folder::with(&[("in.txt", &input), ("pages/a.txt", &input), ("pages/b.txt", &input)]);
    folder.run("dedup in.txt --format lines -o kept.txt").ends(0).says("removed 1").says("2 empty");
    assert_eq!(folder.text("kept.txt"), [&line, "\0\n", "\0\n"].concat());
    folder.run("dedup pages -o kept/").ends(0).says("removed 1");
    assert_eq!(folder.text("kept/a.txt"), input);

    let escaped = format!("{{\"id\":1,\"text\":\"{}\\u0000\"}}\n", words(0..54));
    // JSON does not allow the character itself within a string.
    let raw = "{\"id\":2,\"text\":\"a\0b\"}\n";
    let folder = Folder::with(&[("in.jsonl", [&escaped, raw, &escaped].concat())]);
    let run = folder.run(&format!("dedup in.jsonl {EVERYTHING}")).ends(3);
    run.says("in.jsonl, row 2: malformed JSON").says("removed 1");
    assert_eq!(folder.text("kept.jsonl"), escaped);
    assert_eq!(folder.text("bad.jsonl"), raw);
}

#[test]
fn half_a_surrogate_pair_is_text_and_its_bytes_stay() {
    let lone = |id: &str, escape: &str| format!("{{\"id\":\"{id}\",\"text\":\"{} {escape}\"}}\n", words(0..54));
    let rows = [lone("a", "\\ud800"), lone("b", "\\udc00 x"), lone("c", "\\ud83d\\ude00"), lone("d", "\\\\ud800")];
    let far = "{\"id\":\"e\",\"text\":\"\\udfff alone\"}\n";
    let folder = Folder::with(&[("in.jsonl", [&rows.concat(), far].concat())]);
    folder.run(&format!("dedup in.jsonl {EVERYTHING}")).ends(0);
    assert_eq!(folder.text("kept.jsonl"), [&rows[0], far].concat());
    assert_eq!(folder.field("removed.jsonl", "id"), ["b", "c", "d"]);
}

/// Deep nesting must not exhaust the stack, and a number too large for any type is still JSON.
#[test]
fn extreme_json_is_json() {
    let deep = "[".repeat(200_000) + &"]".repeat(200_000);
    let text = words(0..54);
    let rows = [
        format!("{{\"id\":\"a\",\"other\":{deep},\"text\":\"{text}\"}}\n"),
        format!("{{\"id\":\"b\",\"text\":{deep}}}\n"),
        format!("{deep}\n"),
        format!("{{\"id\":\"c\",\"other\":1e999,\"text\":\"{text}\"}}\n"),
    ];
    let folder = Folder::with(&[("in.jsonl", rows.concat())]);
    folder.run(&format!("dedup in.jsonl {EVERYTHING}")).ends(3).says("4 documents").says("2 without usable text");
    assert_eq!(folder.text("kept.jsonl"), rows[..3].concat());
    assert_eq!(folder.field("removed.jsonl", "id"), ["c"]);
}

#[test]
fn a_huge_number_as_text_or_id_does_not_make_json_malformed() {
    let rows = ["{\"id\":\"a\",\"text\":1e999}\n", "{\"id\":1e999,\"text\":\"some words\"}\n", "1e999\n"].concat();
    let folder = Folder::with(&[("in.jsonl", &rows)]);
    folder.run("dedup in.jsonl -o kept.jsonl").ends(3).says("3 documents");
    assert_eq!(folder.text("kept.jsonl"), rows);
}

/// Several blocks of input, so that threads find bad rows at the same time. The first in the file is reported.
#[test]
fn strict_stops_at_the_first_bad_row_on_any_number_of_threads() {
    let filler: String = (0..400).map(|n| numbered(&format!("d{n}"), n * 1000..n * 1000 + 900)).collect();
    let input = [&filler, "{\"id\":\"no text\"}\n", &filler, "malformed\n", &filler, "{\"id\":\"no text\"}\n"].concat();
    let folder = Folder::with(&[("in.jsonl", &input)]);
    let messages: Vec<String> = ["1", "3", "3", "3"]
        .map(|threads| {
            let run = folder.run(&format!("dedup in.jsonl {EVERYTHING} --strict --threads {threads}")).ends(2);
            run.says("in.jsonl, row 401: no field 'text'").stderr
        })
        .into();
    assert!(messages.iter().all(|message| *message == messages[0]), "{messages:?}");
    assert_eq!(messages[0].lines().count(), 1);
    assert_eq!(folder.list(), ["in.jsonl"]);
    folder.run("dedup in.jsonl --threads 3").ends(3).says("row 802: malformed JSON").says("row 1203: no field 'text'");
}

#[test]
fn strict_has_nothing_against_empty_and_blank() {
    let folder = Folder::with(&[("in.jsonl", format!("\n{}\n  \n{}", row("a", ""), numbered("b", 0..9)))]);
    folder.run("dedup in.jsonl --strict").ends(0).says("2 documents").says("1 empty (kept");
}
