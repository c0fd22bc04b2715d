//! Are missing, truncated and unreadable files fatal, and empty ones not?

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::fixture::{BINARY, Folder, Run, gzip, numbered, zstd};
use crate::skip::skip;

const OUTPUTS: &str = "-o kept.jsonl --removed removed.jsonl --pairs pairs.csv --bad bad.jsonl";

/// Several blocks of input, so that there are undamaged ones before the damage.
fn long_input() -> String {
    (0..3000).map(|n| numbered(&format!("d{n}"), n * 100..n * 100 + 80)).collect()
}

#[test]
fn a_compressed_file_that_breaks_off_is_fatal() {
    let input = long_input();
    for (name, whole) in [("in.jsonl.gz", gzip(&input)), ("in.jsonl.zst", zstd(&input))] {
        let folder = Folder::new();
        let cuts = [4, 9, 15, 1000, whole.len() / 2, whole.len() - 9, whole.len() - 5, whole.len() - 1];
        for cut in cuts {
            folder.write(name, &whole[..cut]);
            for threads in [1, 3] {
                let run = folder.run(&format!("dedup {name} {OUTPUTS} --threads {threads}")).ends(2);
                run.says(name).says("is truncated or corrupt").says("nothing was written");
                assert_eq!(folder.list(), [name], "cut at {cut}");
            }
        }
    }
}

#[test]
fn damage_in_the_middle_or_in_a_later_member_is_fatal() {
    let input = long_input();
    let first = numbered("first", 0..54);
    let mut flipped = gzip(&input);
    let middle = flipped.len() / 2;
    flipped[middle] ^= 0xff;
    let (second_gz, second_zst) = (gzip(&input), zstd(&input));
    let cases = [
        ("in.jsonl.gz", flipped),
        ("in.jsonl.gz", [gzip(&first), second_gz[..second_gz.len() / 2].to_vec()].concat()),
        ("in.jsonl.gz", [gzip(&first), second_gz[..5].to_vec()].concat()),
        ("in.jsonl.zst", [zstd(&first), second_zst[..second_zst.len() / 2].to_vec()].concat()),
        ("in.jsonl.zst", [zstd(&first), second_zst[..5].to_vec()].concat()),
    ];
    for (name, bytes) in cases {
        let folder = Folder::with(&[(name, bytes)]);
        folder.run(&format!("dedup {name} {OUTPUTS}")).ends(2).says(name).says("nothing was written");
        assert_eq!(folder.list(), [name]);
    }
}

/// Also where only the reference collection or the second input is damaged, and old outputs were to be replaced.
#[test]
fn damage_leaves_old_outputs_alone() {
    let whole = gzip(long_input());
    let folder = Folder::with(&[("good.jsonl", numbered("a", 0..54))]);
    folder.write("bad.jsonl.gz", &whole[..whole.len() / 2]);
    folder.write("kept.jsonl", "old");
    folder.write("removed.jsonl", "old");
    for inputs in ["good.jsonl bad.jsonl.gz", "good.jsonl --against bad.jsonl.gz"] {
        let run = folder.run(&format!("dedup {inputs} -o kept.jsonl --removed removed.jsonl --force")).ends(2);
        run.says("bad.jsonl.gz");
        assert_eq!((folder.text("kept.jsonl"), folder.text("removed.jsonl")), ("old".into(), "old".into()));
        assert_eq!(folder.list(), ["bad.jsonl.gz", "good.jsonl", "kept.jsonl", "removed.jsonl"]);
    }
    folder.run("check good.jsonl --kept bad.jsonl.gz --removed removed.jsonl").ends(2).says("bad.jsonl.gz");
    folder.run("tokens bad.jsonl.gz --pick nobody").ends(2).says("bad.jsonl.gz");
}

#[test]
fn an_empty_file_holds_no_document() {
    for name in ["in.jsonl", "in.csv", "in.tsv"] {
        let folder = Folder::with(&[(name, "")]);
        folder.run(&format!("dedup {name}")).ends(0).says("0 documents");
        let outputs =
            format!("-o kept-{name} --removed removed.jsonl --pairs pairs.csv --clusters clusters.tsv --bad bad.txt");
        folder.run(&format!("dedup {name} {outputs}")).ends(0);
        assert_eq!(folder.text(&format!("kept-{name}")), "");
        assert_eq!(folder.text("removed.jsonl"), "");
        assert_eq!(folder.text("pairs.csv"), "a,b,similarity\n");
        assert_eq!(folder.text("clusters.tsv"), "cluster\tid\tkept\n");
        folder.run(&format!("check {name} --kept kept-{name} --removed removed.jsonl")).ends(0);
    }
    let folder = Folder::with(&[("in", &b""[..]), ("in.jsonl.gz", &gzip("")), ("blank.jsonl", b"\n\r\n \n")]);
    folder.run("dedup in --format lines").ends(0).says("0 documents");
    folder.run("dedup in.jsonl.gz blank.jsonl -o kept.jsonl").ends(0).says("0 documents");
    assert_eq!(folder.text("kept.jsonl"), "");
    folder.printing("dedup - -o -", "").ends(0).says("0 documents");
}

/// A text file is a document, and an empty one an empty document: a folder is copied without losing it.
#[test]
fn an_empty_text_file_is_an_empty_document() {
    let folder = Folder::with(&[("pages/a.txt", ""), ("pages/b.txt", "")]);
    folder.run("dedup pages -o kept/").ends(0).says("2 documents").says("2 empty (kept");
    assert_eq!((folder.text("kept/a.txt"), folder.text("kept/b.txt")), (String::new(), String::new()));
}

#[test]
fn what_is_not_there_is_named() {
    let folder = Folder::with(&[("in.jsonl", numbered("a", 0..54))]);
    fs::create_dir(folder.path("empty")).unwrap();
    fs::create_dir_all(folder.path("hidden/.git")).unwrap();
    folder.write("hidden/.git/config", "x");
    symlink("nowhere", folder.path("dangling.jsonl")).unwrap();
    for input in ["none.jsonl", "none/*.jsonl", "*.csv", "[", "empty", "hidden", "dangling.jsonl", "in.jsonl/x.jsonl"] {
        let run = folder.run(&format!("dedup in.jsonl {input} -o kept.jsonl")).ends(2);
        assert!(run.stderr.contains(input), "{}", run.stderr);
        folder.run(&format!("dedup in.jsonl --against {input} -o kept.jsonl")).ends(2);
        assert!(!folder.path("kept.jsonl").exists());
    }
    folder.run("dedup -o kept.jsonl").ends(2);
    folder.run("check in.jsonl --kept in.jsonl --removed none.jsonl").ends(2).says("none.jsonl");
    folder.run("tokens none.txt").ends(2).says("none.txt");
}

/// Root may read everything, so root runs it as nobody, who may not have access to the build folder.
#[test]
fn a_file_that_may_not_be_read_is_named() {
    const NOBODY: u32 = 65534;
    const DEDUP: &str = "dedup in.jsonl secret.jsonl -o kept.jsonl";
    let folder = Folder::with(&[("in.jsonl", numbered("a", 0..54)), ("secret.jsonl", numbered("b", 0..54))]);
    fs::set_permissions(folder.path(""), Permissions::from_mode(0o777)).unwrap();
    fs::set_permissions(folder.path("secret.jsonl"), Permissions::from_mode(0o000)).unwrap();
    let (mut command, tools) = (folder.command(DEDUP), Folder::new());
    if fs::metadata("/proc/self").is_ok_and(|me| me.uid() == 0) {
        let program = tools.path("lookalike");
        fs::set_permissions(tools.path(""), Permissions::from_mode(0o755)).unwrap();
        fs::hard_link(BINARY, &program).or_else(|_| fs::copy(BINARY, &program).map(|_| ())).unwrap();
        command = Command::new(program);
        command.args(DEDUP.split(' ')).current_dir(folder.path("")).uid(NOBODY);
    }
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => return skip(format!("cannot run the program as an ordinary user: {error}")),
    };
    Run::of(&folder, output).ends(2).says("cannot read secret.jsonl: Permission denied");
    assert_eq!(folder.list(), ["in.jsonl", "secret.jsonl"]);
}

#[test]
fn an_unknown_column_is_fatal_and_the_known_ones_are_named() {
    let folder = Folder::with(&[("in.csv", "id,title,body\n1,a,b\n"), ("in.tsv", "id\ttitle\tbody\n1\ta\tb\n")]);
    for name in ["in.csv", "in.tsv"] {
        let known = "(columns: id, title, body)";
        folder
            .run(&format!("dedup {name} -o kept-{name}"))
            .ends(2)
            .says(&format!("{name} has no column 'text'"))
            .says(&format!("{known}; use --text to name the text field\n"));
        folder.run(&format!("dedup {name} --text body,none")).ends(2).says("no column 'none'").says(known);
        let run = folder.run(&format!("dedup {name} --text body --id url"));
        run.ends(2).says(&format!("no column 'url' {known}; --id asks for it\n"));
        folder.run(&format!("dedup {name} --text body --keep max:time")).ends(2).says("no column 'time'").says(known);
        folder.run(&format!("tokens {name}")).ends(2).says("no column 'text'");
    }
    assert_eq!(folder.list(), ["in.csv", "in.tsv"]);
}
