//! Writes rows and tables to files, which appear complete or not at all.

mod annotate;
mod commit;
mod json;
mod leftovers;
#[cfg(not(feature = "parquet"))]
mod no_parquet;
mod output;
#[cfg(feature = "parquet")]
mod parquet;
mod permissions;
mod place;
mod rows;
mod sync;
mod table;
mod unfinished;

#[cfg(not(feature = "parquet"))]
use no_parquet as parquet;

pub use crate::cell::{Cell, Kind};
pub use annotate::{AnnotatedRows, Annotation};
pub use commit::{commit, commit_and_go_on};
pub use json::json_line;
pub use output::{Finished, Output};
pub use parquet::ColumnWriter;
pub use place::{Inputs, check, check_uncompressed, follow_links};
pub use rows::RowWriter;
pub use table::Table;
pub use unfinished::{discard_folders, discard_unfinished, in_place, make_folder_of};
