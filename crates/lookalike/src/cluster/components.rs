//! Connected components of the pairs, for those who want them. They chain: a document may resemble nothing that is kept.

use super::Fate;
use super::roots::Roots;
use crate::join::{Joinable, Pair};

/// The fate of every document if of each connected component only the first in keep order is kept. The reference collection is kept
/// in any case. The similarity to the twin is the true one, and may lie below the threshold.
pub fn components(joinable: &Joinable, pairs: &[Pair]) -> Vec<Fate> {
    let order = joinable.order();
    let mut roots = Roots::new(order.len());
    let mut places = vec![0; order.len()];
    for (place, &document) in order.iter().enumerate() {
        places[document as usize] = place as u32;
    }
    for pair in pairs {
        roots.join(places[pair.a as usize], places[pair.b as usize]);
    }
    for &document in order {
        roots.join(places[document as usize], places[joinable.groups().first(document) as usize]);
    }
    let mut fates = vec![Fate::Kept; order.len()];
    for place in joinable.pinned()..order.len() {
        let (document, twin) = (order[place], order[roots.find(place as u32) as usize]);
        if twin != document {
            let similarity = joinable.similarity(document, twin, joinable.common(document, twin));
            let identical = !joinable.groups().is_first(document);
            fates[document as usize] = Fate::Removed { twin, similarity, identical };
        }
    }
    fates
}
