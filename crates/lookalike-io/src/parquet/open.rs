//! How is a Parquet file opened?

use ::parquet::file::reader::{ChunkReader, FileReader};
use ::parquet::file::serialized_reader::SerializedFileReader;

use super::guard::{Result, guarded};
use super::strict::Strict;

/// Opens a Parquet file: reads and checks its footer.
///
/// Use this and not `SerializedFileReader::new`, which may panic on a broken
/// file, and may take minutes for one.
pub fn open<R: ChunkReader + 'static>(source: R) -> Result<impl FileReader> {
    guarded(|| SerializedFileReader::new(Strict(source)))
}
