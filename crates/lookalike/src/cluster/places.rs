//! Like `stars`, but for a sparse index, which can skip linked documents during the search.

use std::ops::Range;

use rayon::prelude::*;

use super::links::Links;
use crate::join::{Index, JoinError, Match, Prober, Scratches};
use crate::progress::Stage;

/// Links the documents of a sparse index once the survivors are known. `removed` is by place; `mixed`, by document,
/// marks references that represent documents that are not.
pub(super) fn link(
    index: &mut Index,
    links: &Links,
    removed: &[bool],
    mixed: &[bool],
    stage: &Stage,
) -> Result<(), JoinError> {
    let (places, pinned) = (index.places(), index.pinned_places());
    // Component by component: linked documents are a range of places, which a search skips as a whole.
    let mut order: Vec<u32> = (0..places).collect();
    let firsts: Vec<u32> = order.par_iter().map(|&place| links.first(index.document(place))).collect();
    order.par_sort_unstable_by_key(|&place| (firsts[place as usize], place));
    let mut linked: Vec<Range<u32>> = Vec::with_capacity(order.len());
    for component in order.chunk_by(|&one, &two| firsts[one as usize] == firsts[two as usize]) {
        let start = linked.len() as u32;
        linked.extend(component.iter().map(|_| start..start + component.len() as u32));
    }
    drop(firsts);
    index.renumber(&order);
    let (is_removed, is_reference) =
        (|place: &u32| removed[order[*place as usize] as usize], |place: &u32| order[*place as usize] < pinned);

    index.enter((0..places).filter(is_removed));
    let search = Search::new(index, links);
    (0..places).into_par_iter().with_min_len(16).filter(|place| !is_reference(place)).for_each(|place| {
        if stage.is_cancelled() {
            return;
        }
        let Range { start, end } = linked[place as usize];
        search.link(place, 0..start);
        // No search finds a kept document, so it searches in both directions.
        if !is_removed(&place) {
            search.link(place, end..places);
        }
        stage.add(1);
    });
    drop(search);

    // References are compared with each other if they represent other documents.
    let mut asking: Vec<u32> = (0..places).filter(is_reference).collect();
    asking.retain(|&place| mixed[index.document(place) as usize]);
    if !asking.is_empty() {
        index.clear();
        index.enter((0..places).filter(is_reference));
        let search = Search::new(index, links);
        asking.into_par_iter().for_each(|place| {
            search.link(place, 0..place);
            search.link(place, place + 1..places);
        });
    }

    let mut back = vec![0; order.len()];
    (0..).zip(&order).for_each(|(place, &was)| back[was as usize] = place);
    index.renumber(&back);
    Ok(stage.check()?)
}

struct Search<'a> {
    index: &'a Index,
    prober: Prober<'a>,
    scratches: Scratches,
    links: &'a Links,
}

impl<'a> Search<'a> {
    fn new(index: &'a Index, links: &'a Links) -> Search<'a> {
        Search { index, prober: index.prober(), scratches: index.scratches(), links }
    }

    /// Links the document at a place with every match within a range that it is not linked with.
    fn link(&self, place: u32, among: Range<u32>) {
        if among.is_empty() {
            return;
        }
        let document = self.index.document(place);
        let is_linked = |other: u32| self.links.are_linked(document, self.index.document(other));
        let mut matches: Vec<Match> = Vec::new();
        self.prober.find_unless(is_linked, &mut self.scratches.own(), place, among, &mut matches);
        matches.iter().for_each(|found| self.links.link(document, self.index.document(found.place)));
    }
}
