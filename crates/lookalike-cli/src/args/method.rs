use clap::{Args, ValueEnum};
use lookalike::sketch::Filter;
use lookalike::engine::SiteRule;

/// Whether all pairs are found, or those that a few bytes a document tell of.
#[derive(Args)]
pub struct MethodArgs {
    /// How pairs are looked for: exact finds all of them; the others keep a few bytes of every document instead of its set, and read
    /// the inputs once more
    #[arg(long, value_enum, default_value_t = MethodArg::Exact)]
    pub method: MethodArg,

    /// Take what the bytes say for what is: candidates are not compared, their similarity is an estimate and is called so
    #[arg(long)]
    pub unverified: bool,

    /// For minhash: the share of the pairs at the threshold that is to be found [default: 0.99]
    #[arg(long, value_name = "SHARE", conflicts_with = "features")]
    pub recall: Option<f64>,

    /// For minhash: bytes that a document's features may take [default: 128]
    #[arg(long, value_name = "N", conflicts_with = "features")]
    pub bytes: Option<usize>,

    /// For minhash, a filter instead of one chosen for the recall; for pages the super-shingles (for c, those of the B-similarity that is
    /// told): k of s values each, of which r must be equal [default for pages: 6,14,2]
    #[arg(long, value_name = "K,S,R")]
    pub features: Option<Filter>,

    /// For sketch: functions, of whose values as large a share must be equal as the threshold says [default: 84]
    #[arg(long, value_name = "N")]
    pub functions: Option<usize>,

    /// For simhash and pages: bits of a simhash, a multiple of 64 up to 512 [default: 384]
    #[arg(long, value_name = "N")]
    pub bits: Option<u32>,

    /// For simhash, c and by-site: bits that must agree; all pairs that do are found, and without -t all are reported [default: 372 of
    /// 384, as large a share of others]
    #[arg(long, value_name = "N")]
    pub agree: Option<u32>,

    /// For combined and by-site: bits that must agree if super-shingles do [default: 355 of 384, as large a share of others]
    #[arg(long, value_name = "N")]
    pub combined_agree: Option<u32>,

    /// For pages: words of a shingle of algorithm B [default: 8]
    #[arg(long, value_name = "W", value_parser = clap::value_parser!(u16).range(1..))]
    pub shingle: Option<u16>,

    /// For pages: algorithm B takes the second occurrence of a shingle for another
    #[arg(long)]
    pub weighted: bool,

    /// For pages: words of an element of algorithm C [default: 1]
    #[arg(long, value_name = "W", value_parser = clap::value_parser!(u16).range(1..))]
    pub element: Option<u16>,

    /// For pages: how a page's site is found: registered (public suffix list), paper (Henzinger's rule), field:NAME [default: registered]
    #[arg(long, value_name = "RULE")]
    pub site: Option<SiteRule>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MethodArg {
    /// Every pair
    Exact,
    /// Pairs that share features of min-wise sketches; how many are missed is measured
    Minhash,
    /// Pairs whose min-wise sketches have as many values in common as the threshold says; dedup clusters them by components
    Sketch,
    /// Pairs whose simhashes agree in nearly all bits
    Simhash,
    /// Web pages: at least 2 of 6 super-shingles are equal
    B,
    /// Web pages: at least 372 of 384 bits agree
    C,
    /// Web pages: b, and at least 355 bits agree
    Combined,
    /// Web pages: c on different sites, combined on the same
    BySite,
}
