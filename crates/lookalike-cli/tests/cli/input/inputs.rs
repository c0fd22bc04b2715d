//! Are files of every format, named in every way, read as documents and written byte for byte?

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

use crate::fixture::{Folder, Run, numbered, row, words};

/// The ids of the removed documents, and of their twins.
#[track_caller]
fn removed(folder: &Folder, arguments: &str) -> Vec<(String, String)> {
    folder.run(&format!("dedup {arguments} --removed removed.jsonl --force")).ends(0);
    let rows = folder.rows("removed.jsonl");
    rows.iter().map(|row| (row["id"].as_str().unwrap().into(), row["twin"].as_str().unwrap().into())).collect()
}

fn pair(id: &str, twin: &str) -> (String, String) {
    (id.to_string(), twin.to_string())
}

#[test]
fn json_lines_under_all_their_names() {
    let input = [numbered("a", 0..54), numbered("b", 4..58)].concat();
    for name in ["in.jsonl", "in.ndjson", "in.json", "IN.JSONL", "in.jsonl.gz"] {
        assert_eq!(removed(&Folder::with(&[(name, &input)]), name), [pair("b", "a")], "{name}");
    }
    let folder = Folder::with(&[("in.data", &input)]);
    assert_eq!(removed(&folder, "in.data --format jsonl"), [pair("b", "a")]);
}

#[test]
fn quoted_fields_crlf_and_a_byte_order_mark() {
    let text = words(0..54);
    let header = "id,\"the \"\"text\"\"\",note\r\n";
    let rows = [
        format!("1,\"{}\",\"first, with\r\nline break\"\r\n", text.replace(' ', "\r\n")),
        "\"2, \"\"two\"\"\",other words of its own,\r\n".to_string(),
        "\r\n".to_string(),
        format!("\"3\n\",{text},\"\"\r\n"),
        "4,\"not closed by a line end\",x".to_string(),
    ];
    let folder = Folder::with(&[("in.csv", format!("\u{feff}{header}{}", rows.concat()))]);
    // The field's name has quotes and a space in it, so it cannot go through a helper that splits at spaces.
    let run =
        folder.command("dedup in.csv -o kept.csv --removed removed.csv --text").arg("the \"text\"").output().unwrap();
    Run::of(&folder, run).ends(0).says("4 documents");
    assert_eq!(folder.text("removed.csv"), "id,twin,similarity\n\"3\n\",1,1.0\n");
    let kept = folder.text("kept.csv");
    // A byte order mark may stay or go; rows and header stay, and the blank line is ignored.
    assert_eq!(kept.trim_start_matches('\u{feff}'), [header, &rows[0], &rows[1], &rows[4]].concat());

    let tsv = format!("id\ttext\na\t{text}\nb\t\"{text}\"\nc\t\"tab\there\"\n");
    let folder = Folder::with(&[("in.tsv", &tsv)]);
    assert_eq!(removed(&folder, "in.tsv -o kept.tsv"), [pair("b", "a")]);
    assert_eq!(folder.text("kept.tsv"), format!("id\ttext\na\t{text}\nc\t\"tab\there\"\n"));
    let folder = Folder::with(&[("in.jsonl", format!("\u{feff}{}{}", numbered("a", 0..54), numbered("b", 0..54)))]);
    assert_eq!(removed(&folder, "in.jsonl"), [pair("b", "a")]);
}

#[test]
fn a_csv_row_with_fewer_fields_has_no_text() {
    let folder = Folder::with(&[("in.csv", "id,text\n1,one\n2\n3,\n")]);
    folder.run("dedup in.csv -o kept.csv").ends(3).says("in.csv, row 2: no field 'text'").says("1 empty");
    assert_eq!(folder.text("kept.csv"), "id,text\n1,one\n2\n3,\n");
}

#[test]
fn folders_nested_and_hidden_names_left_alone() {
    let text = words(0..54);
    let folder = Folder::with(&[
        ("pages/b.txt", &text),
        ("pages/a/z.html", &text),
        ("pages/a/deeper/x", &text),
        ("pages/.hidden", &text),
        ("pages/.git/config", &text),
        ("pages/c.txt", &"something else".to_string()),
    ]);
    // In order of the paths, which are also the ids.
    let expected = [pair("pages/a/z.html", "pages/a/deeper/x"), pair("pages/b.txt", "pages/a/deeper/x")];
    assert_eq!(removed(&folder, "pages -o kept/"), expected);
    assert_eq!(
        removed(&folder, "pages/"),
        [pair("pages/a/z.html", "pages/a/deeper/x"), pair("pages/b.txt", "pages/a/deeper/x")]
    );
    let kept: Vec<String> = folder.list().into_iter().filter(|name| name.starts_with("kept/")).collect();
    assert_eq!(kept, ["kept/", "kept/a/", "kept/a/deeper/", "kept/a/deeper/x", "kept/c.txt"]);
    assert_eq!(folder.text("kept/a/deeper/x"), text);
}

#[test]
fn a_folder_of_mixed_formats() {
    let folder = Folder::with(&[
        ("in/a.jsonl", numbered("j", 0..54)),
        ("in/b.csv", format!("id,text\nc,{}\n", words(0..54))),
        ("in/c.txt", words(0..54)),
    ]);
    assert_eq!(removed(&folder, "in -o kept/"), [pair("c", "j"), pair("in/c.txt", "j")]);
    assert_eq!(folder.text("kept/a.jsonl"), numbered("j", 0..54));
    assert_eq!(folder.text("kept/b.csv"), "id,text\n");
    assert!(!folder.path("kept/c.txt").exists());
}

#[test]
fn globs_in_order_and_names_that_look_like_globs() {
    let folder = Folder::with(&[
        ("s/2.jsonl", numbered("two", 0..54)),
        ("s/1.jsonl", numbered("one", 0..54)),
        ("s/x.csv", "id,text\n".to_string()),
        ("s/[1].jsonl", numbered("brackets", 0..54)),
    ]);
    assert_eq!(removed(&folder, "s/?.jsonl"), [pair("two", "one")]);
    assert_eq!(removed(&folder, "s/2.jsonl s/1.jsonl"), [pair("one", "two")]);
    // A file with exactly that name takes precedence over the pattern.
    assert_eq!(removed(&folder, "s/[1].jsonl s/1.jsonl"), [pair("one", "brackets")]);
    for pattern in ["s/*.gz", "s/3?.jsonl", "s/[89].jsonl"] {
        folder.run(&format!("dedup {pattern}")).ends(2).says(&format!("no file matches {pattern}\n"));
    }
    folder.run("dedup s/3.jsonl").ends(2).says("no such file: s/3.jsonl\n");
}

/// A pattern that matches a folder and the files in it names each file once.
#[test]
fn a_recursive_glob_reads_a_file_once() {
    let folder = Folder::with(&[("pages/a.txt", words(0..54)), ("pages/sub/deep/b.txt", words(500..560))]);
    for pattern in ["pages/**/*.txt", "pages/**/*", "pages/*"] {
        folder.run(&format!("dedup {pattern}")).ends(0).says("2 documents").says("removed 0");
    }
}

#[test]
fn a_link_that_leads_back_is_not_followed_forever() {
    let folder = Folder::with(&[("pages/a.txt", words(0..54)), ("pages/sub/b.txt", words(500..560))]);
    symlink("..", folder.path("pages/sub/up")).unwrap();
    folder.run("dedup pages -o kept/").ends(2).says("cannot read pages/sub/up/").says("symbolic links");
    assert!(!folder.path("kept").exists());
}

#[test]
fn lines_are_documents() {
    let text = words(0..54);
    let input = format!("{text}\r\n\n  \n{text}\nshort\nshort \nlast");
    let folder = Folder::with(&[("in.txt", &input)]);
    assert_eq!(
        removed(&folder, "in.txt --format lines -o kept.txt"),
        [pair("in.txt:4", "in.txt:1"), pair("in.txt:6", "in.txt:5")]
    );
    assert_eq!(folder.text("kept.txt"), format!("{text}\r\nshort\nlast"));
}

#[test]
fn standard_input() {
    let folder = Folder::new();
    let input = [numbered("a", 0..54), numbered("b", 4..58)].concat();
    let run = folder.printing("dedup - -o - --removed removed.jsonl", input).ends(0).says("removed 1");
    assert_eq!(run.stdout, numbered("a", 0..54));
    let run = folder.printing("dedup - --format tsv --text name -o -", "name\nx\nx\ny\n").ends(0);
    assert_eq!(run.stdout, "name\nx\ny\n");
    let run = folder.printing("dedup - --format lines --removed -", "same\nsame\n").ends(0);
    assert_eq!(run.stdout, "{\"id\":\"-:2\",\"twin\":\"-:1\",\"similarity\":1.0}\n");
    folder.printing("dedup - -o kept/", numbered("a", 0..54)).ends(0);
    assert_eq!(folder.text("kept/stdin.jsonl"), numbered("a", 0..54));
}

#[test]
fn a_pipe_by_name() {
    let folder = Folder::new();
    let pipe = folder.path("pipe.jsonl");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut command = folder.command("dedup pipe.jsonl -o - --quiet");
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let input = [numbered("a", 0..54), numbered("b", 4..58)].concat();
    File::options().write(true).open(&pipe).unwrap().write_all(input.as_bytes()).unwrap();
    let run = Run::of(&folder, child.wait_with_output().unwrap()).ends(0);
    assert_eq!(run.stdout, numbered("a", 0..54));
}

#[test]
fn several_text_fields_are_one_text() {
    let (first, second) = (words(0..30), words(30..54));
    let rows = [
        format!("{{\"id\":\"a\",\"title\":\"{first}\",\"text\":\"{second}\"}}\n"),
        format!("{{\"id\":\"b\",\"text\":\"{second}\",\"title\":\"{first}\"}}\n"),
        format!("{{\"id\":\"c\",\"title\":null,\"text\":\"{first} {second}\"}}\n"),
        format!("{{\"id\":\"d\",\"text\":\"{second}\"}}\n"),
        "{\"id\":\"e\"}\n".to_string(),
    ];
    let folder = Folder::with(&[("in.jsonl", rows.concat())]);
    folder
        .run("dedup in.jsonl --text title,text --removed removed.jsonl")
        .ends(3)
        .says("row 5: no field 'title', 'text'");
    assert_eq!(folder.field("removed.jsonl", "id"), ["b", "c"]);
    let folder = Folder::with(&[("in.csv", format!("title,text,id\n{first},{second},a\n{first} {second},,b\n"))]);
    assert_eq!(removed(&folder, "in.csv --text title,text"), [pair("b", "a")]);
}

#[test]
fn ids_are_the_users_own() {
    let text = words(0..54);
    let ids = [
        ("\"a b\"", "a b"),
        ("7", "7"),
        ("-3", "-3"),
        ("1.5", "1.5"),
        ("true", "true"),
        ("18446744073709551615", "18446744073709551615"),
        ("\"quote\\\" comma, ü\"", "quote\" comma, ü"),
        // Without an id: file and row.
        ("null", "in.jsonl:9"),
        ("\"\"", "in.jsonl:10"),
        ("[1]", "in.jsonl:11"),
    ];
    let first = format!("{{\"id\":0,\"text\":\"{text}\"}}\n");
    let rows: String = ids.iter().map(|(id, _)| format!("{{\"id\":{id},\"text\":\"{text}\"}}\n")).collect();
    let folder = Folder::with(&[("in.jsonl", first + &rows)]);
    let expected: Vec<_> = ids.iter().map(|(_, id)| pair(id, "0")).collect();
    assert_eq!(removed(&folder, "in.jsonl"), expected);

    let folder = Folder::with(&[("in.jsonl", format!("{{\"url\":\"u\",\"text\":\"{text}\"}}\n").repeat(2))]);
    assert_eq!(removed(&folder, "in.jsonl --id url"), [pair("u", "u")]);
    assert_eq!(removed(&folder, "in.jsonl"), [pair("in.jsonl:2", "in.jsonl:1")]);
    let absolute = folder.path("in.jsonl").display().to_string();
    assert_eq!(removed(&folder, &absolute), [pair(&format!("{absolute}:2"), &format!("{absolute}:1"))]);
}

/// A number is written as it was, not as the nearest one of 64 bits: two ids must not become one.
#[test]
fn numeric_ids_keep_all_their_digits() {
    let text = words(0..54);
    let ids = ["18446744073709551616", "18446744073709551617", "12345678901234567890123", "-9223372036854775809"];
    let rows: String = ids.iter().map(|id| format!("{{\"id\":{id},\"text\":\"{text}\"}}\n")).collect();
    let folder = Folder::with(&[("in.jsonl", rows)]);
    let expected: Vec<_> = ids[1..].iter().map(|id| pair(id, ids[0])).collect();
    assert_eq!(removed(&folder, "in.jsonl"), expected);
}

#[test]
fn blank_lines_are_nothing_but_count_as_rows() {
    let text = words(0..54);
    let document = format!("{{\"text\":\"{text}\"}}\r\n");
    let folder = Folder::with(&[("in.jsonl", format!("\n\r\n{document} \t\n{document}"))]);
    assert_eq!(removed(&folder, "in.jsonl -o kept.jsonl"), [pair("in.jsonl:5", "in.jsonl:3")]);
    // Line ends stay with their lines.
    assert_eq!(folder.text("kept.jsonl"), document);
}

#[test]
fn the_last_line_may_lack_its_end() {
    let input =
        format!("{}{}\r\n  {}", numbered("a", 0..54), row("b", "other").trim_end(), row("c", "last").trim_end());
    let folder = Folder::with(&[("1.jsonl", &input), ("2.jsonl", &numbered("d", 100..160))]);
    folder.run("dedup 1.jsonl -o kept.jsonl").ends(0);
    assert_eq!(folder.text("kept.jsonl"), input);
    folder.run("dedup 1.jsonl 2.jsonl -o both.jsonl").ends(0);
    assert_eq!(folder.text("both.jsonl"), format!("{input}\n{}", numbered("d", 100..160)));
    folder.run("dedup 1.jsonl 2.jsonl -o each/").ends(0);
    assert_eq!(folder.text("each/1.jsonl"), input);

    let folder = Folder::with(&[("1.csv", "id,text\n1,one"), ("2.csv", "id,text\r\n2,two\r\n3,three")]);
    folder.run("dedup 1.csv 2.csv -o both.csv").ends(0);
    assert_eq!(folder.text("both.csv"), "id,text\n1,one\n2,two\r\n3,three");
}
