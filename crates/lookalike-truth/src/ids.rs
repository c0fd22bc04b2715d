//! Numbers for the ids of documents.

use std::collections::HashMap;

/// Gives each id a number, in the order in which ids are first seen. Two collections may use the same ids for different documents:
/// side 0 is the first collection, side 1 the second.
#[derive(Clone, Debug, Default)]
pub struct Ids {
    numbers: [HashMap<String, u32>; 2],
    names: Vec<(u8, String)>,
}

impl Ids {
    /// The number of an id, which is a new one if the id is new.
    pub fn number(&mut self, side: u8, id: &str) -> u32 {
        // Most ids are known already, and need no copy.
        if let Some(number) = self.get(side, id) {
            return number;
        }
        let next = self.names.len() as u32;
        self.numbers[usize::from(side)].insert(id.to_string(), next);
        self.names.push((side, id.to_string()));
        next
    }

    /// The number of an id, if it was seen.
    pub fn get(&self, side: u8, id: &str) -> Option<u32> {
        self.numbers[usize::from(side)].get(id).copied()
    }

    /// The id with a number.
    pub fn name(&self, number: u32) -> &str {
        &self.names[number as usize].1
    }

    /// The collection of an id.
    pub fn side(&self, number: u32) -> u8 {
        self.names[number as usize].0
    }

    /// How many ids there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are no ids.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}
