//! Which arguments does `lookalike filter` take?

use std::path::PathBuf;

use clap::Args;
use lookalike::sketch::{Filter, Prior};

#[derive(Args)]
#[command(after_help = "Use --help for details and examples.", after_long_help = EXAMPLES)]
pub struct FilterArgs {
    /// Examine this filter instead of choosing one: K features of S values, of which R must be equal
    #[arg(long, value_name = "K,S,R", conflicts_with_all = ["recall", "bytes", "functions"])]
    pub features: Option<Filter>,

    /// Minimum resemblance of the wanted pairs
    #[arg(short, long, allow_negative_numbers = true, value_name = "T", default_value_t = 0.8)]
    pub threshold: f64,

    /// Share of the pairs at the threshold that must be found
    #[arg(long, value_name = "SHARE", default_value_t = 0.99)]
    pub recall: f64,

    /// Maximum bytes of features per document, eight per feature
    #[arg(long, value_name = "N", default_value_t = 128)]
    pub bytes: usize,

    /// Maximum number of hash functions per document
    #[arg(long, value_name = "N", default_value_t = 512)]
    pub functions: usize,

    /// Assumed distribution of resemblances: falling (like ρ⁻²) or uniform (as in Broder's paper)
    #[arg(long, value_name = "PRIOR", default_value_t)]
    pub prior: Prior,

    /// Also print the probabilities at these resemblances
    #[arg(long, value_name = "RHO[,RHO…]", value_delimiter = ',')]
    pub at: Vec<f64>,

    /// Where to draw the curve, in linear and logarithmic scale
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// Replace the file of --svg if it exists
    #[arg(long)]
    pub force: bool,

    /// Print the result as JSON to stdout
    #[arg(long)]
    pub json: bool,
}

const EXAMPLES: &str = "\
Examples:
  A filter for resemblances of 0.9 or more, in 64 bytes:
    lookalike filter -t 0.9 --recall 0.95 --bytes 64

  Broder's filter of 48 bytes, with a picture:
    lookalike filter --features 6,14,2 -t 0.9 --svg filter.svg

  The probabilities in Broder's paper, as JSON:
    lookalike filter --features 6,14,2 --at 0.975,0.99,0.77,0.5 --json";
