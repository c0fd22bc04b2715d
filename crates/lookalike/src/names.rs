//! The error for an unknown name.

/// A name that is not one of the known names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{given}' is not one of {known}")]
#[non_exhaustive]
pub struct NameError {
    /// The name that was given.
    pub given: String,
    /// The known names, separated by commas.
    pub known: String,
}

impl NameError {
    /// Makes the error from the given name and the known names.
    pub fn new(given: &str, known: impl IntoIterator<Item = impl AsRef<str>>) -> NameError {
        let known: Vec<String> = known.into_iter().map(|name| name.as_ref().to_string()).collect();
        NameError { given: given.to_string(), known: known.join(", ") }
    }
}
