//! What would each plan of a join cost? Sets without a partner are dropped, and the cost of the others is forecast.

mod costs;
mod sift;
mod work;

pub(in crate::join) use costs::{Forecast, Wanted, droppable, is_dense};
pub(in crate::join) use sift::COUNTER_BYTES;
pub use sift::Sifted;
pub(in crate::join) use work::Work;
