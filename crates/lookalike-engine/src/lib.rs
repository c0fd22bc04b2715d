//! Runs whole jobs, from input files to output files.
//!
//! A module imports only from those above it:
//!
//! | module | from | to |
//! |---|---|---|
//! | `on_disk/` | documents in temporary files | pairs of them, tile by tile |
//! | `read/` | files | documents: sets, texts or signatures, ids, counts |
//! | `report/` | what was read and done | the summary of a run |
//! | `tables/` | files with the pairs, clusters and labels of others | pairs, clusters and labels |
//! | `sign/` | signatures | verified candidates, the measured recall |
//! | `external/` | files, if their sets do not fit in memory | parts of the sets that do |
//! | `pairs/` | a source of pairs | the rows of a table, in order |
//! | `decide/` | a source of pairs | which documents are kept |
//! | `write/` | decisions and pairs | files |
//! | `html/` | decisions, pairs and samples of texts | pages for people |
//! | `jobs/` | the options of a command | all of the above, one file per command |
//!
//! A [`Collector`] defines how inputs are read. [`Dedup`], [`Pairs`], [`Sketch`], [`Stream`], [`Compare`], [`Graph`] and [`Check`] are jobs.
//! They report to a [`Progress`](lookalike::engine::Progress).

mod error;

#[cfg(test)]
mod testing;

mod on_disk;

mod read;

mod report;

mod tables;

mod sign;

mod external;

mod pairs;

mod decide;

mod write;

mod html;

mod jobs;

pub use decide::Rule;
pub use error::{Error, Problem};
pub use external::{MemoryPart, RunOptions, RunPlan, RunState, usual_memory};
pub use html::PageOutput;
pub use jobs::{
    Bound, Calibrate, Check, CheckIndex, Compare, Compared, Comparison, Dedup, Evaluate, EvaluateBy, Existing, Graph,
    GrowIndex, Judgement, LearnBoilerplate, Load, Loaded, Measured, MergeIndex, Only, Pairs, Propose, Proposed,
    QueryIndex, RemoveFromIndex, Search, ShowIndex, Sketch, Stream, TwoDocuments, VerifyCandidates, Wanted,
    compare_texts,
};
pub use lookalike::Bin;
pub use lookalike_io::extract::SignerKind;
pub use lookalike_truth::page::{
    LABELLING_FILES, PairCard, Piece, answered_page, compare_texts as compare_two, count, ended_page, failed_page,
    question_page,
};
pub use lookalike_truth::{Classes, Evaluation, Example, Interval, Level, Slice};
pub use read::{Collector, Keep, Key, Lookup, MOST_SAMPLED, Sample, SampleIndex, Signing, Tally};
pub use report::{
    BadRowsReport, BoilerplateReport, CalibrateReport, ChangeReport, ComparedReport, Counted, DedupReport,
    DedupSeconds, EffortReport, EvaluateReport, Failure, GraphReport, GrownReport, IndexReport, MemoryReport,
    PairsReport, PartReport, QueryReport, ReadReport, Recall, SignedReport, SketchReport, StageSeconds, StreamReport,
    Values, Verdict, VerifyReport,
};
pub use sign::{MOST_TERMS, PagePair, PairsOfSet, SignatureKeys, Signed, Verify, sets_to_draw};
pub use tables::{FoundOptions, LabelOptions, TableInput};
pub use write::{KeptTarget, Outputs};
