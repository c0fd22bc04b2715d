//! What was the answer to a batch?
//!
//! A run that was stopped after its outputs were in place, and before or after the manifest, is repeated by the user. The documents of a batch
//! that is already in must not be compared with themselves, so the answer is kept.

use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::error::IndexError;

const FORMAT: &[u8] = b"lookalike answer, version 1\n";

/// What was decided on the documents of a batch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The number of documents.
    pub documents: u32,
    /// The removed documents.
    pub removed: Vec<AnswerRow>,
}

/// A removed document.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerRow {
    /// Its number in the batch.
    pub document: u32,
    /// The document that it resembles.
    pub twin: AnswerTwin,
    /// Their exact similarity.
    pub similarity: f64,
    /// Whether an earlier document has the same set.
    pub identical: bool,
}

/// The twin of a removed document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerTwin {
    /// A document of the batch.
    Own(u32),
    /// A document that was in the index before.
    Indexed {
        /// Its serial number.
        serial: u64,
        /// Its id.
        id: String,
    },
}

impl Answer {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut out = FORMAT.to_vec();
        out.extend(self.documents.to_le_bytes());
        out.extend((self.removed.len() as u32).to_le_bytes());
        for row in &self.removed {
            out.extend(row.document.to_le_bytes());
            out.extend(row.similarity.to_bits().to_le_bytes());
            let is_indexed = matches!(row.twin, AnswerTwin::Indexed { .. });
            out.push(u8::from(row.identical) | u8::from(is_indexed) << 1);
            match &row.twin {
                AnswerTwin::Own(twin) => out.extend(twin.to_le_bytes()),
                AnswerTwin::Indexed { serial, id } => {
                    out.extend(serial.to_le_bytes());
                    out.extend((id.len() as u32).to_le_bytes());
                    out.extend(id.as_bytes());
                }
            }
        }
        out.extend(xxh3_64(&out).to_le_bytes());
        out
    }

    pub(super) fn read(path: &Path) -> Result<Answer, IndexError> {
        let bytes = std::fs::read(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => IndexError::damaged(path, "it is missing"),
            _ => IndexError::read(path, error),
        })?;
        Answer::of_bytes(&bytes).ok_or_else(|| IndexError::damaged(path, "it is damaged or truncated"))
    }

    fn of_bytes(bytes: &[u8]) -> Option<Answer> {
        let (body, sum) = bytes.split_last_chunk::<8>()?;
        if xxh3_64(body) != u64::from_le_bytes(*sum) {
            return None;
        }
        let mut rest = Rest(body.strip_prefix(FORMAT)?);
        let (documents, count) = (rest.four()?, rest.four()?);
        let mut removed = Vec::new();
        for _ in 0..count {
            let (document, similarity) = (rest.four()?, f64::from_bits(rest.eight()?));
            let flags = *rest.take(1)?.first()?;
            let twin = if flags & 2 == 0 {
                AnswerTwin::Own(rest.four().filter(|&twin| twin < documents)?)
            } else {
                let (serial, length) = (rest.eight()?, rest.four()?);
                AnswerTwin::Indexed { serial, id: std::str::from_utf8(rest.take(length as usize)?).ok()?.to_string() }
            };
            let document = Some(document).filter(|&document| document < documents)?;
            removed.push(AnswerRow { document, twin, similarity, identical: flags & 1 == 1 });
        }
        rest.0.is_empty().then_some(Answer { documents, removed })
    }
}

/// Bytes that are still to be read.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, bytes: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(bytes)?;
        self.0 = rest;
        Some(taken)
    }

    fn four(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_le_bytes)
    }

    fn eight(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_le_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_as_written() {
        let row = |document, twin| AnswerRow { document, twin, similarity: 0.1 + 0.2, identical: document == 1 };
        let indexed = AnswerTwin::Indexed { serial: 9, id: "née".to_string() };
        let answer = Answer { documents: 5, removed: vec![row(1, AnswerTwin::Own(0)), row(4, indexed)] };
        let bytes = answer.to_bytes();
        assert_eq!(Answer::of_bytes(&bytes), Some(answer));
        for cut in 0..bytes.len() {
            assert_eq!(Answer::of_bytes(&bytes[..cut]), None);
        }
        for at in 0..bytes.len() * 8 {
            let mut bytes = bytes.clone();
            bytes[at / 8] ^= 1 << (at % 8);
            assert_eq!(Answer::of_bytes(&bytes), None);
        }
    }
}
