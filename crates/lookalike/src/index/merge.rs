//! Which parts are merged, and how?

use std::ops::Range;

use super::build::{Documents, NewPart, Remembered};
use super::elements::Elements;
use super::error::PartError;
use super::part::Part;
use super::parts::Parts;
use super::sealed::PartBytes;
use crate::progress::Stage;

/// Parts are merged if together they are this many times as large as the largest of them. With more, a search would visit more parts; with
/// fewer, every document would be written more often.
const FACTOR: u64 = 8;
/// Parts of fewer bytes count as so large: merging them costs next to nothing.
const SMALL: u64 = 1 << 16;

/// The most bytes of a merged part. The numbers of documents and postings have room in it.
const MOST: u64 = 1 << 36;

/// Returns which adjacent parts to merge, given the bytes of all parts, the oldest first; `None` if none.
///
/// Of all ends of the list that are eight times as large as their largest part, the longest is merged. So a document moves to a part that
/// is at least eight times as large as the one it was in, and is written about once for each power of eight in the size of the index. What is not
/// merged has at most seven parts for each power of two in its size.
pub fn due_for_merging(bytes: &[u64]) -> Option<Range<usize>> {
    let (mut sum, mut largest, mut due) = (0, 0, None);
    for (at, &bytes) in bytes.iter().enumerate().rev() {
        sum += bytes.max(SMALL);
        largest = largest.max(bytes.max(SMALL));
        if sum >= FACTOR * largest && sum <= MOST {
            due = Some(at);
        }
    }
    due.map(|first| first..bytes.len())
}

/// Bytes for a document while it is merged: its place, and its id among the sorted hashes.
const DOCUMENT: u64 = 24;
/// Bytes for what is remembered of a removed document.
const REMEMBERED: u64 = 32;
/// Bytes for the words of the filter and the buckets of two postings.
const TWO_POSTINGS: u64 = 6;

/// Returns how many bytes merging these parts holds at least, whatever the limits are.
pub fn merge_needs<B: PartBytes>(parts: &Parts<B>, range: Range<usize>) -> u64 {
    let needs = |part: &Part<B>| {
        DOCUMENT * u64::from(part.len())
            + REMEMBERED * part.remembered()
            + TWO_POSTINGS * part.postings_len().div_ceil(2)
    };
    parts.parts()[range].iter().map(needs).sum()
}

/// Merges adjacent parts into one, without the documents that were taken out and without what is remembered of removed documents whose
/// twin is no longer there. Calls `make` with the new part. The stage can cancel it until then.
pub fn merge<B: PartBytes + Sync, T>(
    parts: &Parts<B>,
    range: Range<usize>,
    stage: &Stage,
    make: impl FnOnce(&NewPart) -> T,
) -> Result<T, PartError> {
    let (mut places, mut removed) = (Vec::new(), Vec::new());
    for number in range {
        collect(parts, number, stage, &mut places, &mut removed).map_err(|error| error.in_part(number))?;
    }
    let documents = Merged { parts, places };
    Ok(make(&NewPart::of(Box::new(documents), removed, parts.threshold(), stage)?.limited(*parts.limits())))
}

/// Adds what is left of a part: the places of documents, as the number of the part and that of the document in it.
fn collect<B: PartBytes>(
    parts: &Parts<B>,
    number: usize,
    stage: &Stage,
    places: &mut Vec<(u32, u32)>,
    removed: &mut Vec<Remembered>,
) -> Result<(), PartError> {
    let part = &parts.parts()[number];
    places.reserve_exact(part.len() as usize);
    for document in 0..part.len() {
        stage.check()?;
        if !parts.is_gone(part.serial(document)?) {
            places.push((number as u32, document));
        }
        parts.relieve();
    }
    removed.reserve_exact(part.remembered() as usize);
    for at in 0..part.remembered() {
        stage.check()?;
        let one = part.remembered_at(at)?;
        if parts.place_of(one.twin)?.is_some() {
            removed.push(one);
        }
        parts.relieve();
    }
    Ok(())
}

/// Documents of several parts. They are read when they are needed.
struct Merged<'a, B> {
    parts: &'a Parts<B>,
    places: Vec<(u32, u32)>,
}

impl<'a, B: PartBytes> Merged<'a, B> {
    fn read<T>(&self, at: usize, read: impl FnOnce(&'a Part<B>, u32) -> Result<T, PartError>) -> Result<T, PartError> {
        let (part, document) = self.places[at];
        let part = part as usize;
        read(&self.parts.parts()[part], document).map_err(|error| error.in_part(part))
    }
}

impl<B: PartBytes + Sync> Documents for Merged<'_, B> {
    fn len(&self) -> usize {
        self.places.len()
    }

    fn serial(&self, at: usize) -> Result<u64, PartError> {
        self.read(at, Part::serial)
    }

    fn id(&self, at: usize) -> Result<&str, PartError> {
        self.read(at, Part::id)
    }

    fn id_len(&self, at: usize) -> Result<u64, PartError> {
        self.read(at, Part::id_len)
    }

    fn size(&self, at: usize) -> Result<usize, PartError> {
        self.read(at, |part, document| Ok(part.size(document)? as usize))
    }

    fn set(&self, at: usize) -> Result<Elements<'_>, PartError> {
        self.read(at, Part::set)
    }

    fn relieve(&self) {
        self.parts.relieve();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_parts_and_few_rewrites() {
        let (mut parts, mut written, mut most): (Vec<u64>, u64, usize) = (Vec::new(), 0, 0);
        for _ in 0..4096 {
            parts.push(1 << 17);
            while let Some(range) = due_for_merging(&parts) {
                let sum = parts[range.clone()].iter().sum();
                parts.splice(range, [sum]);
                written += sum;
            }
            most = most.max(parts.len());
        }
        assert_eq!(parts, [4096 << 17]);
        assert!(most <= 4 * 7, "{most} parts");
        assert!(written <= 4 * (4096 << 17), "{written} bytes");
        // Sizes that vary do not make it write large parts again and again.
        let (mut parts, mut all, mut written): (Vec<u64>, u64, u64) = (Vec::new(), 0, 0);
        for number in 0..1000_u64 {
            let bytes = (number * 7919 % 64 + 1) << 16;
            all += bytes;
            parts.push(bytes);
            while let Some(range) = due_for_merging(&parts) {
                let sum = parts[range.clone()].iter().sum();
                parts.splice(range, [sum]);
                written += sum;
            }
        }
        assert!(written <= 4 * all && parts.len() < 30, "{written} of {all} bytes, {} parts", parts.len());
        assert_eq!(due_for_merging(&[1 << 30, 1, 1, 1, 1, 1, 1, 1]), None);
        assert_eq!(due_for_merging(&[1 << 30, 1, 1, 1, 1, 1, 1, 1, 1]), Some(1..9));
        assert_eq!(due_for_merging(&[MOST / 4; 8]), None);
        assert_eq!(due_for_merging(&[]), None);
    }
}
