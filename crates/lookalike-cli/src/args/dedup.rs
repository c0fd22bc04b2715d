//! Which arguments does `lookalike dedup` take?

use std::path::PathBuf;

use clap::Args;
use lookalike_engine::{Existing, Keep};

use super::common::{FoundArgs, MatchArgs, MemoryArgs, MethodArgs, PrintArgs, ReadArgs, ReportArgs, Typed};

#[derive(Args)]
#[command(after_help = "Use --help for details and examples.", after_long_help = EXAMPLES)]
pub struct DedupArgs {
    /// Files, folders, globs, or - for stdin
    ///
    /// gzip and Zstandard are recognised by content.
    #[arg(required = true, value_name = "INPUT")]
    pub inputs: Vec<String>,

    /// Where to write the kept rows, unchanged
    ///
    /// A file, compressed if it ends in .gz or .zst; a folder if it ends in /, with one file for each input; or - for stdout.
    #[arg(short, long, value_name = "FILE|DIR/")]
    pub output: Option<String>,

    /// Where to write the removed documents, each with its twin and their similarity
    ///
    /// The name decides the format of this and the other tables: .jsonl, .csv, .tsv or .parquet.
    #[arg(long, value_name = "FILE")]
    pub removed: Option<PathBuf>,

    /// Where to write all pairs, identical documents included
    #[arg(long, value_name = "FILE")]
    pub pairs: Option<PathBuf>,

    /// Where to write the clusters: a kept document and those removed because of it
    #[arg(long, value_name = "FILE")]
    pub clusters: Option<PathBuf>,

    /// Where to write every row, with its cluster, twin and similarity
    #[arg(long, value_name = "FILE")]
    pub annotate: Option<PathBuf>,

    /// Where to write rows that cannot be read
    #[arg(long, value_name = "FILE")]
    pub bad: Option<PathBuf>,

    /// Reference collection: documents similar to it are removed
    ///
    /// The reference collection itself is not deduplicated and not written.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub against: Vec<String>,

    /// Folder of an index: documents similar to it are removed, and the others are added to it
    ///
    /// The index is created if it does not exist. Adding files one after another gives the result of one run over all of them in that order.
    /// With a --keep other than first, documents of the index still come first. docs/guides/archive.md is the guide.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["against", "components"])]
    pub index: Option<PathBuf>,

    /// What to do if the id of a document to be added is in the index: refuse, replace, allow
    ///
    /// refuse stops before anything is written. replace takes the old documents out before anything is compared. allow adds it anyway.
    #[arg(long, value_name = "RULE", default_value_t, requires = "index")]
    pub existing: Existing,

    /// Which of several similar documents stays: first, last, longest, shortest, max:FIELD, min:FIELD
    #[arg(long, value_name = "ORDER", default_value_t)]
    pub keep: Keep,

    /// Keep one document of each connected component
    ///
    /// This can remove a document that resembles no kept one.
    #[arg(long)]
    pub components: bool,

    #[command(flatten)]
    pub report: ReportArgs,

    #[command(flatten)]
    pub found: FoundArgs,

    #[command(flatten)]
    pub printing: PrintArgs,

    #[command(flatten)]
    pub typed: Typed,

    #[command(flatten)]
    pub matching: MatchArgs,

    #[command(flatten)]
    pub by_method: MethodArgs,

    #[command(flatten)]
    pub reading: ReadArgs,

    #[command(flatten)]
    pub memory: MemoryArgs,
}

const EXAMPLES: &str = "\
Examples:
  Report the near-duplicates of a file and their similarities:
    lookalike dedup press.jsonl

  Write the kept rows, and the removed documents with their twins:
    lookalike dedup press.jsonl -o kept.jsonl --removed removed.csv

  Copy a folder of text files without its near-duplicates:
    lookalike dedup pages/ -o kept/

  Write one output for each compressed shard, and keep the newest of similar documents:
    lookalike dedup 'shards/*.jsonl.zst' -o clean/ --keep max:time

  Compare the main text of web pages, without menus and footers:
    lookalike dedup crawl.warc.gz --page main -o distinct.warc.gz

  Remove new mail that resembles the archive:
    lookalike dedup new.jsonl --against archive.parquet -o fresh.jsonl

  Add new mail to an archive that grows, except what resembles it:
    lookalike dedup new.jsonl --index archive -o added.jsonl

  Keep 128 bytes of each document instead of its set, and measure the recall:
    lookalike dedup press.jsonl --method minhash --recall 0.99

  Compare short records by 3-grams, in a pipe:
    zcat names.tsv.gz | lookalike dedup - --format tsv --text name --tokens chars:3 -o - > clean.tsv";
