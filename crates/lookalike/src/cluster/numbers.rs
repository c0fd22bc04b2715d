//! Which documents form a cluster.

use super::fate::Fate;

/// The clusters: a kept document and the documents removed because of it, numbered from 1 in the order of their first documents.
pub struct Clusters {
    numbers: Vec<u32>,
    count: u32,
}

impl Clusters {
    /// Numbers the clusters of these documents.
    pub fn of(fates: &[Fate]) -> Clusters {
        let mut has_members = vec![false; fates.len()];
        for fate in fates {
            if let Fate::Removed { twin, .. } = fate {
                has_members[*twin as usize] = true;
            }
        }
        let mut numbers = vec![0; fates.len()];
        let mut count = 0;
        for (document, fate) in fates.iter().enumerate() {
            let kept = match fate {
                Fate::Removed { twin, .. } => *twin as usize,
                Fate::Kept if has_members[document] => document,
                Fate::Kept => continue,
            };
            if numbers[kept] == 0 {
                count += 1;
                numbers[kept] = count;
            }
            numbers[document] = numbers[kept];
        }
        Clusters { numbers, count }
    }

    /// The cluster of a document, if it is in one.
    pub fn number(&self, document: u32) -> Option<i64> {
        Some(i64::from(self.numbers[document as usize])).filter(|&number| number > 0)
    }

    /// The number of clusters.
    pub fn count(&self) -> u64 {
        u64::from(self.count)
    }

    /// Every document that is in a cluster, cluster by cluster.
    pub fn members(&self) -> Vec<u32> {
        let mut members: Vec<u32> =
            (0..self.numbers.len() as u32).filter(|&document| self.number(document).is_some()).collect();
        members.sort_by_key(|&document| self.numbers[document as usize]);
        members
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_by_their_first_document() {
        let removed = |twin| Fate::Removed { twin, similarity: 0.9, identical: false };
        let clusters = Clusters::of(&[removed(3), Fate::Kept, removed(4), Fate::Kept, Fate::Kept, removed(3)]);
        assert_eq!(
            (0..6).map(|document| clusters.number(document)).collect::<Vec<_>>(),
            [Some(1), None, Some(2), Some(1), Some(2), Some(1)]
        );
        assert_eq!(clusters.members(), [0, 3, 5, 2, 4]);
        assert_eq!(clusters.count(), 2);
    }
}
