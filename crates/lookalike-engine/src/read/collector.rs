//! How inputs are read.

use lookalike::Threshold;
use lookalike::engine::{PageRule, Recipe, SiteRule};
use lookalike_io::Fields;
use lookalike_io::extract::Extraction;

use super::signing::Signing;
use crate::error::Error;

/// How to read.
#[derive(Clone, Debug)]
pub struct Collector {
    /// What fields mean.
    pub fields: Fields,
    /// How a page becomes a text.
    pub page: PageRule,
    /// How a text becomes a set.
    pub recipe: Recipe,
    /// Bytes of text above which a document is not compared.
    pub max_document: usize,
    /// Whether the first bad row ends it all.
    pub strict: bool,
    /// How many threads.
    pub threads: usize,
    /// Whether to remember a hash of every text.
    pub hash_texts: bool,
    /// Whether texts themselves are kept, in their normal form, instead of their sets.
    pub keep_texts: bool,
    /// Whether signatures are kept instead of sets, and which.
    pub signing: Option<Signing>,
    /// Whether a sample of the sets is kept to measure these by.
    pub samples: bool,
    /// How a page's site is found, if that matters.
    pub site: SiteRule,
}

impl Collector {
    /// How a row becomes a text, and a text a set.
    pub(crate) fn extraction(&self) -> Extraction {
        Extraction { page: self.page, recipe: self.recipe }
    }

    /// Refuses what deciding who stays cannot do: under a distance, small sets are near each other though they share nothing, and so a
    /// key in their elements does not part them.
    pub(crate) fn check_within(&self, threshold: &Threshold) -> Result<(), Error> {
        if self.fields.within.is_empty() || !threshold.is_distance() {
            return Ok(());
        }
        Err(Error::Usage(format!(
            "--within does not go with {} here; `lookalike pairs` can do it",
            threshold.measure()
        )))
    }
}
