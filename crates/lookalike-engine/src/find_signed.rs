//! Signatures to pairs.

use std::time::Instant;

use lookalike::join::paper::Counts;

use crate::collect::Collection;
use crate::error::Error;
use crate::expand::Expansion;
use crate::find::Finder;
use crate::found::{Found, Hits, Work};
use crate::members::Members;
use crate::signed::SignedJob;
use crate::watch::Progress;

impl Finder<'_> {
    /// Finds the pairs that signatures find.
    pub(crate) fn find_signed(&self, job: &SignedJob, collection: &mut Collection) -> Result<(Found, Work), Error> {
        let start = Instant::now();
        let documents = collection.documents.len();
        let order: Vec<u32> = (0..documents as u32).collect();
        let signed = job.prepare(collection, &order)?;
        let is_first = self.firsts(&signed.equal, documents);
        let members =
            Members::of(&signed.groups, documents as u32, |document| !self.distinct || is_first[document as usize]);
        let pairs = Expansion::new(members, self.sides.clone(), rayon::current_num_threads());
        let prepare = start.elapsed();
        let progress = Progress::begin(self.watch, "finding pairs", signed.work());
        let candidates = signed.pairs(|more| progress.add(more), |some| pairs.add(some));
        drop(progress);
        let join = start.elapsed() - prepare;
        let pairs = Hits::InOrder(pairs.finish(!self.distinct)?);
        let report = signed.report(candidates);
        let work = Work {
            method: job.signing.name().to_string(),
            plan: report.filter.clone(),
            counts: Counts { verified: candidates, ..Counts::default() },
            distinct_sets: signed.distinct_sets,
            prepare,
            join,
            signed: Some(report),
        };
        Ok((Found { pairs, by: signed.into_by() }, work))
    }
}
