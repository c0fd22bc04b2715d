use std::ops::Range;

use rayon::prelude::*;

use super::directory::{Directory, Posting};
use super::probe::{Match, Prober, Scratches};
use super::sift::Sifted;
use crate::candidates::Outgoing;
use crate::join::disjoint::SmallSets;
use crate::join::forecast::Forecast;
use crate::join::paper::Counts;
use crate::join::references::References;
use crate::join::{Pair, Side};
use crate::measure::Threshold;
use crate::sets::{Arranged, Arranger, SetStore, SetsError};

/// Sets whose partners are looked for in a trial, at most, and how many before it is asked whether to go on.
const TRIED: usize = 256;
const SOME_TRIED: usize = 16;

/// A document that may have a partner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Document {
    pub(crate) arranged: Arranged,
    pub(crate) size: u32,
    /// How many of its elements count as its short prefix here: see [`lengthen`].
    pub(crate) short: u32,
    pub(crate) long: u32,
}

/// A collection made ready for joining: sets that can have no partner left out, the prefixes of the others posted.
///
/// The documents that may have a partner are numbered anew, in keep order: those numbers are *places*.
pub(crate) struct Index {
    store: SetStore,
    threshold: Threshold,
    documents: Vec<Document>,
    directory: Directory,
    small: SmallSets,
    /// How many places belong to the reference collection, which comes first.
    pinned: u32,
    /// How many places are entered.
    entered: u32,
}

impl Index {
    /// Indexes what was sifted. `order` names every document once, in keep order, and the first `pinned` of it are a reference
    /// collection.
    pub(crate) fn new(sifted: Sifted, order: &[u32], pinned: usize, threshold: Threshold) -> Result<Index, SetsError> {
        let Sifted { mut store, documents, counters } = sifted;
        let mut active = vec![false; store.len()];
        documents.iter().for_each(|&document| active[document as usize] = true);
        let arranged = store.rearrange(
            || Arranger::new(&counters),
            |arranger, document, set| active[document as usize].then(|| arranger.arrange(document, set)),
        );
        drop((counters, documents));

        let mut places = vec![u32::MAX; store.len()];
        for (place, &document) in order.iter().enumerate() {
            places[document as usize] = place as u32;
        }
        let mut documents: Vec<Document> = arranged
            .into_iter()
            .map(|arranged| {
                let size = store.size(arranged.document);
                let (short, long) = (threshold.short_prefix(size), threshold.long_prefix(size));
                Document { arranged, size, short: lengthen(&arranged, short, long), long }
            })
            .collect();
        documents.par_sort_unstable_by_key(|document| places[document.arranged.document as usize]);
        let pinned =
            documents.partition_point(|document| (places[document.arranged.document as usize] as usize) < pinned);

        let postings: Vec<Posting> = documents
            .par_iter()
            .enumerate()
            .flat_map_iter(|(place, document)| {
                let set = store.set(document.arranged.document);
                (document.arranged.singles()..document.long).map(move |position| Posting {
                    element: set[position as usize],
                    document: place as u32,
                    position,
                })
            })
            .collect();
        let directory = Directory::build(postings, documents.len(), |place| documents[place as usize].short);
        if u32::try_from(directory.lists()).is_err() {
            return Err(SetsError::ManyElements);
        }
        let small = SmallSets::new(&threshold, documents.iter().map(|document| document.size));
        Ok(Index { store, threshold, documents, directory, small, pinned: pinned as u32, entered: 0 })
    }

    /// Every wanted pair, some at a time and in no particular order. Of equal sets only the one that stands for them is paired.
    ///
    /// `progress` is told how many more documents are done.
    pub(crate) fn for_each_pair(
        &mut self,
        references: &References,
        progress: impl Fn(usize) + Sync,
        emit: impl Fn(&[Pair]) + Sync,
    ) -> Counts {
        let asking = self.enter_all(references);
        let index = &*self;
        let (prober, scratches) = (index.prober(), index.scratches());
        progress(asking.start as usize);
        let results = asking.into_par_iter().with_min_len(16).map_init(
            || (Vec::new(), Outgoing::new(&emit)),
            |(matches, outgoing), place| {
                matches.clear();
                prober.find(&mut scratches.own(), place, 0..place.min(index.entered), matches);
                let pairs = matches.iter().map(|found| index.pair(place, found));
                progress(1);
                outgoing.extend(pairs.filter(|pair| references.want_groups(pair.a, pair.b)))
            },
        );
        let results = results.sum();
        let counts = scratches.counts();
        Counts {
            index_entries: self.directory.len() as u64,
            // There is neither a suffix filter nor a signature.
            after_suffix: counts.after_positional,
            after_signature: counts.after_positional,
            results,
            ..counts
        }
    }

    /// Whether to look for the partners of some sets, evenly spread, takes more work than `forecast` can accept.
    pub(crate) fn is_costly(&mut self, references: &References, forecast: &Forecast) -> bool {
        let asking = self.enter_all(references);
        let (prober, scratches) = (self.prober(), self.scratches());
        let (mut matches, mut tried) = (Vec::new(), 0);
        let step = (asking.len() / TRIED).max(1);
        // From the middle of each stretch: a set is compared with those before it, of which the first have none.
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

    /// The sets, and the documents that may have a partner.
    pub(crate) fn sets(&self) -> (&SetStore, Vec<u32>) {
        let mut documents: Vec<u32> = self.documents.iter().map(|document| document.arranged.document).collect();
        documents.sort_unstable();
        (&self.store, documents)
    }

    /// Enters all sets that others may be paired with. The places of the sets that ask.
    fn enter_all(&mut self, references: &References) -> Range<u32> {
        let among = if references.across { self.pinned } else { self.places() };
        if self.entered != among {
            self.clear();
            self.enter(0..among);
        }
        // References come first, and most of them are paired with none of each other.
        let is_asking = |place: &u32| references.side(self.document(*place)) != Side::Second;
        let first = (0..self.pinned).find(is_asking).unwrap_or(self.pinned);
        first..self.places()
    }

    /// The weights of all pairs of a drawn document with any other, summed; a pair of two drawn ones counts once.
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
            // Found from the other end too.
            let is_twice = |(at, found): &(usize, &Match)| *at >= before && is_drawn(index.document(found.place));
            let once = matches.iter().enumerate().filter(|found| !is_twice(found));
            once.map(|(_, found)| weight(&index.pair(place, found))).sum::<u64>()
        };
        drawn.par_iter().map(sum).sum()
    }

    fn pair(&self, place: u32, found: &Match) -> Pair {
        let (x, y) = (self.document(place), self.document(found.place));
        Pair { a: x.min(y), b: x.max(y), common: found.common }
    }

    /// How many documents may have a partner, equal ones counted once.
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

    /// How many elements a document's set has.
    pub(crate) fn size(&self, document: u32) -> u32 {
        self.store.size(document)
    }

    /// How many elements two documents share, whether or not they are a pair.
    pub(crate) fn common(&self, a: u32, b: u32) -> u32 {
        // Sets lie in different orders, depending on what became of them.
        let sorted = |document: u32| {
            let mut set = self.store.set(document).to_vec();
            set.sort_unstable();
            set
        };
        crate::verify::common(&sorted(a), &sorted(b))
    }

    pub(crate) fn prober(&self) -> Prober<'_> {
        Prober {
            store: &self.store,
            threshold: &self.threshold,
            documents: &self.documents,
            directory: &self.directory,
            small: &self.small,
        }
    }

    pub(crate) fn scratches(&self) -> Scratches {
        Scratches::new(self.places())
    }

    /// Lets others find these places, each later than all entered before.
    pub(crate) fn enter(&mut self, places: impl IntoIterator<Item = u32>) {
        for place in places {
            let document = &self.documents[place as usize];
            self.directory.enter(place, document.size, document.short);
            self.small.enter(place, document.size);
            self.entered += 1;
        }
    }

    /// Takes places out again, in the reverse order of entering.
    pub(crate) fn leave(&mut self, places: impl IntoIterator<Item = u32>) {
        for place in places {
            let document = &self.documents[place as usize];
            self.directory.leave(place, document.short);
            self.small.leave(document.size);
            self.entered -= 1;
        }
    }

    /// Gives every place a new number: the first of the order becomes 0. Nothing is entered any more. References need not come first any
    /// more, so before pairs are looked for, the numbers must be what they were.
    pub(crate) fn renumber(&mut self, order: &[u32]) {
        self.clear();
        self.documents = order.iter().map(|&place| self.documents[place as usize]).collect();
        self.directory.renumber(order);
    }

    pub(crate) fn clear(&mut self) {
        self.directory.clear();
        self.small.clear();
        self.entered = 0;
    }
}

/// A short prefix, made longer as long as the next elements are not much more frequent, within the long one.
///
/// Every element more asks for one hit more (see `Prober::find`). That is what parts the pages of one template that share one rare
/// phrase and differ in all others.
fn lengthen(arranged: &Arranged, short: u32, long: u32) -> u32 {
    arranged.end_of_bands(short - 1, 4).clamp(short, long)
}
