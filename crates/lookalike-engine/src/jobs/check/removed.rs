//! Reads the table of removed documents, of lookalike or another tool.

use std::borrow::Cow;

use lookalike::engine::Progress;
use lookalike_io::read::Lacking;
use lookalike_io::spill::SpilledText;
use lookalike_io::{Blocks, Content, Fields, Format, RowReader, Source, Value, read};

use crate::error::Error;
use crate::read::WatchedBlocks;

/// The table of removed documents. Ids may be on disk.
pub(super) struct Removed {
    ids: SpilledText,
    /// Where the id of each row begins, the lengths of id and twin, and the stated similarity.
    rows: Vec<(u64, u32, u32, f64)>,
}

/// A row of the table.
pub(super) struct RemovedRow<'a> {
    pub(super) id: Cow<'a, str>,
    pub(super) twin: Option<Cow<'a, str>>,
    pub(super) similarity: Option<f64>,
}

impl Removed {
    /// Reads all rows of these tables.
    pub(super) fn read(sources: &[Source], ids: SpilledText, progress: &dyn Progress) -> Result<Removed, Error> {
        let mut removed = Removed { ids, rows: Vec::new() };
        sources.iter().try_for_each(|source| read_file(source, &mut removed, progress))?;
        Ok(removed)
    }

    /// The number of rows.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The id of a row.
    pub(super) fn id(&self, row: usize) -> Result<Cow<'_, str>, Error> {
        let (start, id, ..) = self.rows[row];
        Ok(self.ids.get(start as usize..start as usize + id as usize)?)
    }

    /// A row.
    pub(super) fn row(&self, row: usize) -> Result<RemovedRow<'_>, Error> {
        let (start, id, twin, similarity) = self.rows[row];
        let middle = start as usize + id as usize;
        let twin = if twin == 0 { None } else { Some(self.ids.get(middle..middle + twin as usize)?) };
        Ok(RemovedRow { id: self.id(row)?, twin, similarity: Some(similarity).filter(|stated| !stated.is_nan()) })
    }

    /// Appends a row. An empty twin is none.
    fn push(&mut self, id: &str, twin: &str, similarity: Option<f64>) -> Result<(), Error> {
        let start = self.ids.len() as u64;
        self.ids.push(id)?;
        self.ids.push(twin)?;
        self.rows.push((start, id.len() as u32, twin.len() as u32, similarity.unwrap_or(f64::NAN)));
        Ok(())
    }
}

fn read_file(source: &Source, removed: &mut Removed, progress: &dyn Progress) -> Result<(), Error> {
    // The tables of other tools may have only ids.
    let columns = read::columns(source)?;
    let has = |name: &str| columns.as_ref().is_none_or(|columns| columns.iter().any(|column| column == name));
    let (has_twin, has_similarity) = (has("twin"), has("similarity"));
    let fields = Fields {
        text: vec![if has_twin { "twin" } else { "id" }.into()],
        id: Some("id".into()),
        key: has_similarity.then(|| "similarity".into()),
        ..Fields::default()
    };
    let mut reader = RowReader::new(&fields, usize::MAX);
    let sources = std::slice::from_ref(source);
    let mut blocks = WatchedBlocks::new(Blocks::new(sources, &fields, Default::default()), sources, progress);
    while let Some(block) = blocks.next_block()? {
        reader.for_each(&block, |row, raw| {
            let wrong =
                |reason: &str| Error::Usage(format!("{}, row {}: {reason}", source.path().display(), row.number));
            let twin = match row.content {
                Content::Text(twin) if has_twin => twin,
                Content::Text(_) | Content::Page(_) | Content::Unusable(_) => "",
                Content::Unreadable(reason) => return Err(wrong(reason)),
            };
            let similarity = match row.key {
                Value::Float(similarity) => Some(similarity),
                Value::Int(similarity) => Some(similarity as f64),
                Value::Text(similarity) | Value::Number(similarity) => similarity.parse().ok(),
                _ => None,
            };
            let lacking = || match raw {
                Some(line) if source.format() == Format::Jsonl => {
                    wrong(&Lacking::Json(line).explain(&["id"], "The table needs the ids of the removed documents."))
                }
                _ => wrong("no field 'id'"),
            };
            removed.push(row.id.ok_or_else(lacking)?, twin, similarity)
        })?;
    }
    Ok(())
}
