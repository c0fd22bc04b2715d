//! How are very long lists compared?
//!
//! A list of a million sets has half a billion pairs, and if these sets resemble each other, nearly all of them are
//! superfluous: a set that resembles a kept one is removed, whatever else it resembles. So the sets are settled in
//! blocks of the keep order. In a block, those that resemble nothing kept so far are compared with each other. Those of
//! them that are kept are then compared with all later ones.

use super::filter::NodeFilter;
use super::hits::Candidates;
use super::meeting::lists;
use super::node::{Compare, Node};
use super::posting::{ALL_TAGS, BadBlob, Posting};
use super::rule::{MeetingRule, Simhashes};

/// What a set is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// With the other open sets.
    Open,
    /// With the sets of the role `Later`: it has just been kept.
    Kept,
    /// With the sets of the role `Kept`.
    Later,
}

/// The roles of sets. A set without a role is not compared.
#[derive(Default)]
pub struct Roles {
    open: Vec<Node>,
    kept: Vec<Node>,
    later: NodeFilter,
}

impl Roles {
    /// Gives a role to each of these sets. Those of a block are few. The later ones may be nearly all; if others are taken for later ones,
    /// pairs are compared that do not matter.
    pub fn new(mut open: Vec<Node>, mut kept: Vec<Node>, later: NodeFilter) -> Roles {
        [&mut open, &mut kept].into_iter().for_each(|nodes| nodes.sort_unstable());
        Roles { open, kept, later }
    }

    fn of(&self, node: Node) -> Option<Role> {
        if self.open.binary_search(&node).is_ok() {
            Some(Role::Open)
        } else if self.kept.binary_search(&node).is_ok() {
            Some(Role::Kept)
        } else {
            self.later.contains(node).then_some(Role::Later)
        }
    }

    /// Divides the postings of a blob by role: open, kept, later.
    pub fn divide(&self, rule: &MeetingRule, mut blob: &[u8]) -> Result<[Vec<u8>; 3], BadBlob> {
        let mut divided = [const { Vec::new() }; 3];
        while !blob.is_empty() {
            let before = blob;
            let (posting, _) = rule.read_one(&mut blob)?;
            if let Some(role) = self.of(posting.node) {
                divided[role as usize].extend_from_slice(&before[..before.len() - blob.len()]);
            }
        }
        Ok(divided)
    }
}

/// Lists that are too long to compare all with all.
pub struct HeavyLists {
    rule: MeetingRule,
    compare: Compare,
    roles: Roles,
    /// The number of candidates to hold in memory.
    room: usize,
    candidates: Candidates,
}

impl HeavyLists {
    /// Makes a comparison that holds about `room` candidates in memory.
    pub fn new(rule: MeetingRule, compare: Compare, roles: Roles, room: usize) -> HeavyLists {
        HeavyLists { rule, compare, roles, room, candidates: Candidates::default() }
    }

    /// Compares the sets in the lists of a blob. A list is never divided between blobs. Calls `found` with candidates, the smaller node
    /// first. A candidate of several lists may occur several times.
    pub fn compare(&mut self, blob: &[u8], mut found: impl FnMut(Vec<(Node, Node)>)) -> Result<(), BadBlob> {
        let (mut postings, mut simhashes) = (Vec::new(), Simhashes::default());
        self.rule.read(blob, &ALL_TAGS, &mut postings, &mut simhashes)?;
        let (mut open, mut kept, mut later) = (Vec::new(), Vec::new(), Vec::new());
        for list in lists(&postings) {
            for part in [&mut open, &mut kept, &mut later] {
                part.clear();
            }
            for posting in list {
                match self.roles.of(posting.node) {
                    Some(Role::Open) => open.push(*posting),
                    Some(Role::Kept) => kept.push(*posting),
                    Some(Role::Later) => later.push(*posting),
                    None => (),
                }
            }
            let within = open.iter().zip(1..).map(|(one, next)| (one, &open[next..]));
            for (one, others) in within.chain(kept.iter().map(|one| (one, &later[..]))) {
                self.rule.compare_one(one, others, self.compare, &simhashes, &mut self.candidates);
                if self.candidates.len() >= self.room {
                    found(self.candidates.take_all());
                }
            }
        }
        found(self.candidates.take_all());
        Ok(())
    }

    /// Returns the nodes in the lists of a blob, each once.
    pub fn nodes(rule: &MeetingRule, blob: &[u8]) -> Result<Vec<Node>, BadBlob> {
        let mut postings = Vec::new();
        rule.read(blob, &ALL_TAGS, &mut postings, &mut Simhashes::default())?;
        let mut nodes: Vec<Node> = postings.iter().map(|posting| posting.node).collect();
        nodes.sort_unstable();
        nodes.dedup();
        Ok(nodes)
    }
}

/// A list that does not fit in any task. It arrives in tiles, divided by role: open sets, then kept ones, then later ones. To compare a
/// tile with itself and with all tiles after it, give it as open and as kept, and these as later.
pub struct TiledList {
    rule: MeetingRule,
    compare: Compare,
    /// The number of candidates to hold in memory.
    room: usize,
    open: Vec<Posting>,
    kept: Vec<Posting>,
    /// The simhashes of the open and the kept sets.
    simhashes: Simhashes,
    candidates: Candidates,
}

impl TiledList {
    /// Makes a comparison that holds about `room` candidates in memory.
    pub fn new(rule: MeetingRule, compare: Compare, room: usize) -> TiledList {
        let (simhashes, candidates) = (Simhashes::default(), Candidates::default());
        TiledList { rule, compare, room, open: Vec::new(), kept: Vec::new(), simhashes, candidates }
    }

    /// Adds postings of a tile with one role. Open and kept sets are held; the others are compared with the kept ones and forgotten.
    pub fn add(&mut self, role: Role, blob: &[u8], mut found: impl FnMut(&mut Candidates)) -> Result<(), BadBlob> {
        match role {
            Role::Open => self.rule.read(blob, &ALL_TAGS, &mut self.open, &mut self.simhashes),
            Role::Kept => self.rule.read(blob, &ALL_TAGS, &mut self.kept, &mut self.simhashes),
            Role::Later => {
                let (mut later, held) = (Vec::new(), self.simhashes.len());
                self.rule.read(blob, &ALL_TAGS, &mut later, &mut self.simhashes)?;
                later.sort_unstable();
                for one in &self.kept {
                    self.rule.compare_one(one, &later, self.compare, &self.simhashes, &mut self.candidates);
                    if self.candidates.len() >= self.room {
                        found(&mut self.candidates);
                    }
                }
                self.simhashes.truncate(held);
                Ok(())
            }
        }
    }

    /// Compares the open sets with each other, and ends the list.
    pub fn finish(mut self, mut found: impl FnMut(&mut Candidates)) {
        self.open.sort_unstable();
        for (one, next) in self.open.iter().zip(1..) {
            let others = &self.open[next..];
            self.rule.compare_one(one, others, self.compare, &self.simhashes, &mut self.candidates);
            if self.candidates.len() >= self.room {
                found(&mut self.candidates);
            }
        }
        found(&mut self.candidates);
    }
}
