//! How are the documents of the inputs read? The arguments that say it.

use clap::{Args, ValueEnum};
use lookalike::engine::PageRule;
use lookalike::{Case, Tokens};
use lookalike_io::Format;

use super::size::parse_size;

/// Heading of these arguments in the help. A heading stays in force for all arguments that follow, so groups with one come last.
pub const READING: &str = "Reading documents";

#[derive(Args)]
#[command(next_help_heading = READING)]
pub struct ReadArgs {
    /// Field that holds the text [default: text]
    ///
    /// Several fields are read one after another, as one text.
    #[arg(long, value_name = "FIELD[,FIELD…]", value_delimiter = ',')]
    pub text: Vec<String>,

    /// Field that holds a web page, in place of --text
    #[arg(long, value_name = "FIELD", conflicts_with = "text")]
    pub html: Option<String>,

    /// Field that holds the address of the page [default: the record's address in WARC]
    ///
    /// The address is also the id of a document without an id.
    #[arg(long, value_name = "FIELD")]
    pub url: Option<String>,

    /// Rule by which a page becomes text: text, main, paper [default: text]
    ///
    /// text is what a reader sees, main only the prose of that (no menus, no footers), paper the terms of Henzinger's paper.
    /// docs/reference/pages.md has the exact rules.
    #[arg(long, value_name = "RULE")]
    pub page: Option<PageRule>,

    /// Field that holds the id [default: id]
    ///
    /// The id of a document without this field is the address of its page, or else its file and row: news.jsonl:17.
    #[arg(long, value_name = "FIELD")]
    pub id: Option<String>,

    /// Format of the inputs: jsonl, csv, tsv, parquet, html, warc, text, lines [default: by file name]
    ///
    /// In html and text a whole file is one document, in lines each line is one. Without --format, a file with an unknown name is
    /// text, and standard input is jsonl.
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<Format>,

    /// Unit of comparison: words:W, words, chars:Q, letters:Q, raw
    ///
    /// words:5 means shingles of five words, words single words, chars:3 shingles of three characters, letters:4 shingles of four
    /// letters without spaces and punctuation, raw the text cut at white space, otherwise unchanged. `lookalike tokens` shows the result.
    #[arg(long, value_name = "SPEC", default_value_t)]
    pub tokens: Tokens,

    /// Count repeated shingles: the second occurrence is an element of its own
    #[arg(long)]
    pub bag: bool,

    /// Ignore differences of case (fold) or not (keep)
    #[arg(long, value_enum, default_value_t = CaseArg::Fold, hide_possible_values = true)]
    pub case: CaseArg,

    /// Maximum size of a text to compare
    ///
    /// A longer document counts as a bad row and resembles nothing; `dedup` keeps it. Sizes are written like 4096, 64kB, 50MB or 1GiB.
    #[arg(long, value_name = "SIZE", default_value = "50MB", value_parser = parse_size)]
    pub max_document: usize,

    /// Stop at the first bad row, with exit status 2
    ///
    /// Without it, bad rows are counted, the first few are reported, and the exit status is 3.
    #[arg(long)]
    pub strict: bool,

    /// Number of threads [default: all cores]
    ///
    /// The result does not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = None)]
    pub threads: Option<u16>,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum CaseArg {
    Fold,
    Keep,
}

impl From<CaseArg> for Case {
    fn from(case: CaseArg) -> Case {
        match case {
            CaseArg::Fold => Case::Fold,
            CaseArg::Keep => Case::Keep,
        }
    }
}
