//! Can the inputs be read as they are named?

use lookalike_engine::Error;

/// Refuses a second `-`: standard input can be read only once.
pub fn check_stdin(inputs: &[&[String]]) -> Result<(), Error> {
    if inputs.iter().flat_map(|inputs| inputs.iter()).filter(|input| *input == "-").count() > 1 {
        return Err(Error::Usage("stdin (-) is given more than once, but it can be read only once".to_string()));
    }
    Ok(())
}
