//! Is a node in a set that is too large to send to every task?
//!
//! A bit stands for a range of nodes, which are hashes. So a node may be taken for one of the set that is not in it: that costs work, never
//! a pair.

use super::node::Node;

/// A set of nodes in bounded memory: all that were inserted, and perhaps others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeFilter(Vec<u8>);

impl NodeFilter {
    /// Makes an empty set of this many bytes.
    pub fn new(bytes: usize) -> NodeFilter {
        NodeFilter(vec![0; bytes])
    }

    /// Inserts a node.
    pub fn insert(&mut self, node: Node) {
        if let Some((byte, bit)) = self.place(node) {
            self.0[byte] |= bit;
        }
    }

    /// Returns whether the set has a node. It may also have nodes that were not inserted.
    #[inline]
    pub fn contains(&self, node: Node) -> bool {
        self.place(node).is_some_and(|(byte, bit)| self.0[byte] & bit != 0)
    }

    /// Returns the bytes of the set.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// The byte and the bit of a node. A set without bytes has none.
    #[inline]
    fn place(&self, node: Node) -> Option<(usize, u8)> {
        let at = (u128::from(node) * (8 * self.0.len() as u128)) >> 64;
        (!self.0.is_empty()).then_some(((at >> 3) as usize, 1 << (at & 7)))
    }
}

impl From<Vec<u8>> for NodeFilter {
    fn from(bytes: Vec<u8>) -> NodeFilter {
        NodeFilter(bytes)
    }
}
