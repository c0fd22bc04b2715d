/// Bytes classified at one go.
pub(crate) const BLOCK: usize = 64;

/// Which bytes of a block are what: a bit a byte, the first byte lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AsciiMasks {
    /// ASCII letters, digits and the underscore.
    pub(crate) word: u64,
    /// Bytes outside ASCII.
    pub(crate) beyond: u64,
}

impl AsciiMasks {
    #[inline]
    pub(crate) fn of(block: &[u8; BLOCK]) -> AsciiMasks {
        #[cfg(target_arch = "x86_64")]
        {
            AsciiMasks::of_sse2(block)
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            AsciiMasks::of_portable(block)
        }
    }

    #[cfg(any(test, not(target_arch = "x86_64")))]
    fn of_portable(block: &[u8; BLOCK]) -> AsciiMasks {
        let mut masks = AsciiMasks::default();
        for (at, byte) in block.iter().enumerate() {
            masks.word |= u64::from(byte.is_ascii_alphanumeric() || *byte == b'_') << at;
            masks.beyond |= u64::from(!byte.is_ascii()) << at;
        }
        masks
    }

    #[cfg(target_arch = "x86_64")]
    #[inline]
    fn of_sse2(block: &[u8; BLOCK]) -> AsciiMasks {
        use std::arch::x86_64::{
            __m128i, _mm_add_epi8, _mm_cmpeq_epi8, _mm_cmplt_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128,
            _mm_set1_epi8,
        };
        // Moves a range of bytes to the bottom of the signed ones, where one comparison finds it.
        let within = |bytes: __m128i, first: u8, count: i8| {
            // SAFETY: SSE2 is part of x86-64.
            unsafe {
                let moved = _mm_add_epi8(bytes, _mm_set1_epi8(0x80_u8.wrapping_sub(first) as i8));
                _mm_cmplt_epi8(moved, _mm_set1_epi8(i8::MIN + count))
            }
        };
        let mut masks = AsciiMasks::default();
        for part in 0..4 {
            // SAFETY: SSE2 is part of x86-64, and sixteen bytes from 16 * part on lie in the block.
            let (word, beyond) = unsafe {
                let bytes = _mm_loadu_si128(block.as_ptr().add(16 * part).cast());
                let letters = within(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), b'a', 26);
                let digits = within(bytes, b'0', 10);
                let underscores = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'_' as i8));
                let word = _mm_or_si128(letters, _mm_or_si128(digits, underscores));
                (_mm_movemask_epi8(word), _mm_movemask_epi8(bytes))
            };
            masks.word |= u64::from(word as u16) << (16 * part);
            masks.beyond |= u64::from(beyond as u16) << (16 * part);
        }
        masks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_at_every_place() {
        for byte in 0..=255 {
            for at in 0..BLOCK {
                let mut block = [b' '; BLOCK];
                block[at] = byte;
                assert_eq!(AsciiMasks::of(&block), AsciiMasks::of_portable(&block), "{byte}");
            }
        }
    }
}
