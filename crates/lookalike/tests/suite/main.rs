//! The promises of the library, each against an oracle of a few lines.

mod edit;
mod layering;
mod oracle;
mod pairs;
mod survivors;
mod texts;
