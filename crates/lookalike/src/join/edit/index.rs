//! How is every text indexed by its grams or pieces?

use std::num::NonZeroU32;

use rayon::prelude::*;

use super::alphabet::suitable_q;
use super::characters::{Character, Text, of_characters};
use super::distinct::Distinct;
use super::grams::{Frequencies, Gram, Ranks};
use super::hash::finish;
use super::lists::{Entry, Lists, Posting};
use super::pieces::Cut;

/// An index of the distinct texts of a collection.
pub(super) struct Index<'a> {
    pub(super) distance: u32,
    distinct: &'a Distinct<'a>,
    /// The texts by place, shortest first.
    pub(super) texts: Vec<Text<'a>>,
    pub(super) signatures: Vec<u64>,
    /// The minimum length of a long text. Long texts are found by their grams. Short texts are found by their pieces,
    /// or compared one by one if they are not longer than the distance.
    long: u64,
    /// The grams of all long texts, one text after another, and where each text's grams end.
    prefixes: Vec<Gram>,
    ends: Vec<usize>,
    pub(super) grams: Lists,
    pub(super) pieces: Lists,
}

impl<'a> Index<'a> {
    pub(super) fn new(distance: u32, grams: Option<NonZeroU32>, distinct: &'a Distinct<'a>) -> Index<'a> {
        let texts = distinct.texts();
        let signatures = texts.par_iter().map(|&text| of_characters!(text, text => signature(text))).collect();
        let q = grams.map_or_else(|| suitable_q(&texts), |q| q.get() as usize);
        let mut index = Index {
            distance,
            distinct,
            texts,
            signatures,
            long: q as u64 * (u64::from(distance) + 1),
            prefixes: Vec::new(),
            ends: Vec::new(),
            grams: Lists::default(),
            pieces: Lists::default(),
        };
        let short = index.texts.partition_point(|text| !index.is_long(text.length())) as u32;
        index.post_pieces(short);
        index.post_grams(short, q);
        index
    }

    /// Whether texts of this length are found by their grams: if they have more than `distance` edits can change.
    #[inline]
    pub(super) fn is_long(&self, length: u32) -> bool {
        u64::from(length) >= self.long
    }

    /// A text and the seed of its hashes. Texts with different keys have different seeds, so they do not find each
    /// other.
    #[inline]
    pub(super) fn text_and_seed(&self, place: u32) -> (Text<'a>, u64) {
        (self.texts[place as usize], finish(self.distinct.key(place), 0))
    }

    /// Whether these two texts are to be compared.
    #[inline]
    pub(super) fn meet(&self, x: u32, y: u32) -> bool {
        self.distinct.meet(x, y)
    }

    /// The grams by which a long text is found.
    #[inline]
    pub(super) fn prefix(&self, place: u32) -> &[Gram] {
        let at = place as usize + self.ends.len() - self.texts.len();
        &self.prefixes[if at == 0 { 0 } else { self.ends[at - 1] }..self.ends[at]]
    }

    fn post_pieces(&mut self, short: u32) {
        let mut postings = Vec::new();
        for place in 0..short {
            let (text, seed) = self.text_and_seed(place);
            if text.length() > self.distance {
                Cut::new(text.length(), self.distance).keys(text, seed, |key, position| {
                    postings.push(Posting { key, entry: Entry { length: text.length(), position, place } });
                });
            }
        }
        self.pieces = Lists::build(postings, 1);
    }

    fn post_grams(&mut self, short: u32, q: usize) {
        let places: Vec<u32> = (short..self.texts.len() as u32).collect();
        let long = places.par_iter().map(|&place| self.text_and_seed(place));
        let characters = self.texts[short as usize..].iter().map(|text| text.length() as usize).sum();
        let frequencies = Frequencies::count(long, characters, q);
        let blocks: Vec<(Vec<Gram>, Vec<usize>)> = places
            .par_chunks(1 << 10)
            .map(|places| {
                let (mut prefixes, mut ends, mut ranks) = (Vec::new(), Vec::new(), Ranks::default());
                for &place in places {
                    let (text, seed) = self.text_and_seed(place);
                    frequencies.prefix(text, seed, self.distance, &mut ranks, &mut prefixes);
                    ends.push(prefixes.len());
                }
                (prefixes, ends)
            })
            .collect();
        for (prefixes, ends) in blocks {
            let before = self.prefixes.len();
            self.prefixes.extend(prefixes);
            self.ends.extend(ends.iter().map(|end| before + end));
        }
        let postings = places.iter().flat_map(|&place| {
            let length = self.texts[place as usize].length();
            let entry = move |gram: &Gram| Entry { length, position: gram.position, place };
            self.prefix(place).iter().map(move |gram| Posting { key: gram.key, entry: entry(gram) })
        });
        self.grams = Lists::build(postings.collect(), 2);
    }
}

/// Which characters, in 64 classes, occur an odd number of times: one bit per class.
fn signature<C: Character>(characters: &[C]) -> u64 {
    characters.iter().fold(0, |signature, character| signature ^ 1 << (character.value() % 64))
}
