//! From a web page to the text to compare.
//!
//! ```
//! use lookalike::engine::{PageReader, PageRule};
//! let mut reader = PageReader::new(PageRule::Text);
//! let page = "<title>Ferries</title><script>let x;</script><p>At n<b>ine</b> &amp; at four<p hidden>never";
//! assert_eq!(reader.read(page, None), "Ferries\nAt nine & at four\n");
//! ```

mod attributes;
mod entities;
mod furniture;
mod hidden;
mod image;
mod main_text;
mod paper;
mod raw_text;
mod tag;
mod tokenizer;
mod visible;

use std::fmt;
use std::str::FromStr;

use crate::names::NameError;

pub(super) use tag::Tag;
pub(super) use tokenizer::{Event, Events};

use main_text::MainText;
use paper::PaperText;
use visible::{Blocks, Plain, walk};

/// How a page becomes text, as written after `--page`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum PageRule {
    /// The visible text and the title.
    #[default]
    Text,
    /// The visible text without what says that it is a menu, a side bar or a footer, and without the links before the text.
    Main,
    /// The text of Henzinger's paper.
    Paper,
}

impl PageRule {
    const NAMES: [(&'static str, PageRule); 3] =
        [("text", PageRule::Text), ("main", PageRule::Main), ("paper", PageRule::Paper)];
}

impl FromStr for PageRule {
    type Err = NameError;

    fn from_str(text: &str) -> Result<PageRule, NameError> {
        let known = PageRule::NAMES.into_iter().find(|(name, _)| *name == text);
        known.map(|(_, rule)| rule).ok_or_else(|| NameError::new(text, PageRule::NAMES.map(|(name, _)| name)))
    }
}

impl fmt::Display for PageRule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (name, _) = PageRule::NAMES.iter().find(|(_, rule)| rule == self).expect("every rule has a name");
        f.write_str(name)
    }
}

/// Converts pages to texts, and reuses its memory. Use one per thread.
pub struct PageReader {
    rule: PageRule,
    text: String,
    /// Where the blocks of the text end.
    ends: Vec<usize>,
    main: MainText,
    paper: PaperText,
}

impl PageReader {
    /// Makes a reader for this rule.
    pub fn new(rule: PageRule) -> PageReader {
        PageReader {
            rule,
            text: String::new(),
            ends: Vec::new(),
            main: MainText::default(),
            paper: PaperText::default(),
        }
    }

    /// Returns the text of a page. The paper's rule uses the page's address, if known, to recognise images of the same
    /// host.
    pub fn read(&mut self, page: &str, url: Option<&str>) -> &str {
        self.text.clear();
        match self.rule {
            PageRule::Text => walk(page, &mut Plain(&mut self.text)),
            PageRule::Main => self.main.push(page, &mut self.text, &mut self.ends),
            PageRule::Paper => self.paper.push(page, url, &mut self.text),
        }
        &self.text
    }

    /// Returns the text of a page, and where its blocks end: a block is the text between two elements that separate words.
    /// The last block ends with the text. The paper's rule knows no blocks, and has one for the whole text.
    pub fn read_blocks(&mut self, page: &str, url: Option<&str>) -> (&str, &[usize]) {
        self.ends.clear();
        if self.rule == PageRule::Text {
            self.text.clear();
            walk(page, &mut Blocks { text: &mut self.text, ends: &mut self.ends });
        } else {
            self.read(page, url);
        }
        if self.ends.last() != Some(&self.text.len()) {
            self.ends.push(self.text.len());
        }
        (&self.text, &self.ends)
    }
}
