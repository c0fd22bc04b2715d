//! Every long call of the front door reports its progress, and ends when it is cancelled.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use lookalike::{Corpus, DedupOptions, Error, Handle, PairOptions, Removed};

use crate::oracle::larger_collection;

/// A long call, and its answer as text.
type Call = (&'static str, Box<dyn Fn(&Handle) -> Result<String, Error> + Sync>);

/// The sizes and a few elements of a corpus.
fn described(corpus: &Corpus) -> String {
    let of = |document: usize| (corpus.size(document), corpus.common(document, document / 2));
    format!("{:?}", (0..corpus.len()).map(of).collect::<Vec<_>>())
}

/// All long calls, over a collection of so many sets.
fn calls(documents: usize) -> Vec<Call> {
    let sets = larger_collection(documents);
    let texts: Vec<String> = sets.iter().map(|set| format!("{set:?}")).collect();
    let corpus = Corpus::builder().threads(2).from_sets(sets.iter().cloned()).unwrap();
    let removed: Vec<Removed> = corpus.dedup(0.5).unwrap().removed().collect();
    fn call(
        name: &'static str,
        corpus: &Corpus,
        ask: impl Fn(Corpus) -> Result<String, Error> + Sync + 'static,
    ) -> Call {
        let corpus = corpus.clone();
        (name, Box::new(move |handle: &Handle| ask(corpus.watched_by(handle))))
    }
    let builder = |handle: &Handle| Corpus::builder().threads(2).watched_by(handle);
    let keys: Vec<[u8; 1]> = (0..documents).map(|document| [document as u8 % 3]).collect();
    let tokens: Vec<Vec<String>> = sets.iter().map(|set| set.iter().map(ToString::to_string).collect()).collect();
    let made = |made: Result<Corpus, Error>| made.map(|corpus| described(&corpus));
    vec![
        ("from_texts", Box::new(move |handle| made(builder(handle).from_texts(&texts)))),
        ("from_sets", Box::new(move |handle| made(builder(handle).from_sets(sets.iter().cloned())))),
        ("from_token_sets", Box::new(move |handle| made(builder(handle).from_token_sets(&tokens)))),
        call("within", &corpus, move |corpus| corpus.within(&keys).map(|corpus| described(&corpus))),
        call("plan", &corpus, |corpus| corpus.plan(0.5)),
        call("dedup", &corpus, |corpus| Ok(format!("{:?}", corpus.dedup(0.5)?))),
        call("components", &corpus, |corpus| {
            Ok(format!("{:?}", corpus.dedup_with(0.5, DedupOptions::new().components())?))
        }),
        call("dedup_to", &corpus, |corpus| {
            Ok(format!("{:?}", corpus.dedup_to(corpus.len() / 2, 0.3, DedupOptions::new())?))
        }),
        call("pairs", &corpus, |corpus| Ok(format!("{:?}", corpus.pairs(0.5)?.collect::<Vec<_>>()))),
        call("pairs_between", &corpus, |corpus| {
            Ok(format!("{:?}", corpus.pairs_between(&corpus, 0.5)?.collect::<Vec<_>>()))
        }),
        call("for_each_pair", &corpus, |corpus| {
            let count = AtomicUsize::new(0);
            corpus.for_each_pair(0.5, |_| _ = count.fetch_add(1, Relaxed))?;
            Ok(count.into_inner().to_string())
        }),
        call("top", &corpus, |corpus| Ok(format!("{:?}", corpus.top(100, PairOptions::new())?.collect::<Vec<_>>()))),
        call("check", &corpus, move |corpus| Ok(format!("{:?}", corpus.check(0.5, &removed, DedupOptions::new())?))),
    ]
}

#[test]
fn what_is_cancelled_before_it_begins_does_not_run() {
    let handle = Handle::new();
    handle.cancel();
    for (name, call) in calls(300) {
        assert_eq!(call(&handle), Err(Error::Cancelled), "{name}");
    }
}

/// A call that is cancelled at any moment ends with that error, or has been faster.
#[test]
fn cancelled_at_any_moment() {
    for (name, call) in calls(2000) {
        let expected = call(&Handle::new());
        assert!(expected.is_ok(), "{name}");
        for delay in 0..8 {
            let handle = Handle::new();
            let result = std::thread::scope(|scope| {
                let running = scope.spawn(|| call(&handle));
                std::thread::sleep(Duration::from_millis(delay * delay));
                handle.cancel();
                running.join().unwrap()
            });
            assert!(result == expected || result == Err(Error::Cancelled), "{name} after {delay} steps");
        }
    }
}

/// The rest of the documents is not read.
#[test]
fn making_a_corpus_stops_in_the_middle() {
    type Make<'a> = &'a dyn Fn(&Handle, &mut dyn Iterator<Item = usize>) -> Result<Corpus, Error>;
    let read = |make: Make| {
        let (handle, mut read) = (Handle::new(), 0);
        let mut documents = (0..50_000).inspect(|&document| {
            read = document;
            if document == 5000 {
                let reached = handle.reached().expect("a stage");
                assert_eq!(reached.stage, "making sets");
                assert!((4000..=5000).contains(&reached.done), "{reached:?}");
                handle.cancel();
            }
        });
        assert_eq!(make(&handle, &mut documents).err(), Some(Error::Cancelled));
        drop(documents);
        read
    };
    let builder = |handle: &Handle| Corpus::builder().threads(1).watched_by(handle);
    let texts = read(&|handle, documents| builder(handle).from_texts(documents.map(|document| document.to_string())));
    let sets = read(&|handle, documents| builder(handle).from_sets(documents.map(|document| [document as u64])));
    assert!(texts < 10_000 && sets == 5000, "{texts} texts, {sets} sets");
}

/// The handle of a builder is for making the corpus only.
#[test]
fn a_corpus_does_not_keep_the_handle_of_its_builder() {
    let handle = Handle::new();
    let corpus = Corpus::builder().watched_by(&handle).from_texts(["a", "a"]).unwrap();
    handle.cancel();
    assert_eq!(corpus.pairs(0.8).unwrap().len(), 1);
}
