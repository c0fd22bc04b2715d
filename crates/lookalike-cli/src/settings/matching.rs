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
                Threshold::new(measure, self.threshold_text()).map_err(|error| Error::Usage(error.to_string()))
            }
            MeasureArg::Edit => Err(Error::Usage(
                "--measure edit compares texts, and only `lookalike pairs` does that; use another measure".to_string(),
            )),
        }
    }
}
