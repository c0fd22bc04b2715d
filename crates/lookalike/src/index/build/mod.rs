//! How is a part made?

mod documents;
mod new_part;
mod post;
mod sorted;

pub(super) use documents::Documents;
pub use documents::{NewDocument, Remembered};
pub use new_part::NewPart;
