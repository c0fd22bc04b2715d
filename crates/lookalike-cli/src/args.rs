//! Arguments as they are typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use lookalike::{Case, Measure, Tokens};
use lookalike_engine::Keep;
use lookalike_io::Format;

/// Finds near-duplicates: every pair, with its exact similarity, nothing lost, the same answer every time.
#[derive(Parser)]
#[command(name = "lookalike", version, after_help = TOP_EXAMPLES)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

const TOP_EXAMPLES: &str = "\
Examples:
  lookalike dedup news.jsonl                          report only
  lookalike dedup news.jsonl -o kept.jsonl --removed removed.jsonl
  lookalike check news.jsonl --kept kept.jsonl --removed removed.jsonl
  lookalike tokens page.txt                           what the tool sees in a text

Exit codes: 0 done, 1 an assertion failed (check, --fail-if-found), 2 wrong usage or a fatal error,
3 done but with bad rows, 130 interrupted.";

#[derive(Subcommand)]
pub enum Command {
    /// Remove near-duplicates: a document goes only if a kept one is at least threshold-similar to it
    Dedup(Box<DedupArgs>),
    /// Prove or refute the promises on what a run wrote, this tool's or another's
    Check(Box<CheckArgs>),
    /// Show what the tool sees in a text: tokens, shingles, hashes
    Tokens(TokensArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
}

/// How documents are read.
#[derive(Args)]
pub struct ReadArgs {
    /// Field of the text; several are read one after another
    #[arg(long, value_name = "FIELD[,FIELD…]", value_delimiter = ',', default_value = "text")]
    pub text: Vec<String>,

    /// Field of the id [default: `id` if there is one, else file:row]
    #[arg(long, value_name = "FIELD")]
    pub id: Option<String>,

    /// Format of the inputs: jsonl, csv, tsv, parquet, text (a file is a document), lines (a line is one)
    /// [default: by name; other files are text, stdin is jsonl]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<Format>,

    /// What documents are compared by: words:W, words, chars:Q, letters:Q, raw
    #[arg(long, value_name = "SPEC", default_value_t)]
    pub tokens: Tokens,

    /// Count the second occurrence of a shingle as an element of its own
    #[arg(long)]
    pub bag: bool,

    /// Whether upper and lower case are the same
    #[arg(long, value_enum, default_value_t = CaseArg::Fold)]
    pub case: CaseArg,

    /// Longest text that is compared; longer documents are kept as they are
    #[arg(long, value_name = "SIZE", default_value = "50MB", value_parser = parse_size)]
    pub max_document: usize,

    /// Stop at the first bad row
    #[arg(long)]
    pub strict: bool,

    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

/// What makes a pair.
#[derive(Args)]
pub struct MatchArgs {
    /// How similarity is measured: jaccard, cosine, dice, max, overlap
    #[arg(long, value_name = "MEASURE", default_value_t)]
    pub measure: Measure,

    /// Similarity from which on two documents are a pair, itself included: 0.8, 4/5; for overlap a count
    #[arg(short, long, value_name = "T", default_value = "0.8")]
    pub threshold: String,
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

#[derive(Args)]
#[command(after_help = "`--help` shows examples.", after_long_help = DEDUP_EXAMPLES)]
pub struct DedupArgs {
    /// Files, folders, globs, or - for stdin; .gz and .zst are recognised by content
    #[arg(required = true, value_name = "INPUT")]
    pub inputs: Vec<String>,

    /// Kept rows as they were: a file (compressed if it ends in .gz or .zst), a folder ending in / for a file an input, - for stdout
    #[arg(short, long, value_name = "FILE|DIR/")]
    pub output: Option<String>,

    /// Removed documents with their twins and similarities: .jsonl, .csv, .tsv or .parquet
    #[arg(long, value_name = "FILE")]
    pub removed: Option<PathBuf>,

    /// All pairs, identical documents included
    #[arg(long, value_name = "FILE")]
    pub pairs: Option<PathBuf>,

    /// Clusters: a kept document and those removed for its sake
    #[arg(long, value_name = "FILE")]
    pub clusters: Option<PathBuf>,

    /// Every row with what became of it
    #[arg(long, value_name = "FILE")]
    pub annotate: Option<PathBuf>,

    /// Rows that cannot be read
    #[arg(long, value_name = "FILE")]
    pub bad: Option<PathBuf>,

    /// A reference collection: kept as it is, never written; what resembles it is removed
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub against: Vec<String>,

    /// Which of several similar documents stays: first, last, longest, shortest, max:FIELD, min:FIELD
    #[arg(long, value_name = "ORDER", default_value_t)]
    pub keep: Keep,

    /// Keep one document of each connected component instead; may remove what resembles nothing that is kept
    #[arg(long)]
    pub components: bool,

    #[command(flatten)]
    pub matching: MatchArgs,

    #[command(flatten)]
    pub reading: ReadArgs,

    /// Replace existing outputs
    #[arg(long)]
    pub force: bool,

    /// Exit with 1 if anything is removed
    #[arg(long)]
    pub fail_if_found: bool,

    /// Print the summary as JSON to stdout
    #[arg(long)]
    pub json: bool,

    /// No progress and no summary
    #[arg(short, long)]
    pub quiet: bool,
}

const DEDUP_EXAMPLES: &str = "\
Examples:
  Report how much of a file is near-duplicate, and where the threshold lies:
    lookalike dedup examples/press.jsonl

  Write the kept rows, and what was removed with its twin:
    lookalike dedup examples/press.jsonl -o kept.jsonl --removed removed.csv

  A folder of text files, copied without the near-duplicates:
    lookalike dedup pages/ -o kept/

  Compressed shards, one output each, keeping the newest of each cluster:
    lookalike dedup 'shards/*.jsonl.zst' -o clean/ --keep max:time

  Remove from new mail what resembles the archive:
    lookalike dedup new.jsonl --against archive.parquet -o fresh.jsonl

  Short records by 3-grams, through a pipe:
    zcat names.tsv.gz | lookalike dedup - --format tsv --text name --tokens chars:3 -o - > clean.tsv";

#[derive(Args)]
#[command(after_long_help = CHECK_EXAMPLES)]
pub struct CheckArgs {
    /// What went into the run
    #[arg(required = true, value_name = "INPUT")]
    pub inputs: Vec<String>,

    /// The rows that the run kept: a file, or the folder of -o DIR/
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub kept: Vec<String>,

    /// The table of what it removed; `twin` and `similarity` may be missing
    #[arg(long, value_name = "FILE", required = true)]
    pub removed: String,

    /// The run's reference collection
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub against: Vec<String>,

    #[command(flatten)]
    pub matching: MatchArgs,

    #[command(flatten)]
    pub reading: ReadArgs,

    /// Print the verdict as JSON to stdout
    #[arg(long)]
    pub json: bool,

    /// No progress and no verdict but the exit code
    #[arg(short, long)]
    pub quiet: bool,
}

const CHECK_EXAMPLES: &str = "\
Checks that every input row is kept or removed, that no kept pair reaches the threshold, and that every removed document's
twin is kept and as similar as stated. Give the options of the run. Exit code 1 and the offending ids if a promise is broken.

Examples:
  lookalike dedup examples/press.jsonl -o kept.jsonl --removed removed.jsonl
  lookalike check examples/press.jsonl --kept kept.jsonl --removed removed.jsonl";

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
  lookalike tokens examples/press.jsonl --pick en-0012 --tokens chars:4";

#[derive(Args)]
pub struct CompletionsArgs {
    /// bash, zsh, fish, elvish or powershell
    pub shell: clap_complete::Shell,
}

/// `50MB`, `1GiB`, `4096`.
fn parse_size(text: &str) -> Result<usize, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let unit: usize = match &text[digits..] {
        "" | "B" => 1,
        "KB" | "kB" => 1_000,
        "MB" => 1_000_000,
        "GB" => 1_000_000_000,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => return Err(format!("'{text}' is not a size like 50MB, 1GiB or 4096")),
    };
    let number: usize =
        text[..digits].parse().map_err(|_| format!("'{text}' is not a size like 50MB, 1GiB or 4096"))?;
    number.checked_mul(unit).filter(|&size| size > 0).ok_or_else(|| format!("'{text}' is out of range"))
}
