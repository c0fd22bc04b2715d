//! What is a verdict by the ids of documents?

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize, Serializer};

use super::verdict::{DocumentRef, SetVerdict, VerdictKind};

/// The result of comparing a document with a window.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub struct Verdict {
    /// The document's id.
    pub id: String,
    /// Whether it resembles a document in the window.
    #[cfg_attr(feature = "serde", serde(rename = "verdict"))]
    pub kind: VerdictKind,
    /// The id of the most similar match; ties go to the earliest.
    pub of: Option<String>,
    /// The similarity of that match.
    pub similarity: Option<f64>,
    /// All matches: identical ones first, then by similarity; ties go to the earliest.
    pub matches: Vec<WindowMatch>,
}

/// A document of the window that another resembles.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[non_exhaustive]
pub struct WindowMatch {
    /// The id of the document.
    pub id: String,
    /// The exact similarity.
    pub similarity: f64,
    /// How many seconds earlier it is; negative if it is later.
    #[cfg_attr(feature = "serde", serde(serialize_with = "seconds"))]
    pub age: f64,
}

impl Verdict {
    /// Makes the verdict on the document of this id. `id_of` returns the ids of other documents.
    pub fn new<'a>(id: &str, verdict: &SetVerdict, id_of: impl Fn(DocumentRef) -> &'a str) -> Verdict {
        let matches: Vec<WindowMatch> = verdict
            .matches
            .iter()
            .map(|found| WindowMatch {
                id: id_of(found.document).to_string(),
                similarity: found.similarity,
                age: found.age as f64 / 1e3,
            })
            .collect();
        let best = matches.first();
        Verdict {
            id: id.to_string(),
            kind: verdict.kind,
            of: best.map(|best| best.id.clone()),
            similarity: best.map(|best| best.similarity),
            matches,
        }
    }

    /// Makes the verdict on a document that cannot be compared. It resembles nothing.
    pub fn incomparable(id: &str) -> Verdict {
        Verdict { id: id.to_string(), kind: VerdictKind::New, of: None, similarity: None, matches: Vec::new() }
    }

    /// Returns whether the document is a duplicate, exact or near.
    pub fn is_duplicate(&self) -> bool {
        matches!(self.kind, VerdictKind::Exact | VerdictKind::Near)
    }
}

/// Writes seconds, without a fraction if they are whole.
#[cfg(feature = "serde")]
fn seconds<S: Serializer>(age: &f64, out: S) -> Result<S::Ok, S::Error> {
    if age.fract() == 0.0 { out.serialize_i64(*age as i64) } else { out.serialize_f64(*age) }
}
