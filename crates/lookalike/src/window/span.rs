/// How time is cut, and how much of it a window holds. In milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    window: i64,
    segment: i64,
}

/// What is no span of time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpanError {
    /// Segments of no length.
    #[error("a segment must have a length")]
    Segment,
    /// A window that is less than nothing.
    #[error("a window cannot be less than nothing")]
    SetWindow,
}

impl Span {
    /// A window that reaches so far back, in segments of this length: the current one, and as many before it as it takes.
    pub fn new(window: i64, segment: i64) -> Result<Span, SpanError> {
        match (window, segment) {
            (_, ..=0) => Err(SpanError::Segment),
            (..=-1, _) => Err(SpanError::SetWindow),
            _ => Ok(Span { window, segment }),
        }
    }

    /// How far back the window reaches.
    pub fn window(&self) -> i64 {
        self.window
    }

    /// How long a segment is.
    pub fn segment_length(&self) -> i64 {
        self.segment
    }

    /// In which segment a time lies.
    pub fn segment(&self, time: i64) -> i64 {
        time.div_euclid(self.segment)
    }

    /// How many segments before its own a document is compared with, and behind it.
    pub fn segments(&self) -> i64 {
        self.window / self.segment + i64::from(self.window % self.segment > 0)
    }

    /// When a segment begins.
    pub fn start(&self, segment: i64) -> i64 {
        segment.saturating_mul(self.segment)
    }
}
