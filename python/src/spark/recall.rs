//! How many pairs of a sample do signatures find?
//!
//! As in the command, the sample is the sets with the smallest hashes. Every row is compared with it. Rows with one set count
//! once: the first of them in order.

use std::collections::{BTreeMap, HashMap};

use lookalike::engine::{Compare, Side, hash_set};
use lookalike_engine::{Lookup, MOST_SAMPLED, PairsOfSet, Recall, Sample, SampleIndex, Signed, sets_to_draw};
use lookalike_io::extract::Extractor;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::bytes::{compare_of, of_words, words};
use super::method::{Arguments, Mark, Method, Nodes};
use super::rows::Rows;
use super::shipping::open_parcel;
use crate::settings::Settings;

/// A sample, to compare rows with.
#[pyclass]
pub struct CoreProbe {
    settings: Settings,
    extractor: Extractor,
    method: Method,
    index: SampleIndex,
    /// Of each set of the sample, the signature of the first document with it, and its site.
    signatures: Vec<(Vec<u64>, u64)>,
    lookup: Lookup,
}

/// Of rows that resemble a set of the sample or have one: their numbers in the batch, hashes of their sets, nodes, and for each
/// the sets of the sample (4 bytes), how many each stands for (4 bytes), and whether the pair is found (1 byte).
type Probed<'py> = (Vec<usize>, Vec<Bound<'py, PyBytes>>, Bound<'py, PyBytes>, Vec<Bound<'py, PyBytes>>);

/// Bytes of a set of the sample that a row resembles.
const HIT: usize = 4 + 4 + 1;

#[pymethods]
impl CoreProbe {
    /// Takes the texts of the sample in parcels. Of several documents with one set, the one with this hash of the key and this side
    /// counts: 9 bytes for each, in the order of hashes.
    #[new]
    fn new(
        py: Python<'_>,
        settings: Settings,
        threshold: &str,
        method: Arguments,
        parcels: Vec<Vec<u8>>,
        prints: &[u8],
        wanted: &[u8],
    ) -> PyResult<CoreProbe> {
        let mut method = Method::new(&settings, threshold, method)?;
        let mut maker = lookalike::engine::SetMaker::new(settings.recipe());
        let wanted: HashMap<u128, (usize, &[u8])> = prints_of(prints).zip(wanted.chunks_exact(9).enumerate()).collect();
        let (mut sample, mut signatures) = (Sample::default(), vec![None; wanted.len()]);
        let opened = py.detach(|| {
            parcels.iter().try_for_each(|parcel| {
                open_parcel(parcel, |mark, within, text| {
                    let set = maker.set_within(text, within);
                    let print = hash_set(set);
                    let written = [&mark.key.to_le_bytes()[..], &[mark.side]].concat();
                    if let Some((number, _)) = wanted.get(&print).filter(|(_, wanted)| *wanted == written) {
                        sample.offer(print, set);
                        let marked = method.mark(text, set, mark, Nodes { own: false, seed: 0 });
                        signatures[*number] = Some((marked.signed.numbers.to_vec(), mark.site));
                    }
                })
            })
        });
        opened.map_err(|error| PyValueError::new_err(format!("a parcel is damaged: {error}")))?;
        let signatures: Option<Vec<(Vec<u64>, u64)>> = signatures.into_iter().collect();
        let signatures = signatures.ok_or_else(|| {
            PyValueError::new_err("a row of the sample is gone: the data frame must give the same rows each time")
        })?;
        let (index, extractor) = (SampleIndex::new(sample, method.threshold), Extractor::new(settings.extraction()));
        Ok(CoreProbe { settings, extractor, method, index, signatures, lookup: Lookup::default() })
    }

    /// Compares rows with the sample.
    fn add<'py>(&mut self, py: Python<'py>, rows: Rows, keys: &[u8], sides: &[u8]) -> PyResult<Probed<'py>> {
        let read = rows.read()?;
        let keys: Vec<u64> = words(keys).collect();
        let CoreProbe { settings, extractor, method, index, signatures, lookup } = self;
        let (mut numbers, mut prints, mut nodes, mut blobs) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let Some(signing) = method.signatures.as_ref().map(|signatures| signatures.method.signing) else {
            return Err(PyValueError::new_err("the exact method has no recall to measure"));
        };
        py.detach(|| {
            read.for_each(
                extractor,
                settings,
                |_| true,
                true,
                |row| {
                    if row.set.is_empty() {
                        return;
                    }
                    let print = hash_set(row.set);
                    let mut met = Vec::new();
                    index.probe(row.set, print as u32, lookup, |number, stands_for| met.push((number, stands_for)));
                    if met.is_empty() && index.number(print).is_none() {
                        return;
                    }
                    let site = read.site(row.number, method);
                    let mark = Mark { key: keys[row.number], side: sides[row.number], site };
                    let marked = method.mark(row.text, row.set, mark, Nodes { own: false, seed: 0 });
                    let mut blob = Vec::with_capacity(HIT * met.len());
                    for (number, stands_for) in met {
                        let (numbers, site) = &signatures[number as usize];
                        let passes = signing.passes(Signed { numbers, site: *site }, marked.signed);
                        blob.extend_from_slice(&number.to_le_bytes());
                        blob.extend_from_slice(&(stands_for as u32).to_le_bytes());
                        blob.push(passes.into());
                    }
                    numbers.push(row.number);
                    prints.push(print);
                    nodes.push(marked.node);
                    blobs.push(blob);
                },
            );
        });
        let prints = prints.iter().map(|print| PyBytes::new(py, &print.to_be_bytes())).collect();
        let blobs = blobs.iter().map(|blob| PyBytes::new(py, blob)).collect();
        Ok((numbers, prints, PyBytes::new(py, &of_words(nodes)), blobs))
    }
}

/// Counts pairs of the sample. Rows with one set come one after another, the first in order first.
#[pyclass]
pub struct CoreTally {
    drawn: HashMap<u128, u32>,
    /// The set at hand, the node of its first row without the side, the sides of rows with this node, and the first row's blob.
    open: Option<(u128, u64, u8, Vec<u8>)>,
    /// By set of the sample, sides of the other, whether that is drawn and whether the pair is found, how many pairs there are. If
    /// nothing is drawn and found: the sides of the set itself.
    counts: BTreeMap<[u32; 4], u64>,
}

/// Rows of counts: five numbers of 64 bits each.
#[pymethods]
impl CoreTally {
    #[new]
    fn new(prints: &[u8]) -> CoreTally {
        CoreTally { drawn: prints_of(prints).zip(0..).collect(), open: None, counts: BTreeMap::new() }
    }

    fn add(&mut self, print: &[u8], node: u64, blob: &[u8]) -> PyResult<()> {
        let print = print.try_into().map(u128::from_be_bytes);
        let print = print.map_err(|_| PyValueError::new_err("a hash has 16 bytes"))?;
        let (group, side) = (node >> 1, 1 << (node & 1));
        match &mut self.open {
            Some((open, first, sides, _)) if *open == print => {
                if *first == group {
                    *sides |= side;
                }
            }
            _ => {
                self.close();
                self.open = Some((print, group, side, blob.to_vec()));
            }
        }
        Ok(())
    }

    /// Returns the counts.
    fn finish<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.close();
        let counts = std::mem::take(&mut self.counts);
        let rows = counts.into_iter().flat_map(|(key, count)| key.map(u64::from).into_iter().chain([count]));
        PyBytes::new(py, &of_words(rows))
    }
}

/// What a count is of, beside the pairs with others and with drawn ones.
const OWN: u32 = 2;

impl CoreTally {
    fn close(&mut self) {
        let Some((print, _, sides, blob)) = self.open.take() else { return };
        let own = self.drawn.get(&print).copied();
        if let Some(number) = own {
            *self.counts.entry([number, sides.into(), OWN, 0]).or_default() += 1;
        }
        for hit in blob.as_chunks::<HIT>().0 {
            let half = |at: usize| u32::from_le_bytes(hit[at..at + 4].try_into().expect("it has four bytes"));
            if Some(half(0)) != own {
                let key = [half(0), sides.into(), own.is_some().into(), hit[8].into()];
                *self.counts.entry(key).or_default() += u64::from(half(4));
            }
        }
    }
}

fn prints_of(bytes: &[u8]) -> impl Iterator<Item = u128> + '_ {
    bytes.as_chunks::<16>().0.iter().map(|print| u128::from_be_bytes(*print))
}

/// How many sets to draw, if so many of the distinct sets have a candidate.
#[pyfunction]
pub fn sets_to_sample(designed: Option<f64>, met: u64, sets: u64) -> usize {
    let share = met as f64 / sets.max(1) as f64;
    sets_to_draw(designed.unwrap_or(0.5), share).min(MOST_SAMPLED).min(sets as usize)
}

/// The recall, from the counts of all tasks: measured, low, high, sampled sets, sets, sampled pairs, found pairs.
type Measured = (Option<f64>, f64, f64, u64, u64, u64, u64);

/// Returns the recall from the counts of all tasks.
#[pyfunction]
pub fn recall_of(counts: Vec<Vec<u8>>, compare: &str, drawn: usize, sets: u64) -> PyResult<Measured> {
    let compare = compare_of(compare)?;
    let numbers: Vec<u64> = counts.iter().flat_map(|counts| words(counts)).collect();
    let rows: Vec<[u64; 5]> = numbers.as_chunks::<5>().0.to_vec();
    let side = |sides: u64| match (compare, sides) {
        (Compare::All, _) | (_, 3) | (Compare::Against, 1) => Side::Both,
        (Compare::Across, 1) => Side::First,
        _ => Side::Second,
    };
    let mut own = vec![Side::Both; drawn];
    for [number, sides, kind, ..] in &rows {
        if *kind == u64::from(OWN) {
            own[*number as usize] = side(*sides);
        }
    }
    let mut pairs = vec![(PairsOfSet::default(), PairsOfSet::default()); drawn];
    for [number, sides, kind, found, count] in rows {
        if kind != u64::from(OWN) && own[number as usize].faces(side(sides)) {
            let (all, passed) = &mut pairs[number as usize];
            for pairs in [Some(all), (found == 1).then_some(passed)].into_iter().flatten() {
                *(if kind == 1 { &mut pairs.with_drawn } else { &mut pairs.with_others }) += count;
            }
        }
    }
    let Recall { measured, low, high, sampled_sets, sets, sampled_pairs, found_pairs } = Recall::of(&pairs, sets);
    Ok((measured, low, high, sampled_sets, sets, sampled_pairs, found_pairs))
}
