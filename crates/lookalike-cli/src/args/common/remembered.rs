//! How are documents compared that arrive one by one and are remembered? The arguments of `serve` and `watch` that say it.

use clap::Args;
use lookalike::Tokens;
use lookalike::engine::PageRule;

use super::WindowArgs;
use super::read::CaseArg;
use super::rows::READING;
use super::size::parse_size;
use super::without::WithoutArgs;

#[derive(Args)]
#[command(next_help_heading = READING)]
pub struct RememberedArgs {
    /// Unit of comparison: words:W, words, chars:Q, letters:Q, spots:D:C, raw
    ///
    /// letters:4 means shingles of four letters without spaces and punctuation, words:5 shingles of five words, chars:3 shingles of
    /// three characters, raw the text cut at white space, otherwise unchanged.
    #[arg(long, value_name = "SPEC", default_value = "letters:4")]
    pub tokens: Tokens,

    /// Count repeated shingles: the second occurrence is another element
    #[arg(long)]
    pub bag: bool,

    /// Ignore differences of case (fold) or not (keep)
    #[arg(long, value_enum, default_value_t = CaseArg::Fold, hide_possible_values = true)]
    pub case: CaseArg,

    /// Rule by which a page becomes text: text, main, paper
    ///
    /// text is what a reader sees, main that without menus, side bars and footers, paper the terms of Henzinger's paper.
    /// docs/reference/pages.md has the exact rules.
    #[arg(long, value_name = "RULE", default_value = "text")]
    pub page: PageRule,

    #[command(flatten)]
    pub without: WithoutArgs,

    /// Maximum size of a document, up to 100MB
    #[arg(long, value_name = "SIZE", default_value = "10MB", value_parser = parse_document_size)]
    pub max_document: usize,

    #[command(flatten)]
    pub comparing: WindowArgs,
}

/// Parses a size that fits into a record of the log even if every character of the text is escaped.
fn parse_document_size(text: &str) -> Result<usize, String> {
    match parse_size(text)? {
        size @ ..=100_000_000 => Ok(size),
        _ => Err(format!("'{text}' is more than 100MB")),
    }
}
