use memmap2::MmapMut;

use super::error::SetsError;

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
    /// Room for so many bytes; an error if there is no such memory says what it was for.
    pub(crate) fn new(bytes: usize, purpose: &'static str) -> Result<Slab, SetsError> {
        let unit = if bytes < PAGE { size_of::<u64>() } else { PAGE };
        let whole = bytes.max(1).checked_next_multiple_of(unit);
        let map = whole.and_then(|whole| MmapMut::map_anon(whole).ok());
        let map = map.ok_or(SetsError::OutOfMemory { wanted: whole.unwrap_or(bytes), purpose })?;
        // A hint: a system without large pages goes on with small ones.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Slab { map })
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

    /// A copy in memory of its own.
    pub(crate) fn copy(&self, purpose: &'static str) -> Result<Slab, SetsError> {
        let mut copy = Slab::new(self.map.len(), purpose)?;
        copy.map.copy_from_slice(&self.map);
        Ok(copy)
    }
}
