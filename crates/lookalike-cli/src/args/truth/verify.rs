//! Which arguments does `lookalike verify` take?

use std::path::PathBuf;

use clap::Args;

use crate::args::common::{MatchArgs, PrintArgs, ReadArgs};

#[derive(Args)]
#[command(after_help = "Use --help for details and examples.", after_long_help = EXAMPLES)]
pub struct VerifyArgs {
    /// Documents: files, folders, globs, or - for stdin
    #[arg(required = true, value_name = "INPUT")]
    pub inputs: Vec<String>,

    /// Candidate pairs or clusters of any tool
    ///
    /// A table in .jsonl, .csv, .tsv or .parquet with the ids of two documents (a and b, id1 and id2, left and right, …), or with an id
    /// and a cluster (id and cluster, _curator_dedup_id and _duplicate_group_id, …).
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub candidates: Vec<String>,

    /// Columns of the candidates, if they have other names: A,B or A,B,SIMILARITY, or ID,CLUSTER
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub columns: Vec<String>,

    /// The two columns of the candidates are an id and its cluster
    #[arg(long)]
    pub clusters: bool,

    /// Second collection: the second id of a pair is one of these
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub with: Vec<String>,

    /// Where to write every candidate with its exact similarity
    ///
    /// Pairs get the columns a, b, similarity, reaches and, if the candidates state a similarity, stated. Clusters get cluster, part, id,
    /// kept, twin and similarity. A cluster has the name that the candidates give it; a part is a group of its documents that the threshold
    /// supports.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Exit with status 1 if a candidate falls short of the threshold
    #[arg(long)]
    pub fail_if_short: bool,

    #[command(flatten)]
    pub printing: PrintArgs,

    #[command(flatten)]
    pub matching: MatchArgs,

    #[command(flatten)]
    pub reading: ReadArgs,
}

const EXAMPLES: &str = "\
Examples:
  How similar are the pairs that another tool found?
    lookalike pairs press.jsonl --method minhash --unverified -o candidates.csv
    lookalike verify press.jsonl --candidates candidates.csv -o verified.csv

  Take clusters apart into what a threshold supports:
    lookalike dedup press.jsonl --components --clusters clusters.csv
    lookalike verify press.jsonl --candidates clusters.csv -t 0.8 -o parts.csv";
