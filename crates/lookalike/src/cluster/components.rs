//! Connected components of the pairs, as an option. Components form chains, so a removed document may resemble no kept
//! one.
//!
//! A cluster of ten thousand documents has fifty million pairs, most of which add nothing. So documents are first
//! linked with the survivors they resemble. Then only documents that are not linked yet are compared.

use super::links::Links;
use super::stars::Stars;
use super::{Fate, by_blocks, by_halves, places};
use crate::join::{JoinError, Pair, PairSource};
use crate::progress::Stage;

/// Decides the fate of every document when only the first of each connected component, in keep order, is kept.
/// References are always kept. The similarity to the twin is exact, and may be below the threshold.
///
/// The stage counts every document twice.
pub fn components(source: &mut dyn PairSource, stage: &Stage) -> Result<Vec<Fate>, JoinError> {
    let links = Links::new(source.keep_order());
    let (all, mixed) = (source.keep_order().documents(), source.keep_order().mixed());
    if let Some(indexed) = source.index() {
        // Only the index can skip what is linked, so there is no other plan to change to.
        let indexed = crate::join::Indexed { forecast: None, ..indexed };
        let count = indexed.index.places() as usize;
        stage.add(2 * (all - count));
        let mut removed = vec![false; count];
        by_blocks::settle_all(indexed, stage, |index, place, _, kept| {
            removed[place as usize] = true;
            kept.iter().for_each(|found| links.link(index.document(place), index.document(found.place)));
        })?;
        if let Some(indexed) = source.index() {
            stage.add(indexed.index.pinned_places() as usize);
            places::link(indexed.index, &links, &removed, &mixed, stage)?;
        }
    } else {
        let (compared, few) = (source.compared(), source.at_once());
        stage.add(all - (compared.documents.len() - compared.pinned));
        let link = |some: &[Pair]| some.iter().for_each(|pair| links.link(pair.a, pair.b));
        let removed = by_halves::settle_all(source, &compared, few, stage, &link)?;
        let removed = removed.iter().map(|(document, _)| *document);
        Stars::new(&links, &compared, removed).link(source, &mixed, stage)?;
        stage.add(all);
    }
    links.fates(source)
}
