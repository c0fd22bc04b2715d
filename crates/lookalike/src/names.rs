//! The error for an unknown name.

/// A name that is not one of the known names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{given}' is not one of {known}{}", self.meant())]
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

    /// The end of the message, if one of the names begins like the given one, in whatever case.
    fn meant(&self) -> String {
        let start = |name: &str| name.chars().take(3).flat_map(char::to_lowercase).collect::<String>();
        let mut near = self.known.split(", ").filter(|name| name.len() > 2 && start(name) == start(&self.given));
        match (near.next(), near.next()) {
            (Some(name), None) => format!("; did you mean '{name}'?"),
            _ => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_begins_alike_is_meant() {
        let said = |given| NameError::new(given, ["jaccard", "cosine", "max", "maximum"]).to_string();
        assert!(said("Jaccard").ends_with("; did you mean 'jaccard'?"));
        assert!(said("cosin").ends_with("; did you mean 'cosine'?"));
        for given in ["MAX2", "dice", "j", ""] {
            assert!(said(given).ends_with("cosine, max, maximum"), "{given}");
        }
    }
}
