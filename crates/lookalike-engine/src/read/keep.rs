//! Which of several similar documents is kept.

use std::cmp::{Ordering, Reverse};
use std::fmt;
use std::str::FromStr;

use lookalike_io::Value;

/// Which of several similar documents is kept: the first in this order. Input order breaks ties.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Keep {
    /// The first of the input.
    #[default]
    First,
    /// The last of the input.
    Last,
    /// The one with the most characters.
    Longest,
    /// The one with the fewest characters.
    Shortest,
    /// The one with the greatest value of a field.
    Max(String),
    /// The one with the least value of a field.
    Min(String),
}

impl Keep {
    /// The field that it orders by.
    pub fn field(&self) -> Option<&str> {
        match self {
            Keep::Max(field) | Keep::Min(field) => Some(field),
            _ => None,
        }
    }

    /// The key that it orders a document by, if it has a text or a value.
    pub fn key(&self, text: Option<&str>, value: Value) -> Option<Key> {
        match self {
            Keep::First | Keep::Last => None,
            Keep::Longest | Keep::Shortest => Some(Key::Length(text.map_or(0, |text| text.chars().count()))),
            Keep::Max(_) | Keep::Min(_) => Some(Key::of(value)),
        }
    }

    /// The documents in keep order. `keys` is empty for an order without keys.
    pub fn order(&self, documents: u32, keys: &[Key]) -> Vec<u32> {
        let mut order: Vec<u32> = (0..documents).collect();
        let key = |document: &u32| &keys[*document as usize];
        match self {
            Keep::First => {}
            Keep::Last => order.reverse(),
            Keep::Longest => order.sort_by_key(|document| Reverse(key(document))),
            Keep::Shortest => order.sort_by_key(key),
            // A document without the field comes last either way.
            Keep::Max(_) => order.sort_by_key(|document| (key(document) == &Key::None, Reverse(key(document)))),
            Keep::Min(_) => order.sort_by_key(|document| (key(document) == &Key::None, key(document))),
        }
        order
    }
}

impl FromStr for Keep {
    type Err = String;

    fn from_str(text: &str) -> Result<Keep, String> {
        match text.split_once(':') {
            Some(("max", field)) if !field.is_empty() => Ok(Keep::Max(field.to_string())),
            Some(("min", field)) if !field.is_empty() => Ok(Keep::Min(field.to_string())),
            _ => match text {
                "first" => Ok(Keep::First),
                "last" => Ok(Keep::Last),
                "longest" => Ok(Keep::Longest),
                "shortest" => Ok(Keep::Shortest),
                _ => Err(format!(
                    "'{text}' is not a keep order. Use first, last, longest, shortest, max:FIELD or min:FIELD"
                )),
            },
        }
    }
}

impl fmt::Display for Keep {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Keep::First => f.write_str("first"),
            Keep::Last => f.write_str("last"),
            Keep::Longest => f.write_str("longest"),
            Keep::Shortest => f.write_str("shortest"),
            Keep::Max(field) => write!(f, "max:{field}"),
            Keep::Min(field) => write!(f, "min:{field}"),
        }
    }
}

/// A value that documents are ordered by: numbers first, by size, then strings, by their bytes. ISO dates sort correctly.
#[derive(Clone, Debug, PartialEq)]
pub enum Key {
    /// No value.
    None,
    /// The number of characters.
    Length(usize),
    /// A number: rounded, and its whole part.
    Number(f64, i128),
    /// A string.
    Text(Box<str>),
}

impl Key {
    fn of(value: Value) -> Key {
        match value {
            Value::Int(number) => Key::Number(number as f64, number),
            Value::Float(number) => Key::Number(number, number as i128),
            Value::Bool(value) => Key::Number(f64::from(value), i128::from(value)),
            // CSV has only strings: some look like numbers, and an empty one is a missing value.
            Value::Number(text) | Value::Text(text) => {
                match (text.trim().parse::<i128>(), text.trim().parse::<f64>()) {
                    _ if text.trim().is_empty() => Key::None,
                    (Ok(number), _) => Key::Number(number as f64, number),
                    (_, Ok(number)) if !number.is_nan() => Key::Number(number, number as i128),
                    _ => Key::Text(text.into()),
                }
            }
            Value::Missing | Value::Other => Key::None,
        }
    }

    /// The key as bytes.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![self.rank()];
        match self {
            Key::None => {}
            Key::Length(length) => bytes.extend((*length as u64).to_le_bytes()),
            Key::Number(rounded, exact) => {
                bytes.extend(rounded.to_le_bytes());
                bytes.extend(exact.to_le_bytes());
            }
            Key::Text(text) => bytes.extend(text.as_bytes()),
        }
        bytes
    }

    /// The key that became these bytes.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Key> {
        let (rank, rest) = bytes.split_first()?;
        Some(match rank {
            0 => Key::None,
            1 => Key::Length(u64::from_le_bytes(rest.try_into().ok()?) as usize),
            2 => {
                let (rounded, exact) = rest.split_first_chunk()?;
                Key::Number(f64::from_le_bytes(*rounded), i128::from_le_bytes(exact.try_into().ok()?))
            }
            _ => Key::Text(std::str::from_utf8(rest).ok()?.into()),
        })
    }

    fn rank(&self) -> u8 {
        match self {
            Key::None => 0,
            Key::Length(_) => 1,
            Key::Number(..) => 2,
            Key::Text(_) => 3,
        }
    }
}

impl Eq for Key {}

impl Ord for Key {
    fn cmp(&self, other: &Key) -> Ordering {
        match (self, other) {
            (Key::Length(one), Key::Length(two)) => one.cmp(two),
            // Rounding keeps the order of integers. Where it makes two equal, the exact values decide.
            (Key::Number(one, exact), Key::Number(two, other)) => one.total_cmp(two).then(exact.cmp(other)),
            (Key::Text(one), Key::Text(two)) => one.cmp(two),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Key) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_in_order() {
        let values = [
            Value::Missing,
            Value::Float(-1.5),
            Value::Text("3"),
            Value::Int(9_007_199_254_740_992),
            Value::Int(9_007_199_254_740_993),
            Value::Text("2025-01-02"),
            Value::Text("2025-01-10"),
        ];
        let keys: Vec<Key> = values.into_iter().map(Key::of).collect();
        assert!(keys.is_sorted_by(|one, two| one < two));
        assert_eq!(Keep::Max("f".into()).order(7, &keys), [6, 5, 4, 3, 2, 1, 0]);
        assert_eq!(Keep::Min("f".into()).order(7, &keys), [1, 2, 3, 4, 5, 6, 0]);
        let ties = vec![Key::Length(2), Key::Length(5), Key::Length(5), Key::Length(2)];
        assert_eq!(Keep::Longest.order(4, &ties), [1, 2, 0, 3]);
        assert_eq!(Keep::Shortest.order(4, &ties), [0, 3, 1, 2]);
    }

    #[test]
    fn written_and_read() {
        for text in ["first", "last", "longest", "shortest", "max:stars", "min:a:b"] {
            assert_eq!(text.parse::<Keep>().unwrap().to_string(), text);
        }
        for wrong in ["", "max", "max:", "newest"] {
            assert!(wrong.parse::<Keep>().is_err());
        }
    }
}
