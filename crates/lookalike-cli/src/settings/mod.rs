//! What do the arguments mean? These files check them and turn them into settings of the engine.

pub mod inputs;

mod matching;
pub mod memory;
mod method;
mod read;
mod window;
