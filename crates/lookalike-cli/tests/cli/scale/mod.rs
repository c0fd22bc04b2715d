//! Does the result stay the same, and fit, at any size?

// Looks at processes in /proc.
#[cfg(target_os = "linux")]
pub mod budget;
pub mod determinism;
mod digests;
pub mod large_clusters;
// Only Linux enforces a limit of address space.
#[cfg(target_os = "linux")]
pub mod memory;
pub mod resume;
#[cfg(target_os = "linux")]
mod resume_disk;
#[cfg(target_os = "linux")]
mod resume_killed;
mod resume_whole;
pub mod spill;
