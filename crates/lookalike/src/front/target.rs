//! At which threshold do this many documents remain?
//!
//! The number of kept documents is not monotone in the threshold, so bisection would be wrong. All pairs down to the
//! lowest threshold are found once. Then the similarities that occur are tried from the top. A lower threshold adds
//! pairs, and only the documents that are connected with them are decided again.

use std::sync::{Mutex, PoisonError};

use super::corpus::Corpus;
use super::dedup::{DedupOptions, Deduped};
use super::error::Error;
use super::value::ThresholdValue;
use crate::join::{Join, JoinError, KeepOrder, Pair as SetPair, PairSource, sort_in};
use crate::measure::{Measure, Threshold};
use crate::progress::{Cancelled, Stage};
use crate::sets::SetStore;

impl Corpus {
    /// Decides which documents to keep at the highest threshold that leaves at most `most` of them. Thresholds below
    /// `lowest` are not tried. [`Deduped::threshold`] says which one it is.
    ///
    /// ```
    /// let corpus = lookalike::Corpus::from_sets([vec![1, 2, 3], vec![1, 2, 3, 4], vec![8, 9]])?;
    /// let result = corpus.dedup_to(2, 0.5, Default::default())?;
    /// assert_eq!((result.threshold().value().to_string(), result.kept().count()), ("0.75".to_string(), 2));
    /// # Ok::<(), lookalike::Error>(())
    /// ```
    pub fn dedup_to(&self, most: usize, lowest: impl ThresholdValue, options: DedupOptions) -> Result<Deduped, Error> {
        let lowest = self.threshold(lowest)?;
        if lowest.is_distance() {
            return Err(Error::Target { measure: self.measure.name() });
        }
        let (sets, order, pinned) = self.in_keep_order(&options)?;
        let found = self.run(|| {
            let mut joinable = self.prepare(Join::new(lowest).keep_order(order, pinned), sets.clone())?;
            let stage = Stage::begin(self.progress(), "joining", joinable.work());
            let all = Mutex::new(Vec::new());
            let emit = |some: &[SetPair]| all.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(some);
            joinable.pairs(&stage, &emit)?;
            let pairs = all.into_inner().unwrap_or_else(PoisonError::into_inner);
            let pairs = sort_in(&stage, pairs, |one, two| {
                let counts = |pair: &SetPair| (pair.common, sets.size(pair.a), sets.size(pair.b));
                self.measure.compare(counts(two), counts(one)).then(one.cmp(two))
            })?;
            let stage = Stage::begin(self.progress(), "choosing", pairs.len());
            let mut kept = Kept::new(joinable.keep_order(), options.components);
            choose(&pairs, &sets, lowest, most, &mut kept, &stage)
        })?;
        match found {
            Some(threshold) => self.decide(threshold, &options),
            None => {
                let result = self.decide(lowest, &options)?;
                let kept = result.kept().count();
                if kept <= most {
                    return Ok(result);
                }
                Err(Error::TooMany { most, kept, lowest: lowest.value().to_string() })
            }
        }
    }
}

/// Returns the highest threshold at which at most `most` documents are kept, of those that the pairs have.
fn choose(
    pairs: &[SetPair],
    sets: &SetStore,
    lowest: Threshold,
    most: usize,
    kept: &mut Kept,
    stage: &Stage,
) -> Result<Option<Threshold>, JoinError> {
    let reaches =
        |threshold: &Threshold, pair: &SetPair| threshold.reaches(pair.common, sets.size(pair.a), sets.size(pair.b));
    if kept.count <= most
        && let Ok(highest) = Threshold::new(lowest.measure(), "1")
        && lowest.measure() != Measure::Overlap
        && !pairs.first().is_some_and(|pair| reaches(&highest, pair))
    {
        return Ok(Some(highest));
    }
    let mut rest = pairs;
    while let Some(next) = rest.first() {
        stage.check()?;
        let threshold = highest_for(next, sets, lowest);
        let same = rest.iter().take_while(|pair| reaches(&threshold, pair)).count();
        kept.add(&rest[..same], stage)?;
        rest = &rest[same..];
        stage.add(same);
        if kept.count <= most {
            return Ok(Some(threshold));
        }
    }
    Ok(None)
}

/// Returns the highest threshold that a pair reaches.
fn highest_for(pair: &SetPair, sets: &SetStore, lowest: Threshold) -> Threshold {
    let (common, a, b) = (pair.common, sets.size(pair.a), sets.size(pair.b));
    let (c, x, y) = (u64::from(common), u64::from(a), u64::from(b));
    let fraction = match lowest.measure() {
        Measure::Jaccard => format!("{c}/{}", x + y - c),
        Measure::Dice => format!("{}/{}", 2 * c, x + y),
        Measure::Max => format!("{c}/{}", x.max(y)),
        Measure::Containment => format!("{c}/{}", x.min(y)),
        Measure::Overlap => c.to_string(),
        // A root, which is a decimal of nine digits only by chance.
        Measure::Cosine | Measure::Hamming => String::new(),
    };
    let reached = |value: &str| Threshold::new(lowest.measure(), value).ok().filter(|one| one.reaches(common, a, b));
    let billionths = (lowest.similarity(common, a, b) * 1e9) as u64;
    let decimals = (0..3).filter_map(|less| {
        let billionths = (billionths + 1).checked_sub(less)?.min(1_000_000_000);
        Some(format!("{}.{:09}", billionths / 1_000_000_000, billionths % 1_000_000_000))
    });
    let mut values = std::iter::once(fraction).chain(decimals);
    values.find_map(|value| reached(&value)).unwrap_or(lowest)
}

/// How many documents are kept, while pairs are added.
struct Kept {
    components: bool,
    /// By document, its place in keep order, and whether it is a reference.
    place: Vec<u32>,
    pinned: u32,
    /// By document, those that it is a pair with.
    partners: Vec<Vec<u32>>,
    /// By document, the first of those that it is connected with; by that one, all of them.
    root: Vec<u32>,
    members: Vec<Vec<u32>>,
    /// By root, how many of its members are kept.
    counts: Vec<usize>,
    count: usize,
}

impl Kept {
    /// Nothing but equal documents is a pair yet.
    fn new(keep: &KeepOrder, components: bool) -> Kept {
        let documents = keep.documents();
        let mut place = vec![0; documents];
        keep.order.iter().enumerate().for_each(|(at, &document)| place[document as usize] = at as u32);
        let pinned = keep.pinned as u32;
        let is_counted = |document: &u32| place[*document as usize] >= pinned && keep.groups.is_first(*document);
        let counts: Vec<usize> = (0..documents as u32).map(|document| usize::from(is_counted(&document))).collect();
        Kept {
            components,
            pinned,
            partners: vec![Vec::new(); documents],
            root: (0..documents as u32).collect(),
            members: (0..documents as u32).map(|document| vec![document]).collect(),
            count: counts.iter().sum(),
            counts,
            place,
        }
    }

    /// Adds pairs, and decides on all documents that are connected with them.
    fn add(&mut self, pairs: &[SetPair], stage: &Stage) -> Result<(), Cancelled> {
        for &SetPair { a, b, .. } in pairs {
            self.partners[a as usize].push(b);
            self.partners[b as usize].push(a);
            self.connect(self.root[a as usize] as usize, self.root[b as usize] as usize);
        }
        let mut changed: Vec<u32> = pairs.iter().map(|pair| self.root[pair.a as usize]).collect();
        changed.sort_unstable();
        changed.dedup();
        for root in changed {
            stage.check()?;
            let kept = self.kept_of(root as usize);
            self.count = self.count - self.counts[root as usize] + kept;
            self.counts[root as usize] = kept;
        }
        Ok(())
    }

    fn connect(&mut self, one: usize, two: usize) {
        if one == two {
            return;
        }
        let (small, large) = if self.members[one].len() < self.members[two].len() { (one, two) } else { (two, one) };
        let moved = std::mem::take(&mut self.members[small]);
        moved.iter().for_each(|&document| self.root[document as usize] = large as u32);
        self.members[large].extend(moved);
        self.counts[large] += std::mem::take(&mut self.counts[small]);
    }

    /// Returns how many documents that are connected with a root are kept, besides references.
    fn kept_of(&mut self, root: usize) -> usize {
        let mut members = std::mem::take(&mut self.members[root]);
        members.sort_unstable_by_key(|&document| self.place[document as usize]);
        let is_reference = |document: u32| self.place[document as usize] < self.pinned;
        let kept = if self.components {
            usize::from(!is_reference(members[0]))
        } else {
            let mut kept: Vec<u32> = Vec::new();
            let mut is_kept = std::collections::HashSet::new();
            for &document in &members {
                let has_twin = || self.partners[document as usize].iter().any(|partner| is_kept.contains(partner));
                if is_reference(document) || !has_twin() {
                    is_kept.insert(document);
                    kept.push(document);
                }
            }
            kept.iter().filter(|&&document| !is_reference(document)).count()
        };
        self.members[root] = members;
        kept
    }
}
