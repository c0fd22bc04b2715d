//! Which arguments does `lookalike pairs` take?

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::Args;
use lookalike::engine::Algorithm;

use super::common::{FoundArgs, MatchArgs, MemoryArgs, MethodArgs, PrintArgs, ReadArgs, ReportArgs, Typed};

#[derive(Args)]
#[command(after_help = "Use --help for details and examples.", after_long_help = EXAMPLES)]
pub struct PairsArgs {
    /// Files, folders, globs, or - for stdin
    ///
    /// gzip and Zstandard are recognised by content.
    #[arg(required = true, value_name = "INPUT")]
    pub inputs: Vec<String>,

    /// Second collection: find only pairs of an input document and one of these
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub with: Vec<String>,

    /// Where to write the pairs; - for stdout, as JSON lines
    ///
    /// The name decides the format: .jsonl, .csv, .tsv or .parquet. All but .parquet may end in .gz or .zst.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,

    /// Find the K most similar pairs instead of all at or above a threshold
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["threshold", "limit_per_document"])]
    pub top: Option<u64>,

    /// Find only pairs of different sets, with the first document of each set
    #[arg(long)]
    pub distinct: bool,

    /// Leave out a pair if one of its documents already has N pairs, in input order
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub limit_per_document: Option<u32>,

    /// Also write the number of common elements and the sizes of both sets
    #[arg(long)]
    pub counts: bool,

    /// Where to write counters and times of the join, as JSON
    #[arg(long, value_name = "FILE")]
    pub stats: Option<PathBuf>,

    #[command(flatten)]
    pub typed: Typed,

    #[command(flatten)]
    pub report: ReportArgs,

    #[command(flatten)]
    pub found: FoundArgs,

    #[command(flatten)]
    pub printing: PrintArgs,

    #[command(flatten)]
    pub matching: MatchArgs,

    #[command(flatten)]
    pub by_method: MethodArgs,

    /// For exact: algorithm of the join: auto, sparse, light, heavy, allpairs, ppjoin, ppjoin+, spotsigs, brute
    ///
    /// All algorithms find the same pairs. ppjoin+:3 sets the depth of the suffix filter, which is 2 by default. With --measure edit:
    /// auto, allpairs, ppjoin, ppjoin+. docs/guides/pairs.md compares them.
    #[arg(long, value_name = "ALGORITHM", default_value_t, help_heading = "Method")]
    pub algorithm: Algorithm,

    /// For exact: print which algorithm was chosen, and why
    #[arg(long, help_heading = "Method")]
    pub explain: bool,

    /// For --measure edit: characters per gram of the index [default: chosen from the texts]
    ///
    /// It changes the running time, not the pairs.
    #[arg(long, value_name = "Q", help_heading = "Method")]
    pub q: Option<NonZeroU32>,

    #[command(flatten)]
    pub reading: ReadArgs,

    #[command(flatten)]
    pub memory: MemoryArgs,
}

const EXAMPLES: &str = "\
Examples:
  Print every pair of a file:
    lookalike pairs press.jsonl -t 0.7

  Print the ten most similar pairs of different documents, with counts:
    lookalike pairs press.jsonl --top 10 --distinct --counts

  Find new mails that resemble one of the archive:
    lookalike pairs new.jsonl --with archive.parquet -t 0.5 -o pairs.csv

  Find near-duplicate pages of a crawl as Henzinger's paper defines them:
    lookalike pairs crawl.warc.gz --page paper --method by-site -o pages.csv

  Read web pages from a field, and compare them by the terms of that paper:
    lookalike pairs crawl.jsonl --html body --url address --page paper --tokens words:8

  Find short records that differ in at most six 3-grams:
    lookalike pairs names.tsv.gz --text name --tokens chars:3 --measure hamming -t 6

  Find records that differ by at most two typing errors:
    lookalike pairs names.tsv.gz --text name --measure edit -t 2

  Keep small signatures instead of sets, and measure the recall:
    lookalike pairs press.jsonl --method minhash --recall 0.99 -o some.csv

  Find near-duplicates by I-Match with ten lexica, and by SpotSigs:
    lookalike pairs press.jsonl --method i-match --lexica 10 -o words.csv
    lookalike pairs press.jsonl --method spotsigs -t 0.4 -o spots.csv

  Find documents whose simhashes have at least 372 of 384 bits equal:
    lookalike pairs press.jsonl --method simhash --bits 384 --agree 372 --tokens words

  Run the algorithm of the PPJoin paper, and write its counters:
    lookalike pairs press.jsonl --algorithm ppjoin+ --stats stats.json -o paper.csv";
