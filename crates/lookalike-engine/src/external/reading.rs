//! Reads the inputs by a plan that a sample of them suggests, and by another if they hold more than that.

use lookalike::engine::Progress;

use super::budget::{Besides, Budget, Estimate, RunPlan};
use super::reader::External;
use super::request::ReadRequest;
use super::watch::{Held, Watch};
use crate::error::Error;
use crate::read::{Collection, Keep, KeepSets, KeptOf, Look, ReadBlock};
use crate::report::Planned;

/// What was read.
pub(crate) struct WasRead<'a> {
    pub(crate) collection: Collection,
    /// Where the rest is, if not everything that is compared is in memory.
    pub(crate) external: Option<External<'a>>,
    pub(crate) planned: Planned,
}

/// The way out if everything must be in memory because of the method.
const OTHER_METHODS: &str = "; other methods and --method exact, without --unverified, need less";
/// The most times that reading begins again.
const RESTARTS: u32 = 3;

impl<'a> ReadRequest<'a> {
    /// Reads the inputs. If they hold more than the plan allows, it starts again with the next plan.
    pub(crate) fn read(&self, keep: &Keep, progress: &dyn Progress) -> Result<WasRead<'a>, Error> {
        let Some((budget, mut external)) = self.plan()? else {
            return Ok(WasRead {
                collection: self.in_memory(keep, None, progress)?,
                external: None,
                planned: Planned::default(),
            });
        };
        let mut planned = self.planned(&budget)?;
        loop {
            let held = external.as_ref().map_or(Held::All, External::held);
            let watch = Watch::new(budget, held, self.way_out(), progress);
            let look = |block: &ReadBlock| watch.add(block);
            let collection = match &mut external {
                Some(external) => external.collect(keep, &look, &watch),
                None => self.in_memory(keep, Some(&watch), &watch),
            };
            match (collection, watch.outgrown()) {
                (Err(error), Some(whole)) => {
                    // What was kept must go before there is room for another plan.
                    drop(external.take());
                    external = self.next(&budget, whole, watch.counted())?;
                    if external.is_none() || planned.restarts == RESTARTS {
                        return Err(error);
                    }
                    planned.restarts += 1;
                    progress.warn(
                        "the inputs are larger than a sample of them suggested: reading them again, with less in memory",
                    );
                }
                (collection, _) => {
                    let collection = collection?;
                    // A run that continues has read them before.
                    let counted = watch.counted();
                    if let Some(external) = external.as_mut().filter(|_| counted.documents > 0) {
                        external.settle(counted);
                    }
                    return Ok(WasRead { collection, external, planned });
                }
            }
        }
    }

    /// The budget, and how to read what does not fit in it. `None` if there is ample memory.
    fn plan(&self) -> Result<Option<(Budget, Option<External<'a>>)>, Error> {
        let ReadRequest { collector, sources, few_partners, .. } = *self;
        let is_counted = self.is_counted();
        let budget = match is_counted {
            true => Some(Budget::always(collector, sources, few_partners)?),
            false => Budget::of(collector, sources, few_partners)?,
        };
        let Some(budget) = budget else { return Ok(None) };
        if budget.fits() && !is_counted {
            return Ok(Some((budget, None)));
        }
        match self.external(budget)? {
            Some(external) => Ok(Some((budget, Some(external)))),
            None => Err(budget.too_small(self.way_out())),
        }
    }

    fn external(&self, budget: Budget) -> Result<Option<External<'a>>, Error> {
        if self.only_in_memory.is_some() { Ok(None) } else { External::new(self, budget) }
    }

    /// The next plan, for inputs of this estimated size. If that does not fit, they may still turn out to be smaller.
    fn next(&self, budget: &Budget, whole: Estimate, counted: Estimate) -> Result<Option<External<'a>>, Error> {
        let most = budget.with(whole).with_most_documents();
        match self.external(budget.with(whole)) {
            Err(_) if most.estimate.documents > counted.documents => self.external(most),
            external => external,
        }
    }

    fn in_memory(&self, keep: &Keep, watch: Option<&Watch>, progress: &dyn Progress) -> Result<Collection, Error> {
        let sets = if self.keeps_digests { KeepSets::Digests } else { KeepSets::Whole };
        let look = watch.map(|watch| move |block: &ReadBlock| watch.add(block));
        let look = look.as_ref().map(|look| look as &Look);
        self.collector.collect_some(self.sources, self.inputs, keep, KeptOf::sets(sets).look(look), progress)
    }

    /// Whether sets are counted and read again even if they fit in memory: the folder of a run keeps those that may have a partner.
    fn is_counted(&self) -> bool {
        self.run.is_some() && self.only_in_memory.is_none() && self.collector.keeps_sets()
    }

    fn way_out(&self) -> &'a str {
        let is_method = self.collector.signing.is_some() && self.collector.signing_on_disk().is_none();
        self.only_in_memory.unwrap_or(if is_method { OTHER_METHODS } else { "" })
    }

    /// What the plan says of memory.
    fn planned(&self, budget: &Budget) -> Result<Planned, Error> {
        let besides = Besides { has_run: self.is_counted(), ..Besides::default() };
        let plan = RunPlan::within(budget, self.collector, self.threshold.as_ref(), besides)?;
        let plan = plan.with_digests(self.keeps_digests);
        Ok(Planned { bytes: Some(plan.memory_bytes()), temporary_bytes: Some(plan.temporary_bytes), restarts: 0 })
    }

    /// Fails if not everything that is compared fits in memory: says what it needs, and the way out.
    pub(crate) fn check_fits(&self) -> Result<(), Error> {
        self.plan().map(|_| ())
    }
}
