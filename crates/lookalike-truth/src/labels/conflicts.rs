//! Labels that contradict each other.

use std::collections::{HashMap, VecDeque};
use std::fmt;

/// Two labels or more that cannot all be true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// A pair is labelled the same in one row and different in another.
    Twice(String, String),
    /// Two documents are different, but a chain of pairs says they are the same. The chain begins with the one and ends with the other.
    Chain(Vec<String>),
    /// A document is in two groups.
    TwoGroups(String, String, String),
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Conflict::Twice(a, b) => write!(f, "{a} and {b} are labelled both the same and different"),
            Conflict::Chain(chain) => {
                let (first, last) = (&chain[0], &chain[chain.len() - 1]);
                write!(f, "{first} and {last} are labelled different, but the same by way of ")?;
                match &chain[1..chain.len() - 1] {
                    [] => write!(f, "a repeated label"),
                    between => write!(f, "{}", between.join(", ")),
                }
            }
            Conflict::TwoGroups(id, one, two) => write!(f, "{id} is in two groups: {one} and {two}"),
        }
    }
}

/// The shortest chain of pairs that leads from one document to another.
pub(super) fn shortest_chain(neighbours: &HashMap<u32, Vec<u32>>, from: u32, to: u32) -> Option<Vec<u32>> {
    let mut came_from = HashMap::from([(from, from)]);
    let mut waiting = VecDeque::from([from]);
    while let Some(at) = waiting.pop_front() {
        if at == to {
            let mut chain = vec![to];
            while chain[chain.len() - 1] != from {
                chain.push(came_from[&chain[chain.len() - 1]]);
            }
            chain.reverse();
            return Some(chain);
        }
        for &next in neighbours.get(&at).into_iter().flatten() {
            came_from.entry(next).or_insert_with(|| {
                waiting.push_back(next);
                at
            });
        }
    }
    None
}
