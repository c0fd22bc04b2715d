//! How are lists compared in which very many sets meet?
//!
//! A list of a million sets has half a billion pairs, and if these sets resemble each other, nearly all of them are
//! superfluous: a set that resembles a kept one is removed, whatever else it resembles. So the sets are settled in
//! blocks of the keep order. In a block, those that resemble nothing kept so far are compared with each other. Those of
//! them that are kept are then compared with all later ones.

use hashbrown::HashMap;

use super::hits::Candidates;
use super::meeting::lists;
use super::node::{Compare, Node};
use super::posting::BadBlob;
use super::rule::{MeetingRule, Simhashes};

/// What a set is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// With others of this role.
    Open,
    /// It has just been kept. With those of the role `Later`.
    Kept,
    /// With those of the role `Kept`.
    Later,
}

/// Lists that are too long to compare all with all.
pub struct HeavyLists {
    rule: MeetingRule,
    compare: Compare,
    roles: HashMap<Node, Role>,
    /// Candidates to hold.
    room: usize,
    candidates: Candidates,
}

impl HeavyLists {
    /// Sets without a role are not compared. About `room` candidates are held at a time.
    pub fn new(rule: MeetingRule, compare: Compare, roles: HashMap<Node, Role>, room: usize) -> HeavyLists {
        HeavyLists { rule, compare, roles, room, candidates: Candidates::default() }
    }

    /// Compares the sets in the lists of a blob. A list is never divided between blobs. Calls `found` with candidates, the lesser node
    /// first; one that is found in several lists may be there several times.
    pub fn compare(&mut self, blob: &[u8], mut found: impl FnMut(Vec<(Node, Node)>)) -> Result<(), BadBlob> {
        let (mut postings, mut simhashes) = (Vec::new(), Simhashes::default());
        self.rule.read(blob, &mut postings, &mut simhashes)?;
        let (mut open, mut kept, mut later) = (Vec::new(), Vec::new(), Vec::new());
        for list in lists(&postings) {
            for part in [&mut open, &mut kept, &mut later] {
                part.clear();
            }
            for posting in list {
                match self.roles.get(&posting.node) {
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
        rule.read(blob, &mut postings, &mut Simhashes::default())?;
        let mut nodes: Vec<Node> = postings.iter().map(|posting| posting.node).collect();
        nodes.sort_unstable();
        nodes.dedup();
        Ok(nodes)
    }
}
