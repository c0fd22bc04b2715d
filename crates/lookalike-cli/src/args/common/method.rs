//! How are pairs looked for? The arguments of the method.

use clap::{Args, ValueEnum};
use lookalike::engine::SiteRule;
use lookalike::sketch::{Filter, IdfRange};

#[derive(Args)]
#[command(next_help_heading = "Method")]
pub struct MethodArgs {
    /// How candidates are found; only exact and spotsigs find every pair
    ///
    /// The other methods keep a small signature of each document instead of its set, and read the inputs once more. Use them if the
    /// sets do not fit into memory. docs/guides/signatures.md compares them.
    #[arg(long, value_enum, default_value_t = MethodArg::Exact)]
    pub method: MethodArg,

    /// Report candidates without comparing them
    ///
    /// Their similarities are then estimates from the signatures, and every output marks them as unverified. For every method but
    /// exact and spotsigs.
    #[arg(long)]
    pub unverified: bool,

    /// For minhash: share of the pairs at the threshold that must be found [default: 0.99]
    #[arg(long, value_name = "SHARE", conflicts_with = "features")]
    pub recall: Option<f64>,

    /// For minhash: maximum bytes of features per document [default: 128]
    #[arg(long, value_name = "N", conflicts_with = "features")]
    pub bytes: Option<usize>,

    /// For minhash, mega-shingles, b, c, combined, by-site: K features of S values each; R of the K must be equal
    ///
    /// For minhash it replaces the filter that --recall and --bytes choose. For mega-shingles and web pages the features are the
    /// super-shingles, and the default is 6,14,2; c uses them only for the column b_similarity.
    #[arg(long, value_name = "K,S,R")]
    pub features: Option<Filter>,

    /// For sketch, lsh: number of min-wise values per document [default: 84, for lsh 128]
    ///
    /// For sketch, two documents are candidates if the share of equal values reaches the threshold.
    #[arg(long, value_name = "N")]
    pub functions: Option<usize>,

    /// For lsh: B bands of R values each [default: chosen for the threshold]
    ///
    /// Two documents are candidates if a band is equal. By default, --functions values are divided as datasketch divides them.
    #[arg(long, value_name = "B,R", value_parser = parse_bands, conflicts_with = "functions")]
    pub bands: Option<Filter>,

    /// For i-match: inverse document frequencies of the words that count, from 0 to 1 [default: 0.2,0.85]
    ///
    /// A word that n of N documents have gets log((N + 1) / n) / log(N + 1).
    #[arg(long, value_name = "MIN,MAX")]
    pub idf: Option<IdfRange>,

    /// For i-match: number of lexica; one equal hash is enough [default: 1]
    ///
    /// The first has all words in the range; each of the others omits a random 30 % of them.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub lexica: Option<u16>,

    /// For i-match: minimum number of words in a hash [default: 4]
    #[arg(long, value_name = "N")]
    pub least_terms: Option<u32>,

    /// For ddebit: minimum number of common bigrams, divided by the number in the longer text [default: 0.5]
    #[arg(long, value_name = "T")]
    pub light: Option<String>,

    /// For simhash, b, c, combined, by-site: bits of a simhash, a multiple of 64 up to 512 [default: 384]
    #[arg(long, value_name = "N")]
    pub bits: Option<u32>,

    /// For simhash, c, by-site: minimum number of equal bits [default: 372 of 384]
    ///
    /// If --bits is not 384, the default is the same share of it. Every pair with at least that many equal bits is found; without
    /// -t all of them are reported.
    #[arg(long, value_name = "N")]
    pub agree: Option<u32>,

    /// For combined, by-site: minimum number of equal bits if the super-shingles agree [default: 355 of 384]
    ///
    /// If --bits is not 384, the default is the same share of it.
    #[arg(long, value_name = "N")]
    pub combined_agree: Option<u32>,

    /// For b, c, combined, by-site: words per shingle of algorithm B [default: 8]
    #[arg(long, value_name = "W", value_parser = clap::value_parser!(u16).range(1..))]
    pub shingle: Option<u16>,

    /// For b, c, combined, by-site: algorithm B counts repeated shingles
    #[arg(long)]
    pub weighted: bool,

    /// For b, c, combined, by-site: words per element of algorithm C [default: 1]
    #[arg(long, value_name = "W", value_parser = clap::value_parser!(u16).range(1..))]
    pub element: Option<u16>,

    /// For b, c, combined, by-site: rule for the site of a page [default: registered]
    ///
    /// registered takes the registered domain by the public suffix list, paper follows Henzinger's paper, field:NAME reads the site
    /// from a field.
    #[arg(long, value_name = "RULE")]
    pub site: Option<SiteRule>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MethodArg {
    /// Every pair
    Exact,
    /// Pairs with equal features of min-wise sketches; the recall is measured
    Minhash,
    /// Pairs with an equal band of min-wise values, as datasketch finds them; the recall is measured
    Lsh,
    /// Pairs whose min-wise sketches reach the threshold; dedup then keeps one document of each connected component
    Sketch,
    /// Pairs whose simhashes have nearly all bits equal
    Simhash,
    /// Pairs with the same hash of the words that are neither frequent nor rare
    IMatch,
    /// Every pair, by the words that follow articles and auxiliary verbs (English)
    Spotsigs,
    /// Pairs with at least 2 of 6 super-shingles equal, as Broder and Fetterly find them
    MegaShingles,
    /// Pairs whose bigrams reach a light similarity before they are compared
    Ddebit,
    /// Web pages with at least 2 of 6 super-shingles equal (algorithm B of Henzinger's paper; docs/guides/signatures.md)
    B,
    /// Web pages with at least 372 of 384 bits equal
    C,
    /// Web pages that are a pair by b and have at least 355 bits equal
    Combined,
    /// Web pages: c on different sites, combined on the same site
    BySite,
}

/// Parses bands: features of which one must be equal.
fn parse_bands(text: &str) -> Result<Filter, String> {
    let numbers: Option<Vec<usize>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[bands, values]) => Filter::new(bands, values, 1).map_err(|_| {
            let (most, functions) = (Filter::MOST, Filter::MOST_FUNCTIONS);
            format!("both must be from 1 to {most}, and their product at most {functions}")
        }),
        _ => Err("give two numbers like 14,8: how many bands, and how many values in each".to_string()),
    }
}
