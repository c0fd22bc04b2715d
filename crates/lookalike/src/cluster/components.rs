//! Connected components of the pairs, for those who want them. They chain: a document may resemble nothing that is kept.

use super::Fate;
use super::roots::Roots;
use crate::join::{Joinable, Pair};
use crate::sets::Groups;

/// The fate of every document if of each connected component only the first in keep order is kept. The reference collection is kept
/// in any case. The similarity to the twin is the true one, and may lie below the threshold.
pub fn components(joinable: &Joinable, pairs: &[Pair]) -> Vec<Fate> {
    components_among(joinable.order(), joinable.pinned(), joinable.groups(), pairs, |document, twin| {
        joinable.similarity(document, twin, joinable.common(document, twin))
    })
}

/// The same of documents that are compared in a way of the caller's own: all in keep order, of which the first so many are kept in any
/// case.
pub fn components_among(
    order: &[u32],
    pinned: usize,
    groups: &Groups,
    pairs: &[Pair],
    similarity: impl Fn(u32, u32) -> f64,
) -> Vec<Fate> {
    let mut roots = Roots::new(order.len());
    let mut places = vec![0; order.len()];
    for (place, &document) in order.iter().enumerate() {
        places[document as usize] = place as u32;
    }
    for pair in pairs {
        roots.join(places[pair.a as usize], places[pair.b as usize]);
    }
    for &document in order {
        roots.join(places[document as usize], places[groups.first(document) as usize]);
    }
    let mut fates = vec![Fate::Kept; order.len()];
    for place in pinned..order.len() {
        let (document, twin) = (order[place], order[roots.find(place as u32) as usize]);
        if twin != document {
            let (similarity, identical) = (similarity(document, twin), !groups.is_first(document));
            fates[document as usize] = Fate::Removed { twin, similarity, identical };
        }
    }
    fates
}
