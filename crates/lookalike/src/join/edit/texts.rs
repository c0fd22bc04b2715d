//! Where are the texts of a collection stored?

use super::characters::{Character, Text, of_characters};
use super::distance::{Frontier, distance_within};

/// The texts of a collection, stored one after another. A text takes one byte per character if all its characters are
/// below U+0100, otherwise four.
///
/// A character is a Unicode scalar value, and texts are not normalised: `é` as one character and `e` with a combining
/// accent are two edits apart.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    narrow: Vec<u8>,
    wide: Vec<u32>,
    spans: Vec<Span>,
}

/// The position of a text.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: usize,
    length: u32,
    wide: bool,
}

impl Texts {
    /// Makes an empty collection.
    pub fn new() -> Texts {
        Texts::default()
    }

    /// Makes an empty collection with room for this many texts, with this many characters of one byte and this many of four bytes.
    pub fn with_capacity(texts: usize, narrow: usize, wide: usize) -> Texts {
        Texts { narrow: Vec::with_capacity(narrow), wide: Vec::with_capacity(wide), spans: Vec::with_capacity(texts) }
    }

    /// Appends a text. Its document number is the number of texts before it.
    ///
    /// # Panics
    ///
    /// If it has 2³² characters or more.
    pub fn push(&mut self, text: &str) {
        let wide = text.chars().any(|character| u8::try_from(character).is_err());
        let (start, end) = if wide {
            let start = self.wide.len();
            self.wide.extend(text.chars().map(u32::from));
            (start, self.wide.len())
        } else {
            let start = self.narrow.len();
            if text.is_ascii() {
                self.narrow.extend_from_slice(text.as_bytes());
            } else {
                self.narrow.extend(text.chars().map(|character| character as u8));
            }
            (start, self.narrow.len())
        };
        let length = u32::try_from(end - start).expect("a text of less than 2^32 characters");
        self.spans.push(Span { start, length, wide });
    }

    /// Appends the texts of another collection, and numbers them after these.
    pub fn append(&mut self, other: &Texts) {
        let (narrow, wide) = (self.narrow.len(), self.wide.len());
        self.narrow.extend_from_slice(&other.narrow);
        self.wide.extend_from_slice(&other.wide);
        self.spans.extend(
            other.spans.iter().map(|span| Span { start: span.start + if span.wide { wide } else { narrow }, ..*span }),
        );
    }

    /// Returns the number of texts.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Returns whether there are no texts.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Returns the number of characters of a text.
    #[inline]
    pub fn length(&self, document: u32) -> u32 {
        self.spans[document as usize].length
    }

    /// Returns whether a text takes four bytes per character.
    pub fn is_wide(&self, document: u32) -> bool {
        self.spans[document as usize].wide
    }

    /// Appends a text to a string.
    ///
    /// ```
    /// let texts: lookalike::engine::Texts = ["Zürich", "東京"].iter().collect();
    /// let mut both = String::new();
    /// texts.read(0, &mut both);
    /// texts.read(1, &mut both);
    /// assert_eq!(both, "Zürich東京");
    /// ```
    pub fn read(&self, document: u32, text: &mut String) {
        of_characters!(self.text(document), characters => {
            text.extend(characters.iter().filter_map(|&character| char::from_u32(character.value())));
        });
    }

    /// Returns the edit distance of two texts if it is at most `most`.
    ///
    /// ```
    /// let texts: lookalike::engine::Texts = ["kitten", "sitting"].iter().collect();
    /// assert_eq!(texts.distance(0, 1, 3), Some(3));
    /// assert_eq!(texts.distance(0, 1, 2), None);
    /// ```
    pub fn distance(&self, a: u32, b: u32, most: u32) -> Option<u32> {
        distance_within(self.text(a), self.text(b), most, &mut Frontier::default())
    }

    #[inline]
    pub(super) fn text(&self, document: u32) -> Text<'_> {
        let Span { start, length, wide } = self.spans[document as usize];
        let range = start..start + length as usize;
        if wide { Text::Wide(&self.wide[range]) } else { Text::Narrow(&self.narrow[range]) }
    }
}

impl<T: AsRef<str>> Extend<T> for Texts {
    fn extend<I: IntoIterator<Item = T>>(&mut self, texts: I) {
        texts.into_iter().for_each(|text| self.push(text.as_ref()));
    }
}

impl<T: AsRef<str>> FromIterator<T> for Texts {
    fn from_iter<I: IntoIterator<Item = T>>(texts: I) -> Texts {
        let mut all = Texts::new();
        all.extend(texts);
        all
    }
}
