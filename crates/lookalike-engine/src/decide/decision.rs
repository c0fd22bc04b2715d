//! Who stays: a source of pairs to the fate of every document.

use std::fmt;

use lookalike::engine::{
    Counted, Fate, Links, PairSource, Progress, SetPair, Stage, components, survivors,
};

use crate::error::Error;
use crate::pairs::{Expansion, Found, GroupMembers, Hits, PairsInOrder, Source, announce};
use crate::read::Sides;
use crate::report::Histogram;
use crate::sign::SignedReport;

/// Which documents stay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rule {
    /// In keep order, one stays unless a kept one resembles it.
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

/// Who stays, and why.
pub(crate) struct Decision {
    pub(crate) fates: Vec<Fate>,
    /// All pairs, if they are wanted.
    pub(crate) found: Option<Found>,
    /// The similarities of removed documents to their twins.
    pub(crate) histogram: Histogram,
    /// `exact`, or the signatures' method.
    pub(crate) method: &'static str,
    /// What signatures did, if they were used.
    pub(crate) signed: Option<SignedReport>,
}

impl Decision {
    /// Decides by a rule. All pairs of the inputs, with references too, are found on the way if they are wanted.
    pub(crate) fn new(
        mut source: Source,
        rule: Rule,
        wanted: Option<Sides>,
        progress: &dyn Progress,
    ) -> Result<Decision, Error> {
        let taken = PairsTaken::new(rule, wanted, source.as_pairs());
        if taken.are_wanted() {
            announce(&mut source, Counted::Documents, progress);
            let stage = Stage::begin(progress, "finding pairs", source.as_pairs().work());
            source.pairs().pairs(&stage, &|some| taken.add(some))?;
        }
        let (written, links) = taken.finish()?;
        let documents = source.as_pairs().keep_order().documents();
        let fates = match (links, rule) {
            (Some(links), _) => links.fates(source.as_pairs()),
            (None, Rule::Components) => {
                let stage = Stage::begin(progress, "comparing", 2 * documents);
                components(source.pairs(), &stage)?
            }
            (None, Rule::Survivors) => {
                let stage = Stage::begin(progress, "comparing", documents);
                survivors(source.pairs(), &stage)?
            }
        };
        let (method, signed) = (source.describe().method, source.report());
        let values = source.into_values();
        let mut histogram = values.histogram();
        for fate in &fates {
            if let Fate::Removed { similarity, .. } = fate {
                histogram.add(*similarity);
            }
        }
        let found = written.map(|written| Found { pairs: Hits::InOrder(written), values });
        Ok(Decision { fates, found, histogram, method, signed })
    }

    /// Whether similarities are those of sets, and not what signatures make of them.
    pub(crate) fn is_verified(&self) -> bool {
        self.signed.as_ref().is_none_or(|signed| signed.verified)
    }
}

/// Takes all pairs in, from any thread, if they are wanted; and links them on the way, if components are wanted.
struct PairsTaken {
    written: Option<Expansion>,
    links: Option<Links>,
}

impl PairsTaken {
    fn new(rule: Rule, wanted: Option<Sides>, source: &dyn PairSource) -> PairsTaken {
        let keep = source.keep_order();
        let written = wanted.map(|sides| {
            let members = GroupMembers::of(&keep.groups, keep.documents() as u32, |_| true);
            Expansion::new(members, sides, rayon::current_num_threads())
        });
        // Without all pairs, what belongs together is found with fewer.
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

    /// Those to be written, in order, and what they link.
    fn finish(self) -> Result<(Option<PairsInOrder>, Option<Links>), Error> {
        let written = self.written.map(|written| written.finish(true)).transpose()?;
        Ok((written, self.links))
    }
}
