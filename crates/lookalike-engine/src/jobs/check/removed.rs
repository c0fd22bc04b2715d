//! Reads the table of removed documents, of lookalike or another tool.

use lookalike_io::read::Lacking;
use lookalike_io::{Blocks, Content, Fields, Format, RowReader, Source, Value, read};

use crate::error::Error;

/// A row of the table of removed documents.
pub(crate) struct Removed {
    pub(crate) id: String,
    pub(crate) twin: Option<String>,
    pub(crate) similarity: Option<f64>,
}

/// Reads all rows of these tables.
pub(crate) fn read_removed(sources: &[Source]) -> Result<Vec<Removed>, Error> {
    let mut removed = Vec::new();
    for source in sources {
        read_removed_file(source, &mut removed)?;
    }
    Ok(removed)
}

fn read_removed_file(source: &Source, removed: &mut Vec<Removed>) -> Result<(), Error> {
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
    let mut blocks = Blocks::new(std::slice::from_ref(source), &fields, Default::default());
    while let Some(block) = blocks.next_block()? {
        reader.for_each(&block, |row, raw| {
            let wrong =
                |reason: &str| Error::Usage(format!("{}, row {}: {reason}", source.path().display(), row.number));
            let twin = match row.content {
                Content::Text(twin) if has_twin && !twin.is_empty() => Some(twin.to_string()),
                Content::Text(_) | Content::Page(_) | Content::Unusable(_) => None,
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
            let id = row.id.ok_or_else(lacking)?.to_string();
            removed.push(Removed { id, twin, similarity });
            Ok(())
        })?;
    }
    Ok(())
}
