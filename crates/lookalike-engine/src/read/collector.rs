//! Options for reading the inputs.

use std::collections::BTreeMap;
use std::sync::Arc;

use lookalike::Threshold;
use lookalike::engine::{PageRule, Recipe, SiteRule};
use lookalike_io::Fields;
use lookalike_io::extract::{Boilerplate, Extraction};
use lookalike_io::spill::Space;

use super::signing::Signing;
use crate::error::Error;

/// Bytes of memory for sorting pairs, at most.
const SORT: usize = 64 << 20;
/// Ids may fill this fraction of the memory: one part in 16. The others are in a temporary file.
pub(crate) const IDS: u64 = 16;

/// Options for reading the inputs. `collect` is in `collect.rs`, `collect_again` in `again/second_pass.rs`.
#[derive(Clone, Debug)]
pub struct Collector {
    /// The roles of the fields.
    pub fields: Fields,
    /// How a page becomes a text.
    pub page: PageRule,
    /// The passages that are left out of texts.
    pub without: Option<Arc<Boilerplate>>,
    /// How a text becomes a set.
    pub recipe: Recipe,
    /// Bytes of text above which a document is not compared.
    pub max_document: usize,
    /// Whether to stop at the first bad row.
    pub strict: bool,
    /// The number of threads.
    pub threads: usize,
    /// Whether to keep a hash of every text.
    pub hash_texts: bool,
    /// The edit distance that texts are compared within, if the texts are kept, in normal form, instead of their sets.
    pub edit: Option<u32>,
    /// The signatures to keep instead of sets, if any.
    pub signing: Option<Signing>,
    /// Whether the sets of candidates are compared.
    pub verifies: bool,
    /// Whether to keep a sample of the sets, to measure the recall of signatures.
    pub samples: bool,
    /// How to find a page's site, if the method compares it.
    pub site: SiteRule,
    /// The bytes of memory that the run may use, if they are limited.
    pub memory: Option<u64>,
    /// Where temporary files go.
    pub space: Space,
}

impl Collector {
    /// Bytes of memory for sorting pairs.
    pub(crate) fn sort_bytes(&self) -> usize {
        self.memory.map_or(SORT, |memory| SORT.min((memory / 8) as usize))
    }

    /// Everything that the sets depend on, except the contents of the inputs.
    pub(crate) fn parameters(&self) -> BTreeMap<String, String> {
        let Collector { fields, page, without, recipe, max_document, strict, signing, site, .. } = self;
        let without = without.as_ref().map(|table| ("without".to_string(), table.hash().to_string()));
        let method = signing.as_ref().map(|signing| ("method".to_string(), format!("{signing:?} {site:?}")));
        let others = [
            ("tokens".to_string(), recipe.tokens.to_string()),
            ("case".to_string(), format!("{:?}", recipe.case)),
            ("bag".to_string(), recipe.bag.to_string()),
            ("fields".to_string(), format!("{fields:?}")),
            ("page".to_string(), format!("{page:?}")),
            ("max-document".to_string(), max_document.to_string()),
            ("strict".to_string(), strict.to_string()),
        ];
        others.into_iter().chain(method).chain(without).collect()
    }

    /// The signatures to keep, if they may be in a file: then candidates must be verified.
    pub(crate) fn signing_on_disk(&self) -> Option<&Signing> {
        self.signing.as_ref().filter(|signing| self.verifies && signing.may_be_on_disk())
    }

    /// Whether sets are what is compared first, not texts or signatures.
    pub(crate) fn keeps_sets(&self) -> bool {
        self.edit.is_none() && self.signing.is_none()
    }

    /// How a row becomes a text, and a text a set.
    pub fn extraction(&self) -> Extraction {
        Extraction { page: self.page, without: self.without.clone(), recipe: self.recipe }
    }

    /// A collector that leaves out the passages of a table.
    pub fn without(mut self, table: Option<Arc<Boilerplate>>) -> Result<Collector, Error> {
        let Some(table) = table else { return Ok(self) };
        if self.page == PageRule::Paper {
            return Err(Error::Usage(
                "--without does not work with --page paper, which cuts no passages; use --page text or main"
                    .to_string(),
            ));
        }
        self.name_site(table.site())?;
        Ok(Collector { without: Some(table), ..self })
    }

    /// A collector that finds sites by this rule.
    pub fn by_site(mut self, site: SiteRule) -> Result<Collector, Error> {
        self.name_site(&site)?;
        Ok(Collector { site, ..self })
    }

    /// Reads the field that names the site, if the rule has one. A row has one such field.
    fn name_site(&mut self, site: &SiteRule) -> Result<(), Error> {
        let SiteRule::Field(name) = site else { return Ok(()) };
        match &self.fields.site {
            Some(other) if other != name => Err(Error::Usage(format!(
                "the table of --without finds sites by the field '{other}', and --site by '{name}'; use the same field for both"
            ))),
            _ => {
                self.fields.site = Some(name.clone());
                Ok(())
            }
        }
    }

    /// Fails if `--within` is used with a distance: `dedup` and `check` put the key into the elements of a set. Under a distance, small
    /// sets are close even if they share nothing, so the key does not separate them.
    pub(crate) fn check_within(&self, threshold: &Threshold) -> Result<(), Error> {
        if self.fields.within.is_empty() || !threshold.is_distance() {
            return Ok(());
        }
        Err(Error::Usage(format!(
            "--within does not work with {} here. Use `lookalike pairs`, which supports it",
            threshold.measure()
        )))
    }
}
