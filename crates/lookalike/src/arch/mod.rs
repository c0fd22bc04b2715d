//! Kernels for specific processors, each with a portable twin that the tests compare it with.
//!
//! Every x86-64 has SSE2. Kernels that can use more detect it at run time.

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
