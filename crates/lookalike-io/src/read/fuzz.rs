//! Entry points of the fuzz targets: readers of bytes in memory, in blocks of any size. Built with `--cfg fuzzing` only.

use std::io::{self, Cursor, Read};

use super::csv::CsvBlocks;
use super::fields::{Value, Values};
use super::json;
use super::lines::LineBlocks;
use crate::codec::{Codec, decode, decode_live};
use crate::format::Format;

/// Reads the requested fields of a JSON line. The first `texts` of them should be strings.
pub fn json_line<T>(
    line: &[u8],
    names: &[String],
    texts: usize,
    then: impl FnOnce(Result<Vec<Value>, String>) -> T,
) -> T {
    let mut values = Values::default();
    let read = json::read_line(line, names, texts, &mut values);
    then(read.map(|()| (0..names.len()).map(|field| values.get(field)).collect()))
}

/// Like [`json_line`], with the fast reader alone. `None` if it leaves the line to the general reader.
pub fn flat_json_line<T>(line: &str, names: &[String], texts: usize, then: impl FnOnce(Option<Vec<Value>>) -> T) -> T {
    let mut values = Values::default();
    let read = json::read_flat(line, names, texts, &mut values);
    then(read.map(|()| (0..names.len()).map(|field| values.get(field)).collect()))
}

/// The lines that are not blank, with their numbers, read in blocks of about `size` bytes, or as they arrive if `is_live`. Fails if the
/// file has another encoding, or if `is_json` and it is not JSON lines.
pub fn lines(bytes: &[u8], size: usize, is_json: bool, is_live: bool) -> io::Result<Vec<(u64, Vec<u8>)>> {
    let mut blocks = LineBlocks::new(Box::new(Cursor::new(bytes.to_vec())), is_json, is_live);
    let mut lines = Vec::new();
    while let Some(block) = blocks.next(size)? {
        let push = |number, line: &[u8]| {
            lines.push((number, line.to_vec()));
            Ok::<(), io::Error>(())
        };
        block.for_each(push)?;
    }
    Ok(lines)
}

/// A record of a CSV file.
#[derive(Debug, PartialEq, Eq)]
pub struct CsvRecord {
    /// Its bytes, with the line end.
    pub raw: Vec<u8>,
    /// Its fields, as many as the header has; `None` if the record is not UTF-8.
    pub fields: Option<Vec<Option<String>>>,
    /// How many fewer fields it has than the header.
    pub missing: usize,
}

/// The header and the records of a CSV or TSV file, read in blocks of about `size` bytes. `None` if the file is empty.
pub fn csv(bytes: &[u8], format: Format, size: usize) -> io::Result<Option<(CsvRecord, Vec<CsvRecord>)>> {
    let mut blocks = CsvBlocks::new(Box::new(Cursor::new(bytes.to_vec())), format);
    let Some(header) = blocks.header()? else { return Ok(None) };
    let wanted: Vec<Option<usize>> = (0..header.names.len()).map(Some).collect();
    let header = CsvRecord { raw: header.raw, fields: Some(header.names.into_iter().map(Some).collect()), missing: 0 };
    let (mut all, mut values) = (Vec::new(), Values::default());
    while let Some(records) = blocks.next(size, &wanted)? {
        let push = |_, raw: &[u8], at| {
            let read = records.read(at, wanted.len(), &mut values);
            let text = |field| match values.get(field) {
                Value::Text(text) => Some(text.to_string()),
                _ => None,
            };
            let fields = read.is_ok().then(|| (0..wanted.len()).map(text).collect());
            all.push(CsvRecord { raw: raw.to_vec(), fields, missing: records.missing(at) });
            Ok::<(), io::Error>(())
        };
        records.for_each(push)?;
    }
    Ok(Some((header, all)))
}

/// The first `most` decompressed bytes of a stream.
pub fn decompress_live(bytes: &[u8], most: u64) -> io::Result<Vec<u8>> {
    let mut decompressed = Vec::new();
    decode_live(Cursor::new(bytes.to_vec()), Default::default())?.take(most).read_to_end(&mut decompressed)?;
    Ok(decompressed)
}

/// The first `most` decompressed bytes of a file.
pub fn decompress(file: std::fs::File, most: u64) -> io::Result<Vec<u8>> {
    let mut decompressed = Vec::new();
    decode(file, Default::default())?.take(most).read_to_end(&mut decompressed)?;
    Ok(decompressed)
}

/// Compresses bytes as a file of this name would be, as two members.
pub fn compress(bytes: &[u8], name: &str) -> io::Result<Vec<u8>> {
    use std::io::Write;
    use std::sync::{Arc, Mutex, PoisonError};

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let out = Shared::default();
    let mut encoder = Codec::of_name(name.as_ref()).0.encode(out.clone())?;
    encoder.write_all(&bytes[..bytes.len() / 2])?;
    encoder.end_member()?;
    encoder.write_all(&bytes[bytes.len() / 2..])?;
    encoder.finish()?;
    Ok(std::mem::take(&mut out.0.lock().unwrap_or_else(PoisonError::into_inner)))
}
