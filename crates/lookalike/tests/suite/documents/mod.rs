//! Do pages and texts become the sets and sketches that they must?

mod pages;
mod samples;
mod sketches;
mod texts;
