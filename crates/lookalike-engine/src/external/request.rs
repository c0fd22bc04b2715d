//! What should be read, and for which search? `reading.rs` reads it.

use lookalike::Threshold;
use lookalike_io::Source;

use super::resume::Run;
use crate::read::Collector;

/// What to read, and for which search.
#[derive(Clone, Copy)]
pub(crate) struct ReadRequest<'a> {
    pub(crate) collector: &'a Collector,
    pub(crate) sources: &'a [Source],
    /// How many of them are the inputs.
    pub(crate) inputs: usize,
    /// Whether equal sets are compared only once.
    pub(crate) groups_equal: bool,
    /// Whether most documents of a text have no partner.
    pub(crate) few_partners: bool,
    /// The threshold, if one search needs traces of the sets.
    pub(crate) threshold: Option<Threshold>,
    pub(crate) run: Option<&'a Run>,
    /// Whether the sets in memory, if they fit, are the first 32 bits of every element.
    pub(crate) keeps_digests: bool,
    /// If everything that is compared must be in memory: what else to do than to use more of it.
    pub(crate) only_in_memory: Option<&'a str>,
}
