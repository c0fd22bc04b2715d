//! Which passages does a document have? The blocks of a page, the lines of a text.

use lookalike::Case;
use lookalike::engine::{hash_token, normalise, squeeze_spaces};

/// Hashes passages by their normal form: NFKC, case folded, each run of white space one space. It reuses its buffers.
#[derive(Default)]
pub(super) struct PassageHasher {
    folded: String,
    normal: String,
}

impl PassageHasher {
    /// The hash of a passage. `None` if it is blank. No passage has the hash 0.
    pub(super) fn hash(&mut self, passage: &str) -> Option<u64> {
        self.folded.clear();
        normalise(passage.trim(), Case::Fold, &mut self.folded);
        self.normal.clear();
        squeeze_spaces(&self.folded, &mut self.normal);
        (!self.normal.is_empty()).then(|| hash_token(self.normal.as_bytes()).max(1))
    }

    /// The normal form of the passage that was hashed last.
    pub(super) fn normal(&self) -> &str {
        &self.normal
    }
}

/// Cuts a text at these ends, ascending. What follows the last of them belongs to no passage.
pub(super) fn cut<'a>(text: &'a str, ends: &'a [usize]) -> impl Iterator<Item = &'a str> {
    let mut start = 0;
    ends.iter().map(move |&end| {
        let passage = &text[start..end];
        start = end;
        passage
    })
}

/// Appends where the lines of a text end.
pub(super) fn push_line_ends(text: &str, ends: &mut Vec<usize>) {
    ends.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
    if ends.last() != Some(&text.len()) {
        ends.push(text.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_forms() {
        let mut hasher = PassageHasher::default();
        let mut hash = |passage| hasher.hash(passage);
        assert_eq!(hash(" All  rights\n reserved. "), hash("ALL RIGHTS RESERVED."));
        assert_ne!(hash("All rights reserved."), hash("All rights reserved"));
        assert_eq!([hash(""), hash(" \n\u{a0}")], [None; 2]);
        // The hash is persisted in tables.
        assert_eq!(hash("All rights reserved."), Some(0x994a_4403_24c4_eed4));
        assert_eq!(hasher.normal(), "all rights reserved.");
    }

    #[test]
    fn lines() {
        for (text, lines) in [("", vec![""]), ("a", vec!["a"]), ("a\n\nb\n", vec!["a\n", "\n", "b\n"])] {
            let mut ends = Vec::new();
            push_line_ends(text, &mut ends);
            assert_eq!(cut(text, &ends).collect::<Vec<_>>(), lines);
        }
    }
}
