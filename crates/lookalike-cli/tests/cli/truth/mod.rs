//! What is true: `evaluate`, `verify`, `calibrate`, and pages that show it.

mod calibrate;
mod evaluate;
mod report;
mod session;
mod verify;
