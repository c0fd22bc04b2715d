//! Which parts are merged, and how?

use std::ops::Range;

use super::build::{NewDocument, NewPart, Remembered};
use super::error::PartError;
use super::part::Part;
use super::parts::Parts;

/// How many parts of a size are merged into one. More would make a search visit more parts, fewer would write every document more often.
const FAN: usize = 8;
/// Parts of fewer bytes count as of one size.
const SMALL: u64 = 1 << 16;

/// Returns which adjacent parts to merge, given the bytes of all parts, the oldest first; `None` if none.
///
/// The size class of a part grows with the logarithm of its bytes. For any class, the parts at the end that are not in a higher one are
/// merged if there are eight. So there are at most seven parts for each class, and a document is written about once for each class.
pub fn due_for_merging(bytes: &[u64]) -> Option<Range<usize>> {
    let class = |bytes: u64| (bytes.max(SMALL) / SMALL).ilog(FAN as u64);
    let mut classes: Vec<u32> = bytes.iter().map(|&bytes| class(bytes)).collect();
    classes.sort_unstable();
    classes.dedup();
    let at_end = |most: u32| bytes.iter().rev().take_while(|&&bytes| class(bytes) <= most).count();
    let count = classes.into_iter().map(at_end).find(|&count| count >= FAN)?;
    Some(bytes.len() - count..bytes.len())
}

/// Merges adjacent parts into one, without the documents that were taken out and without what is remembered of removed documents whose
/// twin is no longer there. Calls `make` with the new part.
pub fn merge<B: AsRef<[u8]>, T>(
    parts: &Parts<B>,
    range: Range<usize>,
    make: impl FnOnce(&NewPart) -> T,
) -> Result<T, PartError> {
    let (mut documents, mut removed) = (Vec::new(), Vec::new());
    for number in range {
        let part = &parts.parts()[number];
        collect(parts, part, &mut documents, &mut removed).map_err(|error| error.in_part(number))?;
    }
    Ok(make(&NewPart::new(&documents, removed, parts.threshold())?))
}

/// Adds what is left of a part.
fn collect<'a, B: AsRef<[u8]>>(
    parts: &Parts<B>,
    part: &'a Part<B>,
    documents: &mut Vec<NewDocument<'a>>,
    removed: &mut Vec<Remembered>,
) -> Result<(), PartError> {
    for document in 0..part.len() {
        let serial = part.serial(document)?;
        if !parts.is_gone(serial) {
            documents.push(NewDocument { id: part.id(document)?, serial, set: part.set(document)? });
        }
    }
    for at in 0..part.remembered() {
        let one = part.remembered_at(at)?;
        if parts.place_of(one.twin)?.is_some() {
            removed.push(one);
        }
    }
    Ok(())
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
        assert_eq!(due_for_merging(&[1 << 30, 1, 1, 1, 1, 1, 1, 1]), None);
        assert_eq!(due_for_merging(&[1 << 30, 1, 1, 1, 1, 1, 1, 1, 1]), Some(1..9));
        assert_eq!(due_for_merging(&[]), None);
    }
}
