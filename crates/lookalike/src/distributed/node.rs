//! How is a set identified across machines, and which sets are compared?

use crate::sets::mix;

/// The number of a set. The lowest bit is the side.
pub type Node = u64;

/// Which sets are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// All sets with each other. There is one side.
    All,
    /// The sets of side 0 with those of side 1.
    Across,
    /// The sets of side 0 with each other, and with those of side 1, the references.
    Against,
}

impl Compare {
    /// Returns whether the sets of two nodes are compared.
    #[inline]
    pub fn allows(self, one: Node, two: Node) -> bool {
        match self {
            Compare::All => true,
            Compare::Across => (one ^ two) & 1 == 1,
            Compare::Against => one & two & 1 == 0,
        }
    }
}

/// Returns the node of a set from its hash. Equal sets of one side are one node, unless `own` distinguishes them. With another seed, other
/// sets share a node by chance.
pub fn node_of(hash: u128, own: Option<u64>, side: u64, seed: u64) -> Node {
    let hash = mix(hash as u64 ^ seed) ^ (hash >> 64) as u64;
    let hash = own.map_or(hash, |own| mix(hash ^ mix(own)));
    hash << 1 | side & 1
}
