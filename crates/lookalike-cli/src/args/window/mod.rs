//! Which arguments do the commands that remember documents take?

mod serve;
mod stream;
mod watch;

pub use serve::ServeArgs;
#[cfg(unix)]
pub use serve::SyncArg;
pub use stream::StreamArgs;
pub use watch::WatchArgs;
