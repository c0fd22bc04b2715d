//! What do the commands about what is true do? One file a command.

pub mod calibrate;
pub mod evaluate;
pub mod verify;

mod answers;
#[cfg(unix)]
mod browser;
mod session;
mod shared;
