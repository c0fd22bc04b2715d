//! Signatures to fates.

use lookalike::cluster::{KeepOrder, Links};
use lookalike_io::Source;

use crate::collect::Collection;
use crate::dedup::{Compared, Dedup, PairsTaken};
use crate::error::Error;
use crate::expand::Sides;
use crate::found::{Found, Hits};
use crate::likeness::Likeness;
use crate::sign::Signing;
use crate::signed::SignedJob;
use crate::watch::{Progress, Watch};

impl Dedup {
    /// Decides who stays by signatures, and by the sets of those that they make candidates.
    pub(crate) fn compare_signed(
        &self,
        signing: Signing,
        sources: &[Source],
        inputs: usize,
        collection: &mut Collection,
        watch: &dyn Watch,
    ) -> Result<Compared, Error> {
        let (order, pinned) = self.order(collection);
        let sides = &Sides::all(collection.documents.inputs(), order.len() as u32);
        let (collector, threshold, verify) = (&self.collector, self.threshold, self.verify);
        let job = SignedJob { collector, signing, sources, inputs, sides, threshold, verify, watch };
        let signed = job.prepare(collection, &order)?;

        let pairs = PairsTaken::new(self, &order, &signed.groups, collection);
        let mut candidates = 0;
        if pairs.are_wanted() {
            let progress = Progress::begin(watch, "finding pairs", signed.work());
            candidates = signed.pairs(|more| progress.add(more), |some| pairs.add(some));
        }
        let (written, links) = pairs.finish()?;
        let likeness = Likeness::new(&signed);
        let is_reference = |document: &&u32| !sides.a.contains(*document);
        let in_order = KeepOrder {
            documents: order.len(),
            order: &order[pinned..],
            groups: &signed.groups,
            compared: &signed.members,
            pinned: signed.members.iter().filter(is_reference).count(),
        };
        let settling = || Progress::begin(watch, "comparing", signed.members.len() - in_order.pinned);
        let fates = if self.components {
            let links = links.unwrap_or_else(|| {
                let (links, progress) = (Links::new(&order, &signed.groups), settling());
                in_order.link(&likeness, &links, |more| progress.add(more));
                links
            });
            links.fates(pinned, &signed.groups, |document, twin| signed.similarity(document, twin))
        } else {
            let progress = settling();
            let similarity = |document, twin, _| signed.similarity(document, twin);
            in_order.survivors(&likeness, similarity, |_| 0, |more| progress.add(more))
        };
        candidates = candidates.max(likeness.candidates());
        let report = signed.report(candidates);
        let by = signed.into_by();
        let histogram = by.histogram();
        let found = written.map(|written| Found { pairs: Hits::InOrder(written), by });
        Ok(Compared::new(fates, found, histogram, Some(report)))
    }
}
