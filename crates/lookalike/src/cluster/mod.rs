//! Which documents stay: survivors by definition, or connected components for those who want them.

mod by_blocks;
mod by_halves;
mod components;
mod fate;
mod links;
mod places;
mod roots;
mod stars;
mod survivors;

pub use components::components;
pub use fate::Fate;
pub use links::Links;
pub use roots::Roots;
pub use survivors::survivors;
