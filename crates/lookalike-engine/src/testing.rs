//! What do the tests of several rooms ask a source of pairs?

use std::sync::Mutex;

use lookalike::engine::{PairSource, SetPair, Side, Stage};

/// All its pairs, in order.
pub(crate) fn pairs(source: &mut dyn PairSource) -> Vec<SetPair> {
    let all = Mutex::new(Vec::new());
    source.pairs(&Stage::silent(), &|some| all.lock().unwrap().extend_from_slice(some)).unwrap();
    let mut all = all.into_inner().unwrap();
    all.sort_unstable();
    all
}

/// The pairs of documents on these sides, in order.
pub(crate) fn among(source: &mut dyn PairSource, sides: &[Option<Side>]) -> Vec<SetPair> {
    let side = |document: u32| Some((document, sides[document as usize]?));
    let among: Vec<(u32, Side)> = source.compared().documents.into_iter().filter_map(side).collect();
    let all = Mutex::new(Vec::new());
    source.pairs_among(&among, &Stage::silent(), &|some| all.lock().unwrap().extend_from_slice(some)).unwrap();
    let mut all = all.into_inner().unwrap();
    all.sort_unstable();
    all
}
