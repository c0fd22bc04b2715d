//! Rows in memory to sets, by the extractor that files go through.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use lookalike::engine::{Cancelled, SetArena, SetBatch, SetBlock, SetStore, SetsError, Stage};
use lookalike::{Error, Handle};
use lookalike_engine::{Keep, Key};
use lookalike_io::extract::{Extracted, Extractor};
use lookalike_io::{Content, Page, PageBody, Row, Value};
use pyo3::Py;

use crate::data::blocks::{FEW, ROWS, by_blocks, threads_for};
use crate::data::column::Column;
use crate::settings::Settings;

/// Where the texts of documents are.
pub struct Documents {
    /// Several columns are one text.
    pub texts: Vec<Py<Column>>,
    /// Whether the text is a web page.
    pub is_page: bool,
    pub url: Option<Py<Column>>,
    /// What names the site of a row, if a column does.
    pub site: Option<Py<Column>>,
}

/// Room for what is put together for a row.
#[derive(Default)]
pub struct Buffers {
    text: String,
    site: String,
}

/// Why rows do not become sets.
pub enum Failed {
    Sets(Error),
    /// The sets need more than this many bytes.
    Memory(usize),
}

impl From<SetsError> for Failed {
    fn from(error: SetsError) -> Failed {
        Failed::Sets(error.into())
    }
}

/// The sets of all rows, and how many rows have no set.
#[derive(Default)]
pub struct Made {
    pub sets: SetStore,
    /// Texts without a token.
    pub empty: usize,
    /// Rows without a text, or with one that is too long.
    pub unusable: usize,
}

impl Documents {
    pub fn len(&self) -> usize {
        self.texts.first().map_or(0, |column| column.get().len())
    }

    /// The text or the page of a row, as it is. `joined` is a buffer for a text of several columns.
    pub fn written<'a>(&'a self, row: usize, joined: &'a mut String) -> Option<&'a str> {
        match &self.texts[..] {
            [text] => match text.get().value(row) {
                Value::Text(text) => Some(text),
                _ => None,
            },
            texts => {
                joined.clear();
                let mut has_text = false;
                for text in texts {
                    if let Value::Text(text) = text.get().value(row) {
                        joined.push_str(if has_text { "\n" } else { "" });
                        joined.push_str(text);
                        has_text = true;
                    }
                }
                has_text.then_some(joined.as_str())
            }
        }
    }

    /// What a row holds.
    pub fn content<'a>(&'a self, row: usize, most: usize, joined: &'a mut String) -> Content<'a> {
        match self.written(row, joined) {
            None => Content::Unusable("no text"),
            Some(text) if text.len() > most => Content::Unusable("too long a text"),
            Some(text) if self.is_page => Content::Page(Page { body: PageBody::Text(text), url: self.address(row) }),
            Some(text) => Content::Text(text),
        }
    }

    /// The address of a row.
    fn address(&self, row: usize) -> Option<&str> {
        match self.url.as_ref()?.get().value(row) {
            Value::Text(url) if !url.is_empty() => Some(url),
            _ => None,
        }
    }

    /// A row as the readers of files hand it over.
    pub fn row<'a>(&'a self, row: usize, settings: &Settings, buffers: &'a mut Buffers) -> Row<'a> {
        let Buffers { text, site } = buffers;
        let content = self.content(row, settings.max_document, text);
        site.clear();
        if let Some(name) = self.site.as_ref().and_then(|column| column.get().value(row).written()) {
            site.push_str(&name);
        }
        let site = Some(&**site).filter(|name| !name.is_empty());
        let number = row as u64 + 1;
        Row { number, id: None, key: Value::Missing, within: "", url: self.address(row), site, content }
    }

    /// Makes the sets of all rows, on all threads.
    pub fn sets(&self, settings: &Settings, handle: &Handle) -> Result<Made, Failed> {
        let (rows, next, bytes) = (self.len(), AtomicUsize::new(0), AtomicUsize::new(0));
        let stage = Stage::begin(handle, "reading", rows);
        let arena = |number| if rows <= FEW { SetArena::new(number).first_slab(1) } else { SetArena::new(number) };
        let work = |number: usize| -> Result<Part, Failed> {
            let (mut extractor, mut buffers) = (Extractor::new(settings.extraction()), Buffers::default());
            let mut part = Part { arena: arena(number), blocks: Vec::new(), empty: 0, unusable: 0 };
            let mut batch = SetBatch::default();
            loop {
                stage.check().map_err(|_| Failed::Sets(Error::Cancelled))?;
                let start = next.fetch_add(ROWS, Relaxed);
                if start >= rows {
                    return Ok(part);
                }
                let (end, mut size) = ((start + ROWS).min(rows), 0);
                batch.clear();
                for row in start..end {
                    let row = self.row(row, settings, &mut buffers);
                    let set = match extractor.extract(&row) {
                        Extracted::Document(mut document) => {
                            let set = document.set();
                            part.empty += usize::from(set.is_empty());
                            batch.push(set)?;
                            set.len()
                        }
                        Extracted::Unusable(_) | Extracted::Unreadable(_) => {
                            part.unusable += 1;
                            batch.push(&[])?;
                            0
                        }
                    };
                    size += 8 * set + 32;
                }
                part.blocks.push((start, part.arena.put(&batch)?));
                stage.add(end - start);
                let most = settings.memory.unwrap_or(usize::MAX);
                if bytes.fetch_add(size, Relaxed) + size > most {
                    return Err(Failed::Memory(most));
                }
            }
        };
        let threads = threads_for(rows, settings.threads());
        let parts: Vec<Result<Part, Failed>> = if threads == 1 {
            vec![work(0)]
        } else {
            let parts = Mutex::new(Vec::new());
            std::thread::scope(|scope| {
                let (work, parts) = (&work, &parts);
                for number in 0..threads {
                    scope.spawn(move || {
                        let part = work(number);
                        parts.lock().unwrap_or_else(PoisonError::into_inner).push(part);
                    });
                }
            });
            parts.into_inner().unwrap_or_else(PoisonError::into_inner)
        };
        let (mut made, mut arenas, mut blocks) = (Made::default(), Vec::new(), Vec::new());
        for part in parts {
            let part = part?;
            made.empty += part.empty;
            made.unusable += part.unusable;
            arenas.push(part.arena);
            blocks.extend(part.blocks);
        }
        blocks.sort_unstable_by_key(|(start, _)| *start);
        made.sets = SetStore::new(arenas, blocks.into_iter().map(|(_, block)| block))?;
        Ok(made)
    }

    /// The text of a row, if it has one.
    pub fn text(&self, row: usize, settings: &Settings) -> Option<String> {
        let (mut extractor, mut buffers) = (Extractor::new(settings.extraction()), Buffers::default());
        let row = self.row(row, settings, &mut buffers);
        extractor.extract(&row).document().flatten().map(|document| document.text.to_string())
    }

    /// The rows in an order by length.
    pub fn by_length(&self, keep: &Keep, settings: &Settings, handle: &Handle) -> Result<Vec<usize>, Cancelled> {
        let stage = Stage::begin(handle, "ordering", self.len());
        let keys: Vec<Vec<Key>> = by_blocks(self.len(), settings.threads(), &stage, || {
            let (mut extractor, mut buffers) = (Extractor::new(settings.extraction()), Buffers::default());
            move |rows: Range<usize>| {
                let key = |row: usize| {
                    let row = self.row(row, settings, &mut buffers);
                    let document = extractor.extract(&row).document().flatten();
                    keep.key(document.map(|document| document.text), Value::Missing)
                };
                rows.filter_map(key).collect()
            }
        })?;
        Ok(keep.order(self.len() as u32, &keys.concat()).into_iter().map(|row| row as usize).collect())
    }
}

/// What one thread made.
struct Part {
    arena: SetArena,
    blocks: Vec<(usize, SetBlock)>,
    empty: usize,
    unusable: usize,
}
