//! The schema of a copied file, and the first difference between two schemas.

use std::sync::Arc;

use ::parquet::basic::{ConvertedType, LogicalType};
use ::parquet::file::reader::FileReader;
use ::parquet::schema::types::{Type, TypePtr};

use super::column::Column;
use super::guard::{Result, error};

/// The schema `root` with `extra` columns appended.
pub(super) fn extended(root: &TypePtr, extra: &[Column]) -> Result<TypePtr> {
    if extra.is_empty() {
        return Ok(root.clone());
    }
    let mut fields = root.get_fields().to_vec();
    for column in extra {
        if fields.iter().any(|field| field.name() == column.name) {
            return Err(error(format!("there is already a column {:?}", column.name)));
        }
        fields.push(Arc::new(column.schema()?));
    }
    let info = root.get_basic_info();
    let id = info.has_id().then(|| info.id());
    let root = Type::group_type_builder(root.name()).with_id(id).with_fields(fields);
    Ok(Arc::new(root.build()?))
}

/// Refuses a schema that can be read but not written: the `parquet` crate knows logical types newer than itself by number only. An error
/// before hours of work is better than a type that silently disappears.
pub(super) fn check_writable(path: &str, part: &Type) -> Result<()> {
    if let Some(LogicalType::_Unknown { field_id }) = part.get_basic_info().logical_type_ref() {
        return Err(error(format!(
            "column {path} has an unknown logical type (number {field_id}), which cannot be written"
        )));
    }
    if part.is_group() {
        for field in part.get_fields() {
            check_writable(&below(path, field.name()), field)?;
        }
    }
    Ok(())
}

/// The first difference between the schemas of two files, if there is one.
pub fn schema_difference(one: &dyn FileReader, two: &dyn FileReader) -> Option<String> {
    let schema = |file: &dyn FileReader| file.metadata().file_metadata().schema_descr().root_schema_ptr();
    difference(&schema(one), &schema(two))
}

/// The first difference between `first` and `other`, if there is one.
///
/// Ignores the name of the root: it names the program that wrote the file, not a column.
pub(super) fn difference(first: &Type, other: &Type) -> Option<String> {
    fields("", first.get_fields(), other.get_fields())
}

fn fields(path: &str, first: &[TypePtr], other: &[TypePtr]) -> Option<String> {
    let count = first.len().max(other.len());
    (0..count).find_map(|place| match (first.get(place), other.get(place)) {
        (Some(a), Some(b)) if a.name() == b.name() => field(&below(path, a.name()), a, b),
        (Some(a), Some(b)) => {
            let (a, b) = (below(path, a.name()), below(path, b.name()));
            Some(format!("column {b} is in the place of column {a} of the first file"))
        }
        (Some(a), None) => Some(format!("column {} is missing", below(path, a.name()))),
        (None, Some(b)) => {
            let b = below(path, b.name());
            Some(format!("column {b} is not in the first file"))
        }
        (None, None) => None,
    })
}

fn field(path: &str, a: &Type, b: &Type) -> Option<String> {
    if a == b {
        return None;
    }
    let (one, two) = (described(a), described(b));
    if one != two {
        return Some(format!("column {path} is {two}, but {one} in the first file"));
    }
    if a.is_group() && b.is_group() {
        return fields(path, a.get_fields(), b.get_fields());
    }
    // They differ in something that the description leaves out.
    Some(format!("column {path} has a different type"))
}

/// The type of a field, without its name and its subfields.
fn described(field: &Type) -> String {
    let info = field.get_basic_info();
    let mut text = match info.has_repetition() {
        true => info.repetition().to_string().to_lowercase(),
        false => "plain".to_string(),
    };
    match field {
        Type::GroupType { .. } => text += " group",
        Type::PrimitiveType { physical_type, type_length, precision, scale, .. } => {
            text += &format!(" {physical_type}");
            if *type_length >= 0 {
                text += &format!("({type_length})");
            }
            if *precision >= 0 {
                text += &format!(" of {precision}.{scale} digits");
            }
        }
    }
    match (info.logical_type_ref(), info.converted_type()) {
        (Some(logical), _) => text += &format!(" as {logical:?}"),
        (None, ConvertedType::NONE) => {}
        (None, converted) => text += &format!(" as {converted}"),
    }
    if info.has_id() {
        text += &format!(" with id {}", info.id());
    }
    text
}

fn below(path: &str, name: &str) -> String {
    match path {
        "" => name.to_string(),
        _ => format!("{path}.{name}"),
    }
}
