//! What was found: pairs, or clusters.

use std::collections::HashMap;

use lookalike::engine::Roots;

use crate::ids::Ids;

/// A found pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoundPair {
    /// The first document.
    pub a: u32,
    /// The second document.
    pub b: u32,
    /// Its similarity or distance, if that is known.
    pub value: Option<f64>,
}

/// A found cluster.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundCluster {
    /// What it is called where it was found; of clusters that share a document, the name that comes first. If it has no name, the id of its
    /// first document.
    pub name: String,
    /// Its documents.
    pub members: Vec<u32>,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The pairs. If clusters were found, none.
    pub pairs: Vec<FoundPair>,
    /// The clusters. If pairs were found, none.
    pub clusters: Vec<FoundCluster>,
    /// Whether clusters were found.
    pub is_clusters: bool,
    /// Whether values are distances, so that a smaller one means more similar.
    pub is_distance: bool,
    /// Rows that repeat a pair, or pair a document with itself.
    pub repeated: u64,
}

impl Found {
    /// Found pairs. A pair that is repeated counts once, with its most similar value.
    pub fn pairs(rows: Vec<FoundPair>, is_distance: bool) -> Found {
        let all = rows.len();
        let mut places: HashMap<(u32, u32), usize> = HashMap::new();
        let mut pairs: Vec<FoundPair> = Vec::new();
        for row in rows.into_iter().filter(|row| row.a != row.b) {
            let place = *places.entry((row.a.min(row.b), row.a.max(row.b))).or_insert(pairs.len());
            match pairs.get_mut(place) {
                None => pairs.push(row),
                Some(known) => {
                    let best = if is_distance { f64::min } else { f64::max };
                    known.value = match (known.value, row.value) {
                        (Some(one), Some(two)) => Some(best(one, two)),
                        (one, two) => one.or(two),
                    };
                }
            }
        }
        let repeated = (all - pairs.len()) as u64;
        Found { pairs, clusters: Vec::new(), is_clusters: false, is_distance, repeated }
    }

    /// Found clusters, from documents and the names of their clusters. A document that is in two clusters joins them.
    pub fn clusters(ids: &Ids, members: &[(u32, String)]) -> Found {
        let roots = Roots::new(ids.len());
        let mut first: HashMap<&str, u32> = HashMap::new();
        for (id, cluster) in members {
            roots.join(*first.entry(cluster).or_insert(*id), *id);
        }
        let mut found = Found::joined(ids, members.iter().map(|(id, _)| *id), &roots);
        let mut names: HashMap<u32, &String> = HashMap::new();
        members.iter().for_each(|(id, cluster)| _ = names.entry(roots.find(*id)).or_insert(cluster));
        for cluster in &mut found.clusters {
            cluster.name.clone_from(names[&roots.find(cluster.members[0])]);
        }
        found
    }

    /// Clusters of documents that are linked, directly or through others: removed documents and their twins.
    pub fn linked(ids: &Ids, links: &[(u32, u32)]) -> Found {
        let roots = Roots::new(ids.len());
        links.iter().for_each(|&(a, b)| roots.join(a, b));
        Found::joined(ids, links.iter().flat_map(|&(a, b)| [a, b]), &roots)
    }

    fn joined(ids: &Ids, members: impl Iterator<Item = u32>, roots: &Roots) -> Found {
        let mut is_member = vec![false; ids.len()];
        let mut repeated = 0;
        members.for_each(|id| repeated += u64::from(std::mem::replace(&mut is_member[id as usize], true)));
        let mut places: HashMap<u32, usize> = HashMap::new();
        let mut clusters: Vec<FoundCluster> = Vec::new();
        for id in (0..ids.len() as u32).filter(|&id| is_member[id as usize]) {
            let place = *places.entry(roots.find(id)).or_insert(clusters.len());
            if place == clusters.len() {
                clusters.push(FoundCluster { name: ids.name(id).to_string(), members: Vec::new() });
            }
            clusters[place].members.push(id);
        }
        Found { pairs: Vec::new(), clusters, is_clusters: true, is_distance: false, repeated }
    }

    /// By document, a number that members of a cluster share. Pairs whose value counts are joined into connected components.
    pub fn numbers(&self, documents: usize, counts: impl Fn(Option<f64>) -> bool) -> Vec<u32> {
        let roots = Roots::new(documents);
        self.pairs.iter().filter(|pair| counts(pair.value)).for_each(|pair| roots.join(pair.a, pair.b));
        for cluster in &self.clusters {
            cluster.members.iter().for_each(|&member| roots.join(cluster.members[0], member));
        }
        (0..documents as u32).map(|id| roots.find(id)).collect()
    }

    /// Calls `each` with every found pair, of clusters with every pair of members, until it returns false.
    pub(super) fn for_each(&self, ids: &Ids, linked: bool, mut each: impl FnMut(FoundPair) -> bool) {
        for &pair in &self.pairs {
            if !each(pair) {
                return;
            }
        }
        for FoundCluster { members, .. } in &self.clusters {
            for (at, &a) in members.iter().enumerate() {
                for &b in &members[at + 1..] {
                    if (!linked || ids.side(a) != ids.side(b)) && !each(FoundPair { a, b, value: None }) {
                        return;
                    }
                }
            }
        }
    }

    /// How many pairs were found.
    pub fn count(&self, ids: &Ids, linked: bool) -> u64 {
        let of_cluster = |FoundCluster { members, .. }: &FoundCluster| {
            let all = members.len() as u64;
            let second = members.iter().filter(|&&id| ids.side(id) == 1).count() as u64;
            if linked { second * (all - second) } else { all * all.saturating_sub(1) / 2 }
        };
        self.pairs.len() as u64 + self.clusters.iter().map(of_cluster).sum::<u64>()
    }
}
