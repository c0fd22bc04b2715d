//! Does every command have help, and do the examples in it run?

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::fixture::{BINARY, Folder, Run, gzip, numbered, repository, words, zstd};
use crate::input::compressed::unzstd;
use crate::input::parquet::write_parquet;
use crate::input::warc;

/// The names of all commands, in the order of the help, each followed by its own commands, such as `index show`.
pub fn commands(folder: &Folder) -> Vec<String> {
    let with_own = |name: String| {
        let own = commands_of(folder, &name).into_iter().map(|own| format!("{name} {own}")).collect::<Vec<_>>();
        [vec![name], own].concat()
    };
    commands_of(folder, "").into_iter().flat_map(with_own).collect()
}

fn commands_of(folder: &Folder, command: &str) -> Vec<String> {
    let help = folder.printing(&format!("{command} --help"), "").ends(0).stdout;
    let list =
        help.split_once("Commands:\n").and_then(|(_, rest)| rest.split_once("\n\n")).map_or("", |(list, _)| list);
    let first_word = |line: &str| line.split_whitespace().next().map(String::from);
    // A description that wraps is indented further.
    let names = list.lines().filter(|line| !line.starts_with("   ")).filter_map(first_word);
    names.filter(|name| name != "help").collect()
}

#[test]
fn every_command_has_help() {
    let folder = Folder::new();
    for command in commands(&folder).iter().map(String::as_str).chain([""]) {
        for flag in ["-h", "--help"] {
            let run = folder.printing(&format!("{command} {flag}"), "").ends(0);
            assert!(run.stdout.contains("Usage: lookalike"), "{}", run.stdout);
            assert_eq!(run.stderr, "");
        }
    }
    assert!(folder.printing("--version", "").ends(0).stdout.starts_with("lookalike 0."));
}

#[test]
fn options_that_another_command_has() {
    let folder = Folder::new();
    for (arguments, tip) in [
        ("dedup in.jsonl --with archive.jsonl", "tip: `dedup` has --against"),
        ("dedup in.jsonl --with=archive.jsonl", "tip: `dedup` has --against"),
        ("pairs in.jsonl --against archive.jsonl", "tip: `pairs` has --with"),
        ("dedup in.jsonl --explain", "tip: --plan says what the run will need"),
        ("sketch in.jsonl --method sketch", "tip: a signature is meant here"),
        ("dedup --against archive.jsonl in.jsonl", "tip: --against takes all files behind it: name the inputs first"),
    ] {
        let run = folder.run(arguments).ends(2).says(tip);
        assert_eq!(run.stderr.matches("tip:").count(), 1, "{}", run.stderr);
    }
    folder.run("pairs in.jsonl -t 80").ends(2).says("at most 1; for 80 %, use 0.8\n");
    folder.run("pairs in.jsonl -t 1.25").ends(2).says("at most 1\n");
    folder.run("pairs in.jsonl --measure Jaccard").ends(2).says("did you mean 'jaccard'?");
    let other = folder.run("sketch in.jsonl --method minhash --bits some").ends(2);
    assert!(!other.stderr.contains("a signature is meant"), "{}", other.stderr);
    folder.run("pairs in.jsonl -t -0.5").ends(2).says("threshold '-0.5' is not a number");
}

#[test]
fn without_arguments_it_is_wrong_usage() {
    let folder = Folder::new();
    folder.run("").ends(2).says("Usage: lookalike");
    folder.run("nonsense").ends(2).says("nonsense");
    let run = folder.run("dedup in.jsonl --field title").ends(2).says("'lookalike dedup -h' lists the options");
    assert!(!run.stderr.contains("-- --field"), "{}", run.stderr);
    folder.run("dedup").ends(2).says("INPUT");
}

#[test]
fn completions_for_shells() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = folder.printing(&format!("completions {shell}"), "").ends(0).stdout;
        assert!(script.contains("lookalike") && script.contains("dedup") && script.contains("max-document"), "{shell}");
    }
    folder.run("completions nonsense").ends(2);
}

/// Returns the lines of a help text that are commands.
fn examples(folder: &Folder, command: &str) -> Vec<String> {
    let help = folder.printing(&format!("{command} --help"), "").ends(0).stdout;
    let examples = help.split_once("Examples:").expect("a help with examples").1;
    let is_command = |line: &&str| line.starts_with("lookalike ") || line.contains("| lookalike ");
    examples.lines().map(str::trim).filter(is_command).map(String::from).collect()
}

/// Runs a line in a shell.
#[track_caller]
fn type_in(folder: &Folder, line: &str) -> Run {
    let path = format!("{}:{}", Path::new(BINARY).parent().unwrap().display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh").args(["-c", line]).env("PATH", path).current_dir(folder.path("")).output().unwrap();
    Run::of(folder, output)
}

/// Returns a folder with the files that the examples use.
fn furnished() -> Folder {
    let folder = Folder::with(&[
        ("pages/a.txt", words(0..54)),
        ("pages/b.txt", words(4..58)),
        ("new.jsonl", [numbered("n1", 0..54), numbered("n2", 500..560)].concat()),
    ]);
    for name in ["press.jsonl", "records.csv", "records-labels.csv", "records-groups.csv"] {
        symlink(repository().join("examples").join(name), folder.path(name)).unwrap();
    }
    let shard = |id: &str, time: u32| format!("{{\"id\":\"{id}\",\"time\":{time},\"text\":\"{}\"}}\n", words(0..54));
    folder.write("shards/1.jsonl.zst", zstd(shard("old", 1)));
    folder.write("shards/2.jsonl.zst", zstd(shard("new", 2)));
    folder.write("names.tsv.gz", gzip("id\tname\n1\tJohn Smith\n2\tJohn  Smith\n3\tMary\n"));
    folder.write("crawl.warc.gz", gzip(warc::page("http://a.org/", 0..54)));
    folder.write("crawl.jsonl", format!("{}\n", serde_json::json!({"body": "<p>x", "address": "http://a.org/"})));
    folder.write("site/index.html", "<p>x<img src=y.png>");
    write_parquet(&folder.path("archive.parquet"), &[(Some("n1"), Some(&words(0..54)))]);
    folder
}

/// Runs every example of a command's help, one after another.
#[track_caller]
fn type_in_examples(folder: &Folder, command: &str, count: usize) {
    let lines = examples(folder, command);
    assert_eq!(lines.len(), count, "{lines:?}");
    for line in lines {
        let run = type_in(folder, &line);
        assert_eq!(run.code, 0, "{line}\n{}", run.stderr);
    }
}

/// Runs all but `watch` and `serve`, which do not end.
#[test]
fn examples_of_the_overview_run() {
    let folder = furnished();
    folder.write("news.jsonl", folder.read("press.jsonl"));
    for name in ["old.html", "new.html", "page.txt"] {
        folder.write(name, "<p>the ferry leaves at nine in the morning");
    }
    folder.write("labels.csv", "a,b,label\nen-0001,en-0003,1\nen-0001,en-0002,0\n");
    folder.write("clusters.csv", "id,cluster\nen-0001,1\nen-0003,1\n");
    let lines = examples(&folder, "");
    assert_eq!(lines.len(), 18, "{lines:?}");
    for line in lines.iter().filter(|line| !line.starts_with("lookalike watch") && !line.starts_with("lookalike serve"))
    {
        let run = type_in(&folder, line);
        assert_eq!(run.code, 0, "{line}\n{}", run.stderr);
    }
}

#[test]
fn examples_of_completions_run() {
    let folder = Folder::new();
    let fish = "lookalike completions fish > ~/.config/fish/completions/lookalike.fish";
    assert_eq!(examples(&folder, "completions"), [fish]);
    folder.write(".config/fish/completions/other.fish", "");
    let home = folder.path("");
    assert_eq!(type_in(&folder, &format!("HOME={}; {fish}", home.display())).code, 0);
    assert!(folder.text(".config/fish/completions/lookalike.fish").contains("dedup"));
}

#[test]
fn examples_of_dedup_run() {
    let folder = furnished();
    type_in_examples(&folder, "dedup", 9);
    assert_eq!(folder.text("kept/a.txt"), words(0..54));
    assert!(!folder.path("kept/b.txt").exists());
    assert_eq!(unzstd(&folder.read("clean/1.jsonl.zst")), "");
    assert_eq!(folder.field("fresh.jsonl", "id"), ["n2"]);
    assert_eq!(folder.text("clean.tsv"), "id\tname\n1\tJohn Smith\n3\tMary\n");
}

#[test]
fn examples_of_boilerplate_run() {
    let folder = furnished();
    folder.write("crawl.warc.gz", std::fs::read(repository().join("examples/crawl.warc.gz")).unwrap());
    folder.write("mail.jsonl", "{\"from\": \"a@b.org\", \"text\": \"x\\n-- \\nA\"}\n");
    type_in_examples(&folder, "boilerplate", 3);
    assert_eq!(folder.rows("passages.jsonl").len(), 19);
    assert_eq!(folder.rows("signatures.jsonl").len(), 1);
}

#[test]
fn examples_of_pairs_run() {
    let folder = furnished();
    type_in_examples(&folder, "pairs", 12);
    assert_eq!(folder.text("pairs.csv"), "a,b,similarity\nn1,n1,1.0\n");
}

#[test]
fn examples_of_index_run() {
    let folder = furnished();
    type_in_examples(&folder, "index", 6);
    assert!(folder.text("matches.csv").starts_with("id,match,similarity\n"));
}

#[test]
fn examples_of_check_run() {
    type_in_examples(&furnished(), "check", 2);
}

#[test]
fn examples_of_evaluate_run() {
    type_in_examples(&furnished(), "evaluate", 3);
}

#[test]
fn examples_of_verify_run() {
    type_in_examples(&furnished(), "verify", 4);
}

#[test]
fn examples_of_calibrate_run() {
    type_in_examples(&furnished(), "calibrate", 2);
}

#[test]
fn examples_of_tokens_run() {
    type_in_examples(&furnished(), "tokens", 3);
}

#[test]
fn examples_of_sketch_run() {
    let folder = furnished();
    type_in_examples(&folder, "sketch", 3);
    assert!(folder.text("simhash.csv").starts_with("id,signature\n"));
}

#[test]
fn examples_of_stream_run() {
    let folder = furnished();
    type_in_examples(&folder, "stream", 4);
    assert!(folder.text("verdicts.jsonl").contains("\"verdict\":\"near\""));
}

/// Runs the examples that end.
#[test]
fn examples_of_watch_run() {
    let folder = Folder::with(&[("incoming/a.txt", words(0..100)), ("incoming/b.txt", words(0..100))]);
    let lines = examples(&folder, "watch");
    assert_eq!(lines.len(), 5, "{lines:?}");
    for line in lines.iter().filter(|line| line.ends_with("--once")) {
        let run = type_in(&folder, line);
        assert_eq!(run.code, 0, "{line}\n{}", run.stderr);
    }
    assert_eq!(folder.text("fresh/a.txt"), folder.text("seen/b.txt"));
}

#[test]
fn examples_of_filter_run() {
    let folder = furnished();
    type_in_examples(&folder, "filter", 3);
    assert!(folder.text("filter.svg").starts_with("<svg "));
}

#[test]
fn examples_of_compare_run() {
    type_in_examples(&furnished(), "compare", 3);
}

#[test]
fn examples_of_graph_run() {
    let folder = furnished();
    type_in_examples(&folder, "graph", 3);
    assert!(folder.text("plots/degrees.svg").starts_with("<svg "));
}
