//! What the tasks of a Spark job compute, and what its driver decides. See `lookalike::engine::Poster` and those beside it.
//!
//! Everything passes between Python and here as bytes: numbers are little-endian, nodes and hashes of keys have 64 bits, counts 32.

mod bytes;
mod meeting;
mod method;
mod order;
mod places;
mod poster;
mod recall;
mod rows;
mod sample;
mod settling;
mod shipping;
mod twins;
mod verifying;
mod waiting;

pub use meeting::{
    CoreBucket, CoreCandidates, CoreHeavy, CoreRoles, CoreTiledList, groups_that_meet, heavy_nodes, merge_candidates,
    merge_nodes, node_filter,
};
pub use method::describe_method;
pub use order::{hash_keys, order_keys};
pub use places::place_candidates;
pub use poster::{CorePoster, buckets_of, divide_hashes, repeated_hashes};
pub use recall::{CoreProbe, CoreTally, recall_of, sets_to_sample};
pub use sample::{CoreSampler, count_places};
pub use settling::CoreSettling;
pub use shipping::CoreShipper;
pub use twins::{CoreTwins, pack_pairs, unpack_pairs};
pub use verifying::{CoreVerifier, columns_of_beside, columns_of_pairs, nodes_of_pairs};
