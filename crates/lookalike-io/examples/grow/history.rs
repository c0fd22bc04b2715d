//! What is document number n? A new text, a copy of an earlier document, or an edited copy of one.
//!
//! Everything about a document follows from the seed and its number. Nothing is remembered: the original of a copy is
//! made again, however far back it is.

use crate::model::{Model, push_new_word, word_length};
use crate::random::Random;

/// How documents come about: the name, how many in a thousand, and edits in ten thousand words.
///
/// An edit changes about five shingles of five words, so 2 in 100 words leave a Jaccard similarity of about 0.8.
pub const KINDS: [(&str, u64, u64); 9] = [
    ("new", 780, 0),
    ("copy", 40, 0),
    ("near, 0.2 %", 30, 20),
    ("near, 0.5 %", 30, 50),
    ("near, 1 %", 30, 100),
    ("near, 2 %", 30, 200),
    ("near, 3 %", 20, 300),
    ("near, 5 %", 20, 500),
    ("near, 10 %", 20, 1000),
];

const NEW: usize = 0;

/// Where the randomness of a document goes, so that no choice depends on how another was made.
const ORIGIN: u64 = 1;
const TEXT: u64 = 2;

/// How a document came about.
pub struct Origin {
    /// An index of [`KINDS`].
    pub kind: usize,
    /// The number of the original, if there is one.
    pub original: Option<u64>,
}

/// All documents that a seed gives.
pub struct History {
    pub model: Model,
    pub seed: u64,
    /// Most words of a new document.
    pub longest: u64,
}

impl History {
    /// How document `number` comes about.
    pub fn origin(&self, number: u64) -> Origin {
        let mut random = Random::new(self.seed, number, ORIGIN);
        let mut draw = random.below(1000);
        let kind = KINDS.iter().position(|&(_, share, _)| {
            let is_it = draw < share;
            draw = draw.wrapping_sub(share);
            is_it
        });
        match kind {
            Some(kind) if kind != NEW && number > 0 => Origin { kind, original: Some(original(&mut random, number)) },
            _ => Origin { kind: NEW, original: None },
        }
    }

    /// Replaces `text` with the text of document `number`. The result is how many edits separate it from its original.
    pub fn write(&self, number: u64, text: &mut Vec<u8>, spare: &mut Vec<u8>) -> u64 {
        let origin = self.origin(number);
        let mut random = Random::new(self.seed, number, TEXT);
        let Some(original) = origin.original else {
            text.clear();
            self.model.document(&mut random, self.longest, text);
            return 0;
        };
        self.write(original, text, spare);
        let (_, _, edits) = KINDS[origin.kind];
        if edits == 0 {
            return 0;
        }
        std::mem::swap(text, spare);
        text.clear();
        self.edit(&mut random, 10_000 / edits, spare, text)
    }

    /// Copies a text with an edit every `distance` words on average: words replaced, added or left out, and now and then
    /// a sentence. The result is the number of edits.
    fn edit(&self, random: &mut Random, distance: u64, mut from: &[u8], to: &mut Vec<u8>) -> u64 {
        let mut edits = 0;
        loop {
            let kept = words(from, random.between(1, 2 * distance - 1));
            to.extend_from_slice(&from[..kept]);
            from = &from[kept..];
            if from.is_empty() {
                return edits;
            }
            edits += 1;
            match random.below(20) {
                0..10 => {
                    from = &from[words(from, 1)..];
                    self.word(random, to);
                }
                10..14 => self.word(random, to),
                14..18 => from = &from[words(from, 1)..],
                18 => {
                    let number = random.between(6, 20);
                    self.model.words(random, number, to);
                }
                _ => from = &from[words(from, random.between(6, 20))..],
            }
        }
    }

    fn word(&self, random: &mut Random, to: &mut Vec<u8>) {
        if random.below(2) == 0 {
            push_new_word(random, to);
        } else {
            self.model.words(random, 1, to);
        }
    }
}

/// The document that number `number` is made from. One in three was written shortly before, one in three at any time, and
/// one in three is an early one, so that a few documents have very many copies.
fn original(random: &mut Random, number: u64) -> u64 {
    match random.below(3) {
        0 => {
            let farthest = 1 << random.between(0, u64::from(number.ilog2()));
            number - random.between(1, farthest)
        }
        1 => random.below(number),
        _ => random.low(number),
    }
}

/// Bytes of the first `number` words.
fn words(text: &[u8], number: u64) -> usize {
    let mut at = 0;
    for _ in 0..number {
        if at == text.len() {
            break;
        }
        at += word_length(&text[at..]);
    }
    at
}
