//! Texts in temporary files, one for each band of lengths, in input order.
//!
//! Texts that can be partners are in few bands, and neighbours in the input are close together in each band. So neither a tile of texts of
//! nearly the same length nor a few neighbours need many blocks.

use std::sync::{Mutex, PoisonError};

use lookalike::engine::{Texts, hash_set};
use lookalike_io::spill::{Space, Spool, Spooled};

use super::directory::Directory;
use crate::error::Error;

/// Bytes of a record, not counting the text: the document, and the number of bytes.
const HEAD: usize = 8;
/// Bytes of a block. There are many bands.
const BLOCK: usize = 1 << 14;

/// Bytes of memory for each compared text, not counting its characters: its position, its signature, its place among equal ones.
const COMPARED: u64 = 144;
/// Bytes for each of its grams in an index, and how many there are for each edit. (Usually it is hardly more than one.)
const GRAM: u64 = 64;
const GRAMS: u64 = 2;

/// Bytes of memory to compare a text of this many characters within a distance.
pub(crate) fn bytes_of_text(length: u32, is_wide: bool, distance: u32) -> u64 {
    let (length, grams) = (u64::from(length), GRAMS * u64::from(distance) + 1);
    COMPARED + length * if is_wide { 4 } else { 1 } + GRAM * grams.min(length)
}

/// The band of texts of a length. There are four from one power of two to the next.
fn band(length: u32) -> usize {
    match length.checked_ilog2() {
        Some(power @ 2..) => 4 * power as usize + (length >> (power - 2) & 3) as usize,
        _ => 0,
    }
}

/// Files of texts that are being written.
pub(crate) struct TextFileWriter {
    space: Space,
    /// Bytes of a block.
    block: usize,
    spools: Vec<Option<Spool>>,
    record: Vec<u8>,
    text: String,
    words: Vec<u64>,
    file: TextFile,
}

/// Files of texts.
#[derive(Default)]
pub(crate) struct TextFile {
    bands: Vec<Band>,
    /// By document, the characters of its text, and whether they take four bytes each.
    lengths: Vec<u32>,
    wide: Vec<bool>,
    /// By document, a hash of its text and its key. Equal ones have the same.
    pub(crate) hashes: Vec<u128>,
}

/// A file of texts whose lengths are in one band.
#[derive(Default)]
struct Band {
    spooled: Option<Mutex<Spooled>>,
    directory: Directory,
}

impl TextFileWriter {
    pub(crate) fn new(space: &Space) -> TextFileWriter {
        TextFileWriter {
            space: space.clone(),
            block: BLOCK,
            spools: Vec::new(),
            record: Vec::new(),
            text: String::new(),
            words: Vec::new(),
            file: TextFile::default(),
        }
    }

    /// Sets the bytes of a block.
    #[cfg(test)]
    pub(crate) fn block(self, bytes: usize) -> TextFileWriter {
        TextFileWriter { block: bytes, ..self }
    }

    /// Appends texts. Only texts with equal keys are compared; `within` has one for each text, or none at all.
    pub(crate) fn put(&mut self, texts: &Texts, within: &[u64]) -> Result<(), Error> {
        let TextFileWriter { space, block, spools, record, text, words, file } = self;
        for at in 0..texts.len() as u32 {
            text.clear();
            texts.read(at, text);
            let (document, band) = (file.lengths.len() as u32, band(texts.length(at)));
            file.lengths.push(texts.length(at));
            file.wide.push(texts.is_wide(at));
            file.hashes.push(hash_text(text, within.get(at as usize).copied().unwrap_or(0), words));
            if text.is_empty() {
                continue;
            }
            if band >= spools.len() {
                spools.resize_with(band + 1, || None);
                file.bands.resize_with(band + 1, Band::default);
            }
            let spool = spools[band].get_or_insert_with(|| Spool::new(space).block(*block));
            file.bands[band].directory.add(document, spool.next_position());
            record.clear();
            record.extend_from_slice(&document.to_le_bytes());
            record.extend_from_slice(&(text.len() as u32).to_le_bytes());
            record.extend_from_slice(text.as_bytes());
            spool.append(record)?;
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<TextFile, Error> {
        let TextFileWriter { spools, mut file, .. } = self;
        for (band, spool) in file.bands.iter_mut().zip(spools) {
            band.spooled = spool.map(Spool::finish).transpose()?.map(Mutex::new);
        }
        Ok(file)
    }
}

/// A hash of a text and a key. `words` is scratch memory.
fn hash_text(text: &str, key: u64, words: &mut Vec<u64>) -> u128 {
    let (eights, rest) = text.as_bytes().as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    words.clear();
    words.extend([key, text.len() as u64]);
    words.extend(eights.iter().chain([&last]).map(|bytes| u64::from_le_bytes(*bytes)));
    hash_set(words)
}

impl TextFile {
    /// The number of characters of a text.
    pub(crate) fn length(&self, document: u32) -> u32 {
        self.lengths[document as usize]
    }

    /// The greatest number of characters of a text.
    pub(crate) fn longest(&self) -> u32 {
        self.lengths.iter().copied().max().unwrap_or(0)
    }

    /// Bytes of memory to compare a text within a distance.
    pub(crate) fn bytes(&self, document: u32, distance: u32) -> u64 {
        bytes_of_text(self.length(document), self.wide[document as usize], distance)
    }

    /// The position of a text: its band, and its document.
    pub(crate) fn place(&self, document: u32) -> u64 {
        (band(self.length(document)) as u64) << 32 | u64::from(document)
    }

    /// Loads the texts of some lists of documents, one after another. Each list is in the order of their places. No text is empty.
    pub(crate) fn load(&self, lists: &[&[u32]]) -> Result<Texts, Error> {
        let documents = || lists.iter().copied().flatten().copied();
        let characters = |wide: bool| {
            let own = documents().filter(|&document| self.wide[document as usize] == wide);
            own.map(|document| self.length(document) as usize).sum()
        };
        let mut texts = Texts::with_capacity(documents().count(), characters(false), characters(true));
        let band_of = |document: u32| band(self.length(document));
        for list in lists {
            for own in list.chunk_by(|&one, &two| band_of(one) == band_of(two)) {
                self.bands[band_of(own[0])].load(own, &mut texts)?;
            }
        }
        Ok(texts)
    }
}

impl Band {
    /// Loads the texts of some documents, which are ascending.
    fn load(&self, documents: &[u32], texts: &mut Texts) -> Result<(), Error> {
        let Some(spooled) = &self.spooled else { return Ok(()) };
        let mut spooled = spooled.lock().unwrap_or_else(PoisonError::into_inner);
        let mut content = Vec::new();
        // Only the blocks with such a document are read.
        for (position, _, own) in self.directory.blocks_of(documents) {
            spooled.blocks_from(position)?.next_block(&mut content)?;
            let mut rest = &content[..];
            for &wanted in own {
                while let Some((document, text, behind)) = first_record(rest) {
                    rest = behind;
                    if document == wanted {
                        texts.push(&String::from_utf8_lossy(text));
                        break;
                    }
                }
            }
        }
        Ok(())
    }
}

/// The document and the text of the first record, and what follows it.
fn first_record(content: &[u8]) -> Option<(u32, &[u8], &[u8])> {
    let (head, behind) = content.split_first_chunk::<HEAD>()?;
    let [document, length] = [0, 4].map(|at| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]));
    let (text, behind) = behind.split_at_checked(length as usize)?;
    Some((document, text, behind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bands_in_order_of_length() {
        assert_eq!([0, 1, 3, 4, 5, 7, 8, 9, 10, 15, 16].map(band), [0, 0, 0, 8, 9, 11, 12, 12, 13, 15, 16]);
        assert_eq!(band(u32::MAX), 127);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn loaded_as_written(
            parts in proptest::collection::vec(proptest::collection::vec("[a-cé日]{0,40}", 0..9), 0..9),
            block in 1..60usize,
            chosen in proptest::collection::vec(any::<bool>(), 81),
        ) {
            let mut writer = TextFileWriter::new(&Space::default()).block(block);
            parts.iter().for_each(|part| writer.put(&part.iter().collect(), &[]).unwrap());
            let (file, texts) = (writer.finish().unwrap(), parts.concat());
            let nonempty = (0..texts.len() as u32).filter(|&at| !texts[at as usize].is_empty());
            let (mut one, mut two): (Vec<u32>, Vec<u32>) = nonempty.partition(|&at| chosen[at as usize]);
            one.sort_unstable_by_key(|&document| file.place(document));
            two.sort_unstable_by_key(|&document| file.place(document));
            let loaded = file.load(&[&one, &two]).unwrap();
            prop_assert_eq!(loaded.len(), one.len() + two.len());
            for (at, &document) in (0..).zip(one.iter().chain(&two)) {
                let mut text = String::new();
                loaded.read(at, &mut text);
                prop_assert_eq!(&text, &texts[document as usize]);
                prop_assert_eq!(file.length(document) as usize, text.chars().count());
                for (other, other_text) in texts.iter().enumerate() {
                    let equal = file.hashes[document as usize] == file.hashes[other];
                    prop_assert_eq!(equal, *other_text == text);
                }
            }
        }
    }
}
