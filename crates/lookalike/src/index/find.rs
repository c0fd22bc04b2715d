//! Which documents of a part does a set resemble?

use super::error::PartError;
use super::part::Part;
use crate::measure::Threshold;
use crate::sets::mix;

/// A document that a set resembles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The document's number in its part.
    pub document: u32,
    /// Its serial number.
    pub serial: u64,
    /// How many elements the two share.
    pub common: u32,
    /// The size of its set.
    pub size: u32,
}

/// Memory that searches reuse. Keep one per thread.
#[derive(Default)]
pub struct FindScratch {
    keys: Vec<u64>,
    passed: Vec<u64>,
    hits: Vec<u32>,
    set: Vec<u64>,
}

impl FindScratch {
    /// Begins the search for a set in any number of parts.
    pub(super) fn begin(&mut self, set: &[u64]) {
        self.keys.clear();
        self.keys.extend(set.iter().map(|&element| mix(element)));
    }
}

impl<B: AsRef<[u8]>> Part<B> {
    /// Calls `each` with every document whose set reaches the threshold with this one, except those whose serial number is not `wanted`.
    /// [`FindScratch::begin`] was called with the set. `posted` is the threshold for which the part was made; `threshold` may be higher.
    pub(super) fn find(
        &self,
        set: &[u64],
        posted: &Threshold,
        threshold: &Threshold,
        wanted: impl Fn(u64) -> bool,
        scratch: &mut FindScratch,
        mut each: impl FnMut(Found),
    ) -> Result<(), PartError> {
        let FindScratch { keys, passed, hits, set: other } = scratch;
        hits.clear();
        self.push_hits(keys, passed, hits)?;
        hits.sort_unstable();
        let own = set.len() as u32;
        let (least, greatest) = threshold.partners(own);
        for run in hits.chunk_by(|one, two| one == two) {
            let (document, hits) = (run[0], run.len() as u32);
            let size = self.size(document)?;
            if size < least || size > greatest {
                continue;
            }
            // Elements that are not posted may all be common.
            let (needed, posted) = (threshold.needed(own, size), posted.long_prefix(size));
            if hits + (size - posted.min(size)) < needed {
                continue;
            }
            let serial = self.serial(document)?;
            if !wanted(serial) {
                continue;
            }
            self.set(document)?.copy_to(other);
            if let Some(common) = common_at_least(set, other, needed as usize)
                && threshold.reaches(common, own, size)
            {
                each(Found { document, serial, common, size });
            }
        }
        Ok(())
    }
}

/// Returns how many elements two ascending sets share, if at least `needed`. Stops as soon as either has too many unmatched.
fn common_at_least(x: &[u64], y: &[u64], needed: usize) -> Option<u32> {
    if x.len().min(y.len()) < needed {
        return None;
    }
    let (spare_x, spare_y) = (x.len() - needed, y.len() - needed);
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < x.len() && j < y.len() {
        let (a, b) = (x[i], y[j]);
        common += usize::from(a == b);
        i += usize::from(a <= b);
        j += usize::from(b <= a);
        if i - common > spare_x || j - common > spare_y {
            return None;
        }
    }
    Some(common as u32)
}
