//! Which files to remove if the process must end at once.
//!
//! The process may be out of memory, so removal allocates nothing. A thread that is out of memory may hold a lock, so removal takes none.

use std::path::Path;
use std::ptr::{self, NonNull};
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Release};
use std::sync::{Mutex, PoisonError};

/// A file or a folder to remove.
struct Entry {
    path: system::Name,
    is_folder: bool,
}

/// A slot in a list that only grows, so that a thread can walk it without a lock. The thread that takes an entry out of a slot owns it.
struct Node {
    entry: AtomicPtr<Entry>,
    next: Option<&'static Node>,
}

/// All files and folders that the process has created and not finished.
struct Traces {
    /// The first node.
    nodes: AtomicPtr<Node>,
    /// Nodes without an entry, for reuse.
    free: Mutex<Vec<&'static Node>>,
}

static TRACES: Traces = Traces::new();

/// Marks a file as unfinished. Dropping it removes the mark.
pub(crate) struct Trace {
    traces: &'static Traces,
    node: &'static Node,
    /// The entry until the file is created. Before that, a file of this name belongs to another process.
    unset: Option<Box<Entry>>,
}

impl Trace {
    /// The trace of a file that is about to be created. Allocates all the memory it needs.
    pub(crate) fn of(path: &Path) -> Trace {
        TRACES.trace(path)
    }

    /// Call it when the file exists.
    pub(crate) fn set(&mut self) {
        if let Some(entry) = self.unset.take() {
            self.node.entry.store(Box::into_raw(entry), Release);
        }
    }

    /// Call it when the file must stay.
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

/// Remembers a folder that is created for outputs. It is removed if it is empty.
pub(crate) fn remember_folder(path: &Path) {
    TRACES.remember_folder(path);
}

/// Removes all unfinished files and the folders created for them. Allocates no memory and takes no lock: call it right before the process
/// ends.
pub fn discard_at_once() {
    TRACES.discard();
}

/// The deepest nesting of created folders that is removed.
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
        // Only the holder of the lock adds a node.
        let node = Box::leak(Box::new(Node { entry: AtomicPtr::new(ptr::null_mut()), next: self.first() }));
        self.nodes.store(node, Release);
        node
    }

    fn discard(&self) {
        // A file that cannot be removed stays. The process is ending and cannot report it.
        self.each(|entry| !entry.is_folder && system::remove_file(&entry.path));
        for _ in 0..DEEPEST {
            // A folder that is not empty stays, perhaps only until the next round has removed the folder in it.
            self.each(|entry| entry.is_folder && system::remove_folder(&entry.path));
        }
    }

    /// Calls `remove` with every entry, and keeps an entry if `remove` returns false.
    fn each(&self, remove: impl Fn(&Entry) -> bool) {
        let mut next = self.first();
        while let Some(node) = next {
            if let Some(entry) = take(node) {
                let is_removed = remove(&entry);
                // The entry is not freed: the allocator may be out of memory.
                let entry = Box::into_raw(entry);
                if !is_removed {
                    node.entry.store(entry, Release);
                }
            }
            next = node.next;
        }
    }
}

/// `None` for a path with a NUL byte, which no file can have.
fn entry(path: &Path, is_folder: bool) -> Option<Box<Entry>> {
    Some(Box::new(Entry { path: system::name(path)?, is_folder }))
}

/// Removal without an allocation.
#[cfg(unix)]
mod system {
    use std::ffi::CString;
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;

    pub(super) type Name = CString;

    pub(super) fn name(path: &Path) -> Option<Name> {
        CString::new(path.as_os_str().as_bytes()).ok()
    }

    pub(super) fn remove_file(name: &Name) -> bool {
        rustix::fs::unlink(name).is_ok()
    }

    pub(super) fn remove_folder(name: &Name) -> bool {
        rustix::fs::rmdir(name).is_ok()
    }
}

/// Elsewhere, removal allocates a little. If even that fails, a hidden file is left over.
#[cfg(not(unix))]
mod system {
    use std::fs;
    use std::path::{Path, PathBuf};

    pub(super) type Name = PathBuf;

    pub(super) fn name(path: &Path) -> Option<Name> {
        Some(path.to_path_buf())
    }

    pub(super) fn remove_file(name: &Name) -> bool {
        fs::remove_file(name).is_ok()
    }

    pub(super) fn remove_folder(name: &Name) -> bool {
        fs::remove_dir(name).is_ok()
    }
}

fn take(node: &Node) -> Option<Box<Entry>> {
    let entry = NonNull::new(node.entry.swap(ptr::null_mut(), AcqRel))?;
    // SAFETY: the pointer comes from a box, and the swap hands it to one thread only.
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
