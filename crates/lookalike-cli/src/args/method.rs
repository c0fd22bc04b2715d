use clap::{Args, ValueEnum};
use lookalike::Filter;

/// Whether all pairs are found, or those that a few bytes a document tell of.
#[derive(Args)]
pub struct MethodArgs {
    /// How pairs are looked for: exact finds all of them; minhash and simhash keep a few bytes of every document instead of its set,
    /// and read the inputs twice
    #[arg(long, value_enum, default_value_t = MethodArg::Exact)]
    pub method: MethodArg,

    /// For minhash: the share of the pairs at the threshold that is to be found [default: 0.99]
    #[arg(long, value_name = "SHARE", conflicts_with = "features")]
    pub recall: Option<f64>,

    /// For minhash: bytes that a document's features may take [default: 128]
    #[arg(long, value_name = "N", conflicts_with = "features")]
    pub bytes: Option<usize>,

    /// For minhash: this filter instead of one chosen for the recall: k features of s values each, of which r must be equal
    #[arg(long, value_name = "K,S,R")]
    pub features: Option<Filter>,

    /// For simhash: bits, a multiple of 64 up to 512 [default: 384]
    #[arg(long, value_name = "N")]
    pub bits: Option<u32>,

    /// For simhash: bits that must agree; all pairs that do are found, and without -t all are reported [default: 372 of 384, as large a
    /// share of others]
    #[arg(long, value_name = "N")]
    pub agree: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MethodArg {
    /// Every pair
    Exact,
    /// Pairs that share features of min-wise sketches, each verified; how many are missed is measured
    Minhash,
    /// Pairs whose simhashes agree in nearly all bits
    Simhash,
}
