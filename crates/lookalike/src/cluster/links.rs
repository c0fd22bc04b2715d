use rayon::prelude::*;

use super::{Fate, Roots};
use crate::join::{KeepOrder, PairSource};

/// Which documents belong together, as far as it is known. Threads may share it.
///
/// It takes pairs as they come and holds none of them.
pub struct Links {
    /// The documents in keep order.
    order: Vec<u32>,
    /// By document: its place in that order.
    places: Vec<u32>,
    /// By place, so that a component's root is its first document in keep order.
    roots: Roots,
}

impl Links {
    /// Documents in keep order, of which equal ones belong together.
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

    /// Two documents belong together.
    pub fn link(&self, one: u32, two: u32) {
        self.roots.join(self.places[one as usize], self.places[two as usize]);
    }

    /// The first document, in keep order, of those that belong together with this one.
    pub fn first(&self, document: u32) -> u32 {
        self.order[self.roots.find(self.places[document as usize]) as usize]
    }

    /// Whether two documents are known to belong together.
    pub fn are_linked(&self, one: u32, two: u32) -> bool {
        self.roots.find(self.places[one as usize]) == self.roots.find(self.places[two as usize])
    }

    /// The fate of every document of a source if of those that belong together only the first in keep order is kept. References are kept
    /// in any case. The similarity to the twin is the true one, and may lie below the threshold.
    pub fn fates(&self, source: &dyn PairSource) -> Vec<Fate> {
        let keep = source.keep_order();
        let fate = |&document: &u32| {
            let twin = self.first(document);
            if twin == document || (self.places[document as usize] as usize) < keep.pinned {
                return Fate::Kept;
            }
            let similarity = source.similarity(document, twin, source.common(document, twin));
            Fate::Removed { twin, similarity, identical: !keep.groups.is_first(document) }
        };
        let documents: Vec<u32> = (0..self.order.len() as u32).collect();
        documents.par_iter().map(fate).collect()
    }
}
