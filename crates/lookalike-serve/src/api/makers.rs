//! What makes texts and sets of what clients send, in memory that is kept from document to document.
//!
//! It belongs to a service, and not to a thread: two services of one process may read documents in different ways.

use std::sync::{Mutex, PoisonError};

use lookalike::engine::PageRule;
use lookalike::engine::{Recipe, SetMaker};
use lookalike_io::extract::PageTexts;

/// Bytes of a document whose memory is not kept for the next.
const LARGE: usize = 1 << 20;
/// Makers that are kept while nobody needs them.
const IDLE: usize = 64;

pub(super) struct Makers {
    recipe: Recipe,
    page: PageRule,
    idle: Mutex<Vec<Maker>>,
}

/// For one document at a time.
pub(super) struct Maker {
    pub(super) sets: SetMaker,
    pub(super) pages: PageTexts,
}

impl Makers {
    pub(super) fn new(recipe: Recipe, page: PageRule) -> Makers {
        Makers { recipe, page, idle: Mutex::default() }
    }

    pub(super) fn recipe(&self) -> Recipe {
        self.recipe
    }

    /// Has a document of so many bytes made.
    pub(super) fn with<T>(&self, bytes: usize, make: impl FnOnce(&mut Maker) -> T) -> T {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = idle().pop();
        let mut maker =
            kept.unwrap_or_else(|| Maker { sets: SetMaker::new(self.recipe), pages: PageTexts::new(self.page) });
        let made = make(&mut maker);
        let mut idle = idle();
        if bytes <= LARGE && idle.len() < IDLE {
            idle.push(maker);
        }
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On one thread, one after the other: each has its own recipe and its own rule for pages.
    #[test]
    fn two_services_of_one_process() {
        let recipe = |tokens: &str| Recipe { tokens: tokens.parse().unwrap(), ..Recipe::default() };
        let page = "<nav>home</nav><p>The ferry <img src=a.png> leaves.";
        let makers = [("words", "text"), ("letters:20", "paper")];
        let makers = makers.map(|(tokens, page)| Makers::new(recipe(tokens), page.parse().unwrap()));
        for _ in 0..2 {
            let [a, b] = makers.each_ref().map(|makers| {
                makers.with(100, |maker| {
                    use lookalike_io::{Page, PageBody};
                    let text = maker.pages.read(&Page { body: PageBody::Text(page), url: None }).to_string();
                    (maker.sets.set("one two three one").len(), text.contains("png"))
                })
            });
            assert_eq!((a, b), ((3, false), (1, true)));
        }
    }
}
