//! How to open a Parquet file safely.

use ::parquet::file::reader::{ChunkReader, FileReader};
use ::parquet::file::serialized_reader::SerializedFileReader;

use super::guard::{Result, guarded};
use super::strict::Strict;

/// Opens a Parquet file: reads and checks its footer.
///
/// Use this and not `SerializedFileReader::new`: on a damaged file, that may panic or take minutes.
pub fn open<R: ChunkReader + 'static>(source: R) -> Result<impl FileReader> {
    guarded(|| SerializedFileReader::new(Strict(source)))
}
