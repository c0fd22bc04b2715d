//! The promises of the library, each against an oracle of a few lines.

mod agree;
mod clusters;
mod components;
mod edit;
mod front;
mod index;
mod joins;
mod layering;
mod oracle;
mod pages;
mod pairs;
mod paper;
mod samples;
mod sketches;
mod storage;
mod survivors;
mod texts;
mod validation;
