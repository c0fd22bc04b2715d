//! Does docs/reference/commands.md show the help of every command?

use std::fs;

use crate::fixture::{Folder, repository};
use crate::help::commands;

const INTRODUCTION: &str = "\
<!-- Generated from the help of the commands by a test. To update it, run: UPDATE_DOCS=1 cargo test -p lookalike-cli commands_page -->

# Commands

The help of every command, as `lookalike COMMAND --help` prints it. `lookalike COMMAND -h` prints a summary.
";

/// Renders the page from the binary.
fn page() -> String {
    let folder = Folder::new();
    let help = |command: &str| {
        let output = folder.command(&format!("{command} --help")).env("COLUMNS", "100").output().unwrap();
        assert!(output.status.success(), "{command}");
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
    };
    let mut page = format!("{INTRODUCTION}\n## lookalike\n\n```text\n{}\n```\n", help(""));
    for command in commands(&folder) {
        page += &format!("\n## {command}\n\n```text\n{}\n```\n", help(&command));
    }
    page
}

#[test]
fn the_page_is_the_help() {
    let path = repository().join("docs/reference/commands.md");
    let page = page();
    if std::env::var_os("UPDATE_DOCS").is_some_and(|value| !value.is_empty()) {
        fs::write(&path, page).unwrap();
        return;
    }
    let shown = fs::read_to_string(&path).unwrap();
    let differs = page.lines().zip(shown.lines()).enumerate().find(|(_, (is, was))| is != was);
    if let Some((at, (is, was))) = differs {
        panic!(
            "docs/reference/commands.md, line {}: it has\n{was}\nand the help has\n{is}\n\
             Run: UPDATE_DOCS=1 cargo test -p lookalike-cli commands_page",
            at + 1
        );
    }
    assert_eq!(page.lines().count(), shown.lines().count(), "docs/reference/commands.md has too few or too many lines");
}

/// Every page that a help text names exists.
#[test]
fn pages_that_help_names_exist() {
    let page = page();
    let named: Vec<&str> = page
        .split(|c: char| c.is_whitespace() || matches!(c, '`' | ',' | '(' | ')'))
        .map(|word| word.trim_end_matches('.'))
        .filter(|word| word.starts_with("docs/"))
        .collect();
    assert!(named.len() > 10, "{named:?}");
    for name in named {
        assert!(repository().join(name).is_file(), "no page {name}");
    }
}
