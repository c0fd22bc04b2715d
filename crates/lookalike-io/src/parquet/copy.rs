//! Copies chosen rows of files with the same schema to a new file.

use std::io::Write;
use std::sync::Arc;

use ::parquet::basic::{Compression, Encoding};
use ::parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use ::parquet::column::writer::{ColumnWriter, ColumnWriterImpl};
use ::parquet::data_type::DataType;
use ::parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};
use ::parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
use ::parquet::file::reader::FileReader;
use ::parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use ::parquet::schema::types::TypePtr;

use super::column::{Buffer, Column};
use super::guard::{Result, error, guarded};
use super::leaf::{self, Leaf, Run};
use super::schema;
use crate::cell::Cell;

/// The metadata key of Arrow's own schema.
const ARROW_SCHEMA: &str = "ARROW:schema";

/// Cells of an extra column that are held in memory.
const EXTRA_CELLS: usize = 8192;

/// Copies rows of one or more files to a new file, all columns unchanged, optionally with extra columns appended.
///
/// The new file has the schema, the key-value metadata and, column by column, the compression of the first file. It gets its own
/// statistics and page indexes. Bloom filters and the declared sort order are not copied.
pub struct Copier<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    /// The schema of the files to copy from.
    source: TypePtr,
    extra: Vec<Buffer>,
}

impl<W: Write + Send> Copier<W> {
    /// Starts a file like `first`, with `extra` columns after its own.
    pub fn create(first: &ParquetMetaData, out: W, extra: &[Column]) -> Result<Self> {
        let source = first.file_metadata().schema_descr().root_schema_ptr();
        schema::check_writable("", &source)?;
        let schema = schema::extended(&source, extra)?;
        let properties = Arc::new(properties(first, !extra.is_empty())?);
        Ok(Copier {
            writer: SerializedFileWriter::new(out, schema, properties)?,
            source,
            extra: extra.iter().cloned().map(Buffer::new).collect(),
        })
    }

    /// Copies the rows of `file` for which `keep` returns true, in order, and returns their number. Calls `keep` once for every row,
    /// counting from 0. Extra columns get nulls.
    ///
    /// After an error, discard the copy.
    pub fn copy(&mut self, file: &dyn FileReader, keep: &mut dyn FnMut(u64) -> bool) -> Result<u64> {
        self.copy_with(file, keep, &mut |_, _| Cell::Null)
    }

    /// Like [`Copier::copy`], with values for the extra columns: `extra(row, column)` returns the cell of kept row `row` in extra column
    /// `column`. It is called column by column within each row group, because that is how they are written.
    pub fn copy_with<'a>(
        &mut self,
        file: &dyn FileReader,
        keep: &mut dyn FnMut(u64) -> bool,
        extra: &mut dyn FnMut(u64, usize) -> Cell<'a>,
    ) -> Result<u64> {
        let schema = file.metadata().file_metadata().schema_descr();
        if let Some(difference) = schema::difference(&self.source, schema.root_schema()) {
            return Err(error(format!("the schemas differ: {difference}")));
        }
        let mut first_row = 0;
        let mut copied = 0;
        for group in 0..file.num_row_groups() {
            let rows = leaf::rows_of(file, group)?;
            let kept = chosen(first_row, rows, keep)?;
            let count = kept.iter().filter(|&&kept| kept).count();
            if count > 0 {
                let mut to = self.writer.next_row_group()?;
                for leaf in 0..schema.num_columns() {
                    copy_column(file, group, leaf, &kept, &mut to)?;
                }
                for (place, column) in self.extra.iter_mut().enumerate() {
                    let kept = (first_row..).zip(&kept).filter(|(_, kept)| **kept);
                    let cells = kept.map(|(row, _)| extra(row, place));
                    write_extra(column, cells, &mut to)?;
                }
                to.close()?;
            }
            first_row += rows as u64;
            copied += count as u64;
        }
        Ok(copied)
    }

    /// Writes the footer and returns the inner writer.
    pub fn finish(self) -> Result<W> {
        self.writer.into_inner()
    }
}

/// How to write a file like `first`.
fn properties(first: &ParquetMetaData, extended: bool) -> Result<WriterProperties> {
    let mut pairs = first.file_metadata().key_value_metadata().cloned();
    if let (true, Some(pairs)) = (extended, &mut pairs) {
        // Arrow's schema lacks the new columns, but readers that find it use it. Without it they use the Parquet schema.
        pairs.retain(|pair| pair.key != ARROW_SCHEMA);
    }
    let mut properties = WriterProperties::builder()
        .set_key_value_metadata(pairs)
        .set_compression(Compression::ZSTD(Default::default()));
    if let Some(group) = first.row_groups().first() {
        if let Some(column) = group.columns().first() {
            // For the extra columns: a codec that readers of the first file support.
            properties = properties.set_compression(column.compression());
        }
        for column in group.columns() {
            properties = like(properties, column)?;
        }
    }
    Ok(properties.build())
}

/// Sets the codec and the dictionary encoding of `column`.
fn like(properties: WriterPropertiesBuilder, column: &ColumnChunkMetaData) -> Result<WriterPropertiesBuilder> {
    let path = column.column_path();
    let codec = column.compression();
    if let Compression::LZO | Compression::BROTLI(_) = codec {
        // The writer panics on a codec that it does not support.
        return Err(error(format!(
            "column {} has compression {}, which lookalike cannot write",
            path.string(),
            column.compression_codec()
        )));
    }
    // A dictionary only where there was one: in other columns it costs memory until the writer gives up on it.
    let dictionary =
        column.encodings().any(|encoding| matches!(encoding, Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY));
    Ok(properties.set_column_compression(path.clone(), codec).set_column_dictionary_enabled(path.clone(), dictionary))
}

/// Whether to keep each of the `rows` rows starting at `first`.
fn chosen(first: u64, rows: usize, keep: &mut dyn FnMut(u64) -> bool) -> Result<Vec<bool>> {
    let mut kept = Vec::new();
    // A damaged file can claim more rows than there is memory.
    kept.try_reserve_exact(rows).map_err(|_| error(format!("out of memory for a row group of {rows} rows")))?;
    kept.extend((first..).take(rows).map(keep));
    Ok(kept)
}

/// Writes the next column of `to`, which is an extra column.
fn write_extra<'a, W: Write + Send>(
    column: &mut Buffer,
    cells: impl Iterator<Item = Cell<'a>>,
    to: &mut SerializedRowGroupWriter<'_, W>,
) -> Result<()> {
    let Some(mut to) = to.next_column()? else {
        return Err(error(format!("the schema has no column {}", column.column().name)));
    };
    for (place, cell) in cells.enumerate() {
        column.push(&cell)?;
        if place % EXTRA_CELLS == EXTRA_CELLS - 1 {
            column.write(to.untyped())?;
        }
    }
    column.write(to.untyped())?;
    to.close()
}

/// Writes the next column of `to` from column `leaf` of row group `group`.
fn copy_column<W: Write + Send>(
    file: &dyn FileReader,
    group: usize,
    leaf: usize,
    kept: &[bool],
    to: &mut SerializedRowGroupWriter<'_, W>,
) -> Result<()> {
    use ColumnReader as R;
    use ColumnWriter as W;
    let from = leaf::open(file, group, leaf)?;
    let Some(mut to) = to.next_column()? else {
        return Err(error(format!("the schema has no column {leaf}")));
    };
    match (from, to.untyped()) {
        (R::BoolColumnReader(from), W::BoolColumnWriter(to)) => copy_leaf(from, to, kept),
        (R::Int32ColumnReader(from), W::Int32ColumnWriter(to)) => copy_leaf(from, to, kept),
        (R::Int64ColumnReader(from), W::Int64ColumnWriter(to)) => copy_leaf(from, to, kept),
        (R::Int96ColumnReader(from), W::Int96ColumnWriter(to)) => copy_leaf(from, to, kept),
        (R::FloatColumnReader(from), W::FloatColumnWriter(to)) => copy_leaf(from, to, kept),
        (R::DoubleColumnReader(from), W::DoubleColumnWriter(to)) => copy_leaf(from, to, kept),
        (R::ByteArrayColumnReader(from), W::ByteArrayColumnWriter(to)) => copy_leaf(from, to, kept),
        (R::FixedLenByteArrayColumnReader(from), W::FixedLenByteArrayColumnWriter(to)) => copy_leaf(from, to, kept),
        _ => Err(error(format!("the type of column {leaf} differs from its schema"))),
    }?;
    guarded(|| to.close())
}

fn copy_leaf<T: DataType>(from: ColumnReaderImpl<T>, to: &mut ColumnWriterImpl<'_, T>, kept: &[bool]) -> Result<()> {
    let column = to.get_descriptor().clone();
    let mut from = Leaf::new(from, column.clone(), kept.len());
    let mut done = 0;
    while let Some(run) = from.next()? {
        let kept = &kept[done..done + run.records];
        done += run.records;
        filter(run, column.max_def_level(), kept);
        let definition = (column.max_def_level() > 0).then_some(&run.definition[..]);
        let repetition = (column.max_rep_level() > 0).then_some(&run.repetition[..]);
        guarded(|| to.write_batch(&run.values, definition, repetition))?;
    }
    Ok(())
}

/// Removes the records of `run` that are not kept.
fn filter<T: DataType>(run: &mut Run<T>, max_definition: i16, kept: &[bool]) {
    if kept.iter().all(|&kept| kept) {
        return;
    }
    let levels = run.definition.len().max(run.repetition.len());
    let places = if levels > 0 { levels } else { run.values.len() };
    // `…_to` is where the next kept item goes, `…_from` the next item to check.
    let (mut level_to, mut value_to, mut value_from) = (0, 0, 0);
    let mut record = 0;
    for place in 0..places {
        // A place starts a new record unless its repetition level says that it continues one.
        if place > 0 && run.repetition.get(place).is_none_or(|&level| level == 0) {
            record += 1;
        }
        let has_value = run.definition.get(place).is_none_or(|&level| level == max_definition);
        if kept[record] {
            if let Some(&level) = run.definition.get(place) {
                run.definition[level_to] = level;
            }
            if let Some(&level) = run.repetition.get(place) {
                run.repetition[level_to] = level;
            }
            level_to += 1;
            if has_value {
                run.values.swap(value_to, value_from);
                value_to += 1;
            }
        }
        value_from += usize::from(has_value);
    }
    run.definition.truncate(level_to);
    run.repetition.truncate(level_to);
    run.values.truncate(value_to);
}
