//! Which requests can clients make over HTTP?
//!
//! | module | question |
//! |---|---|
//! | `connections` | how many connections may there be, and how slow? |
//! | `routes` | which path leads to which handler, and who may call it? |
//! | `request` | how does the body of a request become a document? |
//! | `service`, `readers` | what do all requests share? |
//! | `documents`, `lines` | how are documents added, queried, read and deleted? |
//! | `compare` | how do two documents differ? |
//! | `stats`, `events` | how many documents came, and which come now? |
//! | `page`, `description` | what do people and programs read about the service? |
//! | `errors` | how are errors reported? |

mod compare;
mod connections;
mod description;
mod documents;
mod errors;
mod events;
mod lines;
mod page;
mod readers;
mod request;
mod routes;
mod service;
mod stats;

pub use connections::serve;
pub(crate) use page::{bad_host, foreign};
pub use request::{FieldNames, Limits};
pub use service::{Reading, Service};
