//! Does `tokens` show the right tokens and shingles?

use crate::fixture::{Folder, numbered, row};

const LINE: &str = "Can’t stop: 3.14 naïve Cafés — 日本語 데이터 ไทย Straße";

#[test]
fn words_of_many_scripts() {
    let folder = Folder::with(&[("page.txt", LINE)]);
    let run = folder.printing("tokens page.txt --tokens words", "").ends(0);
    assert_eq!(run.stderr, "");
    let mut lines = run.stdout.lines();
    let tokens: Vec<&str> = lines.next().unwrap().split_once(": ").unwrap().1.split(" | ").collect();
    // Case is folded, words keep their apostrophes and numbers their points; scripts without spaces are cut by character.
    assert_eq!(tokens[1..9], ["stop", "3.14", "naïve", "cafés", "日", "本", "語", "데이터"]);
    assert_eq!(tokens[9..tokens.len() - 1].concat(), "ไทย");
    assert_eq!(tokens.last(), Some(&"strasse"));
    assert!(run.stdout.starts_with(&format!("{} tokens: can", tokens.len())), "{}", run.stdout);
    assert_eq!(lines.next(), Some(&*format!("{0} shingles, {0} distinct", tokens.len())));
    for line in lines {
        let (hash, shingle) = line.split_once("  ").unwrap();
        assert!(hash.len() == 16 && u64::from_str_radix(hash, 16).is_ok() && !shingle.is_empty(), "{line}");
    }
}

#[test]
fn as_json_and_through_a_pipe() {
    let folder = Folder::new();
    let seen = folder.printing("tokens - --format text --json", LINE).ends(0).json();
    let (tokens, shingles) = (seen["tokens"].as_array().unwrap(), seen["shingles"].as_array().unwrap());
    assert_eq!(tokens.len(), shingles.len() + 4);
    assert!(shingles.iter().all(|shingle| shingle["hash"].as_str().unwrap().len() == 16));
    let kept = folder.printing("tokens - --format text --json --case keep", LINE).ends(0).json();
    assert_eq!(kept["tokens"].as_array().unwrap().last().unwrap(), "Straße");
    assert_eq!(
        folder.printing("tokens - --format text --json --tokens chars:3", "A  b\nC").json()["tokens"]
            .as_array()
            .unwrap()
            .len(),
        5
    );
}

/// Composed and decomposed letters are the same text.
#[test]
fn equal_texts_have_equal_shingles() {
    let folder = Folder::new();
    for spec in ["words", "words:2", "chars:3", "letters:4"] {
        let see = |text: &str| {
            folder.printing(&format!("tokens - --format text --json --tokens {spec}"), text).ends(0).json()
        };
        assert_eq!(see("Ünïque Wörds"), see("U\u{308}ni\u{308}que  wo\u{308}rds"), "{spec}");
    }
}

#[test]
fn one_document_of_a_file() {
    let folder =
        Folder::with(&[("in.jsonl", [row("a", "first one"), row("b", "second one"), numbered("c", 0..100)].concat())]);
    assert!(folder.printing("tokens in.jsonl", "").ends(0).stdout.starts_with("2 tokens: first | one\n"));
    assert!(folder.printing("tokens in.jsonl --row 2", "").ends(0).stdout.starts_with("2 tokens: second | one\n"));
    assert!(folder.printing("tokens in.jsonl --pick b", "").ends(0).stdout.starts_with("2 tokens: second | one\n"));
    let limited = folder.printing("tokens in.jsonl --pick c --limit 3", "").ends(0).stdout;
    assert!(limited.ends_with("… and 93 more (--limit 0 shows all)\n"), "{limited}");
    assert_eq!(folder.printing("tokens in.jsonl --pick c --limit 0", "").ends(0).stdout.lines().count(), 2 + 96);
    for wrong in ["--row 4", "--row 0", "--pick nobody", "--row 1 --pick a"] {
        folder.run(&format!("tokens in.jsonl {wrong}")).ends(2);
    }
}

/// --pick takes the id that tables use.
#[test]
fn a_document_without_an_id_of_its_own() {
    let folder = Folder::with(&[("in.jsonl", "{\"text\":\"first one\"}\n{\"text\":\"second one\"}\n")]);
    let run = folder.printing("tokens in.jsonl --pick in.jsonl:2", "").ends(0);
    assert!(run.stdout.starts_with("2 tokens: second | one\n"), "{}", run.stdout);
}

#[test]
fn no_text_to_look_at() {
    let folder = Folder::with(&[("in.jsonl", "{\"id\":\"a\"}\nbad\n"), ("empty.txt", "")]);
    folder.run("tokens in.jsonl").ends(2).says("in.jsonl, row 1: no field 'text'");
    folder.run("tokens in.jsonl --row 2").ends(2).says("in.jsonl, row 2: malformed JSON");
    assert_eq!(folder.printing("tokens empty.txt", "").ends(0).stdout, "0 tokens\n0 shingles, 0 distinct\n");
}
