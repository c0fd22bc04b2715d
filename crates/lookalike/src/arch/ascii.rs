//! How is ASCII text classified and folded, sixteen bytes at a time?

/// Bytes classified at a time.
pub(crate) const BLOCK: usize = 64;

/// The classes of the bytes of a block: one bit per byte, first byte lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AsciiMasks {
    /// ASCII letters, digits and underscores.
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
        // Moves a range of bytes to the bottom of the signed ones, so that one comparison finds it.
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

/// Appends the ASCII characters at the start of `text`, in lower case if they are to be folded, and returns how many
/// there are.
#[inline]
pub(crate) fn push_ascii(text: &str, fold: bool, out: &mut String) -> usize {
    #[cfg(target_arch = "x86_64")]
    {
        push_ascii_sse2(text, fold, out)
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        push_ascii_portable(text, fold, out)
    }
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn push_ascii_portable(text: &str, fold: bool, out: &mut String) -> usize {
    let run = text.bytes().position(|byte| !byte.is_ascii()).unwrap_or(text.len());
    let start = out.len();
    out.push_str(&text[..run]);
    if fold {
        out[start..].make_ascii_lowercase();
    }
    run
}

#[cfg(target_arch = "x86_64")]
fn push_ascii_sse2(text: &str, fold: bool, out: &mut String) -> usize {
    use std::arch::x86_64::{
        _mm_add_epi8, _mm_and_si128, _mm_cmplt_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8,
        _mm_storeu_si128,
    };
    out.reserve(text.len());
    let from = text.as_bytes();
    // SAFETY: only ASCII is appended, which is UTF-8 by itself.
    let out = unsafe { out.as_mut_vec() };
    let start = out.len();
    let bit = if fold { 0x20 } else { 0 };
    let mut at = 0;
    while at + 16 <= from.len() {
        // SAFETY: SSE2 is part of x86-64, sixteen bytes are left in the text, and the length of the text was reserved after
        // `start`. Bytes written past the end of the run stay past the length.
        let beyond = unsafe {
            let bytes = _mm_loadu_si128(from.as_ptr().add(at).cast());
            let moved = _mm_add_epi8(bytes, _mm_set1_epi8(0x80_u8.wrapping_sub(b'A') as i8));
            let capitals = _mm_cmplt_epi8(moved, _mm_set1_epi8(i8::MIN + 26));
            let folded = _mm_or_si128(bytes, _mm_and_si128(capitals, _mm_set1_epi8(bit)));
            _mm_storeu_si128(out.as_mut_ptr().add(start + at).cast(), folded);
            _mm_movemask_epi8(bytes)
        };
        if beyond != 0 {
            let run = at + beyond.trailing_zeros() as usize;
            // SAFETY: this many bytes have been written.
            unsafe { out.set_len(start + run) };
            return run;
        }
        at += 16;
    }
    // SAFETY: as above.
    unsafe { out.set_len(start + at) };
    let rest = from[at..].iter().take_while(|byte| byte.is_ascii());
    out.extend(rest.map(|byte| if fold { byte.to_ascii_lowercase() } else { *byte }));
    out.len() - start
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

    #[test]
    fn runs_of_every_length() {
        let letters: String = ('\0'..='\x7f').collect();
        for start in 0..100 {
            for len in 0..70 {
                let text = format!("{}é{letters}", &letters.repeat(2)[start..start + len]);
                for fold in [false, true] {
                    let (mut one, mut two) = ("x".to_string(), "x".to_string());
                    assert_eq!(push_ascii(&text, fold, &mut one), push_ascii_portable(&text, fold, &mut two));
                    assert_eq!(one, two);
                }
            }
        }
    }
}
