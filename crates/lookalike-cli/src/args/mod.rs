//! Which arguments does each command take? One file a command, and `common/` for groups that commands share.

mod check;
mod cli;
mod common;
mod compare;
mod completions;
mod dedup;
mod filter;
mod graph;
mod pairs;
mod run;
mod serve;
mod sketch;
mod stream;
mod tokens;
mod watch;

pub use check::CheckArgs;
pub use cli::{Cli, Command};
pub use common::{
    MatchArgs, MeasureArg, MemoryArgs, MethodArg, MethodArgs, ReadArgs, RememberedArgs, RunArgs, WindowArgs,
};
pub use compare::{ColorArg, CompareArgs};
pub use completions::CompletionsArgs;
pub use dedup::DedupArgs;
pub use filter::FilterArgs;
pub use graph::GraphArgs;
pub use pairs::PairsArgs;
pub use run::{RunCommand, RunFolderArgs};
pub use serve::{ServeArgs, SyncArg};
pub use sketch::{SketchArgs, SketchMethod};
pub use stream::StreamArgs;
pub use tokens::TokensArgs;
pub use watch::WatchArgs;
