//! What does a pair require of its records?

use crate::measure::Threshold;

/// What a pair requires of its records.
#[derive(Clone, Copy)]
pub(in crate::join) enum Bounds {
    /// Sets that reach a threshold.
    Sets(Threshold),
    /// Bags of grams of texts within an edit distance δ.
    Grams(GramBounds),
}

/// The paper's Section 6: a text of n characters has n + q − 1 grams of q characters, the ends filled up. One edit changes at most q
/// of them. So two texts within δ edits share at least α = max(|x|, |y|) − qδ grams, and their sizes differ by at most δ. The paper
/// derives the rest: a prefix of qδ + 1 grams, and Hmax = |y| − |x| + 2qδ − (i + j − 2).
#[derive(Clone, Copy)]
pub(in crate::join) struct GramBounds {
    pub(in crate::join) distance: u32,
    /// The greatest number of grams that this many edits change: qδ.
    pub(in crate::join) changed: u32,
}

impl Bounds {
    /// How many elements two records of these sizes must share: the paper's α.
    pub(super) fn needed(&self, a: u32, b: u32) -> u32 {
        match self {
            Bounds::Sets(threshold) => threshold.needed(a, b),
            Bounds::Grams(grams) => a.max(b).saturating_sub(grams.changed),
        }
    }

    /// The length of the prefix that is looked up.
    pub(super) fn long_prefix(&self, n: u32) -> u32 {
        match self {
            Bounds::Sets(threshold) => threshold.long_prefix(n),
            Bounds::Grams(grams) => n.min(grams.changed.saturating_add(1)),
        }
    }

    /// The length of the prefix that is indexed, for partners at least as large.
    pub(super) fn short_prefix(&self, n: u32) -> u32 {
        match self {
            Bounds::Sets(threshold) => threshold.short_prefix(n),
            Bounds::Grams(_) => self.long_prefix(n),
        }
    }

    /// The least size of a partner.
    pub(super) fn least_partner(&self, n: u32) -> u32 {
        match self {
            Bounds::Sets(threshold) => threshold.partners(n).0,
            Bounds::Grams(grams) => n.saturating_sub(grams.distance),
        }
    }

    /// The greatest size of a partner that need not share anything; 0 if there is none.
    pub(super) fn needless(&self, n: u32) -> u32 {
        match self {
            Bounds::Sets(threshold) => threshold.needless(n),
            Bounds::Grams(grams) if n <= grams.changed => grams.changed.min(n.saturating_add(grams.distance)),
            Bounds::Grams(_) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The formulas of Section 6, for texts of |u| ≥ |v| characters.
    #[test]
    fn the_papers_formulas() {
        for (q, distance) in [(2, 1), (3, 2), (4, 3), (1, 5)] {
            let bounds = Bounds::Grams(GramBounds { distance, changed: q * distance });
            for u in q * distance + 1..40_u32 {
                for v in u - distance.min(u - 1)..=u {
                    let (x, y) = (u + q - 1, v + q - 1);
                    assert_eq!(bounds.needed(x, y), (u.max(v) + q - 1) - q * distance);
                    assert_eq!(bounds.needed(y, x), x - q * distance);
                    assert_eq!(bounds.long_prefix(x), x.min(q * distance + 1));
                    assert_eq!(bounds.least_partner(x), x - distance);
                    // The differences that the suffix filter allows, from the positions i = j = 1.
                    assert_eq!(
                        i64::from(x + y) - 2 * i64::from(bounds.needed(x, y)),
                        i64::from(y + 2 * q * distance) - i64::from(x)
                    );
                }
            }
        }
    }
}
