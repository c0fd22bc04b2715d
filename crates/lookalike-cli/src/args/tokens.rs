//! Which arguments does `lookalike tokens` take?

use clap::Args;

use super::common::ReadArgs;

#[derive(Args)]
#[command(after_help = "Use --help for details and examples.", after_long_help = EXAMPLES)]
pub struct TokensArgs {
    /// A text file, a file of documents, or - for stdin
    #[arg(value_name = "FILE")]
    pub input: String,

    /// Row of the document to show [default: the first row]
    #[arg(long, value_name = "N", conflicts_with = "pick")]
    pub row: Option<u64>,

    /// Id of the document to show
    #[arg(long, value_name = "ID")]
    pub pick: Option<String>,

    /// Maximum number of shingles to print; 0 for all
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: usize,

    /// Print the result as JSON to stdout
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub reading: ReadArgs,
}

const EXAMPLES: &str = "\
Examples:
  A sentence:
    echo 'The quick brown fox can’t jump 32.3 feet.' | lookalike tokens - --format text

  One document of a file, by its id, in shingles of four characters:
    lookalike tokens press.jsonl --pick en-0012 --tokens chars:4

  A web page by the terms of Henzinger's paper:
    lookalike tokens site/index.html --page paper";
