//! How are records prepared for the dense join, and which plan suits them?

use std::sync::Arc;

use super::signatures::width;
use crate::join::Records;
use crate::join::records::sides::Sides;
use crate::join::records::sizes::Sizes;
use crate::measure::Threshold;

/// The mean length of a looked-up list, counting entries of fitting sizes, above which the heavy plan is faster. The
/// second value is for signatures of at most one word, which the light plan stores in its entries.
const LONG: f64 = 75.0;
const LONG_NARROW: f64 = 300.0;

/// How many elements can be signed in the time that one entry takes without a signature.
const WORTH: f64 = 4.0;

/// The widest signature, in words, for which a folded one of 64 bits still helps.
pub(super) const NARROW: usize = 2;

/// A prepared join of records.
pub(crate) struct Dense {
    pub(super) records: Arc<Records>,
    pub(super) threshold: Threshold,
    pub(super) sizes: Sizes,
    /// By kind of list and element, the maximum number of entries; 0 if no two records meet there.
    pub(super) rooms: Vec<Vec<u32>>,
    /// By record, how many elements of its prefix are unique. They come first.
    singles: Vec<u32>,
    /// The mean length of a looked-up list, counting entries of fitting sizes.
    list_length: f64,
    /// Words in a signature; 0 if so few records meet that signing all would take longer.
    pub(super) width: usize,
    /// How many records are taken together, if that is given.
    pub(super) block: Option<u32>,
}

/// How the lists are walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DensePlan {
    Light,
    Heavy,
}

impl Dense {
    pub(crate) fn new(records: Arc<Records>, threshold: Threshold, block: Option<u32>) -> Dense {
        let sides = records.sides();
        let alone = records.frequencies().partition_point(|&count| count < 2) as u32;
        let mut singles = Vec::with_capacity(records.len());
        let mut looked_up = vec![0_u32; records.universe()];
        let mut rooms = vec![vec![0_u32; records.universe()]; sides.count()];
        records.for_each_prefix(&threshold, |record, prefix, short| {
            let first = prefix.iter().take_while(|&&element| element < alone).count();
            singles.push(first as u32);
            prefix.iter().skip(first).for_each(|&element| looked_up[element as usize] += 1);
            let rooms = &mut rooms[sides.entered(record)];
            prefix[..short].iter().skip(first).for_each(|&element| rooms[element as usize] += 1);
        });
        let (mut meetings, mut lookups) = (0.0, 0.0);
        for rooms in &mut rooms {
            for (room, &count) in rooms.iter_mut().zip(&looked_up) {
                if count < 2 {
                    *room = 0;
                } else {
                    meetings += f64::from(*room) * f64::from(count);
                    lookups += f64::from(count);
                }
            }
        }
        // A list is half full on average.
        let walked = meetings / 2.0;
        let width = width(&records, &threshold);
        let width = if walked * WORTH < records.elements() as f64 && width > NARROW { 0 } else { width };
        let sizes = Sizes::new(&records);
        let list_length = if lookups > 0.0 { fitting(&records, &threshold) * walked / lookups } else { 0.0 };
        Dense { records, threshold, sizes, rooms, singles, list_length, width, block }
    }

    pub(crate) fn plan(&self) -> DensePlan {
        let long = if self.width <= 1 { LONG_NARROW } else { LONG };
        if self.list_length < long { DensePlan::Light } else { DensePlan::Heavy }
    }

    /// The mean length of a looked-up list, counting entries of fitting sizes.
    pub(crate) fn list_length(&self) -> f64 {
        self.list_length
    }

    pub(super) fn sides(&self) -> &Sides {
        self.records.sides()
    }

    /// The number of entries in all lists.
    pub(crate) fn entries(&self) -> u64 {
        self.rooms.iter().flatten().map(|&room| u64::from(room)).sum()
    }

    /// Bits of a signature.
    pub(crate) fn signature_bits(&self) -> usize {
        self.width * 64
    }

    /// The position of the first element of a record that others have too.
    #[inline]
    pub(super) fn first_shared(&self, record: u32) -> usize {
        self.singles[record as usize] as usize
    }
}

/// The share of all pairs of records whose sizes allow a pair.
fn fitting(records: &Records, threshold: &Threshold) -> f64 {
    let (mut size, mut first, mut fitting, mut all) = (0, 0, 0.0, 0.0);
    for record in 0..records.len() as u32 {
        if records.size(record) != size {
            size = records.size(record);
            let least = threshold.partners(size).0;
            // Sizes ascend, so the least size of a partner never falls.
            while first < record && records.size(first) < least {
                first += 1;
            }
        }
        fitting += f64::from(record - first);
        all += f64::from(record);
    }
    if all > 0.0 { fitting / all } else { 0.0 }
}
