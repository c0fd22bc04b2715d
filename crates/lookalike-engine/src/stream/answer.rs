//! A verdict in the words of whoever asked for it.

use lookalike::window::{DocumentRef, Kind, Verdict};
use serde::{Deserialize, Serialize, Serializer};

/// A verdict on a document, by ids.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The document's id.
    pub id: String,
    /// `new`, `exact`, `near`, or `old`.
    #[serde(with = "by_name")]
    pub verdict: Kind,
    /// The most similar match, the earliest of equals.
    pub of: Option<String>,
    /// How similar it is.
    pub similarity: Option<f64>,
    /// All matches.
    pub matches: Vec<MatchAnswer>,
}

/// One match of a verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchAnswer {
    /// Which document.
    pub id: String,
    /// How similar.
    pub similarity: f64,
    /// How much earlier it is, in seconds; negative if it is later.
    #[serde(serialize_with = "seconds")]
    pub age: f64,
}

/// A kind of verdict as its name.
pub mod by_name {
    use std::borrow::Cow;

    use lookalike::window::Kind;
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    /// Writes the name.
    pub fn serialize<S: Serializer>(kind: &Kind, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(kind.name())
    }

    /// Reads a name.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Kind, D::Error> {
        let name = Cow::<str>::deserialize(from)?;
        Kind::of_name(&name).ok_or_else(|| D::Error::custom(format!("'{name}' is no verdict")))
    }
}

/// Seconds, without a fraction if they have none.
fn seconds<S: Serializer>(age: &f64, out: S) -> Result<S::Ok, S::Error> {
    if age.fract() == 0.0 { out.serialize_i64(*age as i64) } else { out.serialize_f64(*age) }
}

impl Answer {
    /// A verdict on the document of this id; `id_of` tells those of others.
    pub fn new<'a>(id: &str, verdict: &Verdict, id_of: impl Fn(DocumentRef) -> &'a str) -> Answer {
        let matches: Vec<MatchAnswer> = verdict
            .matches
            .iter()
            .map(|found| MatchAnswer {
                id: id_of(found.document).to_string(),
                similarity: found.similarity,
                age: found.age as f64 / 1e3,
            })
            .collect();
        let best = matches.first();
        Answer {
            id: id.to_string(),
            verdict: verdict.kind,
            of: best.map(|best| best.id.clone()),
            similarity: best.map(|best| best.similarity),
            matches,
        }
    }

    /// A document that cannot be compared resembles nothing.
    pub fn incomparable(id: &str) -> Answer {
        Answer { id: id.to_string(), verdict: Kind::New, of: None, similarity: None, matches: Vec::new() }
    }

    /// Whether the document is a duplicate.
    pub fn is_duplicate(&self) -> bool {
        matches!(self.verdict, Kind::Exact | Kind::Near)
    }

    /// Appends it as a line of JSON.
    pub fn write(&self, out: &mut Vec<u8>) {
        serde_json::to_writer(&mut *out, self).expect("a verdict is plain data");
        out.push(b'\n');
    }
}
