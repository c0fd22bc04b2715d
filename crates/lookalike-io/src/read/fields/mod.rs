//! Which fields of a row are requested, which are there, and what are their values?

mod combine;
mod requested;
mod seen;
mod time;
mod values;

pub(super) use combine::{find_site, join, push_within};
pub use requested::Fields;
pub use seen::{Lacking, Seen};
pub(super) use seen::{names_of_header, names_of_line};
pub use time::{milliseconds, time_of};
pub use values::Value;
pub(super) use values::{Found, Values};
