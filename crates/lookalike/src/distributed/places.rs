//! Where are the two sets of a candidate compared?
//!
//! Sets that are connected by candidates go to the same place, so that each moves once. Several small components share
//! a place. A component that is too large for a place is cut into chunks, and any two chunks with a candidate between them
//! get a place of their own.

use super::node::Node;
use crate::cluster::Roots;

/// Which sets go where.
#[derive(Debug, Default)]
pub struct Places {
    /// The nodes that occur in candidates, ascending.
    pub nodes: Vec<Node>,
    /// For each node where its places begin in `places`, and where the last ones end.
    pub starts: Vec<u32>,
    /// The places of each node.
    pub places: Vec<u32>,
    /// For each place, the candidates to verify there.
    pub candidates: Vec<Vec<(Node, Node)>>,
}

impl Places {
    /// Distributes candidates, each given once. `size` returns how much room a node takes. Small components share a place
    /// of about `usual`. A place has room for `most`, unless a single pair needs more.
    pub fn new(candidates: &[(Node, Node)], size: impl Fn(Node) -> u64, usual: u64, most: u64) -> Places {
        let mut nodes: Vec<Node> = candidates.iter().flat_map(|&(a, b)| [a, b]).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let number = |node: Node| nodes.binary_search(&node).expect("it is one of them") as u32;
        let numbered: Vec<(u32, u32)> = candidates.iter().map(|&(a, b)| (number(a), number(b))).collect();
        let roots = Roots::new(nodes.len());
        numbered.iter().for_each(|&(a, b)| roots.join(a, b));
        let root: Vec<u32> = (0..nodes.len() as u32).map(|node| roots.find(node)).collect();
        let sizes: Vec<u64> = nodes.iter().map(|&node| size(node)).collect();
        let mut component = vec![0_u64; nodes.len()];
        for (&root, size) in root.iter().zip(&sizes) {
            component[root as usize] += size;
        }

        // The chunk of every node. A component that fits has one chunk; a chunk of a larger one is half a place.
        let (mut chunk, mut shared, mut next) = (vec![0_u32; nodes.len()], (0_u32, u64::MAX), 0_u32);
        let mut open: Vec<Option<(u32, u64)>> = vec![None; nodes.len()];
        for node in 0..nodes.len() {
            let of = root[node] as usize;
            let is_large = component[of] > most;
            let room = &mut open[of];
            let has_room = match room {
                Some((_, used)) if is_large => *used + sizes[node] <= most / 2,
                Some(_) => true,
                None => false,
            };
            if !has_room {
                let fits = !is_large && shared.1.saturating_add(component[of]) <= usual.min(most);
                if !fits {
                    next += 1;
                }
                if is_large {
                    *room = Some((next - 1, 0));
                } else {
                    shared = if fits { (shared.0, shared.1 + component[of]) } else { (next - 1, component[of]) };
                    *room = Some((shared.0, 0));
                }
            }
            let (number, used) = room.as_mut().expect("it was just opened");
            *used += sizes[node];
            chunk[node] = *number;
        }

        // A place for every two chunks with a candidate.
        let mut located: Vec<(u32, u32, u32)> = (0..)
            .zip(&numbered)
            .map(|(at, &(a, b))| {
                let (a, b) = (chunk[a as usize], chunk[b as usize]);
                (a.min(b), a.max(b), at)
            })
            .collect();
        located.sort_unstable();
        let (mut found, mut visits) = (Vec::new(), Vec::new());
        for same in located.chunk_by(|one, two| (one.0, one.1) == (two.0, two.1)) {
            let place = found.len() as u32;
            found.push(same.iter().map(|&(_, _, at)| candidates[at as usize]).collect());
            visits.extend(same.iter().flat_map(|&(_, _, at)| {
                let (a, b) = numbered[at as usize];
                [(a, place), (b, place)]
            }));
        }
        visits.sort_unstable();
        visits.dedup();
        let mut starts = vec![0; nodes.len() + 1];
        visits.iter().for_each(|&(node, _)| starts[node as usize + 1] += 1);
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        Places { nodes, starts, places: visits.into_iter().map(|(_, place)| place).collect(), candidates: found }
    }

    /// Returns the places of the node with this number.
    pub fn of(&self, number: usize) -> &[u32] {
        &self.places[self.starts[number] as usize..self.starts[number + 1] as usize]
    }
}
