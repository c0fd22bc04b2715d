//! Reads the most common kind of JSON line fast: an object of strings, integers and literals.
//!
//! A string is scanned, unescaped and copied in one pass, straight into the buffer of texts. Everything else (nested values, other
//! numbers, escapes in a key, half a surrogate pair, any error) is left to the general reader in `jsonl.rs`, which also reports errors.

use crate::read::fields::{Found, Values};

/// Reads the requested fields of a line. The first `texts` of them should be strings. `None` leaves the line to the general reader.
pub(in crate::read) fn read(line: &str, names: &[String], texts: usize, values: &mut Values) -> Option<()> {
    values.clear(names.len());
    let mut cursor = Cursor { line: line.as_bytes(), at: 0 };
    cursor.expect(b'{')?;
    loop {
        let key = cursor.key()?;
        let field = names.iter().position(|name| name.as_bytes() == key);
        cursor.expect(b':')?;
        cursor.skip_space();
        match cursor.peek()? {
            b'"' => {
                let text = values.text_start();
                cursor.string(values.strings())?;
                match field {
                    Some(field) => values.set(field, Found::Text(text..values.text_start())),
                    None => values.forget_text(text),
                }
            }
            b'-' | b'0'..=b'9' => {
                let digits = cursor.whole_number()?;
                match field {
                    Some(field) if field < texts => values.set(field, Found::Other),
                    Some(field) => values.set_number(field, &line[digits]),
                    None => {}
                }
            }
            _ => {
                let literal = cursor.literal()?;
                if let Some(field) = field {
                    let is_text = field < texts && !matches!(literal, Found::Missing);
                    values.set(field, if is_text { Found::Other } else { literal });
                }
            }
        }
        cursor.skip_space();
        match cursor.next()? {
            b',' => {}
            b'}' => break,
            _ => return None,
        }
    }
    cursor.skip_space();
    (cursor.at == cursor.line.len()).then_some(())
}

struct Cursor<'a> {
    line: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        self.skip_space();
        (self.next()? == byte).then_some(())
    }

    /// A key without escapes.
    fn key(&mut self) -> Option<&'a [u8]> {
        self.expect(b'"')?;
        let rest = &self.line[self.at..];
        let end = rest.iter().position(|&byte| is_special(byte))?;
        self.at += end + 1;
        (rest[end] == b'"').then_some(&rest[..end])
    }

    /// A number without fraction or exponent.
    fn whole_number(&mut self) -> Option<std::ops::Range<usize>> {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        let first = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        let leading_zero = self.line.get(first) == Some(&b'0') && self.at > first + 1;
        let goes_on = matches!(self.peek(), Some(b'.' | b'e' | b'E'));
        (self.at > first && !leading_zero && !goes_on).then_some(start..self.at)
    }

    fn literal(&mut self) -> Option<Found> {
        let literals = [("null", Found::Missing), ("true", Found::Bool(true)), ("false", Found::Bool(false))];
        let rest = &self.line[self.at..];
        let (word, found) = literals.into_iter().find(|(word, _)| rest.starts_with(word.as_bytes()))?;
        self.at += word.len();
        Some(found)
    }

    /// Appends the string that starts at the cursor.
    fn string(&mut self, out: &mut String) -> Option<()> {
        self.at += 1;
        loop {
            self.at += push_plain(&self.line[self.at..], out);
            match self.next()? {
                b'"' => return Some(()),
                b'\\' => self.escape(out)?,
                _ => return None,
            }
        }
    }

    fn escape(&mut self, out: &mut String) -> Option<()> {
        let c = match self.next()? {
            b'n' => '\n',
            b'"' => '"',
            b'\\' => '\\',
            b't' => '\t',
            b'r' => '\r',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'u' => {
                let unit = self.unit()?;
                match unit {
                    0xd800..=0xdbff => {
                        let low = (self.next()? == b'\\' && self.next()? == b'u').then(|| self.unit())??;
                        char::decode_utf16([unit, low]).next()?.ok()?
                    }
                    _ => char::from_u32(unit.into())?,
                }
            }
            _ => return None,
        };
        out.push(c);
        Some(())
    }

    /// Four hexadecimal digits.
    fn unit(&mut self) -> Option<u16> {
        let digits = self.line.get(self.at..self.at + 4)?;
        self.at += 4;
        digits.iter().try_fold(0, |unit, &digit| Some(unit << 4 | char::from(digit).to_digit(16)? as u16))
    }
}

/// Whether a byte ends a run of plain characters.
fn is_special(byte: u8) -> bool {
    byte == b'"' || byte == b'\\' || byte < 0x20
}

/// Appends the characters before the first special byte, or all of them, and returns their length in bytes. `bytes` must be the rest of
/// a valid text.
fn push_plain(bytes: &[u8], out: &mut String) -> usize {
    #[cfg(target_arch = "x86_64")]
    {
        push_plain_sse2(bytes, out)
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        push_plain_portable(bytes, out)
    }
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn push_plain_portable(bytes: &[u8], out: &mut String) -> usize {
    let end = bytes.iter().position(|&byte| is_special(byte)).unwrap_or(bytes.len());
    // SAFETY: a special byte is ASCII, so `end` is a character boundary of a valid text.
    out.push_str(unsafe { str::from_utf8_unchecked(&bytes[..end]) });
    end
}

#[cfg(target_arch = "x86_64")]
fn push_plain_sse2(bytes: &[u8], out: &mut String) -> usize {
    use std::arch::x86_64::{
        _mm_cmpeq_epi8, _mm_loadu_si128, _mm_max_epu8, _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8, _mm_storeu_si128,
    };
    // SAFETY: the appended bytes begin and end at character boundaries of a valid text.
    let out = unsafe { out.as_mut_vec() };
    let mut at = 0;
    while at + 16 <= bytes.len() {
        out.reserve(16);
        let len = out.len();
        // SAFETY: SSE2 is part of x86-64. Sixteen bytes are left to read and reserved to write.
        let special = unsafe {
            let chunk = _mm_loadu_si128(bytes.as_ptr().add(at).cast());
            _mm_storeu_si128(out.as_mut_ptr().add(len).cast(), chunk);
            let quotes = _mm_cmpeq_epi8(chunk, _mm_set1_epi8(b'"' as i8));
            let slashes = _mm_cmpeq_epi8(chunk, _mm_set1_epi8(b'\\' as i8));
            let last_control = _mm_set1_epi8(0x1f);
            let controls = _mm_cmpeq_epi8(_mm_max_epu8(chunk, last_control), last_control);
            _mm_movemask_epi8(_mm_or_si128(controls, _mm_or_si128(quotes, slashes)))
        };
        let plain = if special == 0 { 16 } else { special.trailing_zeros() as usize };
        // SAFETY: `plain` bytes have been written.
        unsafe { out.set_len(len + plain) };
        at += plain;
        if special != 0 {
            return at;
        }
    }
    let rest = bytes[at..].iter().take_while(|byte| !is_special(**byte));
    let len = out.len();
    out.extend(rest);
    at + out.len() - len
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn plain_runs(text in "[a-z\"\\\\\n\u{1f}é漢😀 ]{0,8}[a-zé漢]{0,60}[\"\\\\\u{0}]?[a-z]{0,30}") {
            let (mut one, mut two) = ("é".to_string(), "é".to_string());
            prop_assert_eq!(push_plain(text.as_bytes(), &mut one), push_plain_portable(text.as_bytes(), &mut two));
            prop_assert_eq!(one, two);
        }
    }
}
