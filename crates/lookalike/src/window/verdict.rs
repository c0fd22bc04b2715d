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
pub enum Kind {
    /// It resembles nothing in the window.
    New,
    /// One in the window has the same set.
    Exact,
    /// It resembles one in the window.
    Near,
    /// It is older than the window, and was not compared.
    Old,
}

impl Kind {
    /// The kind of this name.
    pub fn of_name(name: &str) -> Option<Kind> {
        [Kind::New, Kind::Exact, Kind::Near, Kind::Old].into_iter().find(|kind| kind.name() == name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::New => "new",
            Kind::Exact => "exact",
            Kind::Near => "near",
            Kind::Old => "old",
        }
    }
}

/// A document of the window that another resembles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match {
    /// Which.
    pub document: DocumentRef,
    /// How much.
    pub similarity: f64,
    /// How much earlier it is, in milliseconds; negative if it is later.
    pub age: i64,
}

/// The verdict on a document.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// What is thought of it.
    pub kind: Kind,
    /// Where it is now, if it was taken in.
    pub document: Option<DocumentRef>,
    /// All that it resembles: equal ones first, then the most similar, the earliest of equals.
    pub matches: Vec<Match>,
}
