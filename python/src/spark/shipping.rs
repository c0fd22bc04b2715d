//! Sends texts to where their sets are compared.
//!
//! A text is sent and not its set: compressed, it is a third of its size, and the set is larger than the text.
//!
//! A parcel is a zstd frame of documents: the side (1 byte), the hash of the key and that of what it is compared within (8 bytes each), the
//! length of the text (4 bytes), and the text.

use std::collections::HashMap;

use lookalike_io::extract::Extractor;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::bytes::{halves, words};
use super::rows::{Row, Rows};
use crate::settings::Settings;

/// Bytes of a document before its text.
pub const HEAD: usize = 1 + 8 + 8 + 4;
const LEVEL: i32 = 1;

/// Collects parcels.
#[pyclass]
pub struct CoreShipper {
    settings: Settings,
    extractor: Extractor,
    /// By the hash of a key, where its places begin and end.
    wanted: HashMap<u64, (u32, u32)>,
    places: Vec<u32>,
    parcels: HashMap<u32, Vec<u8>>,
    waiting: usize,
}

#[pymethods]
impl CoreShipper {
    /// Sends the documents with these hashes of keys to their places.
    #[new]
    fn new(settings: Settings, keys: &[u8], starts: &[u8], places: &[u8]) -> CoreShipper {
        let starts: Vec<u32> = halves(starts).collect();
        let wanted = words(keys).zip(starts.windows(2)).map(|(key, range)| (key, (range[0], range[1]))).collect();
        let extractor = Extractor::new(settings.extraction());
        let places = halves(places).collect();
        CoreShipper { settings, extractor, wanted, places, parcels: HashMap::new(), waiting: 0 }
    }

    fn add(&mut self, py: Python<'_>, rows: Rows, keys: &[u8], sides: &[u8]) -> PyResult<()> {
        let keys: Vec<u64> = words(keys).collect();
        if !keys.iter().any(|key| self.wanted.contains_key(key)) {
            return Ok(());
        }
        let read = rows.read()?;
        let CoreShipper { settings, extractor, wanted, places, parcels, waiting } = self;
        py.detach(|| {
            let is_wanted = |row: usize| wanted.contains_key(&keys[row]);
            read.for_each(extractor, settings, is_wanted, false, |row| {
                let (start, end) = wanted[&keys[row.number]];
                for &place in &places[start as usize..end as usize] {
                    let parcel = parcels.entry(place).or_default();
                    put(parcel, sides[row.number], keys[row.number], &row);
                    *waiting += row.text.len() + HEAD;
                }
            });
        });
        Ok(())
    }

    /// Bytes that are waiting.
    fn waiting(&self) -> usize {
        self.waiting
    }

    /// Takes the parcels, by place.
    fn take<'py>(&mut self, py: Python<'py>) -> PyResult<Vec<(u32, Bound<'py, PyBytes>)>> {
        self.waiting = 0;
        let mut parcels: Vec<(u32, Vec<u8>)> = self.parcels.drain().collect();
        parcels.sort_unstable_by_key(|&(place, _)| place);
        let compressed = py.detach(|| -> std::io::Result<Vec<(u32, Vec<u8>)>> {
            let mut compressor = zstd::bulk::Compressor::new(LEVEL)?;
            parcels.into_iter().map(|(place, parcel)| Ok((place, compressor.compress(&parcel)?))).collect()
        });
        let compressed = compressed.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(compressed.into_iter().map(|(place, parcel)| (place, PyBytes::new(py, &parcel))).collect())
    }
}

fn put(parcel: &mut Vec<u8>, side: u8, key: u64, row: &Row) {
    parcel.push(side);
    parcel.extend_from_slice(&key.to_le_bytes());
    parcel.extend_from_slice(&row.within.to_le_bytes());
    parcel.extend_from_slice(&(row.text.len() as u32).to_le_bytes());
    parcel.extend_from_slice(row.text.as_bytes());
}
