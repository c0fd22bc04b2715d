//! Which documents does `dedup` keep, by rule, by components, and against a reference collection?

use crate::fixture::{CHAIN, Folder, numbered, row, words};

/// Four documents, all at least 0.9 similar to each other, with different values in their fields.
fn alike() -> Folder {
    let text = words(0..100);
    let rows = [
        format!("{{\"id\":\"first\",\"text\":\"{text} x\",\"stars\":3,\"time\":\"2025-02-10\"}}\n"),
        format!("{{\"id\":\"long\",\"text\":\"{text} a long tail\",\"stars\":12.5,\"time\":\"2025-11-01\"}}\n"),
        format!("{{\"id\":\"short\",\"text\":\"{text}\",\"stars\":-1}}\n"),
        format!("{{\"id\":\"last\",\"text\":\"{text} y\",\"stars\":\"9\",\"time\":\"2024-12-31\"}}\n"),
    ];
    Folder::with(&[("in.jsonl", rows.concat())])
}

#[test]
fn keep_orders() {
    let folder = alike();
    let cases = [
        ("first", "first"),
        ("last", "last"),
        ("longest", "long"),
        ("shortest", "short"),
        ("max:stars", "long"),
        ("min:stars", "short"),
        // A document without the field comes last in both orders.
        ("max:time", "long"),
        ("min:time", "last"),
    ];
    for (keep, survivor) in cases {
        folder.run(&format!("dedup in.jsonl --keep {keep} -o kept.jsonl --removed removed.jsonl --force")).ends(0);
        assert_eq!(folder.field("kept.jsonl", "id"), [survivor], "{keep}");
        assert!(folder.field("removed.jsonl", "twin").iter().all(|twin| twin == survivor), "{keep}");
        folder.run("check in.jsonl --kept kept.jsonl --removed removed.jsonl").ends(0);
    }
}

/// Kept and removed rows are in input order under every keep rule.
#[test]
fn output_order_is_input_order() {
    let rows = [("a", 0..54), ("x", 500..560), ("b", 0..54), ("y", 700..760), ("c", 0..54)];
    let folder =
        Folder::with(&[("in.jsonl", rows.into_iter().map(|(id, range)| numbered(id, range)).collect::<String>())]);
    folder.run("dedup in.jsonl --keep last -o kept.jsonl --removed removed.jsonl").ends(0);
    assert_eq!(folder.field("kept.jsonl", "id"), ["x", "y", "c"]);
    assert_eq!(folder.field("removed.jsonl", "id"), ["a", "b"]);
}

#[test]
fn csv_values_that_look_like_numbers_are_numbers() {
    let folder = Folder::with(&[("in.csv", "id,text,stars\na,same,9\nb,same,10\nc,same,9.5\n")]);
    for (keep, survivor) in [("max:stars", "b"), ("min:stars", "a")] {
        folder.run(&format!("dedup in.csv --keep {keep} --removed removed.jsonl --force")).ends(0);
        assert_eq!(folder.field("removed.jsonl", "twin"), [survivor, survivor], "{keep}");
    }
}

/// An empty cell in CSV is a missing value, and documents without a value come last.
#[test]
fn an_empty_csv_cell_is_no_value() {
    let folder = Folder::with(&[("in.csv", "id,text,stars\na,same,\nb,same,10\n")]);
    for keep in ["max:stars", "min:stars"] {
        folder.run(&format!("dedup in.csv --keep {keep} --removed removed.jsonl --force")).ends(0);
        assert_eq!(folder.field("removed.jsonl", "twin"), ["b"], "{keep}");
    }
}

/// The twin is the most similar of the kept ones before it, not the first.
#[test]
fn the_twin_is_the_most_similar() {
    let folder = Folder::with(&[(
        "in.jsonl",
        // 0..54 and 12..66 are too far apart; 7..61 is 43/57 and 45/55 similar to them.
        [numbered("far", 0..54), numbered("near", 12..66), numbered("c", 7..61)].concat(),
    )]);
    folder.run("dedup in.jsonl -t 0.7 --removed removed.csv").ends(0);
    assert_eq!(folder.text("removed.csv"), format!("id,twin,similarity\nc,near,{}\n", 45.0 / 55.0));
    // Of equals, the earliest.
    let equal = [numbered("one", 0..54), numbered("two", 12..66), numbered("c", 6..60)].concat();
    folder.write("in.jsonl", equal);
    folder.run("dedup in.jsonl -t 0.7 --removed removed.csv --force").ends(0);
    assert_eq!(folder.text("removed.csv"), format!("id,twin,similarity\nc,one,{}\n", 44.0 / 56.0));
}

#[test]
fn components_on_demand_only() {
    let input: String = ["a", "b", "c"].iter().zip(CHAIN).map(|(id, range)| numbered(id, range)).collect();
    let folder = Folder::with(&[("in.jsonl", input)]);
    folder.run("dedup in.jsonl -o kept.jsonl").ends(0);
    assert_eq!(folder.field("kept.jsonl", "id"), ["a", "c"]);
    let outputs = "-o kept.jsonl --removed removed.csv --clusters clusters.csv --force";
    folder.run(&format!("dedup in.jsonl --components {outputs}")).ends(0).says("may resemble no kept document");
    assert_eq!(folder.field("kept.jsonl", "id"), ["a"]);
    // The true similarity, although it is below the threshold.
    let expected = format!("id,twin,similarity\nb,a,{}\nc,a,{}\n", 46.0 / 54.0, 42.0 / 58.0);
    assert_eq!(folder.text("removed.csv"), expected);
    assert_eq!(folder.text("clusters.csv"), "cluster,id,kept\n1,a,true\n1,b,false\n1,c,false\n");
    assert_eq!(folder.printing("dedup in.jsonl --components --json", "").json()["rule"], "components");
}

#[test]
fn a_reference_collection_is_kept_and_never_written() {
    let folder = Folder::with(&[
        (
            "in.jsonl",
            [numbered("old", 4..58), numbered("new", 500..560), numbered("new2", 500..560), row("e", "")].concat(),
        ),
        // References that are similar to each other stay.
        ("ref/1.jsonl", [numbered("r1", 0..54), numbered("r2", 1..55)].concat()),
        ("ref/2.csv", format!("id,text\nr3,{}\nr4,\n", words(0..54))),
    ]);
    let outputs = "-o kept.jsonl --removed removed.jsonl --pairs pairs.csv --annotate rows.jsonl";
    folder.run(&format!("dedup in.jsonl --against ref {outputs}")).ends(0).says("4 documents against 4");
    assert_eq!(folder.field("kept.jsonl", "id"), ["new", "e"]);
    assert_eq!(folder.field("removed.jsonl", "id"), ["old", "new2"]);
    // r2 is nearer than r1: 47 of 53 shingles.
    assert_eq!(folder.field("removed.jsonl", "twin"), ["r2", "new"]);
    assert_eq!(folder.field("rows.jsonl", "id"), ["old", "new", "new2", "e"]);
    let pairs = folder.text("pairs.csv");
    let pairs: Vec<&str> = pairs.lines().skip(1).map(|line| line.rsplit_once(',').unwrap().0).collect();
    assert_eq!(pairs, ["old,r1", "old,r2", "old,r3", "new,new2"]);
    folder.run("check in.jsonl --against ref --kept kept.jsonl --removed removed.jsonl").ends(0);

    // The reference comes first under every keep rule; several files may be named.
    let against = "--against ref/1.jsonl ref/2.csv --keep longest --removed removed.csv";
    folder.run(&format!("dedup in.jsonl {against}")).ends(0).says("against 4").says("removed 2");
    folder.run("dedup in.jsonl --against in.jsonl --removed all.csv").ends(0).says("removed 3");
}

/// Only the inputs need the field of the keep rule, not the reference collection.
#[test]
fn a_reference_collection_needs_no_keep_field() {
    let folder = Folder::with(&[("in.csv", "id,text,time\n1,a b c,5\n"), ("reference.csv", "id,text\n2,a b c\n")]);
    folder.run("dedup in.csv --against reference.csv --keep max:time").ends(0).says("removed 1");
}

/// The summary counts only the inputs, so there are never more empty documents than documents.
#[test]
fn what_is_empty_in_a_reference_collection_is_not_counted_as_kept() {
    let folder =
        Folder::with(&[("in.jsonl", row("e", "")), ("reference.jsonl", [row("r1", ""), row("r2", "")].concat())]);
    let report = folder.printing("dedup in.jsonl --against reference.jsonl --json", "").ends(0).json();
    assert_eq!((&report["documents"], &report["references"], &report["empty"]), (&1.into(), &2.into(), &1.into()));
}

#[test]
fn components_with_a_reference_collection() {
    let [a, b, c] = CHAIN;
    let folder = Folder::with(&[
        ("in.jsonl", [numbered("b", b), numbered("c", c), numbered("x", 500..560)].concat()),
        ("reference.jsonl", numbered("a", a)),
    ]);
    folder.run("dedup in.jsonl --against reference.jsonl --components -o kept.jsonl --removed removed.jsonl").ends(0);
    assert_eq!(folder.field("kept.jsonl", "id"), ["x"]);
    assert_eq!(folder.field("removed.jsonl", "twin"), ["a", "a"]);
}
