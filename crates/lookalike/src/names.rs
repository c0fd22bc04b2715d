/// A name that is none of those that are known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{given}' is none of {known}")]
#[non_exhaustive]
pub struct NameError {
    /// What was given.
    pub given: String,
    /// What is known, in a list.
    pub known: String,
}

impl NameError {
    /// A name beside those that are known.
    pub fn new(given: &str, known: impl IntoIterator<Item = impl AsRef<str>>) -> NameError {
        let known: Vec<String> = known.into_iter().map(|name| name.as_ref().to_string()).collect();
        NameError { given: given.to_string(), known: known.join(", ") }
    }
}
