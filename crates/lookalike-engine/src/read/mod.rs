//! Reads files into documents: their sets, texts or signatures, their ids, and counts of what was read.

mod again;
mod block;
mod collect;
mod collector;
mod form;
mod in_order;
mod keep;
mod kept;
mod lookup;
mod sample;
mod sides;
mod signing;
mod tally;
mod term_counts;
mod workers;

pub(crate) use again::{Kept, SecondPass};
pub(crate) use block::{Look, ReadBlock};
pub(crate) use collect::KeptOf;
pub use collector::Collector;
pub(crate) use collector::IDS;
pub(crate) use form::{KeepSets, Traces};
pub(crate) use in_order::InOrder;
pub use keep::{Keep, Key};
pub(crate) use kept::{Collection, Documents, place_of};
pub(crate) use lookup::{Picked, pick_only, pick_two};
pub use sample::{Lookup, MOST as MOST_SAMPLED, Sample, SampleIndex};
pub(crate) use sides::Sides;
pub use signing::Signing;
pub use tally::Tally;
pub(crate) use workers::WatchedBlocks;
