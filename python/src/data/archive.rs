//! The pages of a web archive, as the command reads them.

use std::sync::{Mutex, PoisonError};

use lookalike::engine::{charset_in, decode};
use lookalike_io::{Blocks, Content, Error, Fields, Format, Page, PageBody, Row, RowReader, Value, resolve};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

/// The field of a record that says when it was made.
const TIME: &str = "WARC-Date";

/// An archive that is read from its first record to its last.
#[pyclass]
pub struct CoreArchive(Mutex<Open>);

struct Open {
    blocks: Blocks<'static>,
    reader: RowReader,
}

/// A record: its number, its address, its time, whether it is a page and not plain text, and its content in Unicode, if it can be used.
type Record = (u64, Option<String>, Option<String>, bool, Option<String>);

#[pymethods]
impl CoreArchive {
    /// Opens a file. A page over `most` bytes cannot be used.
    #[new]
    fn new(path: String, most: usize) -> PyResult<CoreArchive> {
        let sources = resolve(&[path], Some(Format::Warc)).map_err(failed)?;
        let fields = Fields { key: Some(TIME.to_string()), ..Fields::default() };
        let blocks = Blocks::new(sources, &fields, Default::default()).for_texts(most);
        Ok(CoreArchive(Mutex::new(Open { blocks, reader: RowReader::new(&fields, most) })))
    }

    /// Returns the next documents, or None at the end. Bytes that are no record are left out.
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<Vec<Record>>> {
        let Open { blocks, reader } = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        py.detach(|| {
            let Some(block) = blocks.next_block()? else { return Ok(None) };
            let mut records = Vec::new();
            reader.for_each(&block, |row, _| -> Result<(), Error> {
                records.extend(record_of(&row));
                Ok(())
            })?;
            Ok(Some(records))
        })
        .map_err(failed)
    }
}

fn record_of(row: &Row) -> Option<Record> {
    let (is_page, text) = match &row.content {
        Content::Page(Page { body: PageBody::Bytes(bytes, kind), .. }) => (true, Some(unicode(bytes, *kind, true))),
        Content::Page(Page { body: PageBody::PlainBytes(bytes, kind), .. }) => {
            (false, Some(unicode(bytes, *kind, false)))
        }
        Content::Page(Page { body: PageBody::Text(html), .. }) => (true, Some((*html).to_string())),
        Content::Text(text) => (false, Some((*text).to_string())),
        Content::Unusable(_) => (true, None),
        Content::Unreadable(_) => return None,
    };
    let time = if let Value::Text(time) = row.key { Some(time.to_string()) } else { None };
    Some((row.number, row.url.map(str::to_string), time, is_page, text))
}

fn unicode(bytes: &[u8], content_type: Option<&str>, is_page: bool) -> String {
    decode(bytes, content_type.and_then(charset_in), is_page).into_owned()
}

fn failed(error: Error) -> PyErr {
    PyOSError::new_err(error.to_string())
}
