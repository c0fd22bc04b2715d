//! Whole jobs, from files to files.
//!
//! A [`Collector`] says how the inputs are read into sets; [`Pairs`] finds those that resemble each other; [`Dedup`] decides who stays and
//! writes it down; [`Sketch`] writes every document's signature; [`Stream`] judges documents as they come; [`Compare`] looks at two
//! documents, and [`Graph`] at the pairs of a run; [`Check`] takes what a run wrote and tries to refute it. What happens meanwhile is
//! told to a [`Watch`].

mod error;
mod watch;

mod collect;
mod documents;
mod keep;
mod page_text;
mod pick;
mod read_block;
mod sample;
mod sign;
mod signatures;
mod work;

mod members;
mod runs;

mod expand;

mod best;
mod find;
mod find_edit;
mod find_signed;
mod found;
mod likeness;
mod recall;
mod reread;
mod signed;
mod terms;
mod top;

mod clusters;

mod histogram;
mod in_order;
mod limit;
mod outputs;
mod pair_table;
mod rows;
mod write;

mod check;
mod compare;
mod dedup;
mod dedup_signed;
mod graph;
mod pairs;
mod pairs_report;
mod removed;
mod report;
mod sketch;
mod stats;
mod stream;
mod verdict;

pub use check::Check;
pub use collect::{Collector, Problem, Tally};
pub use compare::{Compare, Compared, Comparison, Judgement, Measured, TwoDocuments};
pub use dedup::Dedup;
pub use error::Error;
pub use graph::{Counted, Graph, GraphReport, Values};
pub use histogram::Bin;
pub use keep::Keep;
pub use outputs::{KeptTarget, Outputs};
pub use page_text::PageTexts;
pub use pairs::{Pairs, Wanted};
pub use pairs_report::{PairsReport, StageSeconds};
pub use recall::Recall;
pub use report::{Report, Seconds};
pub use sign::Signing;
pub use signed::{SignedReport, Verify};
pub use sketch::{Signature, Sketch, SketchReport};
pub use stream::{Answer, MatchAnswer, Only, Stream, StreamReport, by_name, milliseconds};
pub use verdict::{Failure, Verdict};
pub use watch::{Silent, Unit, Watch};
