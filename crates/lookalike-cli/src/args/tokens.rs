use clap::Args;

use super::ReadArgs;

#[derive(Args)]
#[command(after_long_help = TOKENS_EXAMPLES)]
pub struct TokensArgs {
    /// A text file, a file of documents, or - for stdin
    #[arg(value_name = "FILE")]
    pub input: String,

    /// Which document of the file, by row [default: the first]
    #[arg(long, value_name = "N", conflicts_with = "pick")]
    pub row: Option<u64>,

    /// Which document of the file, by id
    #[arg(long, value_name = "ID")]
    pub pick: Option<String>,

    /// Most shingles to print; 0 for all
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: usize,

    #[command(flatten)]
    pub reading: ReadArgs,

    /// Print as JSON
    #[arg(long)]
    pub json: bool,
}

const TOKENS_EXAMPLES: &str = "\
Examples:
  echo 'The quick brown fox can’t jump 32.3 feet.' | lookalike tokens - --format text
  lookalike tokens examples/press.jsonl --pick en-0012 --tokens chars:4
  lookalike tokens site/index.html --page paper";
