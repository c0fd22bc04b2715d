//! Where does a set come from: numbers in memory, or the bytes of a part?

/// The elements of a set, ascending.
#[derive(Clone, Copy, Debug)]
pub enum Elements<'a> {
    /// Numbers in memory.
    Numbers(&'a [u64]),
    /// Eight bytes an element, little-endian.
    Bytes(&'a [u8]),
}

impl Elements<'_> {
    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        match self {
            Elements::Numbers(numbers) => numbers.len(),
            Elements::Bytes(bytes) => bytes.len() / 8,
        }
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Calls `each` with every element, in order.
    #[inline]
    pub fn for_each(&self, mut each: impl FnMut(u64)) {
        match self {
            Elements::Numbers(numbers) => numbers.iter().for_each(|&element| each(element)),
            Elements::Bytes(bytes) => {
                bytes.as_chunks::<8>().0.iter().for_each(|&element| each(u64::from_le_bytes(element)));
            }
        }
    }

    /// Replaces what `set` holds by these elements.
    pub fn copy_to(&self, set: &mut Vec<u64>) {
        set.clear();
        set.reserve(self.len());
        self.for_each(|element| set.push(element));
    }
}
