//! How are lists of numbers written and read?

use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Read, Write};

/// Reads a value for each segment, by its number.
pub(super) fn take_by_segment<R: Read, T>(
    from: &mut R,
    load: impl Fn(&mut R) -> io::Result<T>,
) -> io::Result<BTreeMap<i64, T>> {
    take(from)?.into_iter().map(|number| Ok((number, load(from)?))).collect()
}

/// A fixed-size number.
pub(super) trait Number: Copy {
    const BYTES: usize;
    fn push(self, out: &mut Vec<u8>);
    /// Reads it from exactly that many bytes.
    fn of(bytes: &[u8]) -> Self;
}

macro_rules! numbers {
    ($($number:ty),*) => { $(
        impl Number for $number {
            const BYTES: usize = size_of::<$number>();

            fn push(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }

            fn of(bytes: &[u8]) -> $number {
                let mut whole = [0; size_of::<$number>()];
                whole.copy_from_slice(bytes);
                <$number>::from_le_bytes(whole)
            }
        }
    )* };
}

numbers!(u8, u16, u32, u64, i64);

/// Bytes written and read at a time.
const BLOCK: usize = 1 << 16;

/// Writes the count of numbers, then the numbers.
pub(super) fn put<T: Number>(out: &mut impl Write, numbers: impl ExactSizeIterator<Item = T>) -> io::Result<()> {
    let mut block = Vec::with_capacity(BLOCK + 8);
    (numbers.len() as u64).push(&mut block);
    for number in numbers {
        number.push(&mut block);
        if block.len() >= BLOCK {
            out.write_all(&block)?;
            block.clear();
        }
    }
    out.write_all(&block)
}

pub(super) fn take<T: Number>(from: &mut impl Read) -> io::Result<Vec<T>> {
    let mut length = [0; 8];
    from.read_exact(&mut length)?;
    let mut left = u64::from_le_bytes(length);
    let mut numbers = Vec::new();
    let expected = usize::try_from(left).map_err(|_| ErrorKind::InvalidData)?;
    numbers.try_reserve_exact(expected).map_err(|_| ErrorKind::InvalidData)?;
    let mut block = [0; BLOCK];
    while left > 0 {
        let count = left.min((BLOCK / T::BYTES) as u64);
        let bytes = &mut block[..count as usize * T::BYTES];
        from.read_exact(bytes)?;
        numbers.extend(bytes.chunks_exact(T::BYTES).map(T::of));
        left -= count;
    }
    Ok(numbers)
}

/// Reads a list of one number.
pub(super) fn take_one<T: Number>(from: &mut impl Read) -> io::Result<T> {
    take(from)?.first().copied().ok_or_else(|| ErrorKind::InvalidData.into())
}
