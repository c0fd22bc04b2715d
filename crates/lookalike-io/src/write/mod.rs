//! Rows to files, whole or not at all.

mod annotate;
mod columns;
mod commit;
mod json;
mod leftovers;
mod output;
mod place;
mod rights;
mod rows;
mod sync;
mod table;
mod unfinished;

pub use annotate::{AnnotatedRows, Annotation};
pub use columns::ColumnWriter;
pub use commit::commit;
pub use json::json_line;
pub use output::{Finished, Output};
pub use place::{Inputs, check, follow_links};
pub use rows::RowWriter;
pub use table::{Cell, Kind, Table};
pub use unfinished::{discard_folders, discard_unfinished, in_place, make_folder_of};
