//! Is a field that no row has an error, and does a bad row list the fields that it has?

use crate::fixture::{Folder, numbered, words};

fn folder() -> Folder {
    let rows: String =
        ["a", "b", "c"].map(|id| format!("{{\"id\":\"{id}\",\"time\":1,\"text\":\"{}\"}}\n", words(0..54))).concat();
    Folder::with(&[("in.jsonl", rows)])
}

#[track_caller]
fn refuses(folder: &Folder, arguments: &str, message: &str) {
    let before = folder.list();
    let run = folder.printing(arguments, "").ends(2);
    assert!(run.stderr.contains(message), "{arguments}: no '{message}' in:\n{}", run.stderr);
    assert_eq!(folder.list(), before, "{arguments}");
}

#[test]
fn a_field_that_no_row_has() {
    let folder = folder();
    folder.write("removed.jsonl", "");
    let missing = "no row of the inputs has a field 'typo' (fields: id, time, text)";
    for option in ["--id typo", "--keep max:typo", "--within time,typo", "--url=typo"] {
        let name = option.split([' ', '=']).next().unwrap();
        folder.run(&format!("dedup in.jsonl {option}")).ends(2).says(&format!("text); {name} asks for it\n"));
    }
    for arguments in [
        "dedup in.jsonl -o kept.jsonl --id typo",
        "dedup in.jsonl -o kept.jsonl --url typo",
        "dedup in.jsonl -o kept.jsonl --keep max:typo",
        "dedup in.jsonl -o kept.jsonl --keep min:typo",
        "dedup in.jsonl -o kept.jsonl --within typo",
        "dedup in.jsonl -o kept.jsonl --within time,typo",
        "dedup in.jsonl -o kept.jsonl --method by-site --site field:typo",
        "dedup in.jsonl -o kept.jsonl --method minhash --id typo",
        "pairs in.jsonl -o pairs.csv --id typo",
        "pairs in.jsonl -o pairs.csv --measure edit -t 2 --id typo",
        "pairs in.jsonl -o pairs.csv --within typo",
        "check in.jsonl --kept in.jsonl --removed removed.jsonl --id typo",
        "sketch in.jsonl -o sketch.csv --id typo",
        "stream in.jsonl -o verdicts.jsonl --id typo",
        "compare a b --in in.jsonl --id typo",
        "compare in.jsonl:1 in.jsonl:2 --in in.jsonl --site field:typo",
        "tokens in.jsonl --pick a --id typo",
    ] {
        refuses(&folder, arguments, missing);
    }
    // Verdicts that were printed before the input ended cannot be taken back.
    let run = folder.printing("stream in.jsonl --id typo", "").ends(2).says(missing);
    assert_eq!(run.stdout.lines().count(), 3);
    let run = folder.printing("stream --id typo", folder.text("in.jsonl")).ends(2).says(missing);
    assert_eq!(run.stdout.lines().count(), 3);
    // Fields that are not named in the arguments may be missing.
    folder.write("no-id.jsonl", format!("{{\"text\":\"{}\"}}\n", words(0..54)));
    folder.run("dedup no-id.jsonl").ends(0);
}

/// Without the refusal, documents would be removed by a part of their text, or nothing would be compared.
#[test]
fn a_text_field_that_no_row_has() {
    let folder = folder();
    folder.write("with-title.jsonl", "{\"id\":\"d\",\"title\":\"t\",\"text\":\"some words\"}\n");
    folder.write("page.html", "<p>a page</p>");
    folder.write("archive.jsonl", "{\"id\":\"d\",\"page\":\"some words\"}\n");
    folder.write("empty.jsonl", "");
    for command in [
        "dedup in.jsonl -o kept.jsonl",
        "dedup in.jsonl -o kept.jsonl --method minhash",
        "pairs in.jsonl -o pairs.csv",
        "pairs in.jsonl -o pairs.csv --measure edit -t 2",
        "sketch in.jsonl -o sketch.csv",
        "boilerplate in.jsonl -o passages.csv",
    ] {
        let available = "(fields: id, time, text); use --text to name the text field\n";
        for (text, missing) in [("text,body", "body"), ("title,text", "title"), ("body", "body"), ("a,b", "a', 'b")] {
            let message = format!("no row of the inputs has a field '{missing}' {available}");
            refuses(&folder, &format!("{command} --text {text}"), &message);
        }
    }
    refuses(&folder, "stream in.jsonl -o verdicts.jsonl --text text,body", "no row of the inputs has a field 'body'");
    let page =
        "no row of the inputs has a field 'page' (fields: id, time, text); use --html to name the field of the page";
    refuses(&folder, "dedup in.jsonl --html page", page);
    let others = "no row of the other collection has a field 'text' (fields: id, page)";
    refuses(&folder, "dedup in.jsonl --against archive.jsonl -o kept.jsonl", others);
    refuses(
        &folder,
        "pairs in.jsonl --with with-title.jsonl --text title,text",
        "no row of the inputs has a field 'title'",
    );
    refuses(&folder, "dedup in.jsonl page.html --text title,text", "no row of the inputs has a field 'title'");
    let body = "no row of the inputs has a field 'body' (fields: id, time, text)";
    folder.run("dedup in.jsonl --index archive --text text,body -o kept.jsonl").ends(2).says(body);
    assert!(!folder.path("kept.jsonl").exists());
    folder.run("index show archive").ends(2).says("there is no index in archive");
    // Some rows have it, or there are no rows.
    folder.run("dedup in.jsonl with-title.jsonl --text title,text").ends(0);
    folder.run("dedup in.jsonl with-title.jsonl --text title").ends(3).says("row 1: no field 'title'");
    folder.run("dedup empty.jsonl --text title,text").ends(0);
}

#[test]
fn a_field_that_the_other_collection_has_not() {
    let folder = folder();
    folder.write("others.jsonl", numbered("x", 0..54));
    let missing = "no row of the other collection has a field 'time' (fields: id, text)";
    refuses(&folder, "dedup in.jsonl --against others.jsonl --within time", missing);
    refuses(&folder, "pairs in.jsonl --with others.jsonl --id time", missing);
    // Only the inputs need the field of the keep rule.
    folder.run("dedup in.jsonl --against others.jsonl --keep max:time").ends(0);
}

/// A row without its id is called by its place, as long as others have theirs.
#[test]
fn a_field_that_some_rows_have() {
    let text = words(0..54);
    let folder = Folder::with(&[
        ("1.jsonl", format!("{{\"text\":\"{text}\"}}\n")),
        ("2.jsonl", format!("{{\"uid\":\"u\",\"text\":\"{text}\"}}\n{{\"uid\":null,\"text\":\"{text}\"}}\n")),
        ("null.jsonl", format!("{{\"uid\":null,\"text\":\"{text}\"}}\n")),
        ("empty.jsonl", String::new()),
        ("bad.jsonl", "{\"text\":\n".to_string()),
    ]);
    folder.run("dedup 1.jsonl 2.jsonl --id uid --removed removed.jsonl").ends(0);
    assert_eq!(folder.field("removed.jsonl", "id"), ["u", "2.jsonl:2"]);
    // A null counts as present.
    folder.run("dedup null.jsonl --id uid").ends(0);
    // Without rows there is no error.
    folder.run("dedup empty.jsonl --id uid").ends(0);
    folder.run("dedup bad.jsonl --id uid").ends(3);
}

#[test]
fn fields_of_files_that_have_none() {
    let folder = Folder::with(&[("in.txt", words(0..54)), ("page.html", "<p>a page</p>".to_string())]);
    let none = "no row of the inputs has a field 'x' (the rows have no fields)";
    for arguments in ["--id x", "--keep max:x", "--url x"] {
        refuses(&folder, &format!("dedup in.txt {arguments}"), none);
        refuses(&folder, &format!("dedup in.txt --format lines {arguments}"), none);
        refuses(&folder, &format!("dedup page.html {arguments}"), none);
    }
    refuses(
        &folder,
        "dedup in.txt --text x",
        "--text names a field, but inputs in the format text have no text fields",
    );
    refuses(&folder, "tokens in.txt --format lines --text x", "--text names a field");
    refuses(
        &folder,
        "dedup page.html --html x",
        "--html names a field, but inputs in the format html have no text fields",
    );
    folder.run("dedup in.txt page.html").ends(0);
}

#[test]
fn fields_of_records() {
    let record = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nwords\r\n\r\n"
        .replace("Content-Length: 4", "Content-Length: 5");
    let folder = Folder::with(&[("in.warc", record)]);
    refuses(
        &folder,
        "dedup in.warc --id WARC-Typo",
        "no row of the inputs has a field 'WARC-Typo' (fields: WARC-Type, WARC-Target-URI, Content-Type, Content-Length)",
    );
    folder.run("dedup in.warc --id warc-type").ends(0);
}

#[test]
fn a_row_without_its_text_says_which_fields_it_has() {
    let rows = [
        numbered("a", 0..54),
        "{\"id\":\"b\",\"time\":\"9:00\",\"body\":\"words\"}\n".to_string(),
        "{\"id\":\"c\",\"text\":null}\n".to_string(),
        "{}\n".to_string(),
        "[1]\n".to_string(),
    ];
    let folder = Folder::with(&[("news.jsonl", rows.concat())]);
    let advice = "Use --text to name the text field.\n";
    for command in ["dedup news.jsonl", "pairs news.jsonl", "sketch news.jsonl", "stream news.jsonl"] {
        let run = folder.printing(command, "").ends(3);
        run.says(&format!("news.jsonl, row 2: no field 'text' (fields: id, time, body). {advice}"))
            .says("news.jsonl, row 3: field 'text' is null\n")
            .says("news.jsonl, row 4: no field 'text': the row has no fields\n")
            .says("news.jsonl, row 5: no field 'text': the row is not a JSON object\n");
    }
    let run = folder.run("dedup news.jsonl --text body").ends(3);
    run.says(&format!("news.jsonl, row 1: no field 'body' (fields: id, text). {advice}"));
    let run = folder.run("dedup news.jsonl --text time,body").ends(3);
    run.says(&format!("news.jsonl, row 1: no field 'time', 'body' (fields: id, text). {advice}"));
    let run = folder.run("dedup news.jsonl --html body").ends(3);
    run.says("news.jsonl, row 1: no field 'body' (fields: id, text). Use --html to name the field of the page.\n");
    folder
        .run("compare a b --in news.jsonl")
        .ends(2)
        .says("news.jsonl, row 2: no field 'text' (fields: id, time, body)");
    folder.run("tokens news.jsonl --row 2").ends(2).says("news.jsonl, row 2: no field 'text' (fields: id, time, body)");
}

#[test]
fn a_row_without_its_time_says_which_fields_it_has() {
    let folder = Folder::with(&[("feed.jsonl", numbered("a", 0..9))]);
    let run = folder.printing("stream feed.jsonl --time when", "").ends(3);
    run.says("feed.jsonl, row 1: no field 'when' (fields: id, text). Use --time to name the time field.\n");
}

#[test]
fn values_of_pairs_that_no_row_has() {
    let folder = Folder::with(&[("pairs.jsonl", "{\"a\":\"1\",\"b\":\"2\",\"similarity\":0.9}\n{\"a\":\"1\"}\n")]);
    refuses(
        &folder,
        "graph pairs.jsonl --by typo",
        "no row of the inputs has a field 'typo' (fields: a, b, similarity)",
    );
    let run = folder.printing("graph pairs.jsonl", "").ends(3);
    run.says("pairs.jsonl, row 2: no field 'b' (fields: a). A pair has the fields a and b.\n");
}
