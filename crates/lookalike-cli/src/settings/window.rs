//! What is a document of a stream compared with?

use lookalike::Threshold;
use lookalike::engine::Span;
use lookalike_engine::Error;
// What only `serve` and `watch` need.
#[cfg(unix)]
use {
    crate::args::RememberedArgs,
    lookalike::engine::{PageRule, Recipe, SetWindow, SiteRule},
    lookalike_io::extract::Extraction,
};

use crate::args::{MeasureArg, WindowArgs};

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

    /// How a document becomes a set.
    pub fn extraction(&self) -> Result<Extraction, Error> {
        let without = self.without.table()?;
        if without.is_some() && self.page == PageRule::Paper {
            return Err(Error::Usage(
                "--without does not work with --page paper, which cuts no passages; use --page text or main"
                    .to_string(),
            ));
        }
        if let Some(SiteRule::Field(field)) = without.as_ref().map(|table| table.site()) {
            return Err(Error::Usage(format!(
                "the table of --without finds sites by the field '{field}', and here only an address says the site; make a table \
                 with --site registered"
            )));
        }
        let recipe = Recipe { tokens: self.tokens, case: self.case.into(), bag: self.bag };
        Ok(Extraction { page: self.page, without, recipe })
    }
}
