//! Which arguments does `lookalike evaluate` take?

use std::path::PathBuf;

use clap::Args;

use super::tables::LabelArgs;
use crate::args::common::{PrintArgs, RowArgs};

#[derive(Args)]
#[command(after_help = "Use --help for details and examples.", after_long_help = EXAMPLES)]
pub struct EvaluateArgs {
    /// What was found: tables of pairs or clusters, by this tool or another
    ///
    /// Pairs have the columns a and b, and perhaps similarity. Clusters have id and cluster. The table of `dedup --removed` is one
    /// too: a document and its twin are in one cluster. .jsonl, .csv, .tsv or .parquet.
    #[arg(required = true, value_name = "FOUND")]
    pub found: Vec<String>,

    /// Columns of FOUND, if they have other names: A,B or A,B,SIMILARITY, or ID,CLUSTER
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub columns: Vec<String>,

    /// The two columns of FOUND are an id and its cluster
    #[arg(long)]
    pub clusters: bool,

    /// Count only found pairs with at least this similarity, or at most this distance
    #[arg(short, long, allow_negative_numbers = true, value_name = "T")]
    pub threshold: Option<f64>,

    /// Pairs are between two collections, whose ids may be equal
    #[arg(long)]
    pub linked: bool,

    /// Documents, to show the texts of wrong and missed pairs, and for --by
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub documents: Vec<String>,

    /// Documents of the second collection
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "linked")]
    pub with: Vec<String>,

    /// Count pairs that agree in this field of the documents, and those that do not
    #[arg(long, value_name = "FIELD", requires = "documents", conflicts_with = "by_site")]
    pub by: Option<String>,

    /// Count pairs of the same site and pairs of different sites, by the addresses in --url
    #[arg(long, requires = "documents")]
    pub by_site: bool,

    /// Where to write the result as a page, one HTML file
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,

    #[command(flatten)]
    pub printing: PrintArgs,

    #[command(flatten)]
    pub labels: LabelArgs,

    #[command(flatten)]
    pub rows: RowArgs,
}

const EXAMPLES: &str = "\
Examples:
  Precision, recall and F1 of pairs, against labels with the columns a, b and label:
    lookalike pairs records.csv --text title --tokens chars:3 -t 0.5 -o pairs.csv
    lookalike evaluate pairs.csv --labels records-labels.csv

  Which threshold is best? The ranking goes on below it:
    lookalike evaluate pairs.csv --labels records-labels.csv -t 0.7";
