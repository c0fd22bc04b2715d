//! Which documents stay: survivors by definition, or connected components for those who want them.

mod by_blocks;
mod by_halves;
mod coded;
mod components;
mod fate;
mod resemblance;
mod roots;
mod survivors;

pub use components::{components, components_among};
pub use fate::Fate;
pub use resemblance::{Resemblance, Twin};
pub use roots::Roots;
pub use survivors::{KeepOrder, survivors};
