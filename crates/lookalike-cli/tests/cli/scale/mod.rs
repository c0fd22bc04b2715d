//! Does the result stay the same, and fit, at any size?

pub mod determinism;
pub mod large_clusters;
// Only Linux counts address space, and keeps its limit.
#[cfg(target_os = "linux")]
pub mod memory;
pub mod spill;
