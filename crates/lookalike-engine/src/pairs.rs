//! Pairs of documents from pairs of sets: equal documents share their partners.

use lookalike::{Index, Pair};

/// Calls `each` with every pair of documents in order: (a, b, common). `documents` is how many there are, those from `inputs` on being
/// the reference collection, within which no pair is reported.
pub(crate) fn for_each_pair<E>(
    index: &Index,
    pairs: &[Pair],
    documents: u32,
    inputs: u32,
    mut each: impl FnMut(u32, u32, u32) -> Result<(), E>,
) -> Result<(), E> {
    let groups = Members::of(index, documents);
    let partners = Partners::of(pairs, documents);
    let mut found: Vec<(u32, u32)> = Vec::new();
    for a in 0..inputs {
        let first = index.groups().first(a);
        found.clear();
        let own = groups.of_first(first);
        found.extend(own.iter().filter(|&&b| b > a).map(|&b| (b, index.size(a))));
        for &(partner, common) in partners.of_document(first) {
            found.extend(groups.of_first(partner).iter().filter(|&&b| b > a).map(|&b| (b, common)));
        }
        found.sort_unstable();
        for &(b, common) in &found {
            each(a, b, common)?;
        }
    }
    Ok(())
}

/// Documents by the one that stands for them.
struct Members {
    ends: Vec<usize>,
    members: Vec<u32>,
}

impl Members {
    fn of(index: &Index, documents: u32) -> Members {
        let mut members: Vec<u32> = (0..documents).collect();
        members.sort_by_key(|&document| index.groups().first(document));
        let mut ends = vec![0; documents as usize];
        for &document in &members {
            ends[index.groups().first(document) as usize] += 1;
        }
        accumulate(&mut ends);
        Members { ends, members }
    }

    fn of_first(&self, first: u32) -> &[u32] {
        &self.members[start(&self.ends, first)..self.ends[first as usize]]
    }
}

/// Partners by document, both ways.
struct Partners {
    ends: Vec<usize>,
    partners: Vec<(u32, u32)>,
}

impl Partners {
    fn of(pairs: &[Pair], documents: u32) -> Partners {
        let both = || pairs.iter().flat_map(|pair| [(pair.a, pair.b, pair.common), (pair.b, pair.a, pair.common)]);
        let mut ends = vec![0; documents as usize];
        both().for_each(|(document, _, _)| ends[document as usize] += 1);
        accumulate(&mut ends);
        let mut next: Vec<usize> = (0..documents).map(|document| start(&ends, document)).collect();
        let mut partners = vec![(0, 0); pairs.len() * 2];
        for (document, partner, common) in both() {
            let at = &mut next[document as usize];
            partners[*at] = (partner, common);
            *at += 1;
        }
        Partners { ends, partners }
    }

    fn of_document(&self, document: u32) -> &[(u32, u32)] {
        &self.partners[start(&self.ends, document)..self.ends[document as usize]]
    }
}

fn accumulate(counts: &mut [usize]) {
    let mut end = 0;
    for count in counts {
        end += *count;
        *count = end;
    }
}

fn start(ends: &[usize], document: u32) -> usize {
    if document == 0 { 0 } else { ends[document as usize - 1] }
}
