//! Is the result of adding batches that of one run?

use super::{add, batches, together, with_batches};
use crate::fixture::{Folder, numbered, row, words};

#[test]
fn batches_as_one_run() {
    for (measure, threshold) in [
        ("jaccard", "0.8"),
        ("cosine", "0.9"),
        ("dice", "0.85"),
        ("max", "0.8"),
        ("containment", "0.9"),
        ("overlap", "45"),
    ] {
        let folder = with_batches(&batches(11, 30, 30));
        let options = format!("--measure {measure} -t {threshold}");
        folder.run(&format!("dedup all.jsonl -o kept.jsonl --removed removed.jsonl {options}")).ends(0);
        add(&folder, 0..11, &options);
        assert_eq!(together(&folder, "kept", 0..11), folder.text("kept.jsonl"), "{measure}");
        assert_eq!(together(&folder, "removed", 0..11), folder.text("removed.jsonl"), "{measure}");
        // Parts were merged on the way.
        let shown = folder.printing("index show archive --json", "").ends(0).json();
        assert_eq!(shown["documents"], folder.rows("kept.jsonl").len());
        assert!(shown["parts"].as_array().unwrap().len() < 8, "{shown}");
        folder.run("index check archive").ends(0).says("every checksum is right");
    }
}

#[test]
fn any_number_of_threads() {
    let [one, many] = [1, 3].map(|threads| {
        let folder = with_batches(&batches(9, 20, 30));
        add(&folder, 0..9, &format!("--threads {threads}"));
        folder
    });
    for name in one.list().iter().filter(|name| !name.ends_with('/') && !name.ends_with("lock")) {
        assert_eq!(one.read(name), many.read(name), "{name}");
    }
}

/// A batch that is already in gets the same answer, and adds nothing.
#[test]
fn a_batch_is_recognised() {
    let folder = with_batches(&batches(3, 30, 30));
    let outputs = |to: &str| {
        format!(
            "-o {to}/kept.jsonl --removed {to}/removed.csv --pairs {to}/pairs.csv --clusters {to}/clusters.csv --annotate {to}/rows.jsonl"
        )
    };
    let mut expected = Vec::new();
    for number in 0..3 {
        folder.write(&format!("one{number}/x"), "");
        folder.run(&format!("dedup b{number}.jsonl --index archive {}", outputs(&format!("one{number}")))).ends(0);
        expected.push(folder.printing("index show archive --json", "").stdout);
    }
    for number in [1, 2, 0] {
        let to = format!("two{number}");
        folder.write(&format!("{to}/x"), "");
        folder.run(&format!("dedup b{number}.jsonl --index archive {}", outputs(&to))).ends(0).says("already in");
        for name in ["kept.jsonl", "removed.csv", "pairs.csv", "clusters.csv", "rows.jsonl"] {
            let read = |folder_name: &str| folder.text(&format!("{folder_name}{number}/{name}"));
            assert_eq!(read("one"), read("two"), "{name} of batch {number}");
        }
        assert_eq!(folder.printing("index show archive --json", "").stdout, expected[2]);
    }
    // Other options are another batch.
    folder.run("dedup b0.jsonl --index archive --keep longest --removed r.jsonl --existing allow").ends(0);
    assert_eq!(folder.rows("r.jsonl").len(), 30);
}

#[test]
fn queries_find_matches_and_add_nothing() {
    let folder = Folder::with(&[
        ("old.jsonl", [numbered("a", 0..54), numbered("b", 500..554)].concat()),
        ("new.jsonl", [numbered("x", 4..58), numbered("y", 900..954), numbered("z", 500..554)].concat()),
    ]);
    folder.run("dedup old.jsonl --index archive").ends(0).says("2 added");
    for _ in 0..2 {
        folder.run("index query archive new.jsonl -o matches.csv --force").ends(0).says("2 matches of 2 documents");
        let expected = format!("id,match,similarity\nx,a,{}\nz,b,1.0\n", 46.0 / 54.0);
        assert_eq!(folder.text("matches.csv"), expected);
    }
    let found = folder.printing("index query archive - -t 0.9", folder.read("new.jsonl")).ends(0).stdout;
    assert_eq!(found, "{\"id\":\"z\",\"match\":\"b\",\"similarity\":1.0}\n");
    folder.run("index query archive new.jsonl -t 0.7 -o x.csv").ends(2).says("finds jaccard 0.8 or more, and not 0.7");
    folder
        .run("index query archive new.jsonl --text body -o x.csv")
        .ends(2)
        .says("no row of the inputs has a field 'body'");
}

#[test]
fn removed_documents_are_not_found() {
    let folder = Folder::with(&[
        ("one.jsonl", [numbered("a", 0..54), numbered("a2", 4..58), numbered("b", 500..554)].concat()),
        ("two.jsonl", numbered("a3", 4..58)),
        ("ids.txt", "b\nnobody\n".to_string()),
    ]);
    folder.run("dedup one.jsonl --index archive").ends(0).says("2 added");
    folder.run("index remove archive a").ends(0).says("took out 1 document; 1 left");
    let query = || folder.printing("index query archive one.jsonl", "").ends(0).stdout;
    assert_eq!(query(), "{\"id\":\"b\",\"match\":\"b\",\"similarity\":1.0}\n");
    // The document that was removed for its sake stays removed, and a copy of it is a document like any other.
    folder.run("dedup two.jsonl --index archive").ends(0).says("1 added");
    assert!(query().contains("{\"id\":\"a2\",\"match\":\"a3\",\"similarity\":1.0}"));
    let before = query();
    folder.run("index merge archive").ends(0).says("1 part, 2 before; 2 documents");
    assert_eq!(query(), before);
    folder.run("index remove archive --ids ids.txt").ends(0).says("the first is 'nobody'");
    folder.run("index merge archive").ends(0).says("; 1 document");
    folder.run("index check archive").ends(0);
    assert!(!query().contains("\"match\":\"b\""));
    assert!(folder.printing("index show archive", "").ends(0).stdout.starts_with("1 document,"));
}

#[test]
fn existing_ids() {
    let folder = Folder::with(&[
        ("one.jsonl", [numbered("a", 0..54), numbered("b", 500..554)].concat()),
        ("two.jsonl", [numbered("a", 900..954), numbered("c", 2..56)].concat()),
    ]);
    folder.run("dedup one.jsonl --index archive").ends(0);
    let run = folder.run("dedup two.jsonl --index archive -o kept.jsonl").ends(2);
    run.says("'a' cannot be added: the index in archive has a document with this id");
    assert!(!folder.path("kept.jsonl").exists());
    // The old a is gone before c is compared with it.
    folder.run("dedup two.jsonl --index archive -o kept.jsonl --existing replace").ends(0).says("2 added, 3 documents");
    assert_eq!(folder.field("kept.jsonl", "id"), ["a", "c"]);
    folder.write("three.jsonl", [row("d", &words(2000..2060)), row("d", &words(3000..3060))].concat());
    folder.run("dedup three.jsonl --index archive").ends(2).says("another document of the inputs has this id");
    folder.run("dedup three.jsonl --index archive --existing allow").ends(0).says("2 added");
    folder.run("index remove archive d").ends(0).says("took out 2");
}

/// Under other keep orders, documents of the index come first, as with --against.
#[test]
fn other_keep_orders_as_against() {
    let all = batches(2, 60, 30);
    for keep in ["last", "longest", "shortest"] {
        let folder = with_batches(&all);
        folder.run(&format!("dedup b0.jsonl -o kept0.jsonl --keep {keep}")).ends(0);
        folder.run(&format!("dedup b0.jsonl --index archive --keep {keep}")).ends(0);
        let dedup = format!("dedup b1.jsonl --keep {keep}");
        folder.run(&format!("{dedup} --against kept0.jsonl -o one.jsonl --pairs one.csv")).ends(0);
        folder.run(&format!("{dedup} --index archive -o two.jsonl --pairs two.csv")).ends(0);
        assert_eq!(folder.text("two.jsonl"), folder.text("one.jsonl"), "{keep}");
        assert_eq!(folder.text("two.csv"), folder.text("one.csv"), "{keep}");
    }
}

#[test]
fn within_fields_and_other_tokens() {
    let row =
        |id: &str, site: &str| format!("{}\n", serde_json::json!({"id": id, "site": site, "text": "Jan de Vries"}));
    let folder = Folder::with(&[("one.jsonl", row("a", "x")), ("two.jsonl", [row("b", "y"), row("c", "x")].concat())]);
    let options = "--index archive --within site --tokens chars:3 --bag --case keep -t 0.5";
    folder.run(&format!("dedup one.jsonl {options}")).ends(0);
    folder.run(&format!("dedup two.jsonl {options} --removed removed.csv")).ends(0);
    assert_eq!(folder.text("removed.csv"), "id,twin,similarity\nc,a,1.0\n");
    let found = folder.printing("index query archive two.jsonl", "").ends(0).stdout;
    assert_eq!(found.lines().count(), 2);
    folder.run("dedup two.jsonl --index archive").ends(2).says("--tokens chars:3").says("--within site");
}

#[test]
fn parquet_and_rows_without_ids() {
    let folder = Folder::with(&[("a.txt", words(0..54)), ("b.txt", words(2..56))]);
    folder.run("dedup a.txt --index archive").ends(0);
    folder.run("dedup b.txt --index archive --removed removed.parquet --annotate rows.csv").ends(0);
    assert!(folder.text("rows.csv").contains("a.txt"));
    let json = folder.printing("dedup b.txt --index archive --json -o kept/", "").ends(0).json();
    assert_eq!((&json["index"]["was_in"], &json["index"]["documents"]), (&true.into(), &1.into()));
}
