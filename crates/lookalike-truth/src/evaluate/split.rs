//! Whether two documents agree in a field.

use std::collections::HashMap;

/// The value of a field of each document that has one.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// The name of the field.
    pub field: String,
    numbers: HashMap<String, u32>,
    of: HashMap<u32, u32>,
}

impl Values {
    /// No values of a field yet.
    pub fn new(field: &str) -> Values {
        Values { field: field.to_string(), ..Values::default() }
    }

    /// Sets the value of a document.
    pub fn set(&mut self, document: u32, value: &str) {
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(value.to_string()).or_insert(next);
        self.of.insert(document, number);
    }

    /// Whether two documents have the same value; `None` if one of them has none.
    pub fn agree(&self, a: u32, b: u32) -> Option<bool> {
        Some(self.of.get(&a)? == self.of.get(&b)?)
    }
}
