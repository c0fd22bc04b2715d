//! Which documents of a corpus may be compared?

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::build::MAKING;
use super::corpus::Corpus;
use super::error::Error;
use crate::join::JoinError;
use crate::progress::Stage;
use crate::sets::{BATCH, Batched, SetArena, SetBlock, SetStore, hash_token};

impl Corpus {
    /// Returns a corpus of the same documents, but only those with equal keys are compared. Give one key for each
    /// document.
    ///
    /// ```
    /// let corpus = lookalike::Corpus::from_texts(["one text", "one text", "one text"])?;
    /// let by_language = corpus.within(["en", "de", "en"])?;
    /// let found: Vec<_> = by_language.pairs(0.8)?.map(|pair| (pair.a, pair.b)).collect();
    /// assert_eq!(found, [(0, 2)]);
    /// # Ok::<(), lookalike::Error>(())
    /// ```
    pub fn within<K: AsRef<[u8]>>(&self, keys: impl IntoIterator<Item = K>) -> Result<Corpus, Error> {
        let keys: Vec<u64> = keys.into_iter().map(|key| hash_token(key.as_ref())).collect();
        if keys.len() != self.len() {
            return Err(Error::Keys { keys: keys.len(), documents: self.len() });
        }
        // Sets with different keys share no element. So every join takes the keys into account without knowing them.
        let sets = self.rebuilt(|document, set| {
            let key = keys[document as usize];
            set.extend(self.sets.set(document).iter().map(|element| element ^ key));
            set.sort_unstable();
        })?;
        Ok(Corpus { sets: Arc::new(sets), keys: Some(Arc::new(keys)), ..self.clone() })
    }

    /// Makes a set for each document, on all threads. `make` appends the elements, ascending and distinct.
    pub(super) fn rebuilt(&self, make: impl Fn(u32, &mut Vec<u64>) + Sync) -> Result<SetStore, Error> {
        let documents = self.len() as u32;
        let share = documents.div_ceil(self.threads as u32).max(1);
        let ranges: Vec<Range<u32>> =
            (0..documents).step_by(share as usize).map(|start| start..(start + share).min(documents)).collect();
        let stage = Stage::begin(self.progress(), MAKING, documents as usize);
        let build = |(number, range): (usize, Range<u32>)| -> Result<(SetArena, Vec<SetBlock>), JoinError> {
            let (mut batched, mut set) = (Batched::new(SetArena::new(number).first_slab(1), BATCH), Vec::new());
            for document in range {
                stage.check()?;
                set.clear();
                make(document, &mut set);
                batched.push(&set)?;
                stage.add(1);
            }
            Ok(batched.finish()?)
        };
        let built: Vec<(SetArena, Vec<SetBlock>)> =
            self.run(|| ranges.into_par_iter().enumerate().map(build).collect::<Result<_, JoinError>>())?;
        let (arenas, blocks): (Vec<SetArena>, Vec<Vec<SetBlock>>) = built.into_iter().unzip();
        Ok(SetStore::new(arenas, blocks.into_iter().flatten())?)
    }
}
