//! Puts the results of several threads back in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::error::Error;

/// Takes numbered items from many threads and passes them to a sink in order. Holds only a few.
pub(crate) struct InOrder<T, S> {
    state: Mutex<State<T, S>>,
    moved: Condvar,
    most: usize,
}

struct State<T, S> {
    /// The number of the next item to pass on.
    next: usize,
    early: BTreeMap<usize, T>,
    sink: S,
}

/// How often a waiting thread checks whether another has failed.
const PATIENCE: Duration = Duration::from_millis(20);

impl<T, S> InOrder<T, S> {
    /// Passes items to `sink` and holds about `most` of them at most.
    pub(crate) fn new(sink: S, most: usize) -> InOrder<T, S> {
        InOrder { state: Mutex::new(State { next: 0, early: BTreeMap::new(), sink }), moved: Condvar::new(), most }
    }

    /// Passes `item` on once all earlier items have been passed on, possibly from another thread. A thread that is too far ahead waits.
    pub(crate) fn put(
        &self,
        number: usize,
        item: T,
        stop: &AtomicBool,
        mut hand_on: impl FnMut(&mut S, T) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        // The thread with the next number never waits, so the others wait forever only if it failed.
        while number >= state.next + self.most && !stop.load(Relaxed) {
            state = self.moved.wait_timeout(state, PATIENCE).unwrap_or_else(PoisonError::into_inner).0;
        }
        state.early.insert(number, item);
        while let next = state.next
            && let Some(item) = state.early.remove(&next)
        {
            hand_on(&mut state.sink, item)?;
            state.next += 1;
        }
        self.moved.notify_all();
        Ok(())
    }

    /// The sink, after all items have been passed on.
    pub(crate) fn into_sink(self) -> S {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).sink
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn from_many_threads_in_order() {
        for most in [1, 3, 1000] {
            let (in_order, stop) = (InOrder::new(Vec::new(), most), AtomicBool::new(false));
            let next = std::sync::atomic::AtomicUsize::new(0);
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        while let number = next.fetch_add(1, Relaxed)
                            && number < 500
                        {
                            let push = |all: &mut Vec<usize>, item| {
                                all.push(item);
                                Ok(())
                            };
                            in_order.put(number, number * 2, &stop, push).unwrap();
                        }
                    });
                }
            });
            assert!(in_order.into_sink().into_iter().eq((0..500).map(|number| number * 2)), "{most}");
        }
    }

    #[test]
    fn nobody_waits_for_what_failed() {
        let (in_order, stop) = (InOrder::new((), 1), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| in_order.put(5, (), &stop, |(), ()| Ok(())).unwrap());
            stop.store(true, Relaxed);
        });
    }
}
