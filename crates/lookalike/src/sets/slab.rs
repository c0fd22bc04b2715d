use memmap2::MmapMut;

/// A stretch of zeroed memory in large pages, where the system has them.
///
/// The sets and the counters are the bulk of what a run holds and are visited all over. With pages of 4 kB, nearly every visit would
/// first have to look up where its page is.
pub(crate) struct Slab {
    map: MmapMut,
}

/// The size of a large page.
const PAGE: usize = 2 << 20;

impl Slab {
    /// Room for so many bytes.
    ///
    /// # Panics
    ///
    /// If there is no such memory.
    pub(crate) fn new(bytes: usize) -> Slab {
        let whole = if bytes < PAGE { bytes.next_multiple_of(size_of::<u64>()) } else { bytes.next_multiple_of(PAGE) };
        let map = MmapMut::map_anon(whole.max(size_of::<u64>())).expect("memory for the sets");
        // A hint: a system without large pages goes on with small ones.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Slab { map }
    }

    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.map
    }

    #[inline]
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.map
    }

    #[inline]
    pub(crate) fn words(&self) -> &[u64] {
        // SAFETY: a map starts at a page and is a whole number of u64 long; any bytes are a u64.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), self.map.len() / 8) }
    }

    #[inline]
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        // SAFETY: as above, and the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.map.as_mut_ptr().cast(), self.map.len() / 8) }
    }
}

impl Clone for Slab {
    fn clone(&self) -> Slab {
        let mut copy = Slab::new(self.map.len());
        copy.map.copy_from_slice(&self.map);
        copy
    }
}
