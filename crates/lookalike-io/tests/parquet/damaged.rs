//! Is a damaged file an error, and never a panic?

use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::ParquetMetaData;
use ::parquet::file::properties::WriterVersion;
use ::parquet::file::reader::{FileReader, RowGroupReader};
use ::parquet::record::reader::RowIter;
use ::parquet::schema::types::Type;
use bytes::Bytes;
use lookalike_io::parquet::{Copier, Fields, OpenError, open};

use crate::fixture::{CODECS, Random, everything, small_pages};

/// A file that claims another number of rows than its columns have.
struct Lying {
    file: Box<dyn FileReader>,
    metadata: ParquetMetaData,
}

impl FileReader for Lying {
    fn metadata(&self) -> &ParquetMetaData {
        &self.metadata
    }
    fn num_row_groups(&self) -> usize {
        1
    }
    fn get_row_group(&self, i: usize) -> Result<Box<dyn RowGroupReader + '_>, ParquetError> {
        self.file.get_row_group(i)
    }
    fn get_row_iter(&self, _: Option<Type>) -> Result<RowIter<'_>, ParquetError> {
        unreachable!("no test iterates over rows")
    }
}

#[test]
fn columns_must_have_as_many_records_as_there_are_rows() {
    for (claim, message) in [
        (99, "column flag: more records than"),
        (101, "column flag: the last 1 records are missing"),
        (-1, "row group 0 declares -1 rows"),
        (i64::MAX, "a row group of 9223372036854775807 rows"),
    ] {
        let file = open(everything(1, &[100], small_pages())).unwrap();
        let group = file.metadata().row_group(0).clone();
        let group = group.into_builder().set_num_rows(claim).build().unwrap();
        let metadata = file.metadata().clone().into_builder().set_row_groups(vec![group]).build();
        let lying = Lying { file: Box::new(file), metadata };
        let mut copier = Copier::create(lying.metadata(), Vec::new(), &[]).unwrap();
        let error = copier.copy(&lying, &mut |_| true).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

/// Runs everything on a file that may be damaged, and collects the errors.
fn try_everything(bytes: Bytes) -> Result<(), ParquetError> {
    let file = open(bytes.clone())?;
    if let Ok(mut copier) = Copier::create(file.metadata(), Vec::new(), &[]) {
        copier.copy(&file, &mut |row| row % 3 != 1)?;
        copier.finish()?;
    }
    let schema = file.metadata().file_metadata().schema();
    let names: Vec<&str> = schema.get_fields().iter().map(|field| field.name()).collect();
    if let Ok(mut fields) = Fields::open(bytes, &names) {
        // A damaged row count can be anything, so stop at some point.
        for _ in 0..100 {
            if fields.next(50, 1 << 20)?.is_none() {
                break;
            }
        }
    }
    Ok(())
}

#[test]
fn a_truncated_file_is_an_error() {
    let bytes = everything(1, &[40, 40], small_pages());
    for length in (0..bytes.len()).step_by(13).chain([bytes.len() - 1]) {
        match Fields::open(bytes.slice(..length), &["id"]).err() {
            Some(OpenError::Unreadable(_)) => {}
            other => panic!("{length}: {other:?}"),
        }
    }
    try_everything(bytes).unwrap();
}

#[test]
fn a_damaged_file_is_an_error_or_reads_but_never_panics() {
    // Every codec, with dictionaries and without, in both versions of pages.
    let files: Vec<Bytes> = (0..24)
        .map(|number| {
            let version = match number % 2 {
                0 => WriterVersion::PARQUET_1_0,
                _ => WriterVersion::PARQUET_2_0,
            };
            let properties = small_pages()
                .set_compression(CODECS[number / 4].parse().unwrap())
                .set_dictionary_enabled(number % 4 < 2)
                .set_writer_version(version);
            everything(number as u64, &[12, 5], properties)
        })
        .collect();
    let mut random = Random(2024);
    let mut errors = 0;
    for number in 0..2000 {
        let mut bytes = files[number % files.len()].to_vec();
        for _ in 0..1 + random.below(3) {
            let place = random.below(bytes.len());
            bytes[place] ^= 1 << random.below(8);
        }
        errors += usize::from(try_everything(bytes.into()).is_err());
    }
    assert!((500..2000).contains(&errors), "{errors}");
}

#[test]
fn garbage_is_an_error() {
    let mut random = Random(5);
    for _ in 0..2000 {
        let length = random.below(200);
        let mut bytes = [b"PAR1", &random.bytes(length)[..]].concat();
        bytes.extend((random.below(length + 20) as u32).to_le_bytes());
        bytes.extend(b"PAR1");
        // A footer that is only empty structs would be well-formed.
        let _ = try_everything(bytes.into());
    }
}
