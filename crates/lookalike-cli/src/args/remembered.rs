use clap::Args;
use lookalike::Tokens;
use lookalike::engine::PageRule;

use super::{CaseArg, WindowArgs, parse_size};

/// What documents are compared by that come one by one, and are remembered.
#[derive(Args)]
pub struct RememberedArgs {
    #[command(flatten)]
    pub comparing: WindowArgs,

    /// What documents are compared by: words:W, words, chars:Q, letters:Q, raw
    #[arg(long, value_name = "SPEC", default_value = "letters:4")]
    pub tokens: Tokens,

    /// Count the second occurrence of a shingle as an element of its own
    #[arg(long)]
    pub bag: bool,

    /// Whether upper and lower case are the same
    #[arg(long, value_enum, default_value_t = CaseArg::Fold)]
    pub case: CaseArg,

    /// How a page becomes a text: text (what a reader sees), main (of that, the prose), paper (Henzinger's rules)
    #[arg(long, value_name = "RULE", default_value = "text")]
    pub page: PageRule,

    /// Longest document that is judged, in bytes as it comes, up to 100MB
    #[arg(long, value_name = "SIZE", default_value = "10MB", value_parser = parse_document_size)]
    pub max_document: usize,
}

/// What a record of the log has room for, however much of the text is escaped.
fn parse_document_size(text: &str) -> Result<usize, String> {
    match parse_size(text)? {
        size @ ..=100_000_000 => Ok(size),
        _ => Err(format!("'{text}' is over 100MB")),
    }
}
