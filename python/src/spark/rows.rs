//! The rows of a batch, and their sets.

use lookalike::engine::hash_token;
use lookalike_io::extract::{Extracted, Extractor};
use pyo3::prelude::*;

use super::method::Method;
use crate::data::column::Column;
use crate::data::documents::Documents;
use crate::origin::key_of;
use crate::settings::Settings;

/// The columns of a batch of rows.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Rows {
    texts: Vec<Py<Column>>,
    is_page: bool,
    url: Option<Py<Column>>,
    /// The sites of pages, if a column has them.
    site: Option<Py<Column>>,
    /// Only rows with equal values here are compared.
    within: Vec<Py<Column>>,
}

/// A row with a text.
pub struct Row<'a> {
    pub number: usize,
    pub text: &'a str,
    /// The hash of what it is compared within, or 0.
    pub within: u64,
    pub set: &'a [u64],
}

/// How many rows there are, and from which their keys come.
pub struct Read {
    documents: Documents,
    site: Option<Py<Column>>,
    within: Vec<u64>,
}

impl Rows {
    /// Reads what needs the interpreter.
    pub fn read(self) -> PyResult<Read> {
        let Rows { texts, is_page, url, site, within } = self;
        let documents = Documents { texts, is_page, url, site: None };
        let key = |row| if within.is_empty() { Ok(0) } else { Ok(hash_token(key_of(&within, row)?.as_bytes())) };
        let within = (0..documents.len()).map(key).collect::<PyResult<_>>()?;
        Ok(Read { documents, site, within })
    }
}

impl Read {
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// The hash of the site of a row, or 0.
    pub fn site(&self, row: usize, method: &Method) -> u64 {
        method.site(row, self.documents.url.as_ref().map(Py::get), self.site.as_ref().map(Py::get))
    }

    /// Calls a function with every row that has a text and is wanted. Without `sets`, the sets are empty.
    pub fn for_each(
        &self,
        extractor: &mut Extractor,
        settings: &Settings,
        wanted: impl Fn(usize) -> bool,
        sets: bool,
        mut take: impl FnMut(Row),
    ) {
        let mut joined = String::new();
        for number in (0..self.len()).filter(|&number| wanted(number)) {
            let content = self.documents.content(number, settings.max_document, &mut joined);
            if let Extracted::Document(mut document) = extractor.extract_content(&content, None) {
                let (text, within) = (document.text, self.within[number]);
                let set = if sets { document.set_within(within) } else { &[] };
                take(Row { number, text, within, set });
            }
        }
    }
}
