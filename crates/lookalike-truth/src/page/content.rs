//! What is on a page.

/// A page.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The heading.
    pub title: String,
    /// A sentence or two below it: what was done, and the main result.
    pub summary: String,
    /// The main numbers.
    pub tiles: Vec<Tile>,
    /// The rest, in order.
    pub sections: Vec<Section>,
    /// The settings of the run, by name.
    pub settings: Vec<(String, String)>,
    /// The program and its version.
    pub version: String,
}

/// A number with its name.
#[derive(Clone, Debug)]
pub struct Tile {
    /// Its name.
    pub name: String,
    /// The number as text.
    pub value: String,
    /// More about it.
    pub note: String,
}

impl Tile {
    /// A number with its name, and more about it.
    pub fn new(name: &str, value: impl Into<String>, note: impl Into<String>) -> Tile {
        Tile { name: name.to_string(), value: value.into(), note: note.into() }
    }
}

/// A bar of a chart.
#[derive(Clone, Debug)]
pub struct Bar {
    /// Its label.
    pub label: String,
    /// How many.
    pub count: u64,
}

/// A part of a page.
#[derive(Clone, Debug)]
pub enum Section {
    /// Paragraphs.
    Text {
        /// Its heading.
        title: String,
        /// The paragraphs.
        paragraphs: Vec<String>,
    },
    /// A chart of bars.
    Bars {
        /// Its heading.
        title: String,
        /// What is counted.
        note: String,
        /// The bars.
        bars: Vec<Bar>,
    },
    /// A table. All columns but the first are numbers.
    Table {
        /// Its heading.
        title: String,
        /// What is in it.
        note: String,
        /// The names of the columns.
        head: Vec<String>,
        /// The rows.
        rows: Vec<Vec<String>>,
    },
    /// Pairs, side by side.
    Pairs {
        /// Its heading.
        title: String,
        /// Which pairs these are.
        note: String,
        /// The pairs.
        pairs: Vec<PairCard>,
    },
    /// Clusters with their members.
    Clusters {
        /// Its heading.
        title: String,
        /// Which clusters these are.
        note: String,
        /// The clusters.
        clusters: Vec<ClusterCard>,
    },
}

/// Two documents side by side.
#[derive(Clone, Debug, Default)]
pub struct PairCard {
    /// The id and the role of each: kept, removed.
    pub ids: [(String, String); 2],
    /// Their similarity, as text.
    pub similarity: String,
    /// Their texts; empty if they are not there.
    pub texts: [String; 2],
}

/// A cluster.
#[derive(Clone, Debug)]
pub struct ClusterCard {
    /// The number of its documents.
    pub size: u64,
    /// The document that stays.
    pub kept: String,
    /// Its text.
    pub text: String,
    /// Some of the others.
    pub members: Vec<MemberCard>,
}

/// A removed member of a cluster.
#[derive(Clone, Debug)]
pub struct MemberCard {
    /// Its id.
    pub id: String,
    /// The similarity to the one that stays, as text.
    pub similarity: String,
    /// Its text.
    pub text: String,
}
