//! How long are a window and its segments?

/// The length of a window and of its segments, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    window: i64,
    segment: i64,
}

/// Lengths that are not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpanError {
    /// The length of a segment is not positive.
    #[error("a segment must be longer than 0")]
    Segment,
    /// The length of the window is negative.
    #[error("a window cannot be negative")]
    Window,
}

impl Span {
    /// Makes a window of this length in segments of this length: the current segment, and as many earlier ones as
    /// needed.
    pub fn new(window: i64, segment: i64) -> Result<Span, SpanError> {
        match (window, segment) {
            (_, ..=0) => Err(SpanError::Segment),
            (..=-1, _) => Err(SpanError::Window),
            _ => Ok(Span { window, segment }),
        }
    }

    /// Returns how far back the window reaches.
    pub fn window(&self) -> i64 {
        self.window
    }

    /// Returns the length of a segment.
    pub fn segment_length(&self) -> i64 {
        self.segment
    }

    /// Returns the segment of a time.
    pub fn segment(&self, time: i64) -> i64 {
        time.div_euclid(self.segment)
    }

    /// Returns how many segments before and after its own a document is compared with.
    pub fn segments(&self) -> i64 {
        self.window / self.segment + i64::from(self.window % self.segment > 0)
    }

    /// Returns the start of a segment.
    pub fn start(&self, segment: i64) -> i64 {
        segment.saturating_mul(self.segment)
    }
}
