//! What is the main text of a page? Blocks of prose, without menus, link lists and footers.
//!
//! After Kohlschütter, Fankhauser and Nejdl, *Boilerplate detection using shallow text features* (WSDM 2010). Elements
//! cut a page into blocks of visible text. Two numbers decide about a block: its *link density*, the share of its words
//! in links, and its *text density*, the words per line when the block is wrapped at 80 columns (without the last,
//! shorter line). Prose fills its lines; a menu does not. A block is main text if it is prose or is next to prose:
//!
//! ```text
//! links(block) > 1/3                        no
//! links(previous) > 5/9                     density(block) > 11 or density(next) > 11
//! density(block) > 9                        yes
//! density(next) > 10                        yes
//! otherwise                                 density(previous) > 4
//! ```
//!
//! The paper's tree differs in two leaves: prose with nothing after it, and prose after a list of links with nothing
//! after it, are main text here. `nav`, `aside`, `footer` and `menu` are never main text. If fewer than 30 words are
//! left, the whole page is main text: a page of names and code is not its licence notice, and a short page is not
//! empty.

use super::tag::{ASIDE, FOOTER, MENU, NAV, Tag};
use super::visible::{Sink, part, walk};

const COLUMNS: u32 = 80;

/// The minimum words of prose.
const LEAST: u32 = 30;

/// Extracts the main text of pages, and reuses its memory.
#[derive(Default)]
pub(super) struct MainText {
    all: String,
    blocks: Vec<Block>,
    /// The start of the current block.
    start: usize,
    /// The start of the open link, if any.
    link: Option<usize>,
    linked: u32,
}

#[derive(Clone, Copy, Default)]
struct Block {
    start: usize,
    end: usize,
    words: u32,
    /// The words of the block that are in links.
    linked: u32,
    /// Words and lines of the wrapped block, without the last line if there are several.
    full: (u32, u32),
}

impl Block {
    fn links_over(&self, share: u32, of: u32) -> bool {
        u64::from(self.linked) * u64::from(of) > u64::from(self.words) * u64::from(share)
    }

    fn denser_than(&self, words: u32) -> bool {
        u64::from(self.full.0) > u64::from(self.full.1) * u64::from(words)
    }

    fn is_main(&self, previous: &Block, next: &Block) -> bool {
        if self.links_over(1, 3) {
            false
        } else if previous.links_over(5, 9) {
            self.denser_than(11) || next.denser_than(11)
        } else {
            self.denser_than(9) || next.denser_than(10) || previous.denser_than(4)
        }
    }
}

impl MainText {
    /// Appends the main text of a page.
    pub(super) fn push(&mut self, page: &str, out: &mut String) {
        self.all.clear();
        self.blocks.clear();
        (self.start, self.link, self.linked) = (0, None, 0);
        walk(page, self);
        self.part();
        let (start, none) = (out.len(), Block::default());
        let mut words = 0;
        for (at, block) in self.blocks.iter().enumerate() {
            let previous = at.checked_sub(1).map_or(&none, |previous| &self.blocks[previous]);
            if block.is_main(previous, self.blocks.get(at + 1).unwrap_or(&none)) {
                out.push_str(&self.all[block.start..block.end]);
                part(out);
                words += block.words;
            }
        }
        if words < LEAST {
            out.truncate(start);
            out.push_str(&self.all);
        }
    }

    /// Counts the words of the open link so far.
    fn count_link(&mut self) {
        if let Some(from) = &mut self.link {
            self.linked += wrap(&self.all[*from..]).words;
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
        let block =
            Block { start: self.start, end: self.all.len(), linked: self.linked, ..wrap(&self.all[self.start..]) };
        if block.words > 0 {
            self.blocks.push(block);
        }
        part(&mut self.all);
        self.start = self.all.len();
        self.linked = 0;
        self.link = self.link.map(|_| self.all.len());
    }

    fn link(&mut self, is_start: bool) {
        self.count_link();
        self.link = is_start.then_some(self.all.len());
    }

    fn leaves_out(&self, tag: Tag) -> bool {
        matches!(tag, NAV | ASIDE | FOOTER | MENU)
    }
}

/// Counts a text's words, in total and on its full lines.
fn wrap(text: &str) -> Block {
    let mut words = 0;
    let (mut column, mut in_line) = (0, 0);
    let (mut full_words, mut full_lines) = (0, 0);
    for word in text.split_whitespace() {
        let (width, count) = measure(word);
        if column > 0 && column + 1 + width > COLUMNS {
            full_words += in_line;
            full_lines += 1;
            (column, in_line) = (0, 0);
        }
        column += width + u32::from(column > 0);
        in_line += count;
        words += count;
        // A word longer than a line fills several.
        if column > COLUMNS {
            full_words += in_line;
            full_lines += column / COLUMNS;
            (column, in_line) = (column % COLUMNS, 0);
        }
    }
    let full = if full_lines == 0 { (in_line, 1) } else { (full_words, full_lines) };
    Block { words, full, ..Block::default() }
}

/// Returns the columns of a part between spaces, and the number of words it counts for: three characters of a script
/// without spaces are a word, two columns each.
fn measure(word: &str) -> (u32, u32) {
    if word.is_ascii() {
        let count = u32::from(word.bytes().any(|byte| byte.is_ascii_alphanumeric()));
        return (word.len().try_into().unwrap_or(u32::MAX / 4), count);
    }
    let (mut narrow, mut wide) = (0u32, 0u32);
    for c in word.chars() {
        match c {
            '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}' => {
                wide += 1
            }
            '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' => wide += 1,
            _ => narrow += 1,
        }
    }
    (narrow.saturating_add(wide.saturating_mul(2)).min(u32::MAX / 4), u32::from(narrow > 0).max(wide.div_ceil(3)))
}
