use clap::{Args, ValueEnum};
use lookalike::sketch::Filter;
use lookalike::engine::SiteRule;

use super::{MeasureArg, ReadArgs};

#[derive(Args)]
#[command(after_help = "`--help` shows examples.", after_long_help = COMPARE_EXAMPLES)]
pub struct CompareArgs {
    /// A file that is a document, or with --in the id of one
    pub a: String,

    /// The other
    pub b: String,

    /// The collection that has documents with these ids: files, folders, globs, or - for stdin
    #[arg(long = "in", value_name = "FILE", num_args = 1..)]
    pub inputs: Vec<String>,

    /// How the exact verdict measures similarity: jaccard, cosine, dice, max, containment, overlap (a count), hamming (a distance)
    #[arg(long, value_name = "MEASURE", default_value_t)]
    pub measure: MeasureArg,

    /// Similarity from which on two documents are a pair: 0.8, 4/5; for overlap a count, for hamming the distance up to which
    #[arg(short, long, value_name = "T", default_value = "0.8")]
    pub threshold: String,

    /// Features and super-shingles: how many, of how many values each, and how many must be equal
    #[arg(long, value_name = "K,S,R", default_value = "6,14,2")]
    pub features: Filter,

    /// Words of a shingle of algorithm B
    #[arg(long, value_name = "W", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..))]
    pub shingle: u16,

    /// Algorithm B takes the second occurrence of a shingle for another
    #[arg(long)]
    pub weighted: bool,

    /// Bits of algorithm C's simhash, a multiple of 64 up to 512; as large a share of them must agree as the paper's 372 of 384
    #[arg(long, value_name = "N", default_value_t = 384)]
    pub bits: usize,

    /// Words of an element of algorithm C
    #[arg(long, value_name = "W", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub element: u16,

    /// How a page's site is found: registered (public suffix list), paper (Henzinger's rule), field:NAME
    #[arg(long, value_name = "RULE", default_value_t)]
    pub site: SiteRule,

    /// Words that are shown before and behind each difference
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub context: usize,

    /// Whether differences are coloured; without colours they stand in brackets
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = ColorArg::Auto)]
    pub color: ColorArg,

    #[command(flatten)]
    pub reading: ReadArgs,

    /// Print everything as JSON to stdout
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColorArg {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

const COMPARE_EXAMPLES: &str = "\
Examples:
  Two files:
    lookalike compare pages/a.txt pages/b.txt

  Two documents of a collection, by id, as Algorithm B would with shorter shingles:
    lookalike compare en-0012 en-0013 --in examples/press.jsonl --shingle 5

  Two web pages, as terms by the rules of Henzinger's paper:
    lookalike compare site/index.html site/index.html --page paper --json";
