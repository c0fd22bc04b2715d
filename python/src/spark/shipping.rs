//! Sends texts to where their sets are compared.
//!
//! A text is sent and not its set: compressed, it is a third of its size, and the set is larger than the text.
//!
//! A parcel is a zstd frame of documents: the side (1 byte), the hashes of the key, of what it is compared within and of its site (8 bytes
//! each), the length of the text (4 bytes), and the text.

use std::collections::{BTreeMap, HashMap};

use lookalike_io::extract::Extractor;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::bytes::{halves, words};
use super::method::{Arguments, Mark, Method};
use super::rows::{Row, Rows};
use crate::settings::Settings;

/// Bytes of a document before its text.
const HEAD: usize = 1 + 8 + 8 + 8 + 4;
const LEVEL: i32 = 1;

/// Collects parcels.
#[pyclass]
pub struct CoreShipper {
    settings: Settings,
    extractor: Extractor,
    method: Method,
    /// By the hash of a key, where its places begin and end.
    wanted: HashMap<u64, (u32, u32)>,
    places: Vec<u32>,
    parcels: BTreeMap<u32, Vec<u8>>,
    waiting: usize,
    compressor: zstd::bulk::Compressor<'static>,
}

#[pymethods]
impl CoreShipper {
    /// Sends the documents with these hashes of keys to their places.
    #[new]
    fn new(
        settings: Settings,
        threshold: &str,
        method: Arguments,
        keys: &[u8],
        starts: &[u8],
        places: &[u8],
    ) -> PyResult<CoreShipper> {
        let method = Method::new(&settings, threshold, method)?;
        let starts: Vec<u32> = halves(starts).collect();
        let wanted = words(keys).zip(starts.windows(2)).map(|(key, range)| (key, (range[0], range[1]))).collect();
        let extractor = Extractor::new(settings.extraction());
        let places = halves(places).collect();
        let compressor = zstd::bulk::Compressor::new(LEVEL)?;
        Ok(CoreShipper {
            settings,
            extractor,
            method,
            wanted,
            places,
            parcels: BTreeMap::new(),
            waiting: 0,
            compressor,
        })
    }

    fn add(&mut self, py: Python<'_>, rows: Rows, keys: &[u8], sides: &[u8]) -> PyResult<()> {
        let keys: Vec<u64> = words(keys).collect();
        if !keys.iter().any(|key| self.wanted.contains_key(key)) {
            return Ok(());
        }
        let read = rows.read()?;
        let CoreShipper { settings, extractor, method, wanted, places, parcels, waiting, .. } = self;
        py.detach(|| {
            let is_wanted = |row: usize| wanted.contains_key(&keys[row]);
            read.for_each(extractor, settings, is_wanted, false, |row| {
                let (start, end) = wanted[&keys[row.number]];
                let (key, side) = (keys[row.number], sides[row.number]);
                let mark = Mark { key, side, site: read.site(row.number, method) };
                for &place in &places[start as usize..end as usize] {
                    let parcel = parcels.entry(place).or_default();
                    put(parcel, mark, &row);
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

    /// Takes a parcel, the one for the first place. None if none wait.
    fn take<'py>(&mut self, py: Python<'py>) -> PyResult<Option<(u32, Bound<'py, PyBytes>)>> {
        let Some((place, parcel)) = self.parcels.pop_first() else {
            self.waiting = 0;
            return Ok(None);
        };
        let compressor = &mut self.compressor;
        let compressed = py.detach(|| compressor.compress(&parcel))?;
        Ok(Some((place, PyBytes::new(py, &compressed))))
    }
}

fn put(parcel: &mut Vec<u8>, Mark { key, side, site }: Mark, row: &Row) {
    parcel.push(side);
    [key, row.within, site].iter().for_each(|hash| parcel.extend_from_slice(&hash.to_le_bytes()));
    parcel.extend_from_slice(&(row.text.len() as u32).to_le_bytes());
    parcel.extend_from_slice(row.text.as_bytes());
}

/// Calls a function with every document of a parcel: what it is, the hash of what it is compared within, and its text.
pub fn open_parcel(parcel: &[u8], mut each: impl FnMut(Mark, u64, &str)) -> Result<(), String> {
    let parcel = zstd::stream::decode_all(parcel).map_err(|error| error.to_string())?;
    let mut rest = &parcel[..];
    while let Some((head, after)) = rest.split_first_chunk::<HEAD>() {
        let number = |at: usize| u64::from_le_bytes(head[at..at + 8].try_into().expect("it has eight bytes"));
        let length = u32::from_le_bytes(head[25..].try_into().expect("it has four bytes")) as usize;
        let (text, after) = after.split_at_checked(length).ok_or("it is cut off")?;
        let text = str::from_utf8(text).map_err(|error| error.to_string())?;
        each(Mark { side: head[0], key: number(1), site: number(17) }, number(9), text);
        rest = after;
    }
    if rest.is_empty() { Ok(()) } else { Err("it is cut off".to_string()) }
}
