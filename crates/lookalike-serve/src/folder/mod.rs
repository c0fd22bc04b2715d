//! Which files come into a folder, and where do they go?
//!
//! Each file is one document. It is judged by the window, and moved to one folder or another with its verdict beside it.
//!
//! Files are handled one after another: a file is read, judged, logged and synced, moved, and reported. So when the process ends, at most
//! the last document of the log is not in its place, and the next run starts by finishing that one. It recognizes the file by its inode,
//! size and time, and uses the logged verdict. A file that is not in the log has not been judged.
//!
//! | module | question |
//! |---|---|
//! | `settings` | which folders are there, and how are they watched? |
//! | `watch` | [`Watch`]: what happens to a file, step by step? |
//! | `signals`, `inotify` | what happened in the folder, and is it time to stop? |
//! | `arrivals` | which files are there, and complete? |
//! | `names` | what are files called? |
//! | `stamp` | how is a file recognized? |
//! | `read` | which text is in a file? |
//! | `place`, `disk` | how does a file get to its place without overwriting another? |
//! | `linked` | which files have been judged, and stayed? |
//! | `events`, `error` | what is reported? |

mod arrivals;
mod disk;
mod error;
mod events;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod inotify;
mod linked;
mod names;
mod place;
mod read;
mod settings;
mod signals;
mod stamp;
#[cfg(test)]
mod tests;
mod watch;

pub use error::FolderError;
pub use events::{Done, Event};
pub use settings::{Folders, How, Settings};
pub use signals::{SignalReceiver, SignalSender, signals};
pub use watch::Watch;
