//! Which documents are kept: the survivors, or one per connected component.

mod by_blocks;
mod by_halves;
mod components;
mod fate;
mod links;
mod numbers;
mod places;
mod roots;
mod stars;
mod survivors;

pub use components::components;
pub use fate::Fate;
pub use links::Links;
pub use numbers::Clusters;
pub use roots::Roots;
pub use survivors::{fates_of, near_twins, survivors};
