//! Does `check` pass what `dedup` wrote, and find every broken promise?

use crate::fixture::{CHAIN, CHAIN_LINK, Folder, numbered, row, words};

/// a and b and their copies are alike, c and d on their own; deduplicated into `kept.jsonl` and `removed.jsonl`.
fn deduplicated() -> Folder {
    let rows = [("a", 0..54), ("c", 500..560), ("b", 4..58), ("d", 700..760), ("a2", 0..54)];
    let input: String = rows.into_iter().map(|(id, range)| numbered(id, range)).collect();
    let folder = Folder::with(&[("in.jsonl", input + &row("e", ""))]);
    folder.run("dedup in.jsonl -o kept.jsonl --removed removed.jsonl").ends(0);
    folder
}

const CHECK: &str = "check in.jsonl --kept kept.jsonl --removed removed.jsonl";

#[track_caller]
fn fails(folder: &Folder, arguments: &str, breach: &str) {
    folder.run(arguments).ends(1).says(breach).says("failed: ");
    let verdict = folder.printing(&format!("{arguments} --json"), "").ends(1).json();
    assert_eq!(verdict["passed"], false);
    let failures = verdict["failures"].as_array().unwrap();
    assert!(failures.iter().any(|failure| failure.as_str().unwrap().contains(breach)), "{failures:?}");
}

#[test]
fn passes_on_our_output() {
    let folder = deduplicated();
    folder.run(CHECK).ends(0).says("passed: each of 6 documents is kept (4) or removed (2)");
    let mut verdict = folder.printing(&format!("{CHECK} --json"), "").ends(0).json();
    assert_eq!(verdict.as_object_mut().unwrap().remove("memory").unwrap()["plan"], "all in memory");
    let expected =
        serde_json::json!({"documents": 6, "kept": 4, "removed": 2, "passed": true, "breaches": 0, "failures": []});
    assert_eq!(verdict, expected);
    // With other options the result fails.
    fails(&folder, &format!("{CHECK} -t 0.9"), "b was removed because of a, but their similarity is 0.85");
    fails(&folder, &format!("{CHECK} --tokens chars:1"), "are both kept, but");
}

#[test]
fn passes_on_csv_and_folders_and_rows_without_ids() {
    let text = words(0..54);
    let folder = Folder::with(&[("in.csv", format!("text,n\n{text},1\n\"{text}\",2\nother,3\nother words,4\n"))]);
    folder.run("dedup in.csv -o kept.csv --removed removed.csv").ends(0);
    assert_eq!(folder.text("removed.csv"), "id,twin,similarity\nin.csv:2,in.csv:1,1.0\n");
    folder.run("check in.csv --kept kept.csv --removed removed.csv").ends(0);
    folder.write("kept.csv", format!("text,n\n{text},1\nother,3\n"));
    fails(&folder, "check in.csv --kept kept.csv --removed removed.csv", "in.csv:4 is neither kept nor removed");

    let folder = Folder::with(&[("pages/1.txt", &text), ("pages/2/a.txt", &text), ("pages/3.txt", &words(500..560))]);
    folder.run("dedup pages -o kept/ --removed removed.tsv").ends(0);
    folder.run("check pages --kept kept --removed removed.tsv").ends(0);
    folder.run("check pages --kept kept/1.txt kept/3.txt --removed removed.tsv").ends(0);
    fails(&folder, "check pages --kept kept/1.txt --removed removed.tsv", "pages/3.txt is neither kept nor removed");

    let line = |n: u32, text: &str| format!("{{\"n\":{n},\"text\":\"{text}\"}}\n");
    let shards = [[line(1, &text), line(2, "x y z")].concat(), [line(3, &text), line(4, "x y z")].concat()];
    let folder = Folder::with(&[("in/1.jsonl", &shards[0]), ("in/2.jsonl", &shards[1])]);
    folder.run("dedup in -o kept/ --removed removed.jsonl --keep last").ends(0);
    assert_eq!(folder.field("removed.jsonl", "id"), ["in/1.jsonl:1", "in/1.jsonl:2"]);
    folder.run("check in --kept kept/ --removed removed.jsonl").ends(0);
}

#[test]
fn passes_with_ids_that_several_documents_share() {
    let rows = [("x", 0..54), ("x", 500..560), ("x", 0..54), ("y", 4..58), ("y", 700..760), ("x", 500..560)];
    let input: String = rows.into_iter().map(|(id, range)| numbered(id, range)).collect();
    let folder = Folder::with(&[("in.jsonl", &input)]);
    for keep in ["first", "last"] {
        folder.run(&format!("dedup in.jsonl -o kept.jsonl --removed removed.jsonl --keep {keep} --force")).ends(0);
        folder.run(CHECK).ends(0);
        let kept = folder.text("kept.jsonl");
        folder.write("kept.jsonl", kept.lines().skip(1).map(|line| format!("{line}\n")).collect::<String>());
        folder.run(CHECK).ends(1);
    }
}

#[test]
fn passes_with_a_reference_collection_and_with_bad_rows() {
    let folder = Folder::with(&[
        (
            "in.jsonl",
            [numbered("a", 4..58), numbered("b", 500..560), "{\"id\":\"no text\"}\nbad\n".to_string()].concat(),
        ),
        ("reference.jsonl", [numbered("r", 0..54), numbered("r2", 0..54)].concat()),
    ]);
    folder.run("dedup in.jsonl --against reference.jsonl -o kept.jsonl --removed removed.jsonl").ends(3);
    folder.run(&format!("{CHECK} --against reference.jsonl")).ends(3).says("passed");
    fails(&folder, CHECK, "a was removed because of r, which is not kept");
    // A kept document that resembles the reference.
    folder.write("kept.jsonl", folder.text("in.jsonl").replace("bad\n", ""));
    folder.write("removed.jsonl", "");
    fails(
        &folder,
        &format!("{CHECK} --against reference.jsonl"),
        "a and r are both kept, but their similarity is 0.85",
    );
}

#[test]
fn a_lost_row() {
    let folder = deduplicated();
    folder.write("kept.jsonl", folder.text("kept.jsonl").replace(&numbered("c", 500..560), ""));
    fails(&folder, CHECK, "c is neither kept nor removed");
    let folder = deduplicated();
    let removed = folder.text("removed.jsonl");
    folder.write("removed.jsonl", removed.lines().nth(1).unwrap());
    fails(&folder, CHECK, "b is neither kept nor removed");
}

#[test]
fn an_extra_row() {
    let folder = deduplicated();
    folder.write("kept.jsonl", folder.text("kept.jsonl") + &numbered("new", 900..960));
    fails(&folder, CHECK, "new is not in the inputs");
    let folder = deduplicated();
    folder.write("kept.jsonl", folder.text("kept.jsonl") + &numbered("c", 500..560));
    fails(&folder, CHECK, "c is kept or removed more than once");
    let folder = deduplicated();
    folder
        .write("removed.jsonl", folder.text("removed.jsonl") + "{\"id\":\"new\",\"twin\":\"a\",\"similarity\":1.0}\n");
    fails(&folder, CHECK, "new is not in the inputs");
    let folder = deduplicated();
    folder.write("removed.jsonl", folder.text("removed.jsonl").repeat(2));
    fails(&folder, CHECK, "b is kept or removed more than once");
}

#[test]
fn a_changed_text() {
    let folder = deduplicated();
    folder.write("kept.jsonl", folder.text("kept.jsonl").replace("w530", "changed"));
    fails(&folder, CHECK, "c is kept, but its text differs from the input");
}

#[test]
fn two_kept_near_duplicates() {
    let folder = deduplicated();
    folder.write("kept.jsonl", folder.text("in.jsonl").replace(&numbered("a2", 0..54), ""));
    folder.write("removed.jsonl", "{\"id\":\"a2\",\"twin\":\"a\",\"similarity\":1.0}\n");
    fails(&folder, CHECK, &format!("a and b are both kept, but their similarity is {CHAIN_LINK}"));
    // Identical documents are checked, too.
    folder.write("kept.jsonl", folder.text("in.jsonl"));
    folder.write("removed.jsonl", "");
    fails(&folder, CHECK, "a and a2 are both kept, but their similarity is 1");
}

#[test]
fn a_twin_that_is_not_kept() {
    let folder = deduplicated();
    let removed = folder.text("removed.jsonl");
    folder.write("removed.jsonl", removed.replace("{\"id\":\"a2\",\"twin\":\"a\"", "{\"id\":\"a2\",\"twin\":\"b\""));
    fails(&folder, CHECK, "a2 was removed because of b, which is not kept");
    folder.write("removed.jsonl", removed.replace("\"twin\":\"a\"", "\"twin\":\"nobody\""));
    fails(&folder, CHECK, "b was removed because of nobody, which is not kept");
    folder.write("removed.jsonl", removed.replace("\"twin\":\"a\"", "\"twin\":\"c\""));
    fails(&folder, CHECK, "b was removed because of c, but their similarity is 0");
}

#[test]
fn a_misstated_similarity() {
    let folder = deduplicated();
    folder.write("removed.jsonl", folder.text("removed.jsonl").replace(&CHAIN_LINK.to_string(), "0.86"));
    fails(&folder, CHECK, &format!("the similarity of b and a is {CHAIN_LINK}, not 0.86 as stated"));
}

#[test]
fn connected_components_are_explained() {
    let input: String = ["a", "b", "c"].iter().zip(CHAIN).map(|(id, range)| numbered(id, range)).collect();
    let folder = Folder::with(&[("in.jsonl", input)]);
    folder.run("dedup in.jsonl --components -o kept.jsonl --removed removed.jsonl").ends(0);
    fails(&folder, CHECK, "c was removed because of a, but their similarity is 0.72");
    folder.run(CHECK).ends(1).says("Connected components cause this");
    // The same without twins, as other tools write it.
    folder.write("removed.csv", "id\nb\nc\n");
    let arguments = "check in.jsonl --kept kept.jsonl --removed removed.csv";
    fails(&folder, arguments, "c was removed, but resembles no kept document");
    folder.run(arguments).ends(1).says("Connected components cause this");
}

#[test]
fn another_tools_list_of_ids() {
    let folder = deduplicated();
    for (name, list) in [
        ("ids.csv", "id\nb\na2\n"),
        ("ids.jsonl", "{\"id\":\"b\"}\n{\"id\":\"a2\"}\n"),
        ("more.csv", "n,id\n1,b\n2,a2\n"),
    ] {
        folder.write(name, list);
        folder.run(&format!("check in.jsonl --kept kept.jsonl --removed {name}")).ends(0).says("passed");
    }
    folder.write("kept.jsonl", folder.text("kept.jsonl").replace(&numbered("d", 700..760), ""));
    folder.write("ids.csv", "id\nb\na2\nd\n");
    fails(
        &folder,
        "check in.jsonl --kept kept.jsonl --removed ids.csv",
        "d was removed, but resembles no kept document",
    );
    folder.write("other.csv", "name\nb\n");
    folder.run("check in.jsonl --kept kept.jsonl --removed other.csv").ends(2).says("no column 'id'");
}

/// `similarity` may be missing; other columns are still checked.
#[test]
fn a_list_of_ids_and_twins() {
    let folder = deduplicated();
    folder.write("twins.csv", "id,twin\nb,a\na2,a\n");
    folder.run("check in.jsonl --kept kept.jsonl --removed twins.csv").ends(0);
    folder.write("twins.csv", "id,twin\nb,c\na2,a\n");
    fails(
        &folder,
        "check in.jsonl --kept kept.jsonl --removed twins.csv",
        "b was removed because of c, but their similarity is 0",
    );
}
