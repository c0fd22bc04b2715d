//! How does the PPJoin paper find texts within an edit distance? Its Section 6.
//!
//! ```text
//! of every text: the bag of its grams of q characters, the ends filled up with q − 1 marks
//! join the bags with the bounds of edit distance                                        paper/bounds
//! compute the distance of every two texts that share enough grams, or are too short to share any
//! ```
//!
//! The last case is not in the paper: if no text of a pair has more than qδ grams, δ edits can change all of them, and α says nothing.
//! Such texts are compared with all others of a fitting length.

use super::alphabet::suitable_q;
use super::characters::{Character, Text, of_characters};
use super::distance::{Frontier, distance_within};
use super::distinct::Distinct;
use super::hash::{finish, hash_grams};
use crate::join::paper::{Bounds, GramBounds, PaperAlgorithm, join_by};
use crate::join::{Counts, JoinError, Pair, Records};
use crate::progress::Stage;
use crate::sets::{SetStore, number_occurrences};

/// Marks before and after a text. They are no characters.
const BEFORE: u32 = 0x11_0000;
const AFTER: u32 = 0x11_0001;

/// Calls `emit` with the places of every two texts within the distance, and their distance. The stage counts texts.
pub(super) fn join_by_grams(
    distinct: &Distinct,
    distance: u32,
    q: Option<usize>,
    algorithm: PaperAlgorithm,
    stage: &Stage,
    emit: &mut dyn FnMut(u32, u32, u32),
) -> Result<Counts, JoinError> {
    let texts = distinct.texts();
    let q = q.unwrap_or_else(|| suitable_q(&texts));
    let mut padded = Vec::new();
    let bags = (0..distinct.places()).map(|place| {
        let seed = finish(distinct.key(place), 0);
        bag(texts[place as usize], q, seed, &mut padded)
    });
    let store = SetStore::of_sets(bags)?;
    let places: Vec<u32> = (0..distinct.places()).collect();
    let records = Records::try_code(&store, &places)?.on_sides(|place| distinct.side(place));
    let changed = u32::try_from(q).unwrap_or(u32::MAX).saturating_mul(distance);
    let bounds = Bounds::Grams(GramBounds { distance, changed });
    let (mut frontier, mut compared, mut found) = (Frontier::default(), 0, 0);
    let mut compare = |Pair { a, b, .. }: Pair| {
        if !distinct.meet(a, b) {
            return;
        }
        compared += 1;
        if let Some(apart) = distance_within(texts[a as usize], texts[b as usize], distance, &mut frontier) {
            found += 1;
            emit(a, b, apart);
        }
    };
    let counts = join_by(&records, bounds, algorithm, stage, &mut compare)?;
    Ok(Counts { verified: compared, results: found, ..counts })
}

/// The bag of the grams of a text with its ends filled up: n + q − 1 elements, ascending.
fn bag(text: Text, q: usize, seed: u64, padded: &mut Vec<u32>) -> Vec<u64> {
    padded.clear();
    padded.resize(q - 1, BEFORE);
    of_characters!(text, characters => padded.extend(characters.iter().map(|character| character.value())));
    padded.resize(padded.len() + q - 1, AFTER);
    let mut grams = Vec::with_capacity(padded.len() + 1 - q);
    hash_grams(padded, q, seed, |gram| grams.push(gram));
    grams.sort_unstable();
    number_occurrences(&mut grams);
    grams.sort_unstable();
    grams
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One edit changes at most q grams, and the ends count as much as the middle.
    #[test]
    fn bags_of_grams() {
        let of = |text: &str, q: usize| bag(Text::Narrow(text.as_bytes()), q, 0, &mut Vec::new());
        let common = |one: &[u64], two: &[u64]| one.iter().filter(|gram| two.contains(gram)).count();
        assert_eq!(of("abc", 1).len(), 3);
        assert_eq!(of("aaaa", 3).len(), 6);
        assert_eq!(common(&of("kitten", 2), &of("sitten", 2)), 7 - 2);
        assert_eq!(common(&of("aaaa", 2), &of("aaa", 2)), 4);
        assert_eq!(common(&of("ab", 3), &of("ba", 3)), 0);
    }
}
