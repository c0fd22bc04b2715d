//! What a command that runs for weeks asks of its machine.

/// Has a file that may not grow any more be an error like a full disk, and not the end: `ulimit -f` sends a signal that kills.
pub fn survive_file_limits() {
    // SAFETY: no handler is called; the signal is ignored.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}

/// Has large blocks of memory go back to the system when they are freed.
///
/// glibc keeps a block for itself if it was ever given back one as large, and what is kept wears out: hour by hour, the gaps between blocks
/// grow. As soon as the limit is set it stays where it is.
pub fn give_memory_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        /// Bytes from which on a block is large: what glibc begins with.
        const LARGE: i32 = 128 << 10;
        // SAFETY: a setting of the allocator; nothing is passed by reference.
        unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
    }
}
