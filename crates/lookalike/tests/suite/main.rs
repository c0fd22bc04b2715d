//! The promises of the library, each against an oracle of a few lines.

mod cancelling;
mod clusters;
mod components;
mod documents;
mod exact;
mod front;
mod front_options;
mod index;
mod index_cancelling;
mod layering;
mod oracle;
mod survivors;
mod validation;
