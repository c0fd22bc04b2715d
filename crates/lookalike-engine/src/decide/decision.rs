//! Decides which documents are kept.

use std::fmt;

use lookalike::Threshold;
use lookalike::engine::{Counted, Fate, Histogram, Links, PairSource, Progress, SetPair, Stage, components, survivors};

use crate::error::Error;
use crate::pairs::{Expansion, Found, GroupMembers, Hits, JobSource, PairsInOrder, announce};
use crate::read::{Collector, Sides};
use crate::report::{MemoryReport, SignedReport};

/// Which documents are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rule {
    /// In keep order, a document is kept unless it resembles a kept one.
    #[default]
    Survivors,
    /// The first of each connected component.
    Components,
}

impl Rule {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Survivors => "survivors",
            Rule::Components => "components",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Which documents are kept, and the pairs behind the decision.
pub(crate) struct Decision {
    pub(crate) fates: Vec<Fate>,
    /// All pairs, if they are requested.
    pub(crate) found: Option<Found>,
    /// The similarities of removed documents to their twins.
    pub(crate) histogram: Histogram,
    /// `exact`, or the method of the signatures.
    pub(crate) method: &'static str,
    /// The report of the signatures, if they were used.
    pub(crate) signed: Option<SignedReport>,
    /// How memory was used.
    pub(crate) memory: MemoryReport,
}

impl Decision {
    /// Decides by a rule. If `wanted` is set, also finds all pairs of these sides.
    pub(crate) fn new(
        mut source: JobSource,
        rule: Rule,
        wanted: Option<Sides>,
        collector: &Collector,
        progress: &dyn Progress,
    ) -> Result<Decision, Error> {
        let taken = PairsTaken::new(rule, wanted, source.as_pairs(), collector);
        if taken.are_wanted() {
            announce(&mut source, Counted::Documents, progress);
            let stage = Stage::begin(progress, "finding pairs", source.as_pairs().work());
            source.as_pairs_mut().pairs(&stage, &|some| taken.add(some))?;
        }
        let (written, links) = taken.finish()?;
        let documents = source.as_pairs().keep_order().documents();
        let fates = match (links, &source) {
            // Part by part, because two documents are only in memory together if they belong together.
            (_, JobSource::Parts { parts, .. }) => {
                let stage = Stage::begin(progress, "comparing", source.as_pairs().work());
                parts.fates(rule == Rule::Components, &stage)?
            }
            (Some(links), _) => links.fates(source.as_pairs())?,
            (None, _) if rule == Rule::Components => {
                let stage = Stage::begin(progress, "comparing", 2 * documents);
                components(source.as_pairs_mut(), &stage)?
            }
            (None, _) => {
                let stage = Stage::begin(progress, "comparing", documents);
                survivors(source.as_pairs_mut(), &stage)?
            }
        };
        let (method, signed, memory) = (source.describe().method, source.report(), source.memory(collector));
        let values = source.into_values();
        let histogram = values.histogram();
        let found = written.map(|written| Found { pairs: Hits::InOrder(written), values });
        Ok(Decision { fates, found, histogram, method, signed, memory })
    }

    /// A decision by an exact join with this threshold that was made elsewhere.
    pub(crate) fn of_fates(fates: Vec<Fate>, threshold: Threshold, memory: MemoryReport) -> Decision {
        Decision { fates, found: None, histogram: Histogram::of(&threshold), method: "exact", signed: None, memory }
    }

    /// Counts the similarities of removed documents to their twins, once the fates are final.
    pub(crate) fn count_similarities(&mut self) {
        for fate in &self.fates {
            if let Fate::Removed { similarity, .. } = fate {
                self.histogram.add(*similarity);
            }
        }
    }

    /// Whether similarities come from sets, and are not estimates from signatures.
    pub(crate) fn is_verified(&self) -> bool {
        self.signed.as_ref().is_none_or(|signed| signed.verified)
    }
}

/// Collects all pairs from any thread if they are requested, and links them if the rule is components.
struct PairsTaken {
    written: Option<Expansion>,
    links: Option<Links>,
}

impl PairsTaken {
    fn new(rule: Rule, wanted: Option<Sides>, source: &dyn PairSource, collector: &Collector) -> PairsTaken {
        let keep = source.keep_order();
        let written = wanted.map(|sides| {
            let members = GroupMembers::of(&keep.groups, keep.documents() as u32, |_| true);
            Expansion::new(members, sides, collector.sort_bytes(), &collector.space)
        });
        // If not all pairs are requested, `components` finds the clusters with fewer.
        let links = (rule == Rule::Components && written.is_some()).then(|| Links::new(keep));
        PairsTaken { written, links }
    }

    fn are_wanted(&self) -> bool {
        self.written.is_some()
    }

    fn add(&self, some: &[SetPair]) {
        if let Some(written) = &self.written {
            written.add(some);
        }
        if let Some(links) = &self.links {
            some.iter().for_each(|pair| links.link(pair.a, pair.b));
        }
    }

    /// The pairs to write, in order, and the links.
    fn finish(self) -> Result<(Option<PairsInOrder>, Option<Links>), Error> {
        let written = self.written.map(|written| written.finish(true)).transpose()?;
        Ok((written, self.links))
    }
}
