use std::path::PathBuf;

use clap::Args;
use lookalike::sketch::{Filter, Prior};

#[derive(Args)]
#[command(after_help = "`--help` shows examples.", after_long_help = FILTER_EXAMPLES)]
pub struct FilterArgs {
    /// Look at this filter instead of choosing one: k features of s values each, of which r must be equal
    #[arg(long, value_name = "K,S,R", conflicts_with_all = ["recall", "bytes", "functions"])]
    pub features: Option<Filter>,

    /// Resemblance from which on pairs are wanted
    #[arg(short, long, value_name = "T", default_value_t = 0.8)]
    pub threshold: f64,

    /// Share of the pairs at the threshold that is to be found
    #[arg(long, value_name = "SHARE", default_value_t = 0.99)]
    pub recall: f64,

    /// Bytes that a document's features may take, eight each
    #[arg(long, value_name = "N", default_value_t = 128)]
    pub bytes: usize,

    /// Functions that may be evaluated for a document
    #[arg(long, value_name = "N", default_value_t = 512)]
    pub functions: usize,

    /// How frequent resemblances are held to be: falling (like ρ⁻²), uniform (as the paper assumes)
    #[arg(long, value_name = "PRIOR", default_value_t)]
    pub prior: Prior,

    /// Print the probabilities at these resemblances
    #[arg(long, value_name = "RHO[,RHO…]", value_delimiter = ',')]
    pub at: Vec<f64>,

    /// Draw the curve, linear and logarithmic, into a file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// Replace an existing file
    #[arg(long)]
    pub force: bool,

    /// Print everything as JSON to stdout
    #[arg(long)]
    pub json: bool,
}

const FILTER_EXAMPLES: &str = "\
Of all filters [k, s, r] that find the wanted share at the threshold and fit the bytes and the functions, the one is chosen that makes
the least work below the threshold; docs/theory/sketches.md says how that is reckoned.

Examples:
  A filter for resemblances from 0.9 on, in 64 bytes:
    lookalike filter -t 0.9 --recall 0.95 --bytes 64

  Broder's filter of 48 bytes, with a picture:
    lookalike filter --features 6,14,2 -t 0.9 --svg filter.svg

  The probabilities of his paper, as numbers:
    lookalike filter --features 6,14,2 --at 0.975,0.99,0.77,0.5 --json";
