//! How do texts and pages become sets, without allocating memory for every document?
//!
//! The pool belongs to a service and not to a thread: two services of one process may have different recipes.

use std::sync::{Mutex, PoisonError};

use lookalike::engine::Recipe;
use lookalike_io::extract::{Extraction, Extractor};

/// An extractor that has read a document of more bytes than this is dropped, to free its memory.
const LARGE: usize = 1 << 20;
/// The maximum number of idle extractors.
const IDLE: usize = 64;

/// A pool of extractors.
pub(in crate::api) struct Extractors {
    extraction: Extraction,
    idle: Mutex<Vec<Extractor>>,
}

impl Extractors {
    pub(in crate::api) fn new(extraction: Extraction) -> Extractors {
        Extractors { extraction, idle: Mutex::default() }
    }

    pub(in crate::api) fn recipe(&self) -> Recipe {
        self.extraction.recipe
    }

    /// Lends an extractor for a document of this many bytes.
    pub(super) fn with<T>(&self, bytes: usize, extract: impl FnOnce(&mut Extractor) -> T) -> T {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = idle().pop();
        let mut extractor = kept.unwrap_or_else(|| Extractor::new(self.extraction.clone()));
        let extracted = extract(&mut extractor);
        let mut idle = idle();
        if bytes <= LARGE && idle.len() < IDLE {
            idle.push(extractor);
        }
        extracted
    }
}

#[cfg(test)]
mod tests {
    use lookalike_io::extract::Extracted;
    use lookalike_io::{Content, Page, PageBody};

    use super::*;

    /// On one thread, each service keeps its own recipe and its own rule for pages.
    #[test]
    fn two_services_of_one_process() {
        let recipe = |tokens: &str| Recipe { tokens: tokens.parse().unwrap(), ..Recipe::default() };
        let page = "<nav>home</nav><p>The ferry <img src=a.png> leaves.";
        let extractors = [("words", "text"), ("letters:20", "paper")].map(|(tokens, page)| {
            Extractors::new(Extraction { page: page.parse().unwrap(), recipe: recipe(tokens), without: None })
        });
        for _ in 0..2 {
            let [a, b] = extractors.each_ref().map(|extractors| {
                extractors.with(100, |extractor| {
                    let page = Content::Page(Page { body: PageBody::Text(page), url: None });
                    let Extracted::Document(document) = extractor.extract_content(&page, None) else {
                        panic!("a page")
                    };
                    let has_image = document.text.contains("png");
                    let text = Content::Text("one two three one");
                    let Extracted::Document(mut document) = extractor.extract_content(&text, None) else {
                        panic!("a text")
                    };
                    (document.set().len(), has_image)
                })
            });
            assert_eq!((a, b), ((3, false), (1, true)));
        }
    }
}
