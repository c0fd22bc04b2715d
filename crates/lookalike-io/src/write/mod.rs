//! Rows to files, whole or not at all.

mod annotate;
mod columns;
mod output;
mod rows;
mod table;

pub use annotate::{AnnotatedRows, Annotation};
pub use columns::ColumnWriter;
pub use output::{Finished, Output, check, commit, discard_folders, discard_unfinished, make_folder_of};
pub use rows::RowWriter;
pub use table::{Cell, Kind, Table};
