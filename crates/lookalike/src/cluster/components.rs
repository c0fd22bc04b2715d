//! Connected components of the pairs, for those who want them. They chain: a document may resemble nothing that is kept.
//!
//! A cluster of ten thousand documents has fifty million pairs, and nearly all of them say what is known already. So documents are first
//! linked with the survivors that they resemble. Then only documents that are not linked yet are compared.

use super::coded::Coded;
use super::links::Links;
use super::resemblance::{Linking, Resemblance};
use super::stars::Stars;
use super::survivors::{KeepOrder, few};
use super::{Fate, by_blocks, by_halves, places};
use crate::join::{Engine, Joinable};

/// The fate of every document if of each connected component only the first in keep order is kept. The reference collection is kept
/// in any case. The similarity to the twin is the true one, and may lie below the threshold.
///
/// `progress` is told how many more documents are done; it is told of every document twice.
pub fn components(joinable: &mut Joinable, progress: impl Fn(usize) + Sync) -> Vec<Fate> {
    let links = Links::new(joinable.order(), joinable.groups());
    let (all, few) = (joinable.order().len(), few(joinable));
    let mixed = joinable.groups().mixed(joinable.order(), joinable.pinned());
    match joinable.engine() {
        Engine::Sparse(index) => {
            progress(2 * (all - index.places() as usize));
            let mut removed = vec![false; index.places() as usize];
            by_blocks::settle_all(
                index,
                &progress,
                |_, _, _| false,
                |index, place, _, kept| {
                    removed[place as usize] = true;
                    kept.iter().for_each(|found| links.link(index.document(place), index.document(found.place)));
                },
            );
            progress(index.pinned_places() as usize);
            places::link(index, &links, &removed, &mixed, &progress);
        }
        Engine::Dense { records, threshold, firsts, pinned } => {
            progress(all - (firsts.len() - pinned));
            let coded = Coded::new(records, *threshold);
            let linking = Linking { resemblance: &coded, links: &links };
            let removed = by_halves::settle_all(&linking, &firsts, pinned, few, &progress);
            Stars::new(&links, &firsts, pinned, removed.iter().map(|(document, _)| *document)).link(&linking, &mixed);
            progress(all);
        }
    }
    links.fates_of(joinable)
}

impl KeepOrder<'_> {
    /// Links all documents that belong together, as far as `links` does not know it. `progress` is told how many more of the compared
    /// documents that are not pinned are settled.
    pub fn link(&self, resemblance: &impl Resemblance, links: &Links, progress: impl Fn(usize)) {
        let linking = Linking { resemblance, links };
        let removed = by_halves::settle_all(&linking, self.compared, self.pinned, by_halves::FEW, progress);
        let mut mixed = vec![false; self.documents];
        self.order.iter().for_each(|&document| mixed[self.groups.first(document) as usize] = true);
        let removed = removed.iter().map(|(document, _)| *document);
        Stars::new(links, self.compared, self.pinned, removed).link(&linking, &mixed);
    }
}
