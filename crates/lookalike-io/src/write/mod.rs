//! Rows to files, whole or not at all.

mod annotate;
mod output;
mod rows;
mod table;

pub use annotate::{Annotation, AnnotatedRows};
pub use output::{Finished, Output, check, commit, discard_unfinished};
pub use rows::RowWriter;
pub use table::{Cell, Kind, Table};
