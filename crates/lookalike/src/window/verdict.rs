//! What is the result of comparing a set with a window?

/// The position of a document in a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DocumentRef {
    /// Its segment.
    pub segment: i64,
    /// Its number within the segment.
    pub slot: u32,
}

/// Whether a document is new.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum VerdictKind {
    /// It resembles nothing in the window.
    New,
    /// It has the same set as a document in the window.
    Exact,
    /// It resembles a document in the window.
    Near,
    /// It is older than the window, and was not compared.
    Old,
}

impl VerdictKind {
    /// Returns the kind with this name.
    pub fn of_name(name: &str) -> Option<VerdictKind> {
        [VerdictKind::New, VerdictKind::Exact, VerdictKind::Near, VerdictKind::Old]
            .into_iter()
            .find(|kind| kind.name() == name)
    }

    /// Returns the name of the kind.
    pub fn name(self) -> &'static str {
        match self {
            VerdictKind::New => "new",
            VerdictKind::Exact => "exact",
            VerdictKind::Near => "near",
            VerdictKind::Old => "old",
        }
    }
}

/// A document of the window that another resembles.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SetMatch {
    /// The document.
    pub document: DocumentRef,
    /// The exact similarity.
    pub similarity: f64,
    /// How many milliseconds earlier it is; negative if it is later.
    pub age: i64,
}

/// The verdict on a document.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SetVerdict {
    /// Whether it is new.
    pub kind: VerdictKind,
    /// Where it is stored, if it was added.
    pub document: Option<DocumentRef>,
    /// All matches: identical ones first, then by similarity; ties go to the earliest.
    pub matches: Vec<SetMatch>,
}
