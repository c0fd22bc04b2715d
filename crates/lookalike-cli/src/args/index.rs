//! Which arguments does `lookalike index` take?

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::common::{PrintArgs, RowArgs, WithoutArgs, parse_size};

#[derive(Args)]
#[command(after_help = "Use --help for details and examples.", after_long_help = EXAMPLES)]
pub struct IndexArgs {
    #[command(subcommand)]
    pub action: IndexAction,
}

#[derive(Subcommand)]
pub enum IndexAction {
    /// Describe an index: documents, parts, settings
    Show(ShowIndexArgs),
    /// Find the documents of an index that resemble the inputs, without adding the inputs
    ///
    /// Each row has the fields id, match and similarity: a document of the inputs, a document of the index, and their exact similarity.
    /// The most similar match of a document comes first. Documents without a match have no row.
    Query(Box<QueryIndexArgs>),
    /// Take documents out of an index
    ///
    /// Queries no longer find them. The next merge of their part takes them out of the files. Documents that were removed as
    /// their near-duplicates do not come back: they were never in the index.
    Remove(RemoveIndexArgs),
    /// Merge the parts of an index into one
    ///
    /// `dedup --index` merges parts by itself when there are many of about the same size. One part is the fastest to query. After a merge, nothing of the
    /// removed documents is left in the parts.
    ///
    /// It holds about 24 bytes for each document and 3 for each posted element, and works through the rest within --memory.
    Merge(ChangeIndexArgs),
    /// Read all of an index, and verify that nothing is damaged or missing
    ///
    /// Exits with status 2 and names the file if something is.
    Check(ShowIndexArgs),
}

#[derive(Args)]
pub struct ShowIndexArgs {
    /// Folder of the index
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// Print the result as JSON to stdout
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct ChangeIndexArgs {
    /// Folder of the index
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    #[command(flatten)]
    pub memory: IndexMemoryArgs,

    /// Print the summary as JSON to stdout
    #[arg(long)]
    pub json: bool,

    /// Print no summary
    #[arg(short, long)]
    pub quiet: bool,
}

/// How much memory may be used.
#[derive(Args)]
#[command(next_help_heading = "Memory")]
pub struct IndexMemoryArgs {
    /// Memory to use, such as 512MiB or 8GB [default: 80 % of what is available]
    ///
    /// Pages of the index that are in memory count.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory: Option<usize>,
}

#[derive(Args)]
pub struct RemoveIndexArgs {
    /// Folder of the index
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// Ids of the documents
    #[arg(value_name = "ID", required_unless_present = "ids")]
    pub id: Vec<String>,

    /// File with an id on each line; - for stdin
    #[arg(long, value_name = "FILE")]
    pub ids: Option<PathBuf>,

    /// Print the summary as JSON to stdout
    #[arg(long)]
    pub json: bool,

    /// Print no summary
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Args)]
pub struct QueryIndexArgs {
    /// Folder of the index
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// Files, folders, globs, or - for stdin
    #[arg(required = true, value_name = "INPUT")]
    pub inputs: Vec<String>,

    /// Where to write the matches; - for stdout, as JSON lines
    ///
    /// The name decides the format: .jsonl, .csv, .tsv or .parquet.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,

    /// Minimum similarity, inclusive [default: that of the index]
    ///
    /// It must not be lower than that of the index.
    #[arg(short, long, allow_negative_numbers = true, value_name = "T")]
    pub threshold: Option<String>,

    #[command(flatten)]
    pub printing: PrintArgs,

    /// What they are compared by is fixed by the index.
    #[command(flatten)]
    pub rows: RowArgs,

    #[command(flatten)]
    pub memory: IndexMemoryArgs,

    #[command(flatten)]
    pub without: WithoutArgs,
}

const EXAMPLES: &str = "\
Examples:
  Remove from new documents what resembles an archive, and add the others to it:
    lookalike dedup press.jsonl --index archive -o fresh.jsonl

  What is in the archive:
    lookalike index show archive

  Which of its documents do others resemble:
    lookalike index query archive press.jsonl -t 0.9 -o matches.csv

  Take a document out, and merge all parts so that nothing is left of it:
    lookalike index remove archive en-0001
    lookalike index merge archive

  Verify every checksum:
    lookalike index check archive";
