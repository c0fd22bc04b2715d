//! Which arguments does each command take? One file a command, `window/` for those that remember, and `common/` for groups that commands share.

mod boilerplate;
mod check;
mod cli;
mod common;
mod compare;
mod completions;
mod dedup;
mod filter;
mod graph;
mod index;
mod pairs;
mod run;
mod sketch;
mod tokens;
mod truth;
mod window;

pub use boilerplate::BoilerplateArgs;
pub use check::CheckArgs;
pub use cli::{Cli, Command};
#[cfg(unix)]
pub use common::RememberedArgs;
pub use common::{
    BudgetArgs, MatchArgs, MeasureArg, MemoryArgs, MethodArg, MethodArgs, PrintArgs, ReadArgs, RowArgs, Typed,
    WindowArgs,
};
pub use compare::{ColorArg, CompareArgs};
pub use completions::CompletionsArgs;
pub use dedup::DedupArgs;
pub use filter::FilterArgs;
pub use graph::GraphArgs;
pub use index::{ChangeIndexArgs, IndexAction, IndexArgs, QueryIndexArgs, RemoveIndexArgs, ShowIndexArgs};
pub use pairs::PairsArgs;
pub use run::{RunCommand, RunFolderArgs};
pub use sketch::{SketchArgs, SketchMethod};
pub use tokens::TokensArgs;
pub use truth::{CalibrateArgs, EvaluateArgs, LabelArgs, LabelMeaningArgs, VerifyArgs};
#[cfg(unix)]
pub use window::SyncArg;
pub use window::{ServeArgs, StreamArgs, WatchArgs};
