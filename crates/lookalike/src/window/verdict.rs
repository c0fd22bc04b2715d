/// Where a document of a window is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DocumentRef {
    /// Its segment.
    pub segment: i64,
    /// Which of this.
    pub slot: u32,
}

/// What is thought of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum VerdictKind {
    /// It resembles nothing in the window.
    New,
    /// One in the window has the same set.
    Exact,
    /// It resembles one in the window.
    Near,
    /// It is older than the window, and was not compared.
    Old,
}

impl VerdictKind {
    /// The kind of this name.
    pub fn of_name(name: &str) -> Option<VerdictKind> {
        [VerdictKind::New, VerdictKind::Exact, VerdictKind::Near, VerdictKind::Old]
            .into_iter()
            .find(|kind| kind.name() == name)
    }

    /// Its name.
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
pub struct SetMatch {
    /// Which.
    pub document: DocumentRef,
    /// How much.
    pub similarity: f64,
    /// How much earlier it is, in milliseconds; negative if it is later.
    pub age: i64,
}

/// The verdict on a document.
#[derive(Clone, Debug, PartialEq)]
pub struct SetVerdict {
    /// What is thought of it.
    pub kind: VerdictKind,
    /// Where it is now, if it was taken in.
    pub document: Option<DocumentRef>,
    /// All that it resembles: equal ones first, then the most similar, the earliest of equals.
    pub matches: Vec<SetMatch>,
}
