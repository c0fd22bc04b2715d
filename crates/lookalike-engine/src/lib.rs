//! Runs whole jobs, from input files to output files.
//!
//! The modules are in the order in which a document passes through them:
//!
//! | module | from | to |
//! |---|---|---|
//! | `read/` | files | documents: sets, texts or signatures, ids, counts |
//! | `external/` | files, if their sets do not fit in memory | parts of the sets that do |
//! | `sign/` | signatures | verified candidates, the measured recall |
//! | `report/` | all of it | the summary of a run |
//! | `pairs/` | a source of pairs | the rows of a table, in order |
//! | `decide/` | a source of pairs | which documents are kept |
//! | `write/` | decisions and pairs | files |
//! | `jobs/` | the options of a command | all of the above, one file per command |
//!
//! A [`Collector`] defines how inputs are read. [`Dedup`], [`Pairs`], [`Sketch`], [`Stream`], [`Compare`], [`Graph`] and [`Check`] are jobs.
//! They report to a [`Progress`](lookalike::engine::Progress).

mod error;

mod read;

mod external;

mod sign;

mod report;

mod pairs;

mod decide;

mod write;

mod jobs;

pub use decide::Rule;
pub use error::{Error, Problem};
pub use external::{MemoryPart, RunOptions, RunPlan, RunState};
pub use jobs::{
    Check, Compare, Compared, Comparison, Counted, Dedup, Graph, GraphReport, Judgement, Measured, Only, Pairs, Sketch,
    SketchReport, Stream, StreamReport, TwoDocuments, Values, Wanted,
};
pub use lookalike_io::extract::SignerKind;
pub use read::{Collector, Keep, Signing, Tally};
pub use report::{
    Bin, ComparedReport, DedupReport, DedupSeconds, Failure, MemoryReport, PairsReport, ReadReport, StageSeconds,
    Verdict,
};
pub use sign::{Recall, SignedReport, Verify};
pub use write::{KeptTarget, Outputs};
