//! How does one pass over the records look up, verify and index each of them?

use super::bounds::Bounds;
use super::lists::Lists;
use super::overlaps::Overlaps;
use super::probe::{Indexed, Probe};
use super::visit::Visit;
use crate::join::records::sizes::Sizes;
use crate::join::{Counts, Pair, Records};
use crate::progress::Stage;

/// The records, their index, and the counts so far.
pub(super) struct Pass<'a> {
    pub(super) records: &'a Records,
    sizes: Sizes,
    pub(super) indexed: Indexed,
    pub(super) probe: Probe,
    /// One index for each kind of side.
    lists: Vec<Lists>,
    pub(super) overlaps: Overlaps,
    pub(super) counts: Counts,
    emit: &'a mut dyn FnMut(Pair),
}

impl<'a> Pass<'a> {
    pub(super) fn new(
        records: &'a Records,
        bounds: Bounds,
        indexed: fn(&Bounds, u32) -> u32,
        emit: &'a mut dyn FnMut(Pair),
    ) -> Pass<'a> {
        let indexed = Indexed::new(records, |size| indexed(&bounds, size));
        let lists: Vec<Lists> = (0..records.sides().count()).map(|kind| Lists::new(records, kind, &indexed)).collect();
        let index_entries = lists.iter().map(Lists::room).sum();
        Pass {
            records,
            sizes: Sizes::new(records),
            indexed,
            probe: Probe::new(bounds),
            lists,
            overlaps: Overlaps::new(records.len()),
            counts: Counts { index_entries, ..Counts::default() },
            emit,
        }
    }

    pub(super) fn run(&mut self, accumulate: impl Fn(&mut Visit), stage: &Stage) {
        for record in (0..self.records.len() as u32).take_while(|_| !stage.is_cancelled()) {
            let x = self.records.set(record);
            self.probe.set_size(x.len() as u32, &self.sizes);
            let sides = self.records.sides();
            for kind in sides.looked_up(record) {
                let Pass { records, sizes, probe, overlaps, .. } = self;
                accumulate(&mut Visit { records, sizes, x, probe, lists: &mut self.lists[kind], overlaps });
            }
            self.verify(record);
            self.lists[sides.entered(record)].enter(record, self.indexed.prefix(x));
            stage.add(1);
        }
    }

    pub(super) fn emit(&mut self, x: u32, y: u32, common: u32) {
        self.counts.results += 1;
        let (x, y) = (self.records.document(x), self.records.document(y));
        (self.emit)(Pair { a: x.min(y), b: x.max(y), common });
    }
}
