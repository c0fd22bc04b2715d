//! Which documents are a pair? The arguments that say it.

use clap::Args;

use super::MeasureArg;

#[derive(Args)]
#[command(next_help_heading = "Similarity")]
pub struct MatchArgs {
    /// How similarity is measured: jaccard, cosine, dice, max, overlap, containment, hamming, edit (for pairs and dedup)
    ///
    /// overlap counts common elements. hamming and edit are distances. edit compares texts instead of sets, and only `pairs` and `dedup` take it.
    /// docs/reference/measures.md defines all of them.
    #[arg(long, value_name = "MEASURE", default_value_t)]
    pub measure: MeasureArg,

    /// Minimum similarity, inclusive [default: 0.8]
    ///
    /// A decimal or a fraction above 0 and up to 1: 0.8, 4/5. For overlap the minimum number of common elements, for hamming and
    /// edit the maximum distance.
    #[arg(short, long, allow_negative_numbers = true, value_name = "T")]
    pub threshold: Option<String>,

    /// Compare only documents with equal values in these fields
    #[arg(long, value_name = "FIELD[,FIELD…]", value_delimiter = ',')]
    pub within: Vec<String>,
}
