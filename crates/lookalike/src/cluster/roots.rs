//! How do threads share a union-find?

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A union-find in which the least member of a component is its root. Threads can share it.
#[derive(Debug)]
pub struct Roots(Vec<AtomicU32>);

impl Roots {
    /// Makes `members` members, each a component of its own.
    pub fn new(members: usize) -> Roots {
        Roots((0..members as u32).map(AtomicU32::new).collect())
    }

    fn parent(&self, member: u32) -> u32 {
        self.0[member as usize].load(Relaxed)
    }

    /// Returns the least member of a component, as far as known. Two members with the same root belong together, whatever
    /// other threads do at the same time.
    pub fn find(&self, mut member: u32) -> u32 {
        loop {
            let parent = self.parent(member);
            let above = self.parent(parent);
            if above == parent {
                return parent;
            }
            // Path halving. The old and the new parent lead to the same root, so it does not matter which thread writes
            // last.
            self.0[member as usize].store(above, Relaxed);
            member = above;
        }
    }

    /// Merges the components of two members.
    pub fn join(&self, one: u32, two: u32) {
        loop {
            let (one, two) = (self.find(one), self.find(two));
            let (least, other) = (one.min(two), one.max(two));
            // Fails if another thread has just given it a root: then look both up again.
            if one == two || self.0[other as usize].compare_exchange(other, least, Relaxed, Relaxed).is_ok() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;

    #[test]
    fn joined_by_many_threads() {
        let roots = Roots::new(30_000);
        // Three components, by remainder, each a chain in random order.
        (0..29_997_u32).into_par_iter().for_each(|number| {
            let member = (u64::from(number) * 7919 % 29_997) as u32;
            roots.join(member, member + 3);
        });
        assert!((0..30_000).all(|member| roots.find(member) == member % 3));
    }
}
