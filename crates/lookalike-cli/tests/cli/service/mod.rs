//! Do `serve` and `watch` keep what they accepted?

pub mod serve_crash;
pub mod serve_damage;
pub mod serve_full;
pub mod serve_memory;
pub mod served;
pub mod watch;
pub mod watch_killed;
