//! Reads pairs and clusters that were found.

use lookalike::engine::Progress;
use lookalike_truth::{Found, FoundPair, Ids};

use super::rows::{TableRead, read_table};
use super::shape::{Columns, Shape, TableInput, Third};
use crate::error::Error;

/// How a table of pairs or clusters is read.
#[derive(Clone, Debug, Default)]
pub struct FoundOptions {
    /// The table.
    pub table: TableInput,
    /// Whether the two ids of a pair belong to two collections.
    pub linked: bool,
    /// Whether the two columns are an id and its cluster, whatever their names.
    pub clusters: bool,
    /// Whether a removed document and its twin are a pair, and not members of a cluster.
    pub twins_are_pairs: bool,
    /// Whether to stop at the first bad row.
    pub strict: bool,
}

/// Reads pairs or clusters. New ids get the next numbers.
pub(crate) fn read_found(
    options: &FoundOptions,
    ids: &mut Ids,
    read: &mut TableRead,
    progress: &dyn Progress,
) -> Result<Found, Error> {
    let columns = options.table.columns(Third::Value)?;
    let columns = if options.clusters { TableInput::as_clusters(columns) } else { columns };
    let columns = match columns.shape {
        Shape::Twins(id, twin) if options.twins_are_pairs => Columns { shape: Shape::Pairs(id, twin), ..columns },
        _ => columns,
    };
    let side = u8::from(options.linked);
    let (one, two) = match &columns.shape {
        Shape::Pairs(one, two) | Shape::Clusters(one, two) | Shape::Twins(one, two) => (one, two),
    };
    let is_pairs = matches!(columns.shape, Shape::Pairs(..));
    let third = columns.value.iter().filter(|_| is_pairs);
    let wanted: Vec<String> = [one, two].into_iter().chain(third).cloned().collect();
    let (mut pairs, mut links, mut members) = (Vec::new(), Vec::new(), Vec::new());
    for source in &options.table.files {
        read_table(source, &wanted, options.strict, read, progress, |values| {
            let first = values[0].ok_or_else(|| format!("no value in '{one}'"))?;
            // A document without a cluster or a twin is on its own.
            let Some(second) = values[1] else {
                return if is_pairs { Err(format!("no value in '{two}'")) } else { Ok(()) };
            };
            match &columns.shape {
                Shape::Pairs(..) => {
                    let value = match values.get(2).copied().flatten() {
                        None => None,
                        Some(text) => {
                            Some(text.parse().ok().filter(|value: &f64| value.is_finite()).ok_or_else(|| {
                                format!(
                                    "'{text}' in '{}' is not a number",
                                    columns.value.as_deref().unwrap_or_default()
                                )
                            })?)
                        }
                    };
                    pairs.push(FoundPair { a: ids.number(0, first), b: ids.number(side, second), value });
                }
                Shape::Clusters(..) => members.push((ids.number(0, first), second.to_string())),
                Shape::Twins(..) => links.push((ids.number(0, first), ids.number(0, second))),
            }
            Ok(())
        })?;
    }
    Ok(match columns.shape {
        Shape::Pairs(..) => Found::pairs(pairs, columns.is_distance),
        Shape::Clusters(..) => Found::clusters(ids, &members),
        Shape::Twins(..) => Found::linked(ids, &links),
    })
}
