//! Connected components of the pairs, for those who want them. They chain: a document may resemble nothing that is kept.

use super::Fate;
use crate::join::{Joinable, Pair};

/// The fate of every document if of each connected component only the first in keep order is kept. The reference collection is kept
/// in any case. The similarity to the twin is the true one, and may lie below the threshold.
pub fn components(joinable: &Joinable, pairs: &[Pair]) -> Vec<Fate> {
    let order = joinable.order();
    let mut roots = Roots((0..order.len() as u32).collect());
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

/// Union-find in which the least place of a component is its root.
struct Roots(Vec<u32>);

impl Roots {
    fn find(&mut self, mut place: u32) -> u32 {
        while self.0[place as usize] != place {
            let parent = self.0[place as usize];
            self.0[place as usize] = self.0[parent as usize];
            place = self.0[place as usize];
        }
        place
    }

    fn join(&mut self, one: u32, two: u32) {
        let (one, two) = (self.find(one), self.find(two));
        self.0[one.max(two) as usize] = one.min(two);
    }
}
