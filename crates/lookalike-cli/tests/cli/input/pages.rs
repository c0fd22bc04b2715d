//! Are web pages read from files and from fields?

use crate::fixture::{Folder, words};
use crate::input::parquet::write_parquet;

/// A page of numbered words in varying markup.
fn page(dress: usize, range: std::ops::Range<u32>) -> String {
    let text = words(range);
    match dress {
        0 => format!("<p>{text}</p>"),
        1 => {
            format!("<!doctype html><script>var x = '<p>';</script><div hidden>x</div><p>{}", text.replace(' ', "<br>"))
        }
        _ => format!("<body class=a><!-- c --><b>{}</b>", text.replace('w', "w<i></i>")),
    }
}

fn row(id: &str, html: &str) -> String {
    format!("{}\n", serde_json::json!({"id": id, "html": html, "url": format!("http://www.example.org/{id}")}))
}

#[test]
fn pages_in_a_field() {
    let rows = [row("a", &page(0, 0..54)), row("b", &page(1, 0..54)), row("c", &page(2, 4..58)), row("d", "<p>other")];
    let folder = Folder::with(&[("in.jsonl", rows.concat())]);
    folder.run("dedup in.jsonl --html html -o kept.jsonl --removed removed.jsonl").ends(0);
    assert_eq!(folder.field("removed.jsonl", "id"), ["b", "c"]);
    assert_eq!(folder.text("kept.jsonl"), [&*rows[0], &rows[3]].concat());
    folder.run("check in.jsonl --html html --kept kept.jsonl --removed removed.jsonl").ends(0).says("passed");
    folder.run("pairs in.jsonl --html html -o pairs.jsonl").ends(0);
    assert_eq!(folder.field("pairs.jsonl", "b"), ["b", "c", "c"]);
    let csv = format!("id,html\na,\"{}\"\nb,\"{}\"\n", page(0, 0..54), page(1, 0..54));
    folder.write("in.csv", csv);
    folder.run("dedup in.csv --html html --removed removed.csv").ends(0);
    assert_eq!(folder.text("removed.csv"), "id,twin,similarity\nb,a,1.0\n");
    write_parquet(
        &folder.path("in.parquet"),
        &[(Some("a"), Some(&page(0, 0..54))), (Some("b"), Some(&page(2, 0..54)))],
    );
    folder.run("dedup in.parquet --html text --removed removed.tsv").ends(0);
    assert_eq!(folder.text("removed.tsv"), "id\ttwin\tsimilarity\nb\ta\t1.0\n");
}

/// A document without an id is called by its address, if that is known.
#[test]
fn called_by_their_address() {
    let line = |url: &str| format!("{}\n", serde_json::json!({"html": page(0, 0..54), "url": url}));
    let folder = Folder::with(&[("in.jsonl", [line("http://a.org/1"), line("http://a.org/2"), line("")].concat())]);
    folder.run("dedup in.jsonl --html html --url url --removed removed.jsonl").ends(0);
    assert_eq!(folder.field("removed.jsonl", "id"), ["http://a.org/2", "in.jsonl:3"]);
    assert_eq!(folder.field("removed.jsonl", "twin"), ["http://a.org/1", "http://a.org/1"]);
    folder.write("in.csv", "html\n<p>x\n");
    folder.run("dedup in.csv --html html --url url").ends(2).says("no column 'url'");
}

#[test]
fn files_of_pages() {
    let folder = Folder::with(&[
        ("site/a.html", page(0, 0..54)),
        ("site/b.htm", page(1, 0..54)),
        ("site/c.XHTML", page(2, 4..58)),
        ("site/d.html", page(0, 500..560)),
        ("site/readme.txt", words(0..54)),
    ]);
    folder.run("dedup site -o kept/ --removed removed.jsonl").ends(0);
    assert_eq!(folder.field("removed.jsonl", "id"), ["site/b.htm", "site/c.XHTML", "site/readme.txt"]);
    assert_eq!(folder.text("kept/a.html"), page(0, 0..54));
    let kept: Vec<String> = folder.list().into_iter().filter(|name| name.starts_with("kept/")).collect();
    assert_eq!(kept, ["kept/", "kept/a.html", "kept/d.html"]);
    folder.run("dedup site -o kept.html").ends(2).says("each input file is one document. Use a folder");
    folder.run("dedup site --within lang").ends(2).says("site/a.html is a page and has no field 'lang'");
    folder.run("dedup site --max-document 300 --quiet").ends(3).says("");
    folder.run("check site --kept kept --removed removed.jsonl").ends(0);
}

/// The same text in four encodings: marked, declared, detected.
#[test]
fn encodings() {
    let text = |n: u32| format!("Größenänderung für Straße Nummer {n} überprüft, während Märchen öfter blühen");
    let all: String = (0..9).map(text).collect::<Vec<_>>().join(". ");
    let latin = |text: &str| text.chars().map(|c| c as u8).collect::<Vec<u8>>();
    let utf16: Vec<u8> = [0xfeff].into_iter().chain(all.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let folder = Folder::with(&[
        ("in/1.html", all.clone().into_bytes()),
        ("in/2.html", latin(&format!("<meta charset=iso-8859-1><p>{all}"))),
        ("in/3.html", latin(&format!("<p>{all}"))),
        ("in/4.html", utf16),
    ]);
    folder.run("dedup in --removed removed.jsonl").ends(0);
    assert_eq!(folder.field("removed.jsonl", "id"), ["in/2.html", "in/3.html", "in/4.html"]);
    assert_eq!(folder.field("removed.jsonl", "similarity"), ["1.0"; 3]);
}

#[test]
fn rules_for_pages() {
    let html = "<title>T</title><p>can't see<img src='http://www.example.org/x/a.png'><img src='//b.net/c.png'>";
    let folder = Folder::with(&[("in.jsonl", row("a", html)), ("a.html", html.to_string()), ("in.txt", String::new())]);
    let tokens = |arguments: &str| {
        let seen = folder.printing(&format!("tokens {arguments} --json"), "").ends(0).json();
        seen["tokens"].as_array().unwrap().iter().map(|token| token.as_str().unwrap().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(tokens("a.html"), ["t", "can't", "see"]);
    assert_eq!(tokens("in.jsonl --html html --page text"), ["t", "can't", "see"]);
    assert_eq!(
        tokens("in.jsonl --html html --url url --page paper"),
        ["t", "can", "t", "see", "a_2epng", "b_2enet_2fc_2epng"]
    );
    let other_host = "http_3a_2f_2fwww_2eexample_2eorg_2fx_2fa_2epng";
    assert_eq!(tokens("a.html --page paper"), ["t", "can", "t", "see", other_host, "b_2enet_2fc_2epng"]);
    assert_eq!(tokens("a.html --page main"), ["t", "can't", "see"]);
    for wrong in
        ["in.jsonl --page text", "in.txt --page main", "a.html --page nice", "in.jsonl --html html --text text"]
    {
        folder.run(&format!("tokens {wrong}")).ends(2);
        folder.run(&format!("dedup {wrong}")).ends(2);
        folder.run(&format!("pairs {wrong}")).ends(2);
    }
    folder.run("dedup in.jsonl --page paper").ends(2).says("--page is for web pages").says("--html FIELD");
    folder.run("sketch in.jsonl --page paper").ends(2).says("--page is for web pages");
}

#[test]
fn bad_rows_among_pages() {
    let rows = [
        row("a", &page(0, 0..54)),
        "{\"html\":7}\n".to_string(),
        "{}\n".to_string(),
        row("e", "<script>"),
        row("l", &page(0, 0..200)),
    ];
    let folder = Folder::with(&[("in.jsonl", rows.concat())]);
    folder
        .run("dedup in.jsonl --html html -o kept.jsonl --max-document 600")
        .ends(3)
        .says("row 2: field 'html' is not a string")
        .says("row 3: no field 'html'")
        .says("row 5: the page has 896 bytes, more than --max-document allows")
        .says("1 empty");
    assert_eq!(folder.text("kept.jsonl"), rows.concat());
}
