//! What is a document of a stream compared with?

use lookalike::Threshold;
use lookalike::engine::{Recipe, SetWindow, Span};
use lookalike_engine::Error;

use crate::args::{MeasureArg, RememberedArgs, WindowArgs};

impl WindowArgs {
    pub fn threshold_and_span(&self) -> Result<(Threshold, Span), Error> {
        let MeasureArg::Sets(measure) = self.measure else {
            return Err(Error::Usage(
                "--measure edit compares texts, and a window compares sets; use another measure".to_string(),
            ));
        };
        let threshold = Threshold::new(measure, &self.threshold).map_err(|error| Error::Usage(error.to_string()))?;
        let span = Span::new(self.window, self.segment).map_err(|error| Error::Usage(error.to_string()))?;
        Ok((threshold, span))
    }
}

#[cfg(unix)]
impl RememberedArgs {
    /// Returns an empty window.
    pub fn window(&self) -> Result<SetWindow, Error> {
        let (threshold, span) = self.comparing.threshold_and_span()?;
        let window = SetWindow::new(threshold, span).map_err(|error| Error::Usage(error.to_string()))?;
        Ok(window.with_index(self.comparing.index.into()).comparing_with(self.comparing.compare_with.into()))
    }

    pub fn recipe(&self) -> Recipe {
        Recipe { tokens: self.tokens, case: self.case.into(), bag: self.bag }
    }
}
