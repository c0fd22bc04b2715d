//! Do pages and texts become the sets and sketches that they must?

mod main_text;
mod pages;
mod samples;
mod sketches;
mod texts;
