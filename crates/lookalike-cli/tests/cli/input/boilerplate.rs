//! Passages that sites repeat: the table by its definition, texts without them, and tables that cannot be used.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use crate::fixture::{Folder, numbered, row, words};

/// A document: its site, if it has one, and its passages.
type Document = (Option<u8>, Vec<usize>);

/// Passages as they are written. Some have the same normal form, and one is blank.
const WRITTEN: [&str; 8] =
    ["Home  page", "HOME page", " ", "All rights reserved.", "ｆｅｒｒｙ times", "ferry times", "one", "two three"];

fn normal(passage: &str) -> String {
    passage.replace("ｆｅｒｒｙ", "ferry").to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The normal forms of a document's passages that are not blank.
fn passages(document: &Document) -> Vec<String> {
    document.1.iter().map(|&at| normal(WRITTEN[at])).filter(|passage| !passage.is_empty()).collect()
}

/// By site and passage, on how many different texts of the site it is, and of how many.
fn repeated(
    documents: &[Document],
    min_pages: usize,
    share: (usize, usize),
) -> BTreeMap<(String, String), (usize, usize)> {
    let mut texts: BTreeMap<String, BTreeSet<Vec<String>>> = BTreeMap::new();
    for document in documents.iter().filter(|document| !passages(document).is_empty()) {
        let site = document.0.map_or(String::new(), |site| format!("s{site}"));
        texts.entry(site).or_default().insert(passages(document));
    }
    let mut repeated = BTreeMap::new();
    for (site, texts) in &texts {
        for passage in texts.iter().flatten() {
            let pages = texts.iter().filter(|text| text.contains(passage)).count();
            if pages >= min_pages && pages * share.1 >= share.0 * texts.len() {
                repeated.insert((site.clone(), passage.clone()), (pages, texts.len()));
            }
        }
    }
    repeated
}

/// Documents as JSON lines, with texts or with pages.
fn lines(documents: &[Document], is_page: bool) -> Vec<String> {
    let body = |document: &Document| match is_page {
        true => document.1.iter().map(|&at| format!("<p>{}</p>", WRITTEN[at])).collect::<String>(),
        false => document.1.iter().map(|&at| format!("{}\n", WRITTEN[at])).collect(),
    };
    let line = |(number, document): (usize, &Document)| match document.0 {
        Some(site) => {
            json!({"id": number.to_string(), "body": body(document), "site": format!("s{site}")}).to_string() + "\n"
        }
        None => json!({"id": number.to_string(), "body": body(document)}).to_string() + "\n",
    };
    documents.iter().enumerate().map(line).collect()
}

/// Numbers from a seed, each below `most`.
fn numbers(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |most| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % most
    }
}

#[test]
fn the_table_is_the_definition() {
    for seed in 0..24 {
        let mut below = numbers(seed);
        let mut documents: Vec<Document> = Vec::new();
        for _ in 0..1 + below(23) {
            let site = [None, Some(0), Some(1)][below(3)];
            documents.push((site, (0..below(4)).map(|_| below(WRITTEN.len())).collect()));
        }
        // A field that no row has is refused.
        documents[0].0 = Some(0);
        let (min_pages, share) = (2 + below(2), [(0, 1), (1, 3), (1, 2), (1, 1)][below(4)]);
        table_is_the_definition(&documents, min_pages, share, below(2) == 0);
    }
}

fn table_is_the_definition(documents: &[Document], min_pages: usize, share: (usize, usize), is_page: bool) {
    let folder = Folder::new();
    let rows = lines(documents, is_page);
    folder.write("a.jsonl", rows.concat());
    folder.write("b.jsonl", rows.iter().rev().cloned().collect::<String>());
    let reading = if is_page { "--html body" } else { "--text body" };
    let options = format!("{reading} --site field:site --min-pages {min_pages} --min-share {}/{} -q", share.0, share.1);
    folder.run(&format!("boilerplate a.jsonl -o a.table --threads 1 {options}")).ends(0);
    folder.run(&format!("boilerplate b.jsonl -o b.table --threads 4 {options}")).ends(0);
    assert_eq!(folder.text("a.table"), folder.text("b.table"));

    let expected = repeated(documents, min_pages, share);
    let found = folder.rows("a.table").into_iter().skip(1).map(|row| {
        let text = |name: &str| row[name].as_str().unwrap().to_string();
        let number = |name: &str| row[name].as_u64().unwrap() as usize;
        ((text("site"), text("text")), (number("pages"), number("of")))
    });
    assert_eq!(found.collect::<BTreeMap<_, _>>(), expected, "{documents:?}");

    let own = documents.iter().position(|document| !document.1.is_empty()).unwrap_or(0);
    let site = documents[own].0.map_or(String::new(), |site| format!("s{site}"));
    let is_kept = |passage: &String| !expected.contains_key(&(site.clone(), passage.clone()));
    let kept: Vec<String> = passages(&documents[own]).into_iter().filter(is_kept).collect();
    let show = format!("tokens a.jsonl {reading} --tokens words --without a.table --json --row {}", own + 1);
    let tokens = folder.printing(&show, "").ends(0).json();
    let kept = kept.join(" ").replace('.', "");
    assert_eq!(tokens["tokens"], json!(kept.split_whitespace().collect::<Vec<_>>()), "{documents:?}");
}

/// Pages of one site: a menu and a notice that all have, and words of their own.
fn site() -> String {
    let notice = words(900..960);
    let page = |n: u32| {
        let url = format!("http://www.ferry.example/{n}");
        let html = format!("<h1>Ferry {n}</h1><p>{}</p><p>{notice}</p>", words(100 * n..100 * n + 20));
        json!({"url": url, "html": html}).to_string() + "\n"
    };
    (0..5).map(page).collect()
}

#[test]
fn pages_without_what_their_site_repeats() {
    let folder = Folder::with(&[("site.jsonl", site())]);
    let reading = "--html html --url url";
    let found = |options: &str| {
        folder.run(&format!("pairs site.jsonl {reading} {options} -t 0.5 -o pairs.csv --force -q")).ends(0);
        folder.text("pairs.csv").lines().count() - 1
    };
    assert_eq!(found(""), 10);
    folder.run(&format!("boilerplate site.jsonl {reading} -o table.jsonl --min-pages 3 -q")).ends(0);
    let rows = folder.rows("table.jsonl");
    assert_eq!(rows.len(), 2);
    assert_eq!((&rows[1]["site"], &rows[1]["pages"], &rows[1]["of"]), (&json!("ferry.example"), &json!(5), &json!(5)));
    for page in ["text", "main"] {
        assert_eq!(found(&format!("--page {page} --without table.jsonl")), 0, "{page}");
    }
    // Another site has no such passages.
    let other = site().replace("ferry.example", "harbour.example");
    folder.write("site.jsonl", &other);
    assert_eq!(found("--without table.jsonl"), 10);
    // All pages of the site, but not enough of them.
    folder.run(&format!("boilerplate site.jsonl {reading} -o few.jsonl --min-pages 6 -q")).ends(0);
    assert_eq!(folder.rows("few.jsonl").len(), 1);
    folder.run(&format!("boilerplate site.jsonl {reading} -o few.jsonl --min-pages 6")).ends(2).says("few.jsonl");
}

#[test]
fn every_command_leaves_them_out() {
    let notice = words(0..60);
    let text = |n: u32| row(&n.to_string(), &format!("{notice}\n{}", words(100 * n..100 * n + 20)));
    let folder = Folder::with(&[("a.jsonl", (1..6).map(text).collect::<String>())]);
    folder.run("boilerplate a.jsonl -o table.jsonl --min-pages 2 -q").ends(0);
    let with = "--without table.jsonl";
    folder.run(&format!("dedup a.jsonl -t 0.5 -o kept.jsonl {with} -q")).ends(0);
    assert_eq!(folder.rows("kept.jsonl").len(), 5);
    folder.run("dedup a.jsonl -t 0.5 -o kept.jsonl --removed removed.jsonl --force -q").ends(0);
    assert_eq!(folder.rows("kept.jsonl").len(), 1);
    folder.run(&format!("pairs a.jsonl -t 0.5 --method minhash -o pairs.csv {with} -q")).ends(0);
    assert_eq!(folder.text("pairs.csv").lines().count(), 1);
    folder.run(&format!("sketch a.jsonl -o with.csv {with} -q")).ends(0);
    folder.run("sketch a.jsonl -o all.csv -q").ends(0);
    assert_ne!(folder.text("with.csv"), folder.text("all.csv"));
    let compared = folder.printing(&format!("compare 1 2 --in a.jsonl --json {with}"), "").ends(0).json();
    assert_eq!((&compared["common"], &compared["a"]["words"]), (&json!(0), &json!(20)));
    folder.run("check a.jsonl --kept kept.jsonl --removed removed.jsonl -t 0.5 -q").ends(0);
    folder.run(&format!("check a.jsonl --kept kept.jsonl --removed removed.jsonl -t 0.5 -q {with}")).ends(1);
}

#[test]
fn an_index_remembers_its_table() {
    let folder = Folder::with(&[("a.jsonl", (1..4).map(|n| numbered(&n.to_string(), 0..40 + n)).collect::<String>())]);
    folder.run("boilerplate a.jsonl -o one.table --min-pages 2 -q").ends(0);
    folder.run("boilerplate a.jsonl -o two.table --min-pages 3 -q").ends(0);
    folder.run("dedup a.jsonl --index index --without one.table -q").ends(0);
    folder.run("dedup a.jsonl --index index --without one.table -q").ends(0);
    folder.run("dedup a.jsonl --index index -q").ends(2).says("no --without");
    folder.run("dedup a.jsonl --index index --without two.table -q").ends(2).says("--without (the table");
    let query = "index query index a.jsonl -o found.csv --force -q";
    folder.run(&format!("{query} --without one.table")).ends(0);
    folder.run(query).ends(2).says("give the same table");
    folder.run(&format!("{query} --without two.table")).ends(2).says("another table");
    folder.run("dedup a.jsonl --index plain -q").ends(0);
    folder
        .run("index query plain a.jsonl -o found.csv --force -q --without one.table")
        .ends(2)
        .says("leave --without out");
    // So does a run that is kept.
    folder.run("dedup a.jsonl --run run --without one.table -o kept.jsonl -q").ends(0);
    folder.run("dedup a.jsonl --run run --without two.table -o kept.jsonl --force -q").ends(2).says("without");
}

#[test]
fn tables_that_cannot_be_used() {
    let folder = Folder::with(&[("a.jsonl", numbered("a", 0..9)), ("empty", String::new())]);
    let texts: String = (0..3).map(|n| row(&n.to_string(), &format!("shared\nown {n}"))).collect();
    folder.write("texts.jsonl", texts);
    folder.run("boilerplate texts.jsonl -o table --min-pages 3 -q").ends(0);
    let table = folder.text("table");
    assert_eq!(table.lines().count(), 2, "{table}");
    folder.write("changed", table.replace("\"pages\":3", "\"pages\":4"));
    folder.write("version", table.replacen("\"version\":1", "\"version\":7", 1));
    folder.write("cut", &table[..table.len() - 9]);
    folder.write("other.zst", crate::fixture::zstd(&table));
    for (name, says) in [
        ("missing", "missing"),
        ("empty", "empty: it is not a table"),
        ("a.jsonl", "a.jsonl: it is not a table"),
        ("changed", "changed: its checksum is wrong"),
        ("cut", "cut: its checksum is wrong"),
        ("version", "version: it has format version 7"),
    ] {
        folder.run(&format!("dedup a.jsonl --without {name} -q")).ends(2).says(says);
    }
    folder.run("dedup a.jsonl --without other.zst -q").ends(0);
    folder.write("page.html", "<p>A page");
    folder.run("dedup page.html --page paper --without table -q").ends(2).says("--page paper");
    folder.run("boilerplate texts.jsonl -o t --min-share 1.5").ends(2).says("--min-share 1.5");
    folder.run("boilerplate texts.jsonl -o t --min-pages 1").ends(2).says("--min-pages");
    folder.run("boilerplate texts.jsonl -o t --site field:host").ends(2).says("host");
    assert!(!folder.path("t").exists());
    // A field of its own for each.
    folder.write("sites.jsonl", "{\"text\": \"x\", \"site\": \"a\", \"host\": \"b\"}\n".repeat(3));
    folder.run("boilerplate sites.jsonl -o sites --site field:host --min-pages 2 -q").ends(0);
    folder
        .run("pairs sites.jsonl --without sites --method by-site --site field:site -q")
        .ends(2)
        .says("the same field");
}

#[test]
fn bad_rows() {
    let folder = Folder::with(&[("a.jsonl", "{\"text\": \"one\"}\nnonsense\n{\"text\": 7}\n")]);
    folder.run("boilerplate a.jsonl -o table").ends(3).says("row 2").says("row 3");
    folder.run("boilerplate a.jsonl -o other --strict").ends(2).says("row 2");
    assert!(!folder.path("other").exists());
}
