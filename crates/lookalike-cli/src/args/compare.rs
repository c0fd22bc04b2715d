//! Which arguments does `lookalike compare` take?

use clap::{Args, ValueEnum};
use lookalike::engine::SiteRule;
use lookalike::sketch::Filter;

use super::common::{MeasureArg, ReadArgs};

#[derive(Args)]
#[command(after_help = "Use --help for details and examples.", after_long_help = EXAMPLES)]
pub struct CompareArgs {
    /// First document: a file, or with --in an id
    pub a: String,

    /// Second document
    pub b: String,

    /// Collection that has the documents with these ids: files, folders, globs, or - for stdin
    #[arg(long = "in", value_name = "FILE", num_args = 1..)]
    pub inputs: Vec<String>,

    /// Measure of the exact verdict: jaccard, cosine, dice, max, overlap, containment, hamming
    ///
    /// docs/reference/measures.md defines them. All measures are printed in any case.
    #[arg(long, value_name = "MEASURE", default_value_t)]
    pub measure: MeasureArg,

    /// Minimum similarity of the exact verdict, inclusive
    ///
    /// A decimal or a fraction above 0 and up to 1: 0.8, 4/5. For overlap the minimum number of common elements, for hamming the maximum
    /// distance.
    #[arg(short, long, allow_negative_numbers = true, value_name = "T", default_value = "0.8")]
    pub threshold: String,

    /// Features and super-shingles: K of them from S values each, of which R must be equal
    #[arg(long, value_name = "K,S,R", default_value = "6,14,2")]
    pub features: Filter,

    /// Words per shingle of algorithm B
    #[arg(long, value_name = "W", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..))]
    pub shingle: u16,

    /// Algorithm B counts repeated shingles
    #[arg(long)]
    pub weighted: bool,

    /// Bits of algorithm C's simhash, a multiple of 64 up to 512
    ///
    /// The share of bits that must be equal is that of the paper, 372 of 384.
    #[arg(long, value_name = "N", default_value_t = 384)]
    pub bits: usize,

    /// Words per element of algorithm C
    #[arg(long, value_name = "W", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub element: u16,

    /// Rule for the site of a page: registered, paper, field:NAME
    ///
    /// registered takes the registered domain by the public suffix list, paper follows Henzinger's paper, field:NAME reads the site
    /// from a field.
    #[arg(long, value_name = "RULE", default_value_t)]
    pub site: SiteRule,

    /// Number of common words to show on each side of a difference
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub context: usize,

    /// When to colour differences; without colours they are in brackets
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = ColorArg::Auto)]
    pub color: ColorArg,

    /// Print the result as JSON to stdout
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub reading: ReadArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColorArg {
    /// If stdout is a terminal and NO_COLOR is not set
    Auto,
    Always,
    Never,
}

const EXAMPLES: &str = "\
Examples:
  Two files:
    lookalike compare pages/a.txt pages/b.txt

  Two documents of a collection, by their ids, with shorter shingles for algorithm B:
    lookalike compare en-0012 en-0013 --in press.jsonl --shingle 5

  Two web pages by the terms of Henzinger's paper, as JSON:
    lookalike compare site/index.html site/index.html --page paper --json";
