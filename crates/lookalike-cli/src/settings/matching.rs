//! From which similarity on are two documents a pair?

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
            MeasureArg::Sets(measure) => {
                // The default is not a threshold of every measure.
                let advice = if self.threshold.is_none() { "; set it with -t" } else { "" };
                Threshold::new(measure, self.threshold_text()).map_err(|error| Error::Usage(format!("{error}{advice}")))
            }
            MeasureArg::Edit => Err(Error::Usage(
                "--measure edit compares texts, and only `lookalike pairs` and `lookalike dedup` do that; use another measure"
                    .to_string(),
            )),
        }
    }

    /// The greatest edit distance of a pair.
    pub fn distance(&self) -> Result<u32, Error> {
        self.threshold_text().parse().map_err(|_| {
            Error::Usage(format!(
                "threshold {} for edit must be a whole number, 0 or more; set it with -t",
                self.threshold_text()
            ))
        })
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
