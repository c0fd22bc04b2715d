//! Pages that share super-shingles.
//!
//! The paper sorts all super-shingles and counts, for each pair that has one in common, how many. A super-shingle that very many pages
//! have makes as many pairs as the square of them, nearly all of which have no other. So pages are brought together that agree in *two*
//! places, for every two places, if two are needed: each that meet then are a pair, or share what is needed in part.

use rayon::prelude::*;

use super::Pages;
use crate::candidates::Outgoing;
use crate::sets::hash_numbers;

/// From this many places on, two at a time would be more sorting than it spares.
const MANY_PLACES: usize = 24;

/// Calls `emit` with the pairs of `members` that share as many super-shingles as their recipe needs, each once, `a` less than `b`.
pub(super) fn sharing<P: Send>(
    pages: &Pages,
    members: &[u32],
    keep: impl Fn(u32, u32, u32) -> Option<P> + Sync,
    progress: impl Fn(usize) + Sync,
    emit: impl Fn(&[P]) + Sync,
) {
    let (k, r) = (pages.recipe().filter.k(), pages.recipe().filter.r());
    let pairs_of_places = (0..k).flat_map(|one| (one + 1..k).map(move |two| vec![one, two]));
    let choices: Vec<Vec<usize>> =
        if r == 1 || k > MANY_PLACES { (0..k).map(|place| vec![place]).collect() } else { pairs_of_places.collect() };
    let mut keyed: Vec<(u64, u32)> = Vec::new();
    for (number, places) in choices.iter().enumerate() {
        let key = |page: u32| {
            let own = pages.supershingles(page);
            (hash_numbers(places.iter().map(|&place| own[place])), page)
        };
        members.par_iter().map(|&page| key(page)).collect_into_vec(&mut keyed);
        keyed.par_sort_unstable();
        let runs: Vec<&[(u64, u32)]> = keyed.chunk_by(|a, b| a.0 == b.0).filter(|run| run.len() > 1).collect();
        // A run of many is work for all: each of its pages looks at those behind it.
        runs.par_iter()
            .flat_map(|run| (0..run.len()).into_par_iter().map(move |at| (run[at].1, &run[at + 1..])))
            .for_each_init(
                || Outgoing::new(&emit),
                |outgoing, (a, behind)| {
                    for &(_, b) in behind {
                        if is_first(pages.supershingles(a), pages.supershingles(b), places) {
                            let shared = pages.b_similarity(a, b);
                            if shared as usize >= r {
                                keep(a, b, shared).into_iter().for_each(|pair| outgoing.push(pair));
                            }
                        }
                    }
                },
            );
        let done = |number: usize| members.len() * number / choices.len();
        progress(done(number + 1) - done(number));
    }
}

/// Whether these are the first places in which two pages agree, so that they are a pair here and nowhere else.
fn is_first(a: &[u64], b: &[u64], places: &[usize]) -> bool {
    let agreeing = (0..a.len()).filter(|&place| a[place] == b[place]);
    agreeing.take(places.len()).eq(places.iter().copied())
}
