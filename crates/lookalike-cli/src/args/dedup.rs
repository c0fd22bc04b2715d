use std::path::PathBuf;

use clap::Args;
use lookalike_engine::Keep;

use super::{FoundArgs, MatchArgs, MethodArgs, ReadArgs, RunArgs};

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
    pub by: MethodArgs,

    #[command(flatten)]
    pub reading: ReadArgs,

    #[command(flatten)]
    pub found: FoundArgs,

    #[command(flatten)]
    pub run: RunArgs,
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

  A crawl without the pages whose prose occurs twice, whatever menus surround it:
    lookalike dedup crawl.warc.gz --page main -o distinct.warc.gz

  Remove from new mail what resembles the archive:
    lookalike dedup new.jsonl --against archive.parquet -o fresh.jsonl

  A collection whose sets do not fit anywhere, by 128 bytes a document, with a recall that is measured:
    lookalike dedup examples/press.jsonl --method minhash --recall 0.99

  Short records by 3-grams, through a pipe:
    zcat names.tsv.gz | lookalike dedup - --format tsv --text name --tokens chars:3 -o - > clean.tsv";
