//! What a label says.

/// The meaning of a label of two documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// They are the same.
    Same,
    /// They are different.
    Different,
    /// Nobody knows, or nobody has answered yet.
    Unsure,
}

/// Which classes mean that two documents are the same.
#[derive(Clone, Debug, Default)]
pub struct Classes {
    same: Vec<String>,
}

const SAME: [&str; 9] = ["1", "1.0", "true", "yes", "y", "same", "match", "duplicate", "near-duplicate"];
const DIFFERENT: [&str; 8] = ["0", "0.0", "false", "no", "n", "different", "distinct", "no-match"];
const UNSURE: [&str; 6] = ["", "u", "unsure", "unknown", "?", "null"];

impl Classes {
    /// These classes mean the same, and all others mean different. Without classes, 1, true, yes, y, same, match and duplicate mean the same,
    /// and 0, false, no, n, different and distinct mean different.
    pub fn new(same: Vec<String>) -> Classes {
        Classes { same }
    }

    /// The meaning of a label; `None` if it is unknown.
    pub fn answer(&self, label: &str) -> Option<Answer> {
        let label = label.trim();
        let lower = label.to_lowercase();
        if UNSURE.contains(&lower.as_str()) {
            return Some(Answer::Unsure);
        }
        if !self.same.is_empty() {
            let is_same = self.same.iter().any(|same| same == label);
            return Some(if is_same { Answer::Same } else { Answer::Different });
        }
        if SAME.contains(&lower.as_str()) {
            Some(Answer::Same)
        } else if DIFFERENT.contains(&lower.as_str()) {
            Some(Answer::Different)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_read() {
        let usual = Classes::default();
        assert_eq!(usual.answer("1"), Some(Answer::Same));
        assert_eq!(usual.answer(" Yes "), Some(Answer::Same));
        assert_eq!(usual.answer("0.0"), Some(Answer::Different));
        assert_eq!(usual.answer(""), Some(Answer::Unsure));
        assert_eq!(usual.answer("2"), None);
        let classes = Classes::new(vec!["0".into(), "1".into()]);
        assert_eq!(classes.answer("0"), Some(Answer::Same));
        assert_eq!(classes.answer("2"), Some(Answer::Different));
        assert_eq!(classes.answer("?"), Some(Answer::Unsure));
    }
}
