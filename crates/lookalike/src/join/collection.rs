use super::{Join, JoinError, Pair};
use crate::measure::Threshold;
use crate::sets::{SetBatch, SetStore, SetsError, hash_token};

/// Sets of your own tokens, under your own ids.
///
/// ```
/// use lookalike::join::{Collection, Join};
/// use lookalike::{Measure, Threshold};
///
/// let mut baskets = Collection::new();
/// baskets.push("Monday", ["bread", "milk", "eggs"]);
/// baskets.push("Tuesday", ["nails", "hammer"]);
/// baskets.push("Friday", ["milk", "bread", "eggs", "tea"]);
///
/// let threshold = Threshold::new(Measure::Jaccard, "0.6")?;
/// let pairs = baskets.join(Join::new(threshold))?;
/// let found: Vec<_> = pairs.iter().map(|pair| (*pair.a, *pair.b, pair.similarity)).collect();
/// assert_eq!(found, [("Monday", "Friday", 0.75)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Collection<I> {
    ids: Vec<I>,
    sizes: Vec<u32>,
    sets: SetBatch,
    set: Vec<u64>,
}

impl<I> Default for Collection<I> {
    fn default() -> Collection<I> {
        Collection::new()
    }
}

impl<I> Collection<I> {
    /// None yet.
    pub fn new() -> Collection<I> {
        Collection { ids: Vec::new(), sizes: Vec::new(), sets: SetBatch::default(), set: Vec::new() }
    }

    /// Adds the set of these tokens: in any order, repeated ones counting once.
    ///
    /// # Panics
    ///
    /// If there are 2³² different tokens or more.
    pub fn push<T: AsRef<[u8]>>(&mut self, id: I, tokens: impl IntoIterator<Item = T>) {
        self.set.clear();
        self.set.extend(tokens.into_iter().map(|token| hash_token(token.as_ref())));
        self.set.sort_unstable();
        self.set.dedup();
        self.ids.push(id);
        self.sizes.push(self.set.len() as u32);
        self.sets.push(&self.set).unwrap_or_else(|error| panic!("{error}"));
    }

    /// How many sets there are.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The sets, numbered in the order in which they were added, for a callback of pairs: see [`Join::prepare`].
    pub fn store(&self) -> Result<SetStore, SetsError> {
        SetStore::of_sets(self.sets.iter())
    }

    /// Every pair, in the order in which the sets were added.
    ///
    /// ```
    /// # use lookalike::join::{Collection, Join};
    /// # use lookalike::{Measure, Threshold};
    /// // Two collections: the names from number 2 on are the second.
    /// let mut names = Collection::new();
    /// for name in ["jan de vries", "maria rossi", "de vries jan", "m rossi"] {
    ///     names.push(name, name.split(' '));
    /// }
    /// let threshold = Threshold::new(Measure::Containment, "0.5")?;
    /// let linked = names.join(Join::new(threshold).across(2))?;
    /// assert_eq!(linked.len(), 2);
    /// assert_eq!((linked[1].a, linked[1].b, linked[1].similarity), (&"maria rossi", &"m rossi", 0.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn join(&self, join: Join) -> Result<Vec<NamedPair<'_, I>>, JoinError> {
        let threshold = *join.threshold();
        Ok(join.pairs(self.store()?)?.into_iter().map(|pair| self.name(pair, &threshold)).collect())
    }

    fn name(&self, Pair { a, b, common }: Pair, threshold: &Threshold) -> NamedPair<'_, I> {
        let size = |document: u32| self.sizes[document as usize];
        NamedPair {
            a: &self.ids[a as usize],
            b: &self.ids[b as usize],
            similarity: threshold.similarity(common, size(a), size(b)),
            common,
        }
    }
}

/// Two sets that are a pair, by their ids.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamedPair<'a, I> {
    /// The one that was added first.
    pub a: &'a I,
    /// The other.
    pub b: &'a I,
    /// How similar they are, or how far apart if the measure is a distance.
    pub similarity: f64,
    /// How many elements they share.
    pub common: u32,
}
