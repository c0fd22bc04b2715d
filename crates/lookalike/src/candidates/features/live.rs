use hashbrown::HashMap;

use super::FeatureTable;

/// The documents kept so far, by their features: who joins only with those has no need of all pairs.
pub struct LiveFeatures<'a> {
    table: &'a FeatureTable,
    kept: HashMap<u64, Vec<u32>>,
}

impl<'a> LiveFeatures<'a> {
    /// None yet.
    pub fn new(table: &'a FeatureTable) -> LiveFeatures<'a> {
        LiveFeatures { table, kept: HashMap::new() }
    }

    /// One more.
    pub fn insert(&mut self, document: u32) {
        for &feature in &self.table.of(document)[..self.table.places()] {
            self.kept.entry(feature).or_default().push(document);
        }
    }

    /// Those that pass the filter with a document, in the order of their numbers, in place of what is in `found`.
    pub fn candidates(&self, document: u32, found: &mut Vec<u32>) {
        found.clear();
        for feature in &self.table.of(document)[..self.table.places()] {
            found.extend_from_slice(self.kept.get(feature).map_or(&[][..], Vec::as_slice));
        }
        found.sort_unstable();
        found.dedup();
        // Only here does it matter at which place a feature is shared.
        found.retain(|&other| self.table.shared(document, other) as usize >= self.table.filter().r());
    }
}
