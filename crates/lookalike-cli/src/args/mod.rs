//! Arguments as they are typed.

mod check;
mod compare;
mod dedup;
mod filter;
mod graph;
mod measure;
mod method;
mod pairs;
mod remembered;
mod serve;
mod sketch;
mod stream;
mod tokens;
mod watch;
mod window;

pub use check::CheckArgs;
use clap::{Args, Parser, Subcommand, ValueEnum};
pub use compare::{ColorArg, CompareArgs};
pub use dedup::DedupArgs;
pub use filter::FilterArgs;
pub use graph::GraphArgs;
use lookalike::engine::PageRule;
use lookalike::{Case, Tokens};
use lookalike_io::Format;
pub use measure::MeasureArg;
pub use method::{MethodArg, MethodArgs};
pub use pairs::PairsArgs;
pub use remembered::RememberedArgs;
pub use serve::{ServeArgs, SyncArg};
pub use sketch::{SketchArgs, SketchMethod};
pub use stream::StreamArgs;
pub use tokens::TokensArgs;
pub use watch::WatchArgs;
pub use window::WindowArgs;

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
  lookalike pairs news.jsonl -t 0.9 -o pairs.csv      every pair
  lookalike check news.jsonl --kept kept.jsonl --removed removed.jsonl
  lookalike sketch news.jsonl -o signatures.parquet   signatures, for an index of your own
  lookalike stream news.jsonl --only duplicates       what came before in the last 24 hours
  lookalike watch in --accept out --reject seen       the same of files that come into a folder
  lookalike filter -t 0.9 --recall 0.95               a filter, and what it misses
  lookalike compare old.html new.html                 all that can be said of two documents
  lookalike graph pairs.csv --svg plots               what the pairs look like as a graph
  lookalike tokens page.txt                           what the tool sees in a text

Exit codes: 0 done, 1 an assertion failed (check, --fail-if-found), 2 wrong usage or a fatal error,
3 done but with bad rows, 130 interrupted.";

#[derive(Subcommand)]
pub enum Command {
    /// Remove near-duplicates: a document goes only if a kept one is at least threshold-similar to it
    Dedup(Box<DedupArgs>),
    /// Find every pair of documents that resemble each other, with its exact similarity
    Pairs(Box<PairsArgs>),
    /// Prove or refute the promises on what a run wrote, this tool's or another's
    Check(Box<CheckArgs>),
    /// Write every document's signature, for an index of your own: a min-wise sketch, features, or a simhash
    Sketch(Box<SketchArgs>),
    /// Judge documents as they come, each against a sliding window: new, an exact copy, or a near-duplicate of which
    Stream(Box<StreamArgs>),
    /// Design a filter of near-duplicates, or look at one: what it finds, what it misses, and at what cost
    Filter(FilterArgs),
    /// Compare two documents: every measure, the verdict of every method and why, and a diff of their words
    Compare(Box<CompareArgs>),
    /// Look at pairs as a graph: degrees, connected components, counts by similarity; as tables and pictures
    Graph(GraphArgs),
    /// Show what the tool sees in a text: tokens, shingles, hashes
    Tokens(TokensArgs),
    /// Judge documents that come in over HTTP, and never forget what was acknowledged
    Serve(Box<ServeArgs>),
    /// Judge files as they come into a folder, and move each to one folder or another
    Watch(Box<WatchArgs>),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
}

/// How a run that writes something behaves.
#[derive(Args)]
pub struct RunArgs {
    /// Replace existing outputs
    #[arg(long)]
    pub force: bool,

    /// Print the summary as JSON to stdout, which then is for nothing else
    #[arg(long)]
    pub json: bool,

    /// No progress and no summary
    #[arg(short, long)]
    pub quiet: bool,
}

/// What is thought of a run that finds something.
#[derive(Args)]
pub struct FoundArgs {
    /// Exit with 1 if anything is found
    #[arg(long)]
    pub fail_if_found: bool,
}

/// How documents are read.
#[derive(Args)]
pub struct ReadArgs {
    /// Field of the text; several are read one after another [default: text]
    #[arg(long, value_name = "FIELD[,FIELD…]", value_delimiter = ',')]
    pub text: Vec<String>,

    /// Field of a web page, in place of a text
    #[arg(long, value_name = "FIELD", conflicts_with = "text")]
    pub html: Option<String>,

    /// Field of a page's address, which also names the document if it has no id [default: the record's, in WARC]
    #[arg(long, value_name = "FIELD")]
    pub url: Option<String>,

    /// How a page becomes a text: text (what a reader sees), main (of that, the prose), paper (Henzinger's rules) [default: text]
    #[arg(long, value_name = "RULE")]
    pub page: Option<PageRule>,

    /// Field of the id [default: `id` if there is one, else the page's address, else file:row]
    #[arg(long, value_name = "FIELD")]
    pub id: Option<String>,

    /// Format of the inputs: jsonl, csv, tsv, parquet, html (a file is a page), warc, text (a file is a document), lines (a line is one)
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
    /// How similarity is measured: jaccard, cosine, dice, max, containment, overlap (a count), hamming (a distance),
    /// edit (the edit distance of texts; for pairs)
    #[arg(long, value_name = "MEASURE", default_value_t)]
    pub measure: MeasureArg,

    /// Similarity from which on two documents are a pair, itself included: 0.8, 4/5; for overlap a count, for hamming and edit
    /// the distance up to which [default: 0.8]
    #[arg(short, long, value_name = "T")]
    pub threshold: Option<String>,

    /// Compare only documents that agree in these fields
    #[arg(long, value_name = "FIELD[,FIELD…]", value_delimiter = ',')]
    pub within: Vec<String>,
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
