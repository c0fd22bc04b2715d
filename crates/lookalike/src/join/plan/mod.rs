//! Which join suits a collection: what each plan costs, which one is chosen, and how many pairs to expect.

mod algorithm;
mod choose;
mod chosen;
mod estimate;
pub(in crate::join) mod forecast;

pub use algorithm::Algorithm;
#[cfg(test)]
pub(crate) use choose::every_way;
pub use chosen::Plan;
pub use estimate::Counted;
