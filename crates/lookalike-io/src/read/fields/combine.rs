//! Combines several fields of a row into one text, key or site.

use super::values::{Value, Values};

/// Joins several fields into one text. Leaves out missing ones; the result is missing if all are.
pub(in crate::read) fn join<'a>(texts: &[usize], values: &Values, joined: &'a mut String) -> Value<'a> {
    joined.clear();
    let mut found = false;
    for &text in texts {
        match values.get(text) {
            Value::Text(text) => {
                if found {
                    joined.push('\n');
                }
                joined.push_str(text);
                found = true;
            }
            Value::Missing => {}
            _ => return Value::Other,
        }
    }
    if found { Value::Text(joined) } else { Value::Missing }
}

/// Encodes several values as one text without ambiguity: each as its length and its spelling, or a dash if it is missing. Returns the
/// first field whose value is an array or an object, if there is one.
pub(in crate::read) fn push_within(fields: &[usize], values: &Values, out: &mut String) -> Option<usize> {
    out.clear();
    let mut odd = None;
    for &field in fields {
        match values.get(field) {
            Value::Missing => out.push('-'),
            value => match value.written() {
                Some(text) => {
                    out.push_str(&format!("{}:", text.len()));
                    out.push_str(&text);
                }
                None => odd = odd.or(Some(field)),
            },
        }
    }
    odd
}

/// The site of a page, if a field names it.
pub(in crate::read) fn find_site<'a>(site: Option<usize>, values: &Values, out: &'a mut String) -> Option<&'a str> {
    let value = values.get(site?).written().filter(|value| !value.is_empty())?;
    out.clear();
    out.push_str(&value);
    Some(out)
}
