//! An allocator that ends the process if more memory is asked for at once than a reader of a small file could need.

use std::alloc::{GlobalAlloc, Layout, System};

/// The most at once. The size of a page before it is decompressed, a number of 32 bits with a sign, is believed.
const MOST: usize = 1 << 31;

pub struct Limited;

// SAFETY: all is done by the system's allocator.
unsafe impl GlobalAlloc for Limited {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() > MOST {
            std::process::abort();
        }
        // SAFETY: as asked for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as asked for.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static LIMITED: Limited = Limited;
