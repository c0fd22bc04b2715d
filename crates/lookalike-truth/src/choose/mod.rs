//! Chooses settings from labels.
//!
//! A [`Trial`] has the labelled pairs of one way to compare, each with the highest threshold that it reaches. So one join serves all
//! thresholds. [`calibrate`] takes the trial and the threshold with the best F1 (`choice.rs`), and finds out by halves of the groups what that is
//! worth: it chooses on one half and judges on the other, and no group is in both.

mod calibrate;
mod choice;
mod enough;
mod floor;
mod halves;
mod influence;
mod ladder;
mod lowest;
mod others;
mod propose;
mod trial;

pub use calibrate::{Calibration, Chosen, Split, calibrate};
pub use enough::Enough;
pub use influence::Influence;
pub use ladder::LADDER;
pub use lowest::hopeless;
pub use others::Others;
pub use propose::propose;
pub use trial::{Scored, Settings, Trial};
