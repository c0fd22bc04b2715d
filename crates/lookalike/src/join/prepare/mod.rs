//! A collection becomes ready to be joined: the settings, the steps, the choice of a plan, and the answers to questions about the result.

mod choose;
mod estimate;
mod joinable;
mod preparation;
mod search;
mod settings;

#[cfg(test)]
pub(crate) use choose::every_way;
pub use estimate::Counted;
pub use joinable::Joinable;
pub use settings::Join;
