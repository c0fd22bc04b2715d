//! Kernels for one kind of processor, each with a portable twin that the tests compare it with.
//!
//! SSE2 is part of every x86-64, so nothing has to be found out at run time.

mod ascii;
mod far;
mod popcount;
mod prefetch;

pub(crate) use ascii::{AsciiMasks, BLOCK, push_ascii};
pub(crate) use far::{Part, scan_far};
pub(crate) use popcount::{LANES, Tile, keep_near, scan};
pub(crate) use prefetch::prefetch;
