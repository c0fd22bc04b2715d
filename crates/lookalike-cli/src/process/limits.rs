//! Which limits does a long-running command change?

/// Makes writing past the file size limit (`ulimit -f`) an error like a full disk. By default its signal kills the process.
pub fn survive_file_limits() {
    #[cfg(unix)]
    // SAFETY: the signal is ignored; there is no handler.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN)
    };
}

/// Makes the allocator return large blocks to the system when they are freed.
///
/// By default glibc raises its limit for large blocks whenever one is freed. It then keeps such blocks, and fragmentation grows hour by
/// hour. A limit that is set explicitly stays fixed.
pub fn give_memory_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        /// Minimum size of a large block, in bytes: the initial limit of glibc.
        const LARGE: i32 = 128 << 10;
        // SAFETY: sets an option of the allocator; no pointers are passed.
        unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
    }
}
