//! Values of a row made into what is compared or told apart.

use super::values::{Value, Values};

/// Several fields as one text; those that are missing are left out, unless all are.
pub(super) fn join<'a>(texts: &[usize], values: &Values, joined: &'a mut String) -> Value<'a> {
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

/// Several values as one text, from which each could be told again: its length and itself, or a dash for one that is missing. Returns
/// the field, if there is one, whose value is not plain.
pub(super) fn push_within(fields: &[usize], values: &Values, out: &mut String) -> Option<usize> {
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

/// The value of a page's site, if it has one.
pub(super) fn find_site<'a>(site: Option<usize>, values: &Values, out: &'a mut String) -> Option<&'a str> {
    let value = values.get(site?).written().filter(|value| !value.is_empty())?;
    out.clear();
    out.push_str(&value);
    Some(out)
}
