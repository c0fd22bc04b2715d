//! Where are the pieces, and are they worth their cost? A sample of the fingerprints decides.

use super::piece::{LONGEST, Piece};

/// Fingerprints in the sample.
const SAMPLE: usize = 4096;
/// Bits of a piece beyond those that distinguish all fingerprints: fewer cause comparisons, more do not help.
const SPARE: u32 = 6;
/// The cost of grouping a fingerprint by a piece, and of comparing two, in picoseconds: rounded, on a machine of 2024
/// with AVX-512. They change the speed, never the result.
const BRING: f64 = if cfg!(test) { 0.0 } else { 40_000.0 };
const COMPARE: f64 = 130.0;

/// Returns the pieces by which all pairs that differ in at most `differ` bits are found. It is one piece of no bits if
/// every fingerprint is to be compared with every other.
pub(super) fn choose<const W: usize>(all: &[[u64; W]], members: &[u32], differ: u32) -> Vec<Piece> {
    let everything = vec![Piece::none()];
    if differ >= W as u32 * 64 {
        return everything;
    }
    let sample: Vec<[u64; W]> =
        members.iter().step_by(members.len().div_ceil(SAMPLE).max(1)).map(|&member| all[member as usize]).collect();
    let longest = (members.len().max(1).ilog2() + 1 + SPARE).min(LONGEST);
    let pieces = cut(&sample, differ + 1, longest);
    let count = members.len() as f64;
    let comparisons =
        |pieces: &[Piece]| pieces.iter().map(|piece| share(&sample, piece)).sum::<f64>() * count * count / 2.0;
    let by_pieces = BRING * count * pieces.len() as f64 + COMPARE * comparisons(&pieces);
    let by_scan = COMPARE * count * count / 2.0;
    if by_pieces < by_scan { pieces } else { everything }
}

/// Cuts `pieces` pieces with about equal information, and keeps the `longest` most informative bits of each.
///
/// If a bit is set in a share p of the fingerprints, two agree in it with probability p² + (1 − p)². Its information is
/// minus the logarithm of that. Some bits have none, such as the padding of a shorter fingerprint.
fn cut<const W: usize>(sample: &[[u64; W]], pieces: u32, longest: u32) -> Vec<Piece> {
    let told: [[f64; 65]; W] = std::array::from_fn(|word| told_before(sample, word));
    let mut counts = [0_u32; W];
    for _ in 0..pieces {
        // The word whose pieces would still be the most informative. No word is cut into more pieces than it has bits.
        let worth = |word: usize| told[word][64] / f64::from(counts[word] + 1);
        let open = (0..W).filter(|&word| counts[word] < 64);
        if let Some(word) = open.max_by(|&one, &two| worth(one).total_cmp(&worth(two)).then(two.cmp(&one))) {
            counts[word] += 1;
        }
    }
    (0..W).flat_map(|word| cut_word(word, &told[word], counts[word], longest)).collect()
}

/// By bit of a word, the information of all bits before it.
fn told_before<const W: usize>(sample: &[[u64; W]], word: usize) -> [f64; 65] {
    let mut before = [0.0; 65];
    for bit in 0..64 {
        let set = sample.iter().filter(|fingerprint| fingerprint[word] >> bit & 1 == 1).count();
        let share = set as f64 / sample.len().max(1) as f64;
        // Slightly above zero, so that bits without information are divided evenly.
        before[bit + 1] = before[bit] + 1e-3 - (share * share + (1.0 - share) * (1.0 - share)).log2();
    }
    before
}

/// Returns a word's pieces, one after another.
fn cut_word(word: usize, before: &[f64; 65], pieces: u32, longest: u32) -> impl Iterator<Item = Piece> {
    let mut start = 0;
    (1..=pieces).map(move |piece| {
        let goal = before[64] * f64::from(piece) / f64::from(pieces);
        // Leave at least one bit for this piece and for each that follows.
        let end = before.partition_point(|&told| told < goal) as u32;
        let end = end.clamp(start + 1, 64 - (pieces - piece));
        let length = (end - start).min(longest);
        let told = |from: u32| before[(from + length) as usize] - before[from as usize];
        let from = (start..=end - length).max_by(|&one, &two| told(one).total_cmp(&told(two))).unwrap_or(start);
        start = end;
        Piece::new(word, from, length)
    })
}

/// Returns the share of all pairs that agree in a piece.
fn share<const W: usize>(sample: &[[u64; W]], piece: &Piece) -> f64 {
    let mut keys: Vec<u32> = sample.iter().map(|fingerprint| piece.key(fingerprint)).collect();
    keys.sort_unstable();
    let pairs: f64 = keys.chunk_by(|one, two| one == two).map(|run| (run.len() * (run.len() - 1) / 2) as f64).sum();
    let all = (keys.len() * keys.len().saturating_sub(1) / 2).max(1);
    pairs / all as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check<const W: usize>(words: &[u64], differ: u32) {
        let all: Vec<[u64; W]> = words.as_chunks().0.to_vec();
        let pieces = cut(&all, differ.min(W as u32 * 64 - 1) + 1, LONGEST);
        assert_eq!(pieces.len() as u32, differ.min(W as u32 * 64 - 1) + 1);
        let mut taken = [0_u64; W];
        for part in pieces.iter().map(Piece::part) {
            assert!(part.mask != 0 && taken[part.word] & part.mask == 0, "{pieces:?}");
            taken[part.word] |= part.mask;
        }
    }

    proptest! {
        /// For any fingerprints: one piece more than bits may differ, at least one bit each, and no overlaps.
        #[test]
        fn pieces_are_enough_and_apart(words in proptest::collection::vec(prop_oneof![any::<u64>(), 0..9u64, Just(0)], 0..99), differ in 0..520u32) {
            check::<1>(&words, differ);
            check::<3>(&words, differ);
            check::<6>(&words, differ);
            check::<8>(&words, differ);
        }
    }

    #[test]
    fn what_is_filled_up_is_left_out() {
        let mut state = 1_u64;
        let all: Vec<[u64; 2]> = (0..1000)
            .map(|_| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                [0, state & !0xffff]
            })
            .collect();
        let parts: Vec<_> = cut(&all, 3, 16).iter().map(Piece::part).collect();
        assert!(parts.iter().all(|part| part.word == 1 && part.mask & 0xffff == 0), "{parts:x?}");
        let members: Vec<u32> = (0..1000).collect();
        assert_eq!(choose(&all, &members, 128), [Piece::none()]);
        assert_eq!(choose(&all, &members, 2).len(), 3);
    }
}
