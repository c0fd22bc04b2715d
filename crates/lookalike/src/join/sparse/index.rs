//! Which documents may be pairs, by the rare elements they share?

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::directory::{Directory, Posting};
use super::document::{Document, lengthen};
use super::probe::{Match, Prober, Scratches};
use crate::candidates::Outgoing;
use crate::join::forecast::{Forecast, Sifted};
use crate::join::keep_order::KeepOrder;
use crate::join::pair::Emit;
use crate::join::records::disjoint::SmallSets;
use crate::join::references::References;
use crate::join::{Counts, JoinError, Pair, Side};
use crate::measure::Threshold;
use crate::progress::Stage;
use crate::sets::{ArrangedSets, SetStore, SetsError};
use crate::storage::Storage;

/// The maximum number of sets in a trial, and how many between two checks.
const TRIED: usize = 256;
const SOME_TRIED: usize = 16;

/// A collection prepared for joining. Sets that cannot have a partner are dropped; the prefixes of the others are
/// posted.
///
/// The remaining documents are renumbered in keep order. These numbers are *places*.
pub(crate) struct Index {
    sets: ArrangedSets,
    threshold: Threshold,
    documents: Vec<Document>,
    directory: Directory,
    small: SmallSets,
    /// The number of places of the reference collection, which comes first.
    pinned: u32,
    /// The number of entered places.
    entered: u32,
    /// By document, its place; filled on first use.
    places_of: OnceLock<Vec<u32>>,
}

impl Index {
    /// Indexes the sifted documents.
    pub(crate) fn new(
        store: &SetStore,
        sifted: Sifted,
        keep: &KeepOrder,
        threshold: Threshold,
        storage: &Arc<dyn Storage>,
    ) -> Result<Index, SetsError> {
        let Sifted { documents, counters, .. } = sifted;
        let (sets, arranged) = ArrangedSets::new(store, &documents, &counters, storage)?;
        drop((counters, documents));

        let mut places = vec![u32::MAX; store.len()];
        for (place, &document) in keep.order.iter().enumerate() {
            places[document as usize] = place as u32;
        }
        let mut documents: Vec<Document> = arranged
            .into_iter()
            .map(|(arranged, span)| {
                let size = store.size(arranged.document);
                let (short, long) = (threshold.short_prefix(size), threshold.long_prefix(size));
                Document { arranged, span, size, short: lengthen(&arranged, short, long), long }
            })
            .collect();
        documents.par_sort_unstable_by_key(|document| places[document.arranged.document as usize]);
        let pinned =
            documents.partition_point(|document| (places[document.arranged.document as usize] as usize) < keep.pinned);
        drop(places);

        let postings: Vec<Posting> = documents
            .par_iter()
            .enumerate()
            .flat_map_iter(|(place, document)| {
                let (set, singles) = (sets.set(&document.arranged, document.span), document.arranged.singles());
                (singles..document.long).map(move |position| Posting {
                    element: set[(position - singles) as usize],
                    document: place as u32,
                    position,
                })
            })
            .collect();
        let short = |place: u32| documents[place as usize].short;
        let directory = Directory::build(postings, documents.len(), short, &**storage)?;
        if u32::try_from(directory.lists()).is_err() {
            return Err(SetsError::ManyElements);
        }
        let small = SmallSets::new(&threshold, documents.iter().map(|document| document.size));
        let (pinned, places_of) = (pinned as u32, OnceLock::new());
        Ok(Index { sets, threshold, documents, directory, small, pinned, entered: 0, places_of })
    }

    /// Finds every wanted pair, in batches and in no particular order. Equal sets appear once, as their representative.
    ///
    /// The stage counts documents.
    pub(crate) fn for_each_pair(
        &mut self,
        references: &References,
        stage: &Stage,
        emit: Emit,
    ) -> Result<Counts, JoinError> {
        let asking = self.enter_all(references);
        let (index, emit) = (&*self, |some: &[Pair]| emit(some));
        let (prober, scratches) = (index.prober(), index.scratches());
        stage.add(asking.start as usize);
        let results = asking.into_par_iter().with_min_len(16).map_init(
            || (Vec::new(), Outgoing::new(&emit)),
            |(matches, outgoing), place| {
                if stage.is_cancelled() {
                    return 0;
                }
                matches.clear();
                prober.find(&mut scratches.own(), place, 0..place.min(index.entered), matches);
                let pairs = matches.iter().map(|found| index.pair(place, found));
                stage.add(1);
                outgoing.extend(pairs.filter(|pair| references.want_groups(pair.a, pair.b)))
            },
        );
        let results = results.sum();
        stage.check()?;
        let counts = scratches.counts();
        Ok(Counts {
            index_entries: self.directory.len() as u64,
            // This join has no suffix filter and no signatures.
            after_suffix: counts.after_positional,
            after_signature: counts.after_positional,
            results,
            ..counts
        })
    }

    /// Whether finding the partners of an even sample of sets takes more work than `forecast` accepts.
    pub(crate) fn is_costly(&mut self, references: &References, forecast: &Forecast) -> bool {
        let asking = self.enter_all(references);
        let (prober, scratches) = (self.prober(), self.scratches());
        let (mut matches, mut tried) = (Vec::new(), 0);
        let step = (asking.len() / TRIED).max(1);
        // Start in the middle of each stretch: a set is compared with earlier ones, and the first has none.
        for place in asking.clone().skip(step / 2).step_by(step) {
            matches.clear();
            prober.find(&mut scratches.own(), place, 0..place.min(self.entered), &mut matches);
            tried += 1;
            if tried % SOME_TRIED == 0 && forecast.is_exceeded(&scratches.work(), tried, asking.len()) {
                return true;
            }
        }
        false
    }

    /// The documents that may have a partner, in input order.
    pub(crate) fn documents(&self) -> Vec<u32> {
        let mut documents: Vec<u32> = self.documents.iter().map(|document| document.arranged.document).collect();
        documents.sort_unstable();
        documents
    }

    /// Enters all sets that others may be paired with, and returns the places of the sets that search.
    fn enter_all(&mut self, references: &References) -> Range<u32> {
        let among = if references.across { self.pinned } else { self.places() };
        if self.entered != among {
            self.clear();
            self.enter(0..among);
        }
        // References come first, and most are not compared with each other.
        let is_asking = |place: &u32| references.side(self.document(*place)) != Side::Second;
        let first = (0..self.pinned).find(is_asking).unwrap_or(self.pinned);
        first..self.places()
    }

    /// Sums the weights of all pairs of a drawn document with any other. A pair of two drawn documents counts once.
    pub(crate) fn sum_pairs(
        &mut self,
        is_drawn: impl Fn(u32) -> bool + Sync,
        weight: impl Fn(&Pair) -> u64 + Sync,
    ) -> u64 {
        if self.entered != self.places() {
            self.clear();
            self.enter(0..self.places());
        }
        let index = &*self;
        let (prober, scratches) = (index.prober(), index.scratches());
        let drawn: Vec<u32> = (0..index.places()).filter(|&place| is_drawn(index.document(place))).collect();
        let sum = |&place: &u32| {
            let mut matches = Vec::new();
            prober.find(&mut scratches.own(), place, 0..place, &mut matches);
            let before = matches.len();
            prober.find(&mut scratches.own(), place, place + 1..index.places(), &mut matches);
            // The pair is also found from the other document.
            let is_twice = |(at, found): &(usize, &Match)| *at >= before && is_drawn(index.document(found.place));
            let once = matches.iter().enumerate().filter(|found| !is_twice(found));
            once.map(|(_, found)| weight(&index.pair(place, found))).sum::<u64>()
        };
        drawn.par_iter().map(sum).sum()
    }

    pub(in crate::join) fn pair(&self, place: u32, found: &Match) -> Pair {
        let (x, y) = (self.document(place), self.document(found.place));
        Pair { a: x.min(y), b: x.max(y), common: found.common }
    }

    /// The number of documents that may have a partner, equal ones counted once.
    pub(crate) fn places(&self) -> u32 {
        self.documents.len() as u32
    }

    pub(crate) fn pinned_places(&self) -> u32 {
        self.pinned
    }

    /// The document at a place.
    pub(crate) fn document(&self, place: u32) -> u32 {
        self.documents[place as usize].arranged.document
    }

    /// The threshold of this index.
    pub(crate) fn threshold(&self) -> &Threshold {
        &self.threshold
    }

    /// The size of the set at a place.
    pub(crate) fn size(&self, place: u32) -> u32 {
        self.documents[place as usize].size
    }

    /// How many elements two documents share, whether or not they are a pair. Both must be in the index.
    pub(crate) fn common(&self, a: u32, b: u32) -> u32 {
        let places = self.places_of.get_or_init(|| {
            let greatest = self.documents.iter().map(|document| document.arranged.document as usize).max();
            let mut places = vec![0; greatest.map_or(0, |greatest| greatest + 1)];
            (0..self.places()).for_each(|place| places[self.document(place) as usize] = place);
            places
        });
        let [x, y] = [a, b].map(|document| &self.documents[places[document as usize] as usize]);
        let set = |document: &Document| self.sets.set(&document.arranged, document.span);
        crate::verify::common_at_least((set(x), &x.arranged), (set(y), &y.arranged), 0).0.unwrap_or(0)
    }

    pub(crate) fn prober(&self) -> Prober<'_> {
        Prober {
            sets: &self.sets,
            threshold: &self.threshold,
            documents: &self.documents,
            directory: &self.directory,
            small: &self.small,
        }
    }

    pub(crate) fn scratches(&self) -> Scratches {
        Scratches::new(self.places())
    }

    /// Enters these places, so that others find them. Each must be later than all entered before.
    pub(crate) fn enter(&mut self, places: impl IntoIterator<Item = u32>) {
        for place in places {
            let document = &self.documents[place as usize];
            self.directory.enter(place, document.size, document.short);
            self.small.enter(place, document.size);
            self.entered += 1;
        }
    }

    /// Removes places, in the reverse order of entering.
    pub(crate) fn leave(&mut self, places: impl IntoIterator<Item = u32>) {
        for place in places {
            let document = &self.documents[place as usize];
            self.directory.leave(place, document.short);
            self.small.leave(document.size);
            self.entered -= 1;
        }
    }

    /// Renumbers the places: the first of the order becomes 0. It removes all entries. References may no longer come
    /// first, so restore the order before searching for pairs.
    pub(crate) fn renumber(&mut self, order: &[u32]) {
        self.clear();
        self.places_of = OnceLock::new();
        self.documents = order.iter().map(|&place| self.documents[place as usize]).collect();
        self.directory.renumber(order);
    }

    pub(crate) fn clear(&mut self) {
        self.directory.clear();
        self.small.clear();
        self.entered = 0;
    }
}
