//! Is a file in another format than expected one error that says what it looks like?

use crate::fixture::{Folder, gzip, numbered, row, words};

#[track_caller]
fn refuses(folder: &Folder, arguments: &str, message: &str) {
    let before = folder.list();
    let run = folder.printing(arguments, "").ends(2);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    run.says(message);
    assert_eq!(folder.list(), before);
}

fn utf16(text: &str) -> Vec<u8> {
    format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect()
}

#[test]
fn a_json_array() {
    let rows: Vec<String> = (0..50).map(|n| row(&n.to_string(), "words").trim_end().to_string()).collect();
    let message = "in.json looks like one JSON array, but every line must be a JSON object of its own. Convert it with: jq -c '.[]'";
    for array in [
        format!("[\n  {}\n]\n", rows.join(",\n  ")),
        format!("[{}]", rows.join(",\n")),
        format!("[{}]\n", rows.join(", ")),
        format!("\u{feff}\n [{}]\n", rows.join(", ")),
    ] {
        let folder = Folder::with(&[("in.json", &array)]);
        for command in ["dedup in.json -o kept.json", "pairs in.json -o pairs.csv", "sketch in.json", "tokens in.json"]
        {
            refuses(&folder, command, message);
        }
        folder.write("in.json", gzip(&array));
        refuses(&folder, "dedup in.json", message);
    }
    let folder = Folder::new();
    folder.printing("stream", "[\n{}\n]\n").ends(2).says("- looks like one JSON array");
    // Among other rows, an array is only a bad row.
    folder.write("in.jsonl", format!("[{{}}]\n{}", numbered("a", 0..54)));
    folder.run("dedup in.jsonl").ends(3).says("in.jsonl, row 1: no field 'text': the row is not a JSON object");
}

#[test]
fn json_over_several_lines() {
    let folder = Folder::with(&[("in.json", "{\n  \"id\": 1,\n  \"text\": \"words\"\n}\n")]);
    refuses(
        &folder,
        "dedup in.json",
        "in.json looks like JSON over several lines, but every line must be a JSON object. Convert it with: jq -c .",
    );
}

#[test]
fn json_lines_without_their_name() {
    let rows = numbered("a", 0..54) + &numbered("b", 5..60);
    for name in ["rows.jsonl.bak", "rows.1", "part-00000"] {
        let folder = Folder::with(&[(name, &rows)]);
        let message = format!("{name} looks like JSON lines. Name the format: --format jsonl, or --format text");
        refuses(&folder, &format!("dedup {name} --removed removed.csv"), &message);
        folder.run(&format!("dedup {name} --format jsonl")).ends(0);
        folder.run(&format!("dedup {name} --format text")).ends(0);
    }
    refuses(&Folder::with(&[("in.1", gzip(&rows))]), "dedup in.1", "in.1 looks like JSON lines");
    // One line is a text.
    Folder::with(&[("in.1", row("1", "words"))]).run("dedup in.1").ends(0);
}

#[test]
fn lines_that_are_no_json() {
    let folder = Folder::with(&[("in.jsonl", "id,text\n1,words\n")]);
    let message = "in.jsonl has no line with a JSON object. Name its format with --format";
    refuses(&folder, "dedup in.jsonl -o kept.jsonl", message);
    refuses(&folder, "pairs in.jsonl -o pairs.csv", message);
    folder.run("dedup in.jsonl --format csv").ends(0);
    // What arrives one by one may still be JSON.
    let arriving = "starting\nready\n{\"id\": \"1\", \"time\": 1, \"text\": \"words that arrive\"}\n";
    let run = folder.printing("stream", arriving).ends(3).says("-, row 2: malformed JSON");
    assert!(run.stdout.contains("\"new\""), "{}", run.stdout);
}

#[test]
fn other_encodings() {
    let files = [
        ("in.jsonl", numbered("a", 0..54)),
        ("in.csv", "id,text\n1,one\n".into()),
        ("in.tsv", "id\ttext\n1\tone\n".into()),
    ];
    for (name, text) in files {
        let folder = Folder::with(&[(name, utf16(&text))]);
        let message =
            format!("{name} is UTF-16, and only UTF-8 can be read here. Convert it with: iconv -f UTF-16 -t UTF-8");
        refuses(&folder, &format!("dedup {name}"), &message);
        refuses(&folder, &format!("dedup {name} --format lines"), &message);
        let bytes: Vec<u8> = format!("\u{feff}{text}").chars().flat_map(|c| (c as u32).to_le_bytes()).collect();
        folder.write(name, bytes);
        refuses(&folder, &format!("dedup {name}"), &format!("{name} is UTF-32"));
    }
    let bare: Vec<u8> = numbered("a", 0..54).encode_utf16().flat_map(u16::to_be_bytes).collect();
    refuses(&Folder::with(&[("in.jsonl", bare)]), "dedup in.jsonl", "in.jsonl is UTF-16");
}

/// A file that is a document needs no conversion: its text is compared, and its bytes stay as they are.
#[test]
fn a_text_in_utf_16_is_read() {
    let text = words(0..54);
    let big: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_be_bytes).collect();
    let half = utf16(&text)[..21].to_vec();
    let folder = Folder::with(&[
        ("in/a.txt", utf16(&text)),
        ("in/b.txt", text.clone().into_bytes()),
        ("in/c.txt", big),
        ("in/d.txt", half),
    ]);
    folder.run("dedup in -o kept/ --removed removed.jsonl").ends(3).says("in/d.txt, row 1: invalid UTF-8 at byte 1");
    assert_eq!(folder.field("removed.jsonl", "id"), ["in/b.txt", "in/c.txt"]);
    assert_eq!(folder.read("kept/a.txt"), utf16(&text));
}
