//! Connected components of the pairs, for those who want them. They chain: a document may resemble nothing that is kept.
//!
//! A cluster of ten thousand documents has fifty million pairs, and nearly all of them say what is known already. So documents are first
//! linked with the survivors that they resemble. Then only documents that are not linked yet are compared.

use super::links::Links;
use super::stars::Stars;
use super::{Fate, by_blocks, by_halves, places};
use crate::join::{JoinError, Pair, PairSource};
use crate::progress::Stage;

/// The fate of every document if of each connected component only the first in keep order is kept. The reference collection is kept
/// in any case. The similarity to the twin is the true one, and may lie below the threshold.
///
/// The stage counts every document twice.
pub fn components(source: &mut dyn PairSource, stage: &Stage) -> Result<Vec<Fate>, JoinError> {
    let links = Links::new(source.keep_order());
    let (all, mixed) = (source.keep_order().documents(), source.keep_order().mixed());
    if let Some(indexed) = source.index() {
        // Nothing but the index can leave out what is linked, so it is never too costly.
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
    Ok(links.fates(source))
}
