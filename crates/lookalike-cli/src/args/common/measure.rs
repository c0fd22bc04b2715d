//! Which measure is meant by a name?

use std::fmt;
use std::str::FromStr;

use lookalike::Measure;

/// A measure of sets, or the edit distance of texts.
#[derive(Clone, Copy)]
pub enum MeasureArg {
    Sets(Measure),
    Edit,
}

const EDIT: &str = "edit";

impl Default for MeasureArg {
    fn default() -> MeasureArg {
        MeasureArg::Sets(Measure::default())
    }
}

impl fmt::Display for MeasureArg {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            MeasureArg::Sets(measure) => measure.name(),
            MeasureArg::Edit => EDIT,
        })
    }
}

impl FromStr for MeasureArg {
    type Err = String;

    fn from_str(name: &str) -> Result<MeasureArg, String> {
        if name == EDIT {
            return Ok(MeasureArg::Edit);
        }
        name.parse().map(MeasureArg::Sets).map_err(|error| format!("{error}, {EDIT}"))
    }
}
