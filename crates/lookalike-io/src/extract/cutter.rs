//! The passages of a document, one after another.

use lookalike::engine::PageRule;

use super::pages::PageTexts;
use super::passages::{PassageHasher, cut, push_line_ends};
use crate::read::Content;

/// Cuts documents into passages. It reuses its buffers, so keep one per thread.
pub struct Passages {
    pages: PageTexts,
    ends: Vec<usize>,
    hasher: PassageHasher,
}

/// A passage that is not blank.
pub struct Passage<'a> {
    /// As it is in the text.
    pub text: &'a str,
    /// Its normal form.
    pub normal: &'a str,
    /// The hash of its normal form, which is not 0.
    pub hash: u64,
}

impl Default for Passages {
    fn default() -> Passages {
        // Every visible block counts. The blocks of the main text are some of them.
        let pages = PageTexts::new(PageRule::Text);
        Passages { pages, ends: Vec::new(), hasher: PassageHasher::default() }
    }
}

impl Passages {
    /// Calls `take` with the passages of a document in order. Returns the bytes of its text, or `None` if it has no usable text.
    pub fn for_each(&mut self, content: &Content, mut take: impl FnMut(Passage)) -> Option<usize> {
        let (text, ends): (&str, &[usize]) = match content {
            Content::Text(text) => {
                self.ends.clear();
                push_line_ends(text, &mut self.ends);
                (text, &self.ends)
            }
            Content::Page(page) => self.pages.read_blocks(page),
            Content::Unusable(_) | Content::Unreadable(_) => return None,
        };
        for passage in cut(text, ends) {
            if let Some(hash) = self.hasher.hash(passage) {
                take(Passage { text: passage, normal: self.hasher.normal(), hash });
            }
        }
        Some(text.len())
    }
}
