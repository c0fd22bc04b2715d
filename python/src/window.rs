//! The documents of the last hours.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use lookalike::{CompareWith, Verdict, Window, WindowIndex};
use pyo3::prelude::*;

use crate::call::exception;
use crate::settings::{Settings, one_of};

/// A sliding window. The Python class `Window` wraps it.
#[pyclass(frozen)]
pub struct CoreWindow {
    window: Mutex<Window>,
}

/// The kind of a verdict, the id and the similarity of the best match, and all matches: id, similarity, age in seconds.
type Judged = (&'static str, Option<String>, Option<f64>, Vec<(String, f64, f64)>);

#[pymethods]
impl CoreWindow {
    #[new]
    fn new(
        reach: f64,
        segment: f64,
        threshold: &str,
        index: &str,
        compare_with: &str,
        settings: Settings,
    ) -> PyResult<CoreWindow> {
        let index = one_of("index", index, [("prefix", WindowIndex::Prefix), ("bitmaps", WindowIndex::Bitmaps)])?;
        let compare_with =
            one_of("compare_with", compare_with, [("all", CompareWith::All), ("accepted", CompareWith::Accepted)])?;
        let seconds = |seconds: f64| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::ZERO);
        let window = Window::builder()
            .reach(seconds(reach))
            .segment(seconds(segment))
            .tokens(settings.tokens)
            .case(settings.case)
            .bag(settings.bag)
            .measure(settings.measure)
            .threshold(threshold)
            .index(index)
            .compare_with(compare_with)
            .build();
        Ok(CoreWindow { window: Mutex::new(window.map_err(exception)?) })
    }

    fn add(&self, py: Python<'_>, id: &str, text: &str, time: i64) -> Judged {
        py.detach(|| judged(self.locked(|window| window.add(id, text, time))))
    }

    fn query(&self, py: Python<'_>, text: &str, time: i64) -> Judged {
        py.detach(|| judged(self.locked(|window| window.query(text, time))))
    }

    /// Bytes of memory.
    fn memory(&self, py: Python<'_>) -> usize {
        py.detach(|| self.locked(|window| window.memory()))
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        py.detach(|| self.locked(|window| window.len()))
    }
}

impl CoreWindow {
    fn locked<T>(&self, call: impl FnOnce(&mut Window) -> T) -> T {
        call(&mut self.window.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn judged(verdict: Verdict) -> Judged {
    let matches = verdict.matches.into_iter().map(|one| (one.id, one.similarity, one.age)).collect();
    (verdict.kind.name(), verdict.of, verdict.similarity, matches)
}
