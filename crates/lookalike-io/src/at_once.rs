//! What is taken away if the process must end at once: without memory, and without waiting for a lock that a thread may hold which
//! itself is out of memory.

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::{self, NonNull};
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Release};
use std::sync::{Mutex, PoisonError};

/// A file or a folder.
struct Entry {
    path: CString,
    is_folder: bool,
}

/// A place in a list that only ever grows: whoever walks it needs no lock. Whoever takes an entry out of its place owns it.
struct Node {
    entry: AtomicPtr<Entry>,
    next: Option<&'static Node>,
}

/// What a process has begun.
struct Traces {
    /// The first node.
    nodes: AtomicPtr<Node>,
    /// Nodes without an entry, to be used again.
    free: Mutex<Vec<&'static Node>>,
}

static TRACES: Traces = Traces::new();

/// An unfinished file; it is forgotten with this value.
pub(crate) struct Trace {
    traces: &'static Traces,
    node: &'static Node,
    /// Before the file is there: it may be another's.
    unset: Option<Box<Entry>>,
}

impl Trace {
    /// The trace of a file that is about to be made. All memory it needs is taken now.
    pub(crate) fn of(path: &Path) -> Trace {
        TRACES.trace(path)
    }

    /// Says that the file was made.
    pub(crate) fn set(&mut self) {
        if let Some(entry) = self.unset.take() {
            self.node.entry.store(Box::into_raw(entry), Release);
        }
    }

    /// Says that the file is to stay.
    pub(crate) fn forget(&self) {
        drop(take(self.node));
    }
}

impl Drop for Trace {
    fn drop(&mut self) {
        self.forget();
        self.traces.free.lock().unwrap_or_else(PoisonError::into_inner).push(self.node);
    }
}

/// Remembers a folder that is made for outputs: as long as it is empty, it may go.
pub(crate) fn remember_folder(path: &Path) {
    TRACES.remember_folder(path);
}

/// Removes all unfinished files, and the folders that were made for them. Takes no memory and waits for nothing: for the moment before the
/// process ends.
pub fn discard_at_once() {
    TRACES.discard();
}

/// Folders that may lie in each other.
const DEEPEST: usize = 64;

impl Traces {
    const fn new() -> Traces {
        Traces { nodes: AtomicPtr::new(ptr::null_mut()), free: Mutex::new(Vec::new()) }
    }

    fn first(&self) -> Option<&'static Node> {
        // SAFETY: nodes are leaked, and so never freed.
        unsafe { self.nodes.load(Acquire).as_ref() }
    }

    fn trace(&'static self, path: &Path) -> Trace {
        Trace { traces: self, node: self.node(), unset: entry(path, false) }
    }

    fn remember_folder(&self, path: &Path) {
        if let Some(entry) = entry(path, true) {
            self.node().entry.store(Box::into_raw(entry), Release);
        }
    }

    /// A node without an entry.
    fn node(&self) -> &'static Node {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(node) = free.pop() {
            return node;
        }
        // Only whoever has the lock adds one.
        let node = Box::leak(Box::new(Node { entry: AtomicPtr::new(ptr::null_mut()), next: self.first() }));
        self.nodes.store(node, Release);
        node
    }

    fn discard(&self) {
        // A file that cannot be removed stays: there is nobody left to tell.
        self.each(|entry| !entry.is_folder && rustix::fs::unlink(&entry.path).is_ok());
        for _ in 0..DEEPEST {
            // One that is not empty stays, perhaps only until the one in it is gone.
            self.each(|entry| entry.is_folder && rustix::fs::rmdir(&entry.path).is_ok());
        }
    }

    /// Calls `remove` with every entry, and keeps those that it did not remove.
    fn each(&self, remove: impl Fn(&Entry) -> bool) {
        let mut next = self.first();
        while let Some(node) = next {
            if let Some(entry) = take(node) {
                let is_removed = remove(&entry);
                // One that is removed is not freed: an allocator that is out of memory is left alone.
                let entry = Box::into_raw(entry);
                if !is_removed {
                    node.entry.store(entry, Release);
                }
            }
            next = node.next;
        }
    }
}

/// None for a path that the system cannot have.
fn entry(path: &Path, is_folder: bool) -> Option<Box<Entry>> {
    Some(Box::new(Entry { path: CString::new(path.as_os_str().as_bytes()).ok()?, is_folder }))
}

fn take(node: &Node) -> Option<Box<Entry>> {
    let entry = NonNull::new(node.entry.swap(ptr::null_mut(), AcqRel))?;
    // SAFETY: it comes from a box, and only one can have taken it.
    Some(unsafe { Box::from_raw(entry.as_ptr()) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn only_what_is_unfinished_goes() {
        static TRACES: Traces = Traces::new();
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        [path("a/b"), path("a")].iter().for_each(|folder| TRACES.remember_folder(folder));
        fs::create_dir_all(path("a/b")).unwrap();
        let files = ["unfinished", "done", "dropped", "another's", "a/b/unfinished"].map(path);
        let mut traces: Vec<Trace> = files.iter().map(|file| TRACES.trace(file)).collect();
        files.iter().for_each(|file| fs::write(file, "").unwrap());
        // The fourth was there before.
        [0, 1, 2, 4].into_iter().for_each(|at| traces[at].set());
        traces[1].forget();
        drop(traces.remove(2));
        TRACES.discard();
        let mut left: Vec<String> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        assert_eq!(left, ["another's", "done", "dropped"]);
    }

    #[test]
    fn nodes_are_used_again() {
        static TRACES: Traces = Traces::new();
        for _ in 0..1000 {
            let mut trace = TRACES.trace(Path::new("/nowhere/x"));
            trace.set();
        }
        assert_eq!(std::iter::successors(TRACES.first(), |node| node.next).count(), 1);
    }
}
