//! The parts of a join that runs on many machines: what a task computes, and what it sends to others.
//!
//! 1. [`ElementOrder`]: all tasks put the elements of a set into the same order, frequent ones last.
//! 2. [`Poster`]: a task posts the first elements of each set, in packed blobs, one for each bucket of elements.
//! 3. [`Bucket`]: a task gets all blobs of a bucket, and finds [`Candidates`]: sets that share a posted element. Candidates that share too few,
//!    over all buckets, are dropped. What does not fit in the task is stored elsewhere, and compared in parts.
//! 4. [`Places`]: candidates are verified in a place that has both sets. It determines which set goes where.
//! 5. [`Settling`]: decides, in keep order, which sets are kept.
//!
//! A method that compares signatures has a [`SignaturePoster`] in place of the first two. The rest is the same.
//!
//! Nothing here depends on which task does what, or on the order in which blobs arrive. A set has a number, its *node*:
//! equal sets of one side have the same node.

mod bucket;
mod filter;
mod heavy;
mod hits;
mod meeting;
mod node;
mod order;
mod parts;
mod places;
mod posting;
mod rule;
mod settling;
mod signature;
#[cfg(test)]
mod tests;

pub use bucket::{Bucket, BucketCounts, HeavyBlob, Waiting};
pub use filter::NodeFilter;
pub use heavy::{HeavyLists, Role, Roles, TiledList};
pub use hits::Candidates;
pub use node::{Compare, Node, node_of};
pub use order::{ElementOrder, place_of};
pub use places::Places;
pub use posting::{BadBlob, Poster};
pub use rule::MeetingRule;
pub use settling::{NodePair, Settling};
pub use signature::{PieceKeys, SignaturePoster};
