//! When are two documents a pair?

use lookalike::Threshold;
use lookalike_engine::Error;

use crate::args::{MatchArgs, MeasureArg};

impl MatchArgs {
    /// The threshold as typed, or the default.
    pub fn threshold_text(&self) -> &str {
        self.threshold.as_deref().unwrap_or("0.8")
    }

    pub fn threshold(&self) -> Result<Threshold, Error> {
        match self.measure {
            // The default is not a threshold of every measure.
            MeasureArg::Sets(measure) if measure.is_count() && self.threshold.is_none() => Err(self.no_default()),
            MeasureArg::Sets(measure) => {
                Threshold::new(measure, self.threshold_text()).map_err(|error| Error::Usage(error.to_string()))
            }
            MeasureArg::Edit => Err(Error::Usage(
                "--measure edit compares texts, and only `lookalike pairs` and `lookalike dedup` do that; use another measure"
                    .to_string(),
            )),
        }
    }

    /// The greatest edit distance of a pair.
    pub fn distance(&self) -> Result<u32, Error> {
        let text = self.threshold.as_deref().ok_or_else(|| self.no_default())?;
        text.parse().map_err(|_| Error::Usage(format!("threshold {text} for edit must be a whole number, 0 or more")))
    }

    fn no_default(&self) -> Error {
        Error::Usage(format!("--measure {} has no default threshold; set one with -t, a whole number", self.measure))
    }

    /// Refuses options of sets if texts are compared.
    pub fn check_texts(&self, tokens: bool, bag: bool) -> Result<(), Error> {
        let option = match (tokens, bag) {
            (true, _) => "--tokens",
            (false, true) => "--bag",
            (false, false) => return Ok(()),
        };
        Err(Error::Usage(format!("{option} does not work with --measure edit, which compares texts")))
    }
}
