//! What would a new text look like? Short runs of the seed text, joined where they have a word in common, and new words.
//!
//! The seed text is one array of words. A text copies a run of words, then goes on behind another occurrence of the last
//! word: an order-1 Markov chain that takes several steps at a time. At every other joint a word stands between the runs:
//! some word of the seed, or a new one. Now and then comes a phrase that many texts share.
//!
//! So most shingles are new, however large the collection, some occur now and then, and a few everywhere.

use std::collections::HashMap;

use crate::random::Random;

/// Longest run of words. As long as a shingle: longer runs would bring all shingles of the seed again and again.
const RUN: u64 = 5;
/// One run in so many is a phrase that is used often, of so many words.
const PHRASE: u64 = 16;
const PHRASE_WORDS: (u64, u64) = (5, 20);
/// In so many joints, one has a new word and half have a word of the seed.
const NEW_WORD: u64 = 14;
/// About so many new words are frequent; behind them begins the tail, in which the vocabulary grows without end.
const FREQUENT: f64 = 1000.0;

/// Most chains of a text, and the least words of one.
const CHAINS: u64 = 8;
const CHAIN: u64 = 32;

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

/// A text that is being planned.
struct Chain {
    place: u32,
    /// Words that it still needs.
    left: u64,
    runs: Vec<Run>,
}

/// A stretch of the seed text, and whether a new word follows.
struct Run {
    begin: u32,
    end: u32,
    adds_word: bool,
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
        self.chains(random, begin, u64::from(end - begin).min(longest), out);
    }

    /// Appends a few words from somewhere.
    pub fn words(&self, random: &mut Random, number: u64, out: &mut Vec<u8>) {
        let place = self.anywhere(random);
        self.chains(random, place, number, out);
    }

    /// Appends so many words: one chain that begins at `place`, and for a long text more chains behind it. They are made
    /// at the same time, a run of each in turn. Every step waits for memory, and so several wait together.
    fn chains(&self, random: &mut Random, place: u32, words: u64, out: &mut Vec<u8>) {
        let number = (words / CHAIN).clamp(1, CHAINS);
        let mut chains: Vec<Chain> = (0..number)
            .map(|chain| Chain {
                place: if chain == 0 { place } else { self.anywhere(random) },
                left: words * (chain + 1) / number - words * chain / number,
                runs: Vec::with_capacity((words / number / 3) as usize),
            })
            .collect();
        let mut is_growing = true;
        while is_growing {
            is_growing = false;
            for chain in &mut chains {
                is_growing |= self.step(random, chain);
            }
        }
        for run in chains.iter().flat_map(|chain| &chain.runs) {
            out.extend_from_slice(&self.text[run.begin as usize..run.end as usize]);
            if run.adds_word {
                push_new_word(random, out);
            }
        }
    }

    /// Adds a run to a chain, unless it is long enough.
    fn step(&self, random: &mut Random, chain: &mut Chain) -> bool {
        if chain.left == 0 {
            return false;
        }
        let (mut first, mut last) = (1, RUN);
        if random.below(PHRASE) == 0 {
            (first, last) = PHRASE_WORDS;
            chain.place = self.often(random);
        }
        let end = self.followers.len() as u64 - u64::from(chain.place);
        let behind = chain.place + random.between(first, last).min(chain.left).min(end) as u32;
        let next = self.jump(random, behind - 1);
        self.push(chain, chain.place, behind, false);
        let joint = random.below(NEW_WORD);
        if chain.left > 0 && (joint == 0 || next == behind) {
            self.push(chain, behind, behind, true);
        } else if chain.left > 0 && joint.is_multiple_of(2) {
            let word = self.anywhere(random);
            self.push(chain, word, word + 1, false);
        }
        chain.place = next;
        true
    }

    fn push(&self, chain: &mut Chain, place: u32, behind: u32, adds_word: bool) {
        let (begin, end) = (self.words[place as usize].offset, self.words[behind as usize].offset);
        chain.runs.push(Run { begin, end, adds_word });
        chain.left -= u64::from(behind - place) + u64::from(adds_word);
    }

    fn anywhere(&self, random: &mut Random) -> u32 {
        random.below(self.followers.len() as u64) as u32
    }

    /// A place that is drawn often or rarely: few places are drawn very often.
    fn often(&self, random: &mut Random) -> u32 {
        let end = random.low(self.followers.len() as u64) + 1;
        random.low(end) as u32
    }

    /// A place behind an occurrence of the word at `place`. Early occurrences are taken more often, so that some phrases
    /// are frequent and most are rare.
    fn jump(&self, random: &mut Random, place: u32) -> u32 {
        let kind = self.words[place as usize].kind as usize;
        let (first, end) = (self.starts[kind], self.starts[kind + 1]);
        self.followers[first as usize + random.low(u64::from(end - first)) as usize]
    }
}

/// Appends a word from an endless vocabulary. Word k has a probability of about k^(-4/3) in the tail, so that n draws
/// bring about n^(3/4) different words: Heaps' law.
pub fn push_new_word(random: &mut Random, out: &mut Vec<u8>) {
    const CONSONANTS: &[u8] = b"bdfghklmnprstvwz";
    const VOWELS: &[u8] = b"aeiou";
    let unit = random.unit();
    let word = (FREQUENT * (1.0 / (unit * unit * unit) - 1.0)) as u64;
    if word.is_multiple_of(4) {
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
