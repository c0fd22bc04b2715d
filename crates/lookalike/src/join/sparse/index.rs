use rayon::prelude::*;

use super::directory::{Directory, Posting};
use super::probe::{Match, Prober, Scratches};
use crate::candidates::Outgoing;
use crate::join::disjoint::{SmallSets, may_need_nothing};
use crate::join::paper::Counts;
use crate::join::references::References;
use crate::join::{Pair, Side};
use crate::measure::Threshold;
use crate::sets::{Arranged, Arranger, Counters, Groups, SetStore, SetsError, sieve};

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
}

impl Index {
    /// Indexes a collection. `order` names every document once, in keep order, and the first `pinned` of it are a reference
    /// collection. In a table of counters of at most `counter_bytes`: fewer make more work and the same answer.
    pub(crate) fn new(
        mut store: SetStore,
        groups: &Groups,
        order: &[u32],
        pinned: usize,
        threshold: Threshold,
        counter_bytes: usize,
    ) -> Result<Index, SetsError> {
        let long = |store: &SetStore, document: u32| threshold.long_prefix(store.size(document));
        let may_pair =
            |&document: &u32| groups.is_first(document) && store.size(document) > 0 && long(&store, document) > 0;
        let mut counted: Vec<u32> = (0..store.len() as u32).filter(may_pair).collect();

        // A set whose whole prefix occurs nowhere else has no partner: most end here, some more among those that are left.
        // (One that may need nothing in common can have one all the same.)
        let enough = |document: u32| {
            let size = store.size(document);
            if may_need_nothing(&threshold, size) { u32::MAX } else { threshold.long_prefix(size) }
        };
        sieve(&store, &mut counted, enough, counter_bytes)?;
        let counters = Counters::count(&store, &mut counted, enough, counter_bytes)?;
        let mut active = vec![false; store.len()];
        counted.iter().for_each(|&document| active[document as usize] = true);
        let arranged = store.rearrange(
            || Arranger::new(&counters),
            |arranger, document, set| active[document as usize].then(|| arranger.arrange(document, set)),
        );
        drop(counters);

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
        Ok(Index { store, threshold, documents, directory, small, pinned: pinned as u32 })
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
        self.clear();
        let among = if references.across { self.pinned } else { self.places() };
        self.enter(0..among);
        let index = &*self;
        let (prober, scratches) = (index.prober(), index.scratches());
        // References come first, and most of them are paired with none of each other.
        let is_asking = |place: &u32| references.side(index.document(*place)) != Side::Second;
        let first = (0..index.pinned).find(is_asking).unwrap_or(index.pinned);
        progress(first as usize);
        let asking = (first..index.places()).into_par_iter().with_min_len(16);
        let results = asking.map_init(
            || (Vec::new(), Outgoing::new(&emit)),
            |(matches, outgoing), place| {
                matches.clear();
                prober.find(&mut scratches.own(), place, 0..place.min(among), matches);
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

    /// About how many pairs of documents there are, from a sample of so many; `copies` has how many each of them stands for.
    pub(crate) fn estimate_pairs(&mut self, sample: u32, copies: &[u64]) -> u64 {
        self.clear();
        self.enter(0..self.places());
        let (places, step) = (self.places(), self.places().div_ceil(sample.max(1)).max(1));
        let (prober, scratches) = (self.prober(), self.scratches());
        let sampled: Vec<u32> = (0..places).step_by(step as usize).collect();
        let weight = |place: u32| copies[self.document(place) as usize];
        let found: u64 = sampled
            .par_iter()
            .map(|&place| {
                let mut matches = Vec::new();
                prober.find(&mut scratches.own(), place, 0..place, &mut matches);
                prober.find(&mut scratches.own(), place, place + 1..places, &mut matches);
                weight(place) * matches.iter().map(|found| weight(found.place)).sum::<u64>()
            })
            .sum();
        found * u64::from(step) / 2
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
        }
    }

    /// Takes places out again, in the reverse order of entering.
    pub(crate) fn leave(&mut self, places: impl IntoIterator<Item = u32>) {
        for place in places {
            let document = &self.documents[place as usize];
            self.directory.leave(place, document.short);
            self.small.leave(document.size);
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
    }
}

/// A short prefix, made longer as long as the next elements are not much more frequent, within the long one.
///
/// Every element more asks for one hit more (see `Prober::find`). That is what parts the pages of one template that share one rare
/// phrase and differ in all others.
fn lengthen(arranged: &Arranged, short: u32, long: u32) -> u32 {
    arranged.end_of_bands(short - 1, 4).clamp(short, long)
}
