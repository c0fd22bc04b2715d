//! What would a new text look like? Short runs of the seed text, joined where they have a word in common, and new words.
//!
//! The seed text is one array of words. A text copies a run of words, then goes on behind another occurrence of the last
//! word: an order-1 Markov chain that takes several steps at a time. Where there is no other occurrence, a new word
//! separates the runs, so that no stretch of the seed is copied at length.

use std::collections::HashMap;

use crate::random::Random;

/// Longest run of words. Together with the share of new words, it decides how many shingles are new.
const RUN: u64 = 7;
/// One run in so many is followed by a new word.
const NEW_WORD: u64 = 12;
/// About so many new words are frequent; behind them begins the tail, in which the vocabulary grows without end.
const FREQUENT: f64 = 4000.0;

/// The words of the seed text and where each of them occurs.
pub struct Model {
    /// All documents, one after another.
    text: Vec<u8>,
    words: Vec<Word>,
    /// `followers[starts[w]..starts[w + 1]]` are the places behind the occurrences of word `w`.
    starts: Vec<u32>,
    followers: Vec<u32>,
    /// The first word of each document, and the end.
    documents: Vec<u32>,
}

/// A place in the seed text.
struct Word {
    offset: u32,
    /// Words with the same spelling, white space included, have the same kind.
    kind: u32,
}

impl Model {
    /// A model of these texts. Their order decides which are used most, so it is shuffled by the seed.
    pub fn new(mut texts: Vec<String>, seed: u64) -> Result<Model, String> {
        texts.retain(|text| !text.trim().is_empty());
        let bytes: usize = texts.iter().map(|text| text.len() + 1).sum();
        if texts.is_empty() {
            return Err("the seed files have no text".into());
        }
        if u32::try_from(bytes).is_err() {
            return Err("the seed files have more than 4 GB of text. Use fewer of them".into());
        }
        let mut random = Random::new(seed, 0, 0);
        for last in (1..texts.len()).rev() {
            texts.swap(last, random.below(last as u64 + 1) as usize);
        }

        let mut model = Model {
            text: Vec::with_capacity(bytes),
            words: Vec::new(),
            starts: Vec::new(),
            followers: Vec::new(),
            documents: vec![0],
        };
        let mut kinds = HashMap::new();
        for text in &texts {
            let base = model.text.len();
            model.text.extend_from_slice(text.as_bytes());
            model.text.push(b'\n');
            let mut offset = base;
            while offset < model.text.len() {
                let end = offset + word_length(&model.text[offset..]);
                // A hash of 64 bits stands for the word: two words in one kind would do no harm here.
                let next = kinds.len() as u32;
                let kind = *kinds.entry(hash(&model.text[offset..end])).or_insert(next);
                model.words.push(Word { offset: offset as u32, kind });
                offset = end;
            }
            model.documents.push(model.words.len() as u32);
        }
        model.link(kinds.len());
        model.words.push(Word { offset: model.text.len() as u32, kind: 0 });
        Ok(model)
    }

    /// Sorts places by the word before them.
    fn link(&mut self, kinds: usize) {
        let mut ends = vec![0; kinds + 1];
        for word in &self.words {
            ends[word.kind as usize + 1] += 1;
        }
        for kind in 0..kinds {
            ends[kind + 1] += ends[kind];
        }
        self.starts = ends.clone();
        self.followers = vec![0; self.words.len()];
        for (place, word) in self.words.iter().enumerate() {
            let at = &mut ends[word.kind as usize];
            self.followers[*at as usize] = ((place + 1) % self.words.len()) as u32;
            *at += 1;
        }
    }

    /// Appends a new document, which begins as some document of the seed does and is as long, up to `longest` words.
    pub fn document(&self, random: &mut Random, longest: u64, out: &mut Vec<u8>) {
        let document = random.below(self.documents.len() as u64 - 1) as usize;
        let (begin, end) = (self.documents[document], self.documents[document + 1]);
        self.chain(random, begin, u64::from(end - begin).min(longest), out);
    }

    /// Appends a few words from somewhere.
    pub fn words(&self, random: &mut Random, number: u64, out: &mut Vec<u8>) {
        let place = random.below(self.followers.len() as u64) as usize;
        self.chain(random, self.followers[place], number, out);
    }

    fn chain(&self, random: &mut Random, mut place: u32, mut left: u64, out: &mut Vec<u8>) {
        let end = self.followers.len() as u64;
        while left > 0 {
            let run = random.between(1, RUN).min(left).min(end - u64::from(place));
            let (from, to) = (&self.words[place as usize], &self.words[(u64::from(place) + run) as usize]);
            out.extend_from_slice(&self.text[from.offset as usize..to.offset as usize]);
            left -= run;
            let next = self.jump(random, place + run as u32 - 1);
            if left > 0 && (u64::from(next) == u64::from(place) + run || random.below(NEW_WORD) == 0) {
                push_new_word(random, out);
                left -= 1;
            }
            place = next;
        }
    }

    /// A place behind an occurrence of the word at `place`. Early occurrences are taken more often, so that some phrases
    /// are frequent and most are rare.
    fn jump(&self, random: &mut Random, place: u32) -> u32 {
        let kind = self.words[place as usize].kind as usize;
        let (first, end) = (self.starts[kind], self.starts[kind + 1]);
        self.followers[first as usize + random.low(u64::from(end - first)) as usize]
    }
}

/// Appends a word from an endless vocabulary. Word k has a probability of about k^(-5/3) in the tail, so that n draws
/// bring about n^(2/3) different words: Heaps' law.
pub fn push_new_word(random: &mut Random, out: &mut Vec<u8>) {
    const CONSONANTS: &[u8] = b"bdfghklmnprstvwz";
    const VOWELS: &[u8] = b"aeiou";
    let unit = random.unit();
    let word = (FREQUENT * (1.0 / (unit * unit.sqrt()) - 1.0)) as u64;
    if word % 4 == 0 {
        out.extend_from_slice(word.to_string().as_bytes());
    } else {
        let (mut rest, syllables) = (word, (CONSONANTS.len() * VOWELS.len()) as u64);
        loop {
            let syllable = (rest % syllables) as usize;
            out.push(CONSONANTS[syllable / VOWELS.len()]);
            out.push(VOWELS[syllable % VOWELS.len()]);
            rest /= syllables;
            if rest == 0 {
                break;
            }
        }
    }
    out.push(b' ');
}

/// Bytes of the first word, with the white space behind it. A character of Chinese or Japanese is a word.
pub fn word_length(text: &[u8]) -> usize {
    let is_space = |byte: u8| matches!(byte, b' ' | b'\n' | b'\t' | b'\r');
    let is_word = |byte: u8| matches!(byte, 0xe3..=0xe9);
    let mut at = match text[0] {
        first if is_word(first) => 3,
        _ => text.iter().position(|&byte| is_space(byte) || is_word(byte)).unwrap_or(text.len()),
    };
    while at < text.len() && is_space(text[at]) {
        at += 1;
    }
    at
}

fn hash(word: &[u8]) -> u64 {
    word.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
