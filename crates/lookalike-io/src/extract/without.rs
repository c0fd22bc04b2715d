//! The text of a document without the passages that its site repeats.

use std::sync::Arc;

use super::boilerplate::Boilerplate;
use super::passages::{PassageHasher, cut};

/// Leaves passages out of texts. It reuses its buffers, so keep one per thread.
pub(super) struct Without {
    pub(super) table: Arc<Boilerplate>,
    hasher: PassageHasher,
    kept: String,
}

impl Without {
    pub(super) fn new(table: Arc<Boilerplate>) -> Without {
        Without { table, hasher: PassageHasher::default(), kept: String::new() }
    }

    /// A text of a site without the passages in the table. `ends` is where its passages end.
    pub(super) fn apply<'a>(&'a mut self, text: &'a str, ends: &[usize], site: &str) -> &'a str {
        let Some(known) = self.table.of_site(site) else { return text };
        self.kept.clear();
        for passage in cut(text, ends) {
            if self.hasher.hash(passage).is_none_or(|hash| !known.contains(&hash)) {
                self.kept.push_str(passage);
            }
        }
        &self.kept
    }
}
