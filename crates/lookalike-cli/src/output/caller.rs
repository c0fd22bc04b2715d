//! Who runs a command: a user, or another program that takes what the command prints and watches its progress?
//!
//! A command prints from the thread that it runs on, so what belongs to the program belongs to that thread.

use std::cell::RefCell;
use std::sync::Arc;

use lookalike::engine::Progress;

thread_local! {
    static PROGRAM: RefCell<Option<Program>> = const { RefCell::new(None) };
}

/// What a program watches a command by, and can cancel it.
pub type Watcher = Arc<dyn Progress + Send + Sync>;

/// A program that runs a command on this thread.
struct Program {
    taken: Taken,
    watcher: Watcher,
}

/// What a command printed for a program.
#[derive(Default)]
pub struct Taken {
    pub stdout: Vec<u8>,
    pub messages: String,
}

/// Runs a command for a program: returns what the command returns and what it prints.
pub fn run_for_program<T>(watcher: Watcher, run: impl FnOnce() -> T) -> (T, Taken) {
    /// Ends the rule for this thread, however the command ends.
    struct End;
    impl Drop for End {
        fn drop(&mut self) {
            PROGRAM.take();
        }
    }
    PROGRAM.replace(Some(Program { taken: Taken::default(), watcher }));
    let _end = End;
    let outcome = run();
    (outcome, PROGRAM.take().map(|program| program.taken).unwrap_or_default())
}

/// Lets a program take what is printed, and returns whether a program runs the command.
pub fn take(put: impl FnOnce(&mut Taken)) -> bool {
    PROGRAM.with_borrow_mut(|program| program.as_mut().map(|program| put(&mut program.taken)).is_some())
}

/// Returns what the program watches the command by, if a program runs it.
pub fn watcher() -> Option<Watcher> {
    PROGRAM.with_borrow(|program| program.as_ref().map(|program| program.watcher.clone()))
}
