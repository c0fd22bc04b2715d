//! Rows in memory for the jobs of the command, which read files: the rows are written as JSON lines.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use lookalike::Handle;
use lookalike::engine::Progress;
use lookalike_io::Value;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use crate::call::run;
use crate::data::column::Column;
use crate::data::documents::Documents;
use crate::settings::Settings;

/// Rows whose texts are in memory. No sets are made of them.
#[pyclass(frozen)]
pub struct CoreRows {
    pub documents: Documents,
    pub settings: Settings,
}

/// What a row has besides its text: the name of the field, and its values.
type Field = (String, Py<Column>);

#[pymethods]
impl CoreRows {
    #[new]
    fn new(
        texts: Vec<Py<Column>>,
        is_page: bool,
        url: Option<Py<Column>>,
        site: Option<Py<Column>>,
        settings: Settings,
    ) -> CoreRows {
        CoreRows { documents: Documents { texts, is_page, url, site }, settings }
    }

    fn __len__(&self) -> usize {
        self.documents.len()
    }

    /// Bytes of memory of the texts.
    fn memory(&self) -> usize {
        self.documents.texts.iter().map(|column| column.get().memory()).sum()
    }

    /// The text of a row, if it has one.
    fn text(&self, row: usize) -> Option<String> {
        self.documents.text(row, &self.settings)
    }

    /// Writes the rows as JSON lines. The id of a row is its number after `prefix`, and its text is in the field `text` or `html`. `ranks`,
    /// if there are any, are in the field `rank`.
    fn write(
        &self,
        py: Python<'_>,
        path: PathBuf,
        prefix: &str,
        fields: Vec<Field>,
        ranks: Option<Vec<usize>>,
    ) -> PyResult<()> {
        let named = path.display().to_string();
        let write = |handle: &Handle| -> io::Result<()> {
            let mut file = BufWriter::new(File::create(&path)?);
            let mut text = String::new();
            for row in 0..self.documents.len() {
                if row.is_multiple_of(1 << 12) && handle.is_cancelled() {
                    return Err(io::ErrorKind::Interrupted.into());
                }
                write!(file, "{{\"id\":")?;
                serde_json::to_writer(&mut file, &format!("{prefix}{row}"))?;
                write!(file, ",\"{}\":", if self.documents.is_page { "html" } else { "text" })?;
                serde_json::to_writer(&mut file, &self.documents.written(row, &mut text))?;
                if let Some(url) = &self.documents.url {
                    write!(file, ",\"url\":")?;
                    put(&mut file, url.get().value(row))?;
                }
                for (name, column) in &fields {
                    write!(file, ",")?;
                    serde_json::to_writer(&mut file, name)?;
                    write!(file, ":")?;
                    put(&mut file, column.get().value(row))?;
                }
                if let Some(ranks) = &ranks {
                    write!(file, ",\"rank\":{}", ranks[row])?;
                }
                file.write_all(b"}\n")?;
            }
            file.flush()
        };
        let wrong = |error: io::Error| PyOSError::new_err(format!("cannot write the rows to {named}: {error}"));
        run(py, None, write, wrong)
    }
}

/// Writes a value as JSON.
fn put(file: &mut impl Write, value: Value) -> io::Result<()> {
    match value {
        Value::Text(text) => Ok(serde_json::to_writer(file, text)?),
        Value::Number(number) => write!(file, "{number}"),
        Value::Int(number) => write!(file, "{number}"),
        // JSON has no infinity, but a number too large for a float is read as one.
        Value::Float(number) if number.is_infinite() => {
            write!(file, "{}", if number > 0.0 { "1e999" } else { "-1e999" })
        }
        Value::Float(number) => write!(file, "{number}"),
        Value::Bool(value) => write!(file, "{value}"),
        Value::Missing => write!(file, "null"),
        Value::Other => write!(file, "[]"),
    }
}
