//! Numbers as bytes, and back.

use lookalike::Threshold;
use lookalike::engine::{Compare, Node};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::settings::Settings;

pub fn words(bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
    bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word))
}

pub fn halves(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    bytes.as_chunks::<4>().0.iter().map(|half| u32::from_le_bytes(*half))
}

pub fn of_words(words: impl IntoIterator<Item = u64>) -> Vec<u8> {
    words.into_iter().flat_map(u64::to_le_bytes).collect()
}

pub fn of_halves(halves: impl IntoIterator<Item = u32>) -> Vec<u8> {
    halves.into_iter().flat_map(u32::to_le_bytes).collect()
}

pub fn pairs(bytes: &[u8]) -> impl Iterator<Item = (Node, Node)> + '_ {
    let of = |half: &[u8]| u64::from_le_bytes(half.try_into().expect("it has eight bytes"));
    bytes.as_chunks::<16>().0.iter().map(move |pair| (of(&pair[..8]), of(&pair[8..])))
}

pub fn of_pairs(pairs: &[(Node, Node)]) -> Vec<u8> {
    of_words(pairs.iter().flat_map(|&(a, b)| [a, b]))
}

pub fn compare_of(name: &str) -> PyResult<Compare> {
    match name {
        "all" => Ok(Compare::All),
        "across" => Ok(Compare::Across),
        "against" => Ok(Compare::Against),
        _ => Err(PyValueError::new_err(format!("'{name}' does not say what is compared"))),
    }
}

pub fn threshold_of(settings: &Settings, threshold: &str) -> PyResult<Threshold> {
    let threshold = Threshold::new(settings.measure, threshold);
    threshold.map_err(|error| PyValueError::new_err(error.to_string()))
}
