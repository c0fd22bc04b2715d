//! Which arguments does `lookalike calibrate` take?

use std::path::PathBuf;

use clap::Args;
use lookalike::{Measure, Tokens};

use super::tables::LabelMeaningArgs;
use crate::args::common::{PrintArgs, RowArgs, WithoutArgs};

#[derive(Args)]
#[command(after_help = "Use --help for details and examples.", after_long_help = EXAMPLES)]
pub struct CalibrateArgs {
    /// Documents: files, folders, globs, or - for stdin
    #[arg(required = true, value_name = "INPUT")]
    pub inputs: Vec<String>,

    /// Second collection: labels are about pairs of an input document and one of these
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub with: Vec<String>,

    /// Files with labels: pairs labelled 1 or 0, groups, or a list of all pairs that are the same
    ///
    /// As for `lookalike evaluate`. With --label in a terminal or a browser, answers are added to this file, which need not exist.
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "label", help_heading = "Labels")]
    pub labels: Vec<String>,

    #[command(flatten)]
    pub meaning: LabelMeaningArgs,

    /// Propose the N pairs that are most useful to label, and stop
    ///
    /// With -o they are written with an empty column label, to be filled in and given back with --labels. In a terminal, without -o,
    /// or with --browser, they are shown one after another and the answers go to the file of --labels.
    #[arg(long, value_name = "N")]
    pub label: Option<usize>,

    /// For --label: where to write the pairs, as .csv, .tsv, .jsonl or .parquet
    #[arg(short, long, value_name = "FILE", requires = "label")]
    pub output: Option<PathBuf>,

    /// For --label: ask in a page on this machine, whose address is printed
    #[arg(long, requires = "label", conflicts_with = "output")]
    pub browser: bool,

    /// For --label: threshold around which pairs are chosen [default: 0.8, or with --labels what they call for]
    ///
    /// If --labels has pairs that are the same in 20 groups or more and -t is not given, the setting that these labels call for is chosen
    /// first, and pairs around its threshold are proposed, compared as it says.
    #[arg(short, long, allow_negative_numbers = true, value_name = "T")]
    pub threshold: Option<String>,

    /// For --label: seed; another number chooses other pairs
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Fields to require equal; each list is tried, and none at all
    #[arg(long, value_name = "FIELD[,FIELD…]", help_heading = "What is tried")]
    pub within: Vec<String>,

    /// Units of comparison to try [default: words, chars:3, letters:3 and words:5]
    ///
    /// Shingles of several words are chosen only if the labels show that they are better: by more than one standard error. One changed word
    /// changes all shingles that contain it.
    #[arg(
        long,
        value_name = "SPEC[,SPEC…]",
        value_delimiter = ',',
        hide_default_value = true,
        help_heading = "What is tried"
    )]
    pub tokens: Vec<Tokens>,

    /// Measures to try: jaccard, cosine, dice, max, containment
    #[arg(
        long,
        value_name = "MEASURE[,MEASURE…]",
        value_delimiter = ',',
        default_value = "jaccard,cosine,containment",
        help_heading = "What is tried"
    )]
    pub measures: Vec<Measure>,

    /// Lists of fields to try as the text, in addition to those of --text: --try-text title --try-text title,author
    #[arg(long, value_name = "FIELD[,FIELD…]", help_heading = "What is tried")]
    pub try_text: Vec<String>,

    /// How often the groups are split into halves, to choose on one and judge on the other
    #[arg(long, value_name = "N", default_value_t = 200, help_heading = "What is tried")]
    pub splits: usize,

    /// Where to write the result as a page, one HTML file
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,

    #[command(flatten)]
    pub printing: PrintArgs,

    #[command(flatten)]
    pub rows: RowArgs,

    #[command(flatten)]
    pub without: WithoutArgs,
}

const EXAMPLES: &str = "\
Examples:
  Choose settings from labels:
    lookalike calibrate records.csv --labels records-groups.csv --text title

  Propose 20 pairs to label, and read the answers back:
    lookalike calibrate records.csv --text title --label 20 -o ask.csv";
