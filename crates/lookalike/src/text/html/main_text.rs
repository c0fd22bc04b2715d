//! What is the main text of a page? All of its text but what says that it is furniture, and the links before it starts.
//!
//! A program cannot know from one page which text its site repeats. So this rule omits only what the page itself
//! marks, and keeps code, tables and lists, also lists of links: what is omitted by mistake makes different pages
//! equal. Elements cut the visible text into blocks. Then:
//!
//! ```text
//! furniture   elements that say so (furniture.rs), unless one has more than 3/4 of the page's words outside links
//! the start   the first block that is a heading, also one that only its class calls a title, or code, or has 10 words
//!             outside links, and is not mostly links
//! omitted     all furniture, and of the blocks before the start all up to the last that is the title or mostly links
//! ```
//!
//! If fewer than 10 words are left, nothing is omitted. `furniture` and `the start` look at words outside links, so that
//! a menu may be longer than the text.

use super::attributes::Attributes;
use super::furniture::{Says, says};
use super::hidden::{Hidden, Over};
use super::tag::{H1, H2, H3, H4, H5, H6, PRE, TITLE, Tag};
use super::visible::{Sink, part, walk};

/// The least words outside links of a block that starts the main text, and the least words of a main text.
const LEAST: u32 = 10;

/// Extracts the main text of pages, and reuses its memory.
#[derive(Default)]
pub(super) struct MainText {
    all: String,
    /// Where the parts of it end, those without words too.
    all_ends: Vec<usize>,
    blocks: Vec<Block>,
    /// The start of the current block.
    start: usize,
    /// The start of the open link, if any.
    link: Option<usize>,
    linked: u32,
    place: Place,
    /// The open element that says it is a title.
    titled: Option<Tag>,
    /// The open element that says it is furniture.
    furniture: Option<Hidden>,
    /// By element that says so, its words outside links.
    furniture_words: Vec<u32>,
}

/// The element that a block is in, if it matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Other,
    Title,
    Heading,
    Code,
}

impl Place {
    fn of(tag: Tag) -> Place {
        match tag {
            TITLE => Place::Title,
            H1 | H2 | H3 | H4 | H5 | H6 => Place::Heading,
            PRE => Place::Code,
            _ => Place::Other,
        }
    }
}

struct Block {
    start: usize,
    end: usize,
    words: u32,
    /// The words of the block that are in links.
    linked: u32,
    place: Place,
    /// The element with furniture that it is in.
    furniture: Option<usize>,
}

impl Block {
    fn own(&self) -> u32 {
        self.words - self.linked
    }

    fn is_mostly_links(&self) -> bool {
        self.linked > self.own()
    }

    fn can_start(&self) -> bool {
        match self.place {
            Place::Title => false,
            Place::Heading | Place::Code => !self.is_mostly_links(),
            Place::Other => !self.is_mostly_links() && self.own() >= LEAST,
        }
    }
}

impl MainText {
    /// Appends the main text of a page, and where its blocks end.
    pub(super) fn push(&mut self, page: &str, out: &mut String, ends: &mut Vec<usize>) {
        ends.clear();
        self.all.clear();
        self.all_ends.clear();
        self.blocks.clear();
        self.furniture_words.clear();
        (self.start, self.link, self.linked) = (0, None, 0);
        (self.place, self.titled, self.furniture) = (Place::Other, None, None);
        walk(page, self);
        self.part();
        self.doubt_furniture();
        let own = || self.blocks.iter().filter(|block| block.furniture.is_none());
        let before = own().position(Block::can_start).unwrap_or(0);
        let is_before_text = |block: &Block| block.place == Place::Title || block.is_mostly_links();
        let last = own().take(before).enumerate().filter(|(_, block)| is_before_text(block)).last();
        let (start, mut words) = (out.len(), 0);
        for block in own().skip(last.map_or(0, |(at, _)| at + 1)) {
            out.push_str(&self.all[block.start..block.end]);
            part(out);
            ends.push(out.len());
            words += block.words;
        }
        if words < LEAST {
            out.truncate(start);
            out.push_str(&self.all);
            ends.clear();
            ends.extend(self.all_ends.iter().map(|end| start + end));
        }
    }

    /// Takes back that an element is furniture, if it is most of the page.
    fn doubt_furniture(&mut self) {
        let all: u64 = self.blocks.iter().map(|block| u64::from(block.own())).sum();
        for block in &mut self.blocks {
            block.furniture =
                block.furniture.filter(|&element| 4 * u64::from(self.furniture_words[element]) <= 3 * all);
        }
    }

    /// Counts the words of the open link so far.
    fn count_link(&mut self) {
        if let Some(from) = &mut self.link {
            self.linked += count_words(&self.all[*from..]);
            *from = self.all.len();
        }
    }
}

impl Sink for MainText {
    fn text(&mut self) -> &mut String {
        &mut self.all
    }

    fn part(&mut self) {
        self.count_link();
        let words = count_words(&self.all[self.start..]);
        if words > 0 {
            // A link can end within a word, which then counts twice.
            let linked = self.linked.min(words);
            let furniture = self.furniture.as_ref().map(|_| self.furniture_words.len() - 1);
            if let Some(element) = furniture {
                self.furniture_words[element] += words - linked;
            }
            let (start, end, place) = (self.start, self.all.len(), self.place);
            self.blocks.push(Block { start, end, words, linked, place, furniture });
        }
        part(&mut self.all);
        self.start = self.all.len();
        self.all_ends.push(self.start);
        self.linked = 0;
        self.link = self.link.map(|_| self.all.len());
    }

    fn link(&mut self, is_start: bool) {
        self.count_link();
        self.link = is_start.then_some(self.all.len());
    }

    fn start(&mut self, tag: Tag, attributes: Attributes) {
        if Place::of(tag) != Place::Other {
            self.place = Place::of(tag);
        }
        if self.furniture.as_mut().is_some_and(|element| element.start(tag) == Over::No) {
            return;
        }
        self.furniture = None;
        match says(tag, attributes) {
            Says::Furniture => {
                self.furniture = Some(Hidden::new(tag));
                self.furniture_words.push(0);
            }
            Says::Title if self.place == Place::Other => (self.place, self.titled) = (Place::Heading, Some(tag)),
            Says::Title | Says::Nothing => {}
        }
    }

    fn end(&mut self, tag: Tag) {
        if Place::of(tag) != Place::Other || self.titled == Some(tag) {
            (self.place, self.titled) = (Place::Other, None);
        }
        if self.furniture.as_mut().is_some_and(|element| element.end(tag) != Over::No) {
            self.furniture = None;
        }
    }
}

/// Counts the words of a text. Three characters of a script without spaces are a word.
fn count_words(text: &str) -> u32 {
    text.split_whitespace().map(count_word).fold(0, u32::saturating_add)
}

fn count_word(word: &str) -> u32 {
    if word.is_ascii() {
        return u32::from(word.bytes().any(|byte| byte.is_ascii_alphanumeric()));
    }
    let is_wide = |c: char| {
        matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
            | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
    };
    let wide = word.chars().filter(|&c| is_wide(c)).count();
    let has_narrow = word.chars().nth(wide).is_some();
    u32::from(has_narrow).max(u32::try_from(wide.div_ceil(3)).unwrap_or(u32::MAX))
}
