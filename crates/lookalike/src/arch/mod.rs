//! Kernels for one kind of processor, each with a portable twin that the tests compare it with.
//!
//! SSE2 is part of every x86-64; whether the machine has more is found out at run time, by the kernel that could use it.

#[cfg(feature = "text")]
mod ascii;
mod far;
mod minima;
pub(crate) mod planes;
mod popcount;
mod prefetch;

#[cfg(feature = "text")]
pub(crate) use ascii::{AsciiMasks, BLOCK, push_ascii};
pub(crate) use far::{Part, scan_far};
pub(crate) use minima::{FUNCTIONS, lower, mix_all};
pub(crate) use popcount::{LANES, Tile, keep_near, scan};
pub(crate) use prefetch::prefetch;
