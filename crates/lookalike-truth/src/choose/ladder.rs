//! The thresholds that are tried.

/// The thresholds that are tried, ascending.
pub const LADDER: [&str; 15] =
    ["0.3", "0.35", "0.4", "0.45", "0.5", "0.55", "0.6", "0.65", "0.7", "0.75", "0.8", "0.85", "0.9", "0.95", "1"];
