//! Equal texts: one is compared for all, and its pairs are those of all.

use rayon::prelude::*;

use super::EditPair;
use super::hash::hash_all;
use super::texts::{Texts, of_characters};
use crate::sets::Groups;

/// What is compared with what.
#[derive(Clone, Copy)]
pub(super) struct Collection<'a> {
    pub(super) texts: &'a Texts,
    /// Where the second collection begins, if there are two.
    pub(super) split: Option<u32>,
    /// The group of each document, if only documents of one group are compared.
    pub(super) within: Option<&'a [u64]>,
}

impl Collection<'_> {
    #[inline]
    pub(super) fn group(&self, document: u32) -> u64 {
        self.within.map_or(0, |groups| groups[document as usize])
    }

    /// Documents with equal texts in one group; empty texts equal nothing.
    pub(super) fn equal_texts(&self) -> Groups {
        let documents = self.texts.len() as u32;
        let hashes: Vec<u64> = (0..documents)
            .into_par_iter()
            .map(|document| {
                let seed = self.group(document);
                of_characters!(self.texts.text(document), characters => hash_all(characters, seed))
            })
            .collect();
        let equal = |a: u32, b: u32| self.texts.text(a) == self.texts.text(b) && self.group(a) == self.group(b);
        let nonempty = (0..documents).filter(|&document| self.texts.length(document) > 0);
        Groups::of_equal(documents as usize, nonempty, |document| hashes[document as usize], equal)
    }
}

/// The distinct texts that are not empty, the shortest first, each with the documents that have it.
///
/// Distinct texts are numbered in that order: those numbers are *places*.
pub(super) struct Copies {
    /// The documents, ascending, of one place after the other.
    documents: Vec<u32>,
    /// Where each place's documents start, and at last where they end.
    starts: Vec<usize>,
    split: Option<u32>,
}

impl Copies {
    pub(super) fn new(collection: &Collection, groups: &Groups) -> Copies {
        let texts = collection.texts;
        let mut documents: Vec<u32> = (0..texts.len() as u32).filter(|&document| texts.length(document) > 0).collect();
        documents.par_sort_unstable_by_key(|&document| {
            let first = groups.first(document);
            (texts.length(first), first, document)
        });
        let mut starts = vec![0];
        for copies in documents.chunk_by(|&a, &b| groups.first(a) == groups.first(b)) {
            starts.push(starts[starts.len() - 1] + copies.len());
        }
        Copies { documents, starts, split: collection.split }
    }

    /// How many documents have a text.
    pub(super) fn documents(&self) -> usize {
        self.documents.len()
    }

    /// How many distinct texts there are.
    pub(super) fn places(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// The documents with the text at this place, ascending.
    #[inline]
    pub(super) fn of(&self, place: u32) -> &[u32] {
        &self.documents[self.starts[place as usize]..self.starts[place as usize + 1]]
    }

    /// The documents that stand for all with their text, in the order of the places.
    pub(super) fn firsts(&self) -> impl Iterator<Item = u32> {
        self.starts[..self.starts.len() - 1].iter().map(|&start| self.documents[start])
    }

    /// The document that stands for them.
    #[inline]
    pub(super) fn first(&self, place: u32) -> u32 {
        self.documents[self.starts[place as usize]]
    }

    /// Those of one place in the first collection and in the second.
    #[inline]
    fn sides(&self, place: u32, split: u32) -> (&[u32], &[u32]) {
        let copies = self.of(place);
        copies.split_at(copies.partition_point(|&document| document < split))
    }

    /// Whether a document with the one text is to be compared with a document with the other.
    #[inline]
    pub(super) fn meet(&self, x: u32, y: u32) -> bool {
        self.split.is_none_or(|split| {
            let ends = |place: u32| (self.first(place), self.of(place)[self.of(place).len() - 1]);
            let ((x_first, x_last), (y_first, y_last)) = (ends(x), ends(y));
            x_first < split && y_last >= split || y_first < split && x_last >= split
        })
    }

    /// Every pair of documents with this one text.
    pub(super) fn equal(&self, place: u32, mut see: impl FnMut(EditPair)) {
        let mut pair = |a: u32, partners: &[u32]| partners.iter().for_each(|&b| see(EditPair { a, b, distance: 0 }));
        match self.split {
            None => {
                let copies = self.of(place);
                (0..copies.len()).for_each(|at| pair(copies[at], &copies[at + 1..]));
            }
            Some(split) => {
                let (first, second) = self.sides(place, split);
                first.iter().for_each(|&a| pair(a, second));
            }
        }
    }

    /// Every pair of documents with these two texts.
    pub(super) fn between(&self, x: u32, y: u32, distance: u32, mut see: impl FnMut(EditPair)) {
        let mut product = |one: &[u32], two: &[u32]| {
            for &x in one {
                two.iter().for_each(|&y| see(EditPair { a: x.min(y), b: x.max(y), distance }));
            }
        };
        match self.split {
            None => product(self.of(x), self.of(y)),
            Some(split) => {
                let ((x_first, x_second), (y_first, y_second)) = (self.sides(x, split), self.sides(y, split));
                product(x_first, y_second);
                product(y_first, x_second);
            }
        }
    }
}
