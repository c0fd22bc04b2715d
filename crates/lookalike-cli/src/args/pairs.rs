use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::Args;
use lookalike::engine::Algorithm;

use super::{FoundArgs, MatchArgs, MethodArgs, ReadArgs, RunArgs};

#[derive(Args)]
#[command(after_help = "`--help` shows examples.", after_long_help = PAIRS_EXAMPLES)]
pub struct PairsArgs {
    /// Files, folders, globs, or - for stdin; .gz and .zst are recognised by content
    #[arg(required = true, value_name = "INPUT")]
    pub inputs: Vec<String>,

    /// A second collection: only pairs of an input with one of these
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub with: Vec<String>,

    /// Pairs: .jsonl, .csv, .tsv or .parquet (compressed if .gz or .zst follows), - for stdout as JSON lines
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,

    #[command(flatten)]
    pub matching: MatchArgs,

    #[command(flatten)]
    pub by: MethodArgs,

    /// The K most similar pairs, the most similar first, instead of all from a threshold on
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["threshold", "limit_per_document"])]
    pub top: Option<u64>,

    /// Only pairs of different sets, one document for each: the first that has it
    #[arg(long)]
    pub distinct: bool,

    /// Leave out a pair if one of its documents has N pairs already, in input order
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub limit_per_document: Option<u32>,

    /// Also write how many elements a pair has in common, and each of its documents has
    #[arg(long)]
    pub counts: bool,

    /// For the edit distance: how many characters a gram has; changes the work and not the pairs [default: what suits the texts]
    #[arg(long, value_name = "Q")]
    pub q: Option<NonZeroU32>,

    /// How pairs are found: auto, sparse, light, heavy, allpairs, ppjoin, ppjoin+ (ppjoin+:3 divides suffixes three times instead of two), brute; the pairs are the same
    #[arg(long, value_name = "METHOD", default_value_t)]
    pub algorithm: Algorithm,

    /// Print how pairs are found, and why so
    #[arg(long)]
    pub explain: bool,

    /// What the join had to do, as JSON
    #[arg(long, value_name = "FILE")]
    pub stats: Option<PathBuf>,

    #[command(flatten)]
    pub reading: ReadArgs,

    #[command(flatten)]
    pub found: FoundArgs,

    #[command(flatten)]
    pub run: RunArgs,
}

const PAIRS_EXAMPLES: &str = "\
Examples:
  Every pair of a file, to look at:
    lookalike pairs examples/press.jsonl -t 0.7

  The ten most similar of different documents, with the numbers behind their similarity:
    lookalike pairs examples/press.jsonl --top 10 --distinct --counts

  Which new mails resemble which of the archive:
    lookalike pairs new.jsonl --with archive.parquet -t 0.5 -o pairs.csv

  Near-duplicates of a crawl as Henzinger's combined algorithm by site defines them, with their numbers:
    lookalike pairs crawl.warc.gz --page paper --method by-site -o pages.csv

  Web pages in a field, as terms by the rules of Henzinger's paper:
    lookalike pairs crawl.jsonl --html body --url address --page paper --tokens words:8

  Short records that differ in at most six 3-grams:
    lookalike pairs names.tsv.gz --text name --tokens chars:3 --measure hamming -t 6

  Records that at most two typing errors keep apart:
    lookalike pairs names.tsv.gz --text name --measure edit -t 2

  A collection whose sets fit nowhere: 99 of 100 pairs at the threshold, and how many it really were:
    lookalike pairs examples/press.jsonl --method minhash --recall 0.99 -o some.csv

  Fingerprints of words that agree in 372 of 384 bits:
    lookalike pairs examples/press.jsonl --method simhash --bits 384 --agree 372 --tokens words

  The paper's algorithm, and what it had to do:
    lookalike pairs examples/press.jsonl --algorithm ppjoin+ --stats stats.json -o paper.csv";
