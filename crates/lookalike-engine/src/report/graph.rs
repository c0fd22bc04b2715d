//! The report of `graph`.

use lookalike::Bin;
use serde::Serialize;

use super::common::BadRowsReport;

/// A value and how often it occurs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Counted<T> {
    /// The value.
    pub value: T,
    /// How often it occurs.
    pub count: u64,
}

/// The values of a field.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Values {
    /// Integers, ascending.
    Numbers(Vec<Counted<i64>>),
    /// Other numbers, by range.
    Ranges(Vec<Bin>),
    /// Other values, sorted as text.
    Labels(Vec<Counted<String>>),
}

/// The report of the job.
#[derive(Clone, Debug, Serialize)]
pub struct GraphReport {
    /// Rows that are pairs.
    pub rows: u64,
    /// Different pairs.
    pub pairs: u64,
    /// Rows that repeat an earlier pair, in either order.
    pub repeated: u64,
    /// Rows that pair a document with itself. They are not edges.
    pub with_itself: u64,
    /// Documents in a pair.
    pub documents: u64,
    /// Average number of pairs of a document.
    pub average_degree: f64,
    /// The most pairs of a document.
    pub greatest_degree: u64,
    /// The number of documents by number of pairs.
    pub degrees: Vec<Counted<u64>>,
    /// Connected components.
    pub components: u64,
    /// Documents of the largest component.
    pub largest_component: u64,
    /// The number of components by number of documents.
    pub component_sizes: Vec<Counted<u64>>,
    /// The field whose values were counted.
    pub by: Option<String>,
    /// The values of all rows that have one.
    pub values: Option<Values>,
    /// Bad rows of the tables.
    #[serde(flatten)]
    pub bad_rows: BadRowsReport,
}
