//! Which documents belong together?

use super::{Fate, Roots};
use crate::join::{JoinError, KeepOrder, PairSource};

/// Which documents belong together, as far as known. Threads can share it.
///
/// It processes pairs one by one, and stores none.
pub struct Links {
    /// The documents in keep order.
    order: Vec<u32>,
    /// By document, its place in that order.
    places: Vec<u32>,
    /// By place, so that a component's root is its first document in keep order.
    roots: Roots,
}

impl Links {
    /// Starts with documents in keep order, where equal documents belong together.
    ///
    /// # Panics
    ///
    /// If the order names a document that is not below its length.
    pub fn new(keep: &KeepOrder) -> Links {
        let KeepOrder { order, groups, .. } = keep;
        let mut places = vec![0; order.len()];
        for (place, &document) in order.iter().enumerate() {
            places[document as usize] = place as u32;
        }
        let links = Links { order: order.clone(), places, roots: Roots::new(order.len()) };
        order.iter().for_each(|&document| links.link(document, groups.first(document)));
        links
    }

    /// Records that two documents belong together.
    pub fn link(&self, one: u32, two: u32) {
        self.roots.join(self.places[one as usize], self.places[two as usize]);
    }

    /// Returns the first document, in keep order, that belongs together with this one.
    pub fn first(&self, document: u32) -> u32 {
        self.order[self.roots.find(self.places[document as usize]) as usize]
    }

    /// Returns whether two documents are known to belong together.
    pub(super) fn are_linked(&self, one: u32, two: u32) -> bool {
        self.roots.find(self.places[one as usize]) == self.roots.find(self.places[two as usize])
    }

    /// Decides the fate of every document of a source when, of those that belong together, only the first in keep order
    /// is kept. References are always kept. The similarity to the twin is exact, and may be below the threshold.
    pub fn fates(&self, source: &dyn PairSource) -> Result<Vec<Fate>, JoinError> {
        let keep = source.keep_order();
        let is_removed =
            |&(document, twin): &(u32, u32)| twin != document && self.places[document as usize] as usize >= keep.pinned;
        let documents = 0..self.order.len() as u32;
        let removed: Vec<(u32, u32)> =
            documents.map(|document| (document, self.first(document))).filter(is_removed).collect();
        let mut fates = vec![Fate::Kept; self.order.len()];
        for (&(document, twin), common) in removed.iter().zip(source.common_of(&removed)?) {
            let similarity = source.similarity(document, twin, common);
            fates[document as usize] = Fate::Removed { twin, similarity, identical: !keep.groups.is_first(document) };
        }
        Ok(fates)
    }
}
