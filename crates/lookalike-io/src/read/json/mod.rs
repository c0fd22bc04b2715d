//! How is a JSON line read? Flat objects by a reader of our own, all others by serde_json.

mod flat;
mod key;
mod line;
#[cfg(test)]
mod truncated;

#[cfg(any(test, fuzzing))]
pub(super) use flat::read as read_flat;
pub use key::FieldKey;
pub use line::mend_surrogates;
pub(super) use line::read as read_line;
