//! All labels, and what they say of a pair.

use std::collections::HashMap;

use lookalike::engine::Roots;

use super::answer::Answer;
use super::conflicts::{Conflict, shortest_chain};
use crate::ids::Ids;

/// What the labels are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Pairs, each the same or different. Nothing is known of other pairs.
    Pairs,
    /// All pairs that are the same. All other pairs are different.
    Mapping,
    /// Documents with their groups. Two labelled documents are the same if their groups are.
    Groups,
}

impl Kind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Pairs => "pairs",
            Kind::Mapping => "mapping",
            Kind::Groups => "groups",
        }
    }
}

/// Collects labels.
#[derive(Debug)]
pub struct LabelsBuilder {
    kind: Kind,
    pairs: HashMap<(u32, u32), Answer>,
    order: Vec<(u32, u32)>,
    groups: HashMap<String, u32>,
    group_names: Vec<String>,
    group_of: HashMap<u32, u32>,
    conflicts: Vec<Conflict>,
    repeated: u64,
    unsure: u64,
}

impl LabelsBuilder {
    /// No labels yet.
    pub fn new(kind: Kind) -> LabelsBuilder {
        LabelsBuilder {
            kind,
            pairs: HashMap::new(),
            order: Vec::new(),
            groups: HashMap::new(),
            group_names: Vec::new(),
            group_of: HashMap::new(),
            conflicts: Vec::new(),
            repeated: 0,
            unsure: 0,
        }
    }

    /// Adds what somebody says of two documents. A pair of a document with itself says nothing.
    pub fn pair(&mut self, ids: &Ids, a: u32, b: u32, answer: Answer) {
        if answer == Answer::Unsure {
            self.unsure += 1;
            return;
        }
        if a == b {
            self.repeated += 1;
            return;
        }
        let key = ordered(a, b);
        match self.pairs.get(&key) {
            None => {
                self.pairs.insert(key, answer);
                self.order.push(key);
            }
            Some(known) if *known == answer => self.repeated += 1,
            // Named once, however often it is repeated.
            Some(Answer::Unsure) => self.repeated += 1,
            Some(_) => {
                self.conflicts.push(Conflict::Twice(ids.name(key.0).to_string(), ids.name(key.1).to_string()));
                self.pairs.insert(key, Answer::Unsure);
            }
        }
    }

    /// Adds a document to a group.
    pub fn member(&mut self, ids: &Ids, document: u32, group: &str) {
        let next = self.groups.len() as u32;
        let number = *self.groups.entry(group.to_string()).or_insert(next);
        if number == next {
            self.group_names.push(group.to_string());
        }
        match self.group_of.get(&document) {
            None => {
                self.group_of.insert(document, number);
            }
            Some(&known) if known == number => self.repeated += 1,
            Some(&known) => {
                let (one, two) = (self.group_names[known as usize].clone(), group.to_string());
                self.conflicts.push(Conflict::TwoGroups(ids.name(document).to_string(), one, two));
            }
        }
    }

    /// The labels. `ids` must have all ids of the labels.
    pub fn finish(self, ids: &Ids) -> Labels {
        let LabelsBuilder { kind, mut pairs, mut order, group_of, mut conflicts, repeated, unsure, .. } = self;
        order.retain(|pair| pairs[pair] != Answer::Unsure);
        pairs.retain(|_, answer| *answer != Answer::Unsure);
        let pairs: HashMap<(u32, u32), bool> =
            pairs.into_iter().map(|(pair, answer)| (pair, answer == Answer::Same)).collect();
        let roots = Roots::new(ids.len());
        let mut same = Vec::new();
        match kind {
            Kind::Groups => {
                let mut first: HashMap<u32, u32> = HashMap::new();
                let mut members: Vec<(u32, u32)> = group_of.iter().map(|(&id, &group)| (group, id)).collect();
                members.sort_unstable();
                for (group, id) in members {
                    roots.join(*first.entry(group).or_insert(id), id);
                }
            }
            Kind::Pairs | Kind::Mapping => {
                same.extend(order.iter().copied().filter(|pair| pairs[pair]));
                same.iter().for_each(|&(a, b)| roots.join(a, b));
            }
        }
        let units: Vec<u32> = (0..ids.len() as u32).map(|id| roots.find(id)).collect();
        let different = order.iter().copied().filter(|pair| !pairs[pair]);
        let broken: Vec<(u32, u32)> = different.filter(|&(a, b)| units[a as usize] == units[b as usize]).collect();
        let twice = conflicts.len();
        conflicts.extend(chains(ids, &same, &broken));
        let unnamed = (twice + broken.len() - conflicts.len()) as u64;
        Labels { kind, pairs, order, same, group_of, units, conflicts, unnamed, repeated, unsure }
    }
}

/// Chains longer than this many documents are not looked for: the search takes time.
const MOST_CHAINS: usize = 100;

fn chains(ids: &Ids, same: &[(u32, u32)], broken: &[(u32, u32)]) -> Vec<Conflict> {
    if broken.is_empty() {
        return Vec::new();
    }
    let mut neighbours: HashMap<u32, Vec<u32>> = HashMap::new();
    for &(a, b) in same {
        neighbours.entry(a).or_default().push(b);
        neighbours.entry(b).or_default().push(a);
    }
    let chain = |&(a, b): &(u32, u32)| shortest_chain(&neighbours, a, b);
    let named = |chain: Vec<u32>| Conflict::Chain(chain.into_iter().map(|id| ids.name(id).to_string()).collect());
    broken.iter().take(MOST_CHAINS).filter_map(chain).map(named).collect()
}

fn ordered(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}

/// Labels of pairs.
#[derive(Clone, Debug)]
pub struct Labels {
    /// What the labels are.
    pub kind: Kind,
    pairs: HashMap<(u32, u32), bool>,
    /// All labelled pairs, in the order of the labels.
    order: Vec<(u32, u32)>,
    /// The pairs of a list that are the same.
    same: Vec<(u32, u32)>,
    group_of: HashMap<u32, u32>,
    /// By id: documents that are the same, directly or through others, have the same number.
    units: Vec<u32>,
    /// Labels that contradict each other; of chains, the first hundred.
    pub conflicts: Vec<Conflict>,
    /// Further chains that contradict a label.
    pub unnamed: u64,
    /// Labels that repeat an earlier one, or pair a document with itself.
    pub repeated: u64,
    /// Labels that do not decide.
    pub unsure: u64,
}

impl Labels {
    /// Whether two documents are the same; `None` if no label says it.
    pub fn is_same(&self, a: u32, b: u32) -> Option<bool> {
        match self.kind {
            Kind::Pairs => self.pairs.get(&ordered(a, b)).copied(),
            Kind::Mapping => Some(self.pairs.get(&ordered(a, b)).copied().unwrap_or(false)),
            Kind::Groups => Some(self.group_of.get(&a)? == self.group_of.get(&b)?),
        }
    }

    /// Whether every pair of labelled documents has a label.
    pub fn is_complete(&self) -> bool {
        self.kind != Kind::Pairs
    }

    /// The group of a document; `None` if no label has the document. For a list of pairs, documents connected by a chain of pairs are a group.
    pub fn group(&self, id: u32) -> Option<u32> {
        match self.kind {
            Kind::Groups => self.group_of.get(&id).copied(),
            Kind::Pairs | Kind::Mapping => self.units.get(id as usize).copied(),
        }
    }

    /// A number that documents share if they are the same, directly or through others. Ids that came after the labels are on their own.
    pub fn unit(&self, id: u32) -> u32 {
        self.units.get(id as usize).copied().unwrap_or(id)
    }

    /// Calls `each` with every pair of documents that are the same. With two collections, only pairs between them.
    pub fn for_each_same(&self, ids: &Ids, linked: bool, mut each: impl FnMut(u32, u32)) {
        if self.kind != Kind::Groups {
            self.same.iter().for_each(|&(a, b)| each(a, b));
            return;
        }
        let mut members: Vec<(u32, u32)> = self.group_of.iter().map(|(&id, &group)| (group, id)).collect();
        members.sort_unstable();
        for group in members.chunk_by(|one, two| one.0 == two.0) {
            for (at, &(_, a)) in group.iter().enumerate() {
                for &(_, b) in &group[at + 1..] {
                    if !linked || ids.side(a) != ids.side(b) {
                        each(a, b);
                    }
                }
            }
        }
    }

    /// The labelled pairs and whether they are the same, in the order of the labels. Empty for groups.
    pub fn pairs(&self) -> impl Iterator<Item = (u32, u32, bool)> {
        self.order.iter().map(|&(a, b)| (a, b, self.pairs[&(a, b)]))
    }

    /// The documents with a label, ascending.
    pub fn documents(&self) -> Vec<u32> {
        let mut documents: Vec<u32> = match self.kind {
            Kind::Groups => self.group_of.keys().copied().collect(),
            Kind::Pairs | Kind::Mapping => self.order.iter().flat_map(|&(a, b)| [a, b]).collect(),
        };
        documents.sort_unstable();
        documents.dedup();
        documents
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labelled(rows: &[(&str, &str, Answer)]) -> (Ids, Labels) {
        let mut ids = Ids::default();
        let mut labels = LabelsBuilder::new(Kind::Pairs);
        for (a, b, answer) in rows {
            let (a, b) = (ids.number(0, a), ids.number(0, b));
            labels.pair(&ids, a, b, *answer);
        }
        let labels = labels.finish(&ids);
        (ids, labels)
    }

    #[test]
    fn contradictions_are_named() {
        use Answer::{Different, Same};
        let (_, labels) = labelled(&[("a", "b", Same), ("b", "c", Same), ("a", "c", Different), ("c", "d", Different)]);
        let said: Vec<String> = labels.conflicts.iter().map(ToString::to_string).collect();
        assert_eq!(said, ["a and c are labelled different, but the same by way of b"]);
        let (ids, labels) = labelled(&[("a", "b", Same), ("b", "a", Different), ("a", "b", Same), ("a", "a", Same)]);
        assert_eq!(labels.conflicts, [Conflict::Twice("a".into(), "b".into())]);
        assert_eq!((labels.repeated, ids.len()), (2, 2));
        assert_eq!(labels.is_same(0, 1), None);
    }

    #[test]
    fn a_document_in_two_groups() {
        let mut ids = Ids::default();
        let mut labels = LabelsBuilder::new(Kind::Groups);
        for (id, group) in [("a", "x"), ("b", "x"), ("a", "y"), ("c", "y")] {
            let id = ids.number(0, id);
            labels.member(&ids, id, group);
        }
        let labels = labels.finish(&ids);
        assert_eq!(labels.conflicts[0].to_string(), "a is in two groups: x and y");
        assert_eq!([labels.is_same(0, 1), labels.is_same(0, 2), labels.is_same(0, 9)], [Some(true), Some(false), None]);
    }
}
