//! Reads labels.

use lookalike::engine::Progress;
use lookalike_truth::{Answer, Classes, Ids, Kind, Labels, LabelsBuilder};

use super::rows::{TableRead, read_table};
use super::shape::{Shape, TableInput, Third};
use crate::error::Error;

/// How labels are read.
#[derive(Clone, Debug, Default)]
pub struct LabelOptions {
    /// The table.
    pub table: TableInput,
    /// Which classes mean the same.
    pub classes: Classes,
    /// Whether pairs that no label mentions are different.
    pub complete: bool,
    /// Whether the two ids of a pair belong to two collections.
    pub linked: bool,
    /// Whether the two columns are an id and its group, whatever their names.
    pub groups: bool,
    /// Whether to stop at the first bad row.
    pub strict: bool,
}

/// Reads labels. Their ids get the next numbers.
pub(crate) fn read_labels(
    options: &LabelOptions,
    ids: &mut Ids,
    read: &mut TableRead,
    progress: &dyn Progress,
) -> Result<Labels, Error> {
    let columns = options.table.columns(Third::Label)?;
    let columns = if options.groups { TableInput::as_clusters(columns) } else { columns };
    let side = u8::from(options.linked);
    let (kind, one, two) = match &columns.shape {
        Shape::Clusters(id, group) => (Kind::Groups, id, group),
        // A list of pairs without a label is a list of all that are the same.
        Shape::Pairs(a, b) | Shape::Twins(a, b) if columns.value.is_none() || options.complete => (Kind::Mapping, a, b),
        Shape::Pairs(a, b) | Shape::Twins(a, b) => (Kind::Pairs, a, b),
    };
    let wanted: Vec<String> = [one, two].into_iter().chain(&columns.value).cloned().collect();
    let mut builder = LabelsBuilder::new(kind);
    for source in &options.table.files {
        read_table(source, &wanted, options.strict, read, progress, |values| {
            let one_value = values[0].ok_or_else(|| format!("no value in '{one}'"))?;
            if kind == Kind::Groups {
                // A document without a group has no label.
                let Some(group) = values[1] else { return Ok(()) };
                let id = ids.number(0, one_value);
                builder.member(ids, id, group);
                return Ok(());
            }
            let two_value = values[1].ok_or_else(|| format!("no value in '{two}'"))?;
            let answer = match &columns.value {
                None => Answer::Same,
                Some(name) => {
                    let label = values[2].unwrap_or_default();
                    options.classes.answer(label).ok_or_else(|| {
                        format!("'{label}' in '{name}' is neither 1 nor 0; use --same to name the classes that mean the same")
                    })?
                }
            };
            let (a, b) = (ids.number(0, one_value), ids.number(side, two_value));
            builder.pair(ids, a, b, answer);
            Ok(())
        })?;
    }
    Ok(builder.finish(ids))
}
