//! Sets, counters and postings may lie in files, and a storage that fails makes a join fail, not answer wrongly.

use std::fs::OpenOptions;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use lookalike::Threshold;
use lookalike::engine::{
    Algorithm, Fate, Join, JoinError, Memory, PairSource, Region, SetArena, SetBatch, SetPair, SetStore, SetsError,
    Stage, Storage, StorageError, survivors,
};
use proptest::prelude::*;

use crate::oracle::{Sets, collections, thresholds};

/// Rooms in files without a name, of which it gives out a limited number.
#[derive(Debug)]
struct Files {
    left: AtomicUsize,
}

impl Files {
    fn new(rooms: usize) -> Arc<Files> {
        Arc::new(Files { left: AtomicUsize::new(rooms) })
    }
}

impl Storage for Files {
    fn allocate(&self, bytes: usize, purpose: &'static str) -> Result<Region, StorageError> {
        if self.left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_err() {
            return Err(StorageError::OutOfMemory { wanted: bytes, purpose });
        }
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let name = format!("lookalike-storage-{}-{}", std::process::id(), NUMBER.fetch_add(1, Relaxed));
        let path = std::env::temp_dir().join(name);
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path).expect("a file");
        std::fs::remove_file(&path).expect("the file");
        // SAFETY: the file has no name, so nobody else can open it.
        unsafe { Region::in_file(&file, bytes, purpose) }
    }
}

/// All pairs and all fates, with everything in a storage.
fn joined(
    sets: &Sets,
    threshold: Threshold,
    storage: Arc<dyn Storage>,
) -> Result<(Vec<SetPair>, Vec<Fate>), JoinError> {
    let (mut batch, mut arena, mut blocks) = (SetBatch::default(), SetArena::within(0, storage.clone()), Vec::new());
    for some in sets.chunks(7) {
        batch.clear();
        some.iter().try_for_each(|set| batch.push(set))?;
        blocks.push(arena.put(&batch)?);
    }
    let store = Arc::new(SetStore::new(vec![arena], blocks)?);
    let join = Join::new(threshold).algorithm(Algorithm::Sparse).storage(storage);
    let mut source = join.clone().prepare(store.clone(), &Stage::silent())?;
    let pairs = Mutex::new(Vec::new());
    source.pairs(&Stage::silent(), &|some: &[SetPair]| pairs.lock().unwrap().extend_from_slice(some))?;
    let pairs = source.expand_groups(pairs.into_inner().unwrap(), &Stage::silent())?;
    let order = (0..sets.len() as u32).rev().collect();
    let fates = survivors(&mut join.keep_order(order, 0).prepare(store, &Stage::silent())?, &Stage::silent())?;
    Ok((pairs, fates))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn in_files_as_in_memory(sets in collections(), threshold in thresholds()) {
        let expected = joined(&sets, threshold, Memory::shared()).unwrap();
        prop_assert_eq!(joined(&sets, threshold, Files::new(usize::MAX)).unwrap(), expected);
    }

    #[test]
    fn without_room_there_is_an_error(sets in collections(), threshold in thresholds(), rooms in 0..12usize) {
        let expected = joined(&sets, threshold, Memory::shared()).unwrap();
        match joined(&sets, threshold, Files::new(rooms)) {
            Ok(found) => prop_assert_eq!(found, expected),
            Err(error) => prop_assert!(matches!(error, JoinError::Sets(SetsError::Storage(_))), "{error}"),
        }
    }
}
