//! Are outputs that would destroy something, and contradictory arguments, refused before any work is done?

use std::os::unix::fs::symlink;

use crate::fixture::{Folder, numbered};
use crate::input::parquet::write_parquet;

fn folder() -> Folder {
    Folder::with(&[("in.jsonl", [numbered("a", 0..54), numbered("b", 4..58)].concat())])
}

/// Runs a command and asserts that the folder did not change.
#[track_caller]
fn refuses(folder: &Folder, arguments: &str, reason: &str) {
    let contents = |folder: &Folder| -> Vec<(String, Option<Vec<u8>>)> {
        let content = |name: &String| std::fs::read(folder.path(name)).ok();
        folder.list().into_iter().map(|name| (content(&name), name)).map(|(bytes, name)| (name, bytes)).collect()
    };
    let before = contents(folder);
    folder.run(arguments).ends(2).says(reason);
    assert!(contents(folder) == before, "{arguments} changed the folder: {:?}", folder.list());
}

#[test]
fn a_folder_as_an_output_file() {
    let folder = folder();
    for name in ["taken", "taken.jsonl"] {
        std::fs::create_dir(folder.path(name)).unwrap();
    }
    refuses(
        &folder,
        "dedup in.jsonl -o taken",
        "cannot write taken: it is a folder; use -o taken/ for one file per input",
    );
    refuses(&folder, "dedup in.jsonl -o taken.jsonl --force", "cannot write taken.jsonl: it is a folder");
    refuses(&folder, "dedup in.jsonl --removed taken", "cannot write taken: ");
    for option in ["--removed", "--pairs", "--clusters", "--annotate", "--bad"] {
        refuses(
            &folder,
            &format!("dedup in.jsonl {option} taken.jsonl --force"),
            "cannot write taken.jsonl: it is a folder",
        );
    }
}

/// Refused before any work is done.
#[test]
fn a_file_as_an_output_folder() {
    refuses(&folder(), "dedup in.jsonl -o in.jsonl/", "cannot write in.jsonl/: it is a file, not a folder");
}

#[test]
fn an_output_that_is_an_input() {
    let folder = folder();
    symlink("in.jsonl", folder.path("link.jsonl")).unwrap();
    symlink(".", folder.path("here")).unwrap();
    std::fs::create_dir(folder.path("sub")).unwrap();
    folder.write("reference.jsonl", numbered("r", 500..560));
    let absolute = folder.path("in.jsonl").display().to_string();
    for name in ["in.jsonl", "./in.jsonl", "here/in.jsonl", "sub/../in.jsonl", "link.jsonl", &absolute] {
        for option in ["-o", "--removed", "--pairs", "--clusters", "--annotate", "--bad"] {
            refuses(&folder, &format!("dedup in.jsonl {option} {name} --force"), "it is one of the inputs");
        }
    }
    refuses(&folder, "dedup link.jsonl -o in.jsonl --force", "it is one of the inputs");
    refuses(
        &folder,
        "dedup in.jsonl --against reference.jsonl --removed reference.jsonl --force",
        "it is one of the inputs",
    );
    refuses(&folder, "dedup in.jsonl reference.jsonl -o ./ --force", "it is one of the inputs");
    refuses(&folder, "dedup in.jsonl -o here/ --force", "it is one of the inputs");
}

#[test]
fn an_existing_output_needs_force() {
    let folder = folder();
    for option in ["-o", "--removed", "--pairs", "--clusters", "--annotate", "--bad"] {
        folder.write("old.jsonl", "old");
        refuses(
            &folder,
            &format!("dedup in.jsonl {option} old.jsonl"),
            "cannot write old.jsonl: it already exists. Use --force",
        );
        folder.run(&format!("dedup in.jsonl {option} old.jsonl --force")).ends(0);
        assert_ne!(folder.text("old.jsonl"), "old", "{option}");
    }
    folder.write("kept/in.jsonl", "old");
    refuses(&folder, "dedup in.jsonl -o kept/", "cannot write kept/in.jsonl: it already exists. Use --force");
    folder.run("dedup in.jsonl -o kept/ --force").ends(0);
    assert_eq!(folder.text("kept/in.jsonl"), numbered("a", 0..54));
}

/// With --force a link stays a link, and the file behind it is replaced.
#[test]
fn force_writes_through_a_link() {
    let folder = folder();
    folder.write("elsewhere/old.jsonl", "old");
    symlink("elsewhere/old.jsonl", folder.path("kept.jsonl")).unwrap();
    refuses(&folder, "dedup in.jsonl -o kept.jsonl", "it already exists");
    folder.run("dedup in.jsonl -o kept.jsonl --force").ends(0);
    assert!(folder.path("kept.jsonl").is_symlink());
    assert_eq!(folder.text("elsewhere/old.jsonl"), numbered("a", 0..54));
}

/// A table may lie in the folder of the kept rows, under the same rules as anywhere else.
#[test]
fn an_existing_table_in_the_folder_of_the_kept_rows_needs_force() {
    let folder = folder();
    folder.write("kept/removed.jsonl", "old");
    refuses(&folder, "dedup in.jsonl -o kept/ --removed kept/removed.jsonl", "it already exists");
    folder.run("dedup in.jsonl -o kept/ --removed kept/removed.jsonl --force").ends(0);
    assert_eq!(folder.field("kept/removed.jsonl", "id"), ["b"]);
}

#[test]
fn two_outputs_of_one_name() {
    let folder = folder();
    refuses(&folder, "dedup in.jsonl -o x.jsonl --removed x.jsonl", "x.jsonl is used for two outputs");
    refuses(&folder, "dedup in.jsonl --pairs x.jsonl --bad x.jsonl", "x.jsonl is used for two outputs");
    refuses(&folder, "dedup in.jsonl -o - --removed -", "is used for two outputs");
    refuses(&folder, "dedup in.jsonl -o kept/ --removed kept/in.jsonl", "is used for two outputs");
    refuses(&folder, "dedup in.jsonl in.jsonl -o kept/", "two inputs would both be written to kept/in.jsonl");
}

/// The same file by another path, whether it exists yet or not.
#[test]
fn two_outputs_of_one_place() {
    let folder = folder();
    symlink(".", folder.path("here")).unwrap();
    let absolute = folder.path("x.jsonl").display().to_string();
    for second in ["./x.jsonl", "here/x.jsonl", &absolute] {
        refuses(&folder, &format!("dedup in.jsonl -o x.jsonl --removed {second}"), "is used for two outputs");
        refuses(&folder, &format!("dedup in.jsonl --pairs {second} --bad x.jsonl"), "is used for two outputs");
    }
    folder.write("x.jsonl", "old");
    symlink("x.jsonl", folder.path("link.jsonl")).unwrap();
    refuses(&folder, "dedup in.jsonl -o x.jsonl --removed link.jsonl --force", "is used for two outputs");
}

#[test]
fn an_output_in_a_folder_that_is_not_there() {
    let folder = folder();
    for option in ["-o", "--removed", "--pairs", "--clusters", "--annotate", "--bad"] {
        let reason = "cannot write none/x.jsonl: the folder none does not exist";
        refuses(&folder, &format!("dedup in.jsonl {option} none/x.jsonl"), reason);
    }
    refuses(&folder, "dedup in.jsonl -o in.jsonl/x.jsonl", "cannot write in.jsonl/x.jsonl: ");
}

#[test]
fn names_that_say_no_format_or_the_wrong_one() {
    let folder = folder();
    folder.write("pages/a.txt", "a page");
    folder.write("in.csv", "id,text\n1,one\n");
    folder.write("other.csv", "id,text,more\n1,one,x\n");
    refuses(&folder, "dedup in.jsonl --removed removed.txt", "its name must end in .jsonl, .csv, .tsv or .parquet");
    refuses(&folder, "dedup in.jsonl --pairs pairs", "its name must end in .jsonl, .csv, .tsv or .parquet");
    refuses(&folder, "dedup in.jsonl -o kept.csv", "the inputs are jsonl, and dedup does not convert rows");
    refuses(&folder, "dedup in.jsonl -o kept.parquet", "the inputs are jsonl, and dedup does not convert rows");
    refuses(&folder, "dedup in.jsonl in.csv -o kept.jsonl", "in.jsonl is jsonl and in.csv is csv");
    refuses(&folder, "dedup in.csv other.csv -o kept.csv", "in.csv and other.csv have different columns");
    refuses(&folder, "dedup pages -o kept.txt", "Use a folder, as in -o kept/");
    let run = folder.run("dedup in.jsonl --json -o -").ends(2);
    run.says("--json and an output named - both write to stdout");
}

/// Parquet has its own compression, and nothing could read a file that is compressed as a whole.
#[test]
fn parquet_compressed_as_a_whole() {
    let folder = folder();
    write_parquet(&folder.path("in.parquet"), &[(Some("a"), Some("one two"))]);
    std::fs::copy(folder.path("in.parquet"), folder.path("named.parquet.gz")).unwrap();
    let reason = "a Parquet file cannot be compressed as a whole. Use a name without .gz or .zst";
    for suffix in ["gz", "zst"] {
        for option in ["--removed", "--pairs", "--clusters", "--annotate"] {
            refuses(&folder, &format!("dedup in.jsonl {option} x.parquet.{suffix}"), reason);
        }
        refuses(&folder, &format!("pairs in.jsonl -o x.parquet.{suffix}"), reason);
        refuses(&folder, &format!("sketch in.jsonl -o x.parquet.{suffix}"), reason);
        refuses(&folder, &format!("dedup in.parquet -o x.parquet.{suffix}"), reason);
        refuses(&folder, &format!("dedup in.parquet -o x.{suffix}"), reason);
        refuses(&folder, &format!("dedup in.parquet --annotate x.parquet.{suffix}"), reason);
    }
    refuses(&folder, "dedup named.parquet.gz -o kept/", reason);
}

/// Standard input can be read only once; the second reader would silently find nothing.
#[test]
fn standard_input_named_twice() {
    let folder = folder();
    for arguments in ["dedup - -", "dedup - --against -", "check - --kept in.jsonl --removed -"] {
        folder.printing(arguments, folder.text("in.jsonl")).ends(2);
    }
}

#[test]
fn thresholds() {
    let folder = folder();
    let cases = [
        ("-t 0", 2),
        ("-t 1", 0),
        ("-t 1.0", 0),
        ("-t 4/5", 0),
        ("-t 1.5", 2),
        ("-t abc", 2),
        ("-t -1", 2),
        ("-t=-1", 2),
        ("-t 0.8e0", 2),
        ("-t 0,8", 2),
        ("-t 5/4", 2),
        ("-t 1/0", 2),
        ("-t nan", 2),
        ("-t 0.12345678901", 2),
        ("--measure overlap -t 0.5", 2),
        ("--measure overlap -t 0", 2),
        ("--measure overlap", 2),
        ("--measure overlap -t 3", 0),
        ("--measure cosine -t 2", 2),
        ("--measure nonsense", 2),
        ("--measure edit -t 0.5", 2),
    ];
    for (arguments, code) in cases {
        let run = folder.run(&format!("dedup in.jsonl {arguments} --removed removed.jsonl")).ends(code);
        assert_eq!(folder.path("removed.jsonl").exists(), code == 0, "{arguments}");
        assert!(code == 0 || !run.stderr.is_empty());
        let _ = std::fs::remove_file(folder.path("removed.jsonl"));
        let code = if code == 0 { 1 } else { 2 };
        folder.run(&format!("check in.jsonl --kept in.jsonl --removed in.jsonl {arguments}")).ends(code);
    }
    refuses(&folder, "dedup in.jsonl -t 1.5", "threshold 1.5 is out of range for jaccard");
    refuses(&folder, "dedup in.jsonl -t abc", "'abc' is not a number");
    refuses(&folder, "dedup in.jsonl --measure overlap -t 0.5", "must be a whole number, 1 or more\n");
    // The default is no threshold of these.
    for measure in ["overlap", "hamming", "edit"] {
        refuses(
            &folder,
            &format!("dedup in.jsonl --measure {measure}"),
            "has no default threshold; set one with -t, a whole number",
        );
    }
}

#[test]
fn tokens_and_other_arguments() {
    let folder = folder();
    for spec in
        ["words:0", "words:", "words:x", "words:65536", "chars", "chars:0", "letters:-1", "raw:2", "nonsense", "5"]
    {
        refuses(&folder, &format!("dedup in.jsonl --tokens {spec}"), &format!("'{spec}' is not one of words, words:W"));
    }
    for arguments in
        ["--keep newest", "--keep max:", "--format xml", "--case upper", "--threads 0", "--threads x", "--nonsense"]
    {
        let named = arguments.split(' ').next_back().unwrap();
        refuses(&folder, &format!("dedup in.jsonl {arguments}"), named);
    }
    refuses(&folder, "check in.jsonl", "--kept");
    refuses(&folder, "check in.jsonl --kept in.jsonl", "--removed");
}
