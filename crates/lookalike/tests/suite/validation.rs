//! What is no collection of sets is refused, not answered wrongly.

use std::sync::Arc;

use lookalike::engine::{Algorithm, Join, JoinError, Records, SetArena, SetBatch, SetStore, SetsError, Stage};
use lookalike::{Measure, Threshold};

fn join() -> Join {
    Join::new(Threshold::new(Measure::Jaccard, "0.5").unwrap())
}

/// Sets put away as a reader does it, which checks nothing.
fn store(sets: &[&[u64]]) -> SetStore {
    let (mut batch, mut arena) = (SetBatch::default(), SetArena::new(0));
    sets.iter().for_each(|set| batch.push(set).unwrap());
    let block = arena.put(&batch).unwrap();
    SetStore::new(vec![arena], [block]).unwrap()
}

#[test]
fn sets_are_ascending_and_distinct() {
    for wrong in [&[3, 2, 1][..], &[1, 2, 2]] {
        let sets = || store(&[&[1, 2, 3], wrong]);
        for algorithm in [Algorithm::Auto, Algorithm::Sparse, Algorithm::Light, Algorithm::Brute] {
            let pairs = join().algorithm(algorithm).pairs(sets());
            assert_eq!(pairs, Err(JoinError::Sets(SetsError::NotAscending(1))));
        }
        assert_eq!(Records::try_code(&sets(), &[0, 1]).err(), Some(SetsError::NotAscending(1)));
        assert_eq!(SetStore::of_sets([&[1, 2, 3], wrong]).err(), Some(SetsError::NotAscending(1)));
    }
}

#[test]
#[should_panic = "the set of document 1 is not ascending and distinct"]
fn collecting_sets_checks_them() {
    let _ = [[1, 2], [2, 1]].iter().collect::<SetStore>();
}

#[test]
fn a_keep_order_names_every_document_once() {
    let prepare = |order: &[u32], pinned| {
        let store = store(&[&[1, 2, 3], &[1, 2, 4], &[]]);
        join().keep_order(order.to_vec(), pinned).prepare(Arc::new(store), &Stage::silent()).err()
    };
    assert_eq!(prepare(&[2, 0, 1], 3), None);
    for wrong in [&[0, 1][..], &[0, 1, 1], &[0, 1, 7], &[0, 1, 2, 0]] {
        assert_eq!(prepare(wrong, 0), Some(JoinError::KeepOrder { documents: 3 }));
    }
    assert_eq!(prepare(&[0, 1, 2], 4), Some(JoinError::References { pinned: 4, documents: 3 }));
}
