//! A sliding window over texts with ids.

use std::time::Duration;

use super::error::Error;
use super::value::ThresholdValue;
use crate::measure::{Measure, Threshold};
use crate::sets::{Recipe, SetMaker};
use crate::text::Case;
use crate::tokens::Tokens;
use crate::window::{CompareWith, IdWindow, SetWindow, Span, Verdict, VerdictKind, WindowIndex};

/// The documents of the last hours, to compare each new document with.
///
/// ```
/// use lookalike::{VerdictKind, Window};
///
/// let mut window = Window::hours(24)?;
/// let hour = 3_600_000;
/// assert_eq!(window.add("a", "The ferry to the island leaves at nine.", 0).kind, VerdictKind::New);
/// let verdict = window.add("b", "the ferry to the island leaves at nine", 2 * hour);
/// assert_eq!((verdict.kind, verdict.of.as_deref()), (VerdictKind::Exact, Some("a")));
/// assert_eq!(window.add("c", "The ferry to the island leaves at nine.", 100 * hour).kind, VerdictKind::New);
/// # Ok::<(), lookalike::Error>(())
/// ```
pub struct Window {
    maker: SetMaker,
    window: IdWindow,
}

/// The settings of a [`Window`].
///
/// ```
/// use std::time::Duration;
/// use lookalike::{Measure, Window};
///
/// let window = Window::builder()
///     .reach(Duration::from_secs(7 * 24 * 3600))
///     .segment(Duration::from_secs(24 * 3600))
///     .tokens("letters:4".parse()?)
///     .measure(Measure::Max)
///     .threshold(0.6)
///     .build()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct WindowBuilder {
    reach: Duration,
    segment: Duration,
    recipe: Recipe,
    measure: Measure,
    threshold: String,
    index: WindowIndex,
    compare_with: CompareWith,
}

impl Window {
    /// Makes a window of `hours` hours with the default settings: shingles of five words, Jaccard ≥ 0.8, segments of an
    /// hour. (The command `lookalike stream` has other defaults: the measure `max` on four letters.)
    pub fn hours(hours: u32) -> Result<Window, Error> {
        Window::builder().reach(Duration::from_secs(3600 * u64::from(hours))).build()
    }

    /// Returns a builder, to change the default settings.
    pub fn builder() -> WindowBuilder {
        WindowBuilder {
            reach: Duration::from_secs(24 * 3600),
            segment: Duration::from_secs(3600),
            recipe: Recipe::default(),
            measure: Measure::Jaccard,
            threshold: "0.8".to_string(),
            index: WindowIndex::default(),
            compare_with: CompareWith::default(),
        }
    }

    /// Compares a document with the window, then adds it. `time` is in milliseconds from any origin. A document older
    /// than the window gets [`VerdictKind::Old`] and is not added.
    pub fn add(&mut self, id: &str, text: &str, time: i64) -> Verdict {
        let verdict = self.window.add(id, self.maker.set(text), time);
        self.window.named(id, &verdict)
    }

    /// Compares a document with the window without adding it.
    pub fn query(&mut self, text: &str, time: i64) -> Verdict {
        let verdict = self.window.query(self.maker.set(text), time);
        self.window.named("", &verdict)
    }

    /// Returns whether a document would be new.
    pub fn is_new(&mut self, text: &str, time: i64) -> bool {
        self.query(text, time).kind == VerdictKind::New
    }

    /// Returns the number of documents in the window.
    pub fn len(&self) -> usize {
        self.window.len()
    }

    /// Returns the bytes of memory that the documents and their ids occupy. The index over all segments is not included.
    ///
    /// ```
    /// let mut window = lookalike::Window::hours(24)?;
    /// assert_eq!(window.memory(), 0);
    /// window.add("a", "The ferry to the island leaves at nine.", 0);
    /// assert!(window.memory() > 0);
    /// # Ok::<(), lookalike::Error>(())
    /// ```
    pub fn memory(&self) -> usize {
        self.window.bytes()
    }

    /// Returns whether the window is empty.
    pub fn is_empty(&self) -> bool {
        self.window.is_empty()
    }
}

impl WindowBuilder {
    /// Sets how far back the window reaches (default 24 hours).
    pub fn reach(self, reach: Duration) -> WindowBuilder {
        WindowBuilder { reach, ..self }
    }

    /// Sets the length of a segment (default one hour). The window drops documents a segment at a time.
    pub fn segment(self, segment: Duration) -> WindowBuilder {
        WindowBuilder { segment, ..self }
    }

    /// Sets what a document's set is made of (default `words:5`).
    pub fn tokens(self, tokens: Tokens) -> WindowBuilder {
        WindowBuilder { recipe: Recipe { tokens, ..self.recipe }, ..self }
    }

    /// Sets whether upper and lower case differ (by default they do not).
    pub fn case(self, case: Case) -> WindowBuilder {
        WindowBuilder { recipe: Recipe { case, ..self.recipe }, ..self }
    }

    /// Sets whether the second occurrence of a shingle is a separate element (by default it is not).
    pub fn bag(self, bag: bool) -> WindowBuilder {
        WindowBuilder { recipe: Recipe { bag, ..self.recipe }, ..self }
    }

    /// Sets how documents are compared (default Jaccard).
    pub fn measure(self, measure: Measure) -> WindowBuilder {
        WindowBuilder { measure, ..self }
    }

    /// Sets the minimum similarity of a duplicate, inclusive (default 0.8).
    pub fn threshold(self, threshold: impl ThresholdValue) -> WindowBuilder {
        WindowBuilder { threshold: threshold.written(), ..self }
    }

    /// Sets the index. It changes the speed, never the result.
    pub fn index(self, index: WindowIndex) -> WindowBuilder {
        WindowBuilder { index, ..self }
    }

    /// Sets which documents of the window a new one is compared with (default: all).
    pub fn compare_with(self, compare_with: CompareWith) -> WindowBuilder {
        WindowBuilder { compare_with, ..self }
    }

    /// Builds the window, or returns an error if the settings are not valid.
    pub fn build(self) -> Result<Window, Error> {
        let milliseconds = |duration: Duration| i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
        let threshold = Threshold::new(self.measure, &self.threshold)?;
        let span = Span::new(milliseconds(self.reach), milliseconds(self.segment))?;
        let window = SetWindow::new(threshold, span)?.with_index(self.index).comparing_with(self.compare_with);
        Ok(Window { maker: SetMaker::new(self.recipe), window: IdWindow::new(window) })
    }
}
