//! Detects files that are not in the format they are read as, to give one clear message instead of one per row.

use crate::error::Misread;

/// Refuses a file that begins with a byte order mark of UTF-16 or UTF-32. No UTF-8 text begins like that.
pub(super) fn check_encoding(start: &[u8]) -> Result<(), Misread> {
    match start {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => Err(Misread::Utf32),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Err(Misread::Utf16),
        _ => Ok(()),
    }
}

/// Refuses a file that may be JSON but is not JSON lines, by its first lines. `is_all` if it has no other lines.
pub(super) fn check_json_lines(start: &[u8], is_all: bool) -> Result<(), Misread> {
    // A brace or a bracket next to a NUL: UTF-16 without a byte order mark.
    if let [b'{' | b'[', 0, ..] | [0, b'{' | b'[', ..] = start {
        return Err(Misread::Utf16);
    }
    let start = start.trim_ascii_start();
    let end = memchr::memchr(b'\n', start);
    let (line, rest) = start.split_at(end.unwrap_or(start.len()));
    let line = line.trim_ascii_end();
    if line == b"{" {
        return Err(Misread::JsonOverLines);
    }
    let Some(inner) = line.strip_prefix(b"[") else { return Ok(()) };
    let holds_objects = inner.trim_ascii_start().first().is_none_or(|&byte| byte == b'{');
    // A line that is a complete array is a row without fields. The other lines may still be objects.
    let is_whole = serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok();
    let is_only_line = is_all && rest.trim_ascii().is_empty();
    if holds_objects && (is_only_line || !is_whole) { Err(Misread::JsonArray) } else { Ok(()) }
}

/// Refuses several lines, the first of a file, if none of them begins as JSON does. Among others, such a line is a bad row.
pub(super) fn check_any_json(start: &[u8]) -> Result<(), Misread> {
    let mut begins = start.split(|&byte| byte == b'\n').filter_map(|line| line.trim_ascii_start().first());
    let is_one = begins.clone().nth(1).is_none();
    if is_one || begins.any(|byte| b"{[".contains(byte)) { Ok(()) } else { Err(Misread::NoJson) }
}

/// Refuses a file that is read as one text because its name says nothing, if its first two lines are JSON objects.
pub(super) fn check_text(bytes: &[u8]) -> Result<(), Misread> {
    let is_object = |line: &[u8]| {
        line.trim_ascii_start().starts_with(b"{") && serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok()
    };
    let mut lines = bytes.split(|&byte| byte == b'\n');
    let are_objects = lines.next().is_some_and(is_object) && lines.next().is_some_and(is_object);
    if are_objects { Err(Misread::JsonLines) } else { Ok(()) }
}

/// Decodes a text in UTF-16 that has a byte order mark. `None` if it is no such text.
pub(super) fn decode_utf16(bytes: &[u8], text: &mut String) -> Option<()> {
    let unit: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, 0, 0, ..] => return None,
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return None,
    };
    let (units, rest) = bytes[2..].as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    text.clear();
    for character in char::decode_utf16(units.iter().map(|&bytes| unit(bytes))) {
        text.push(character.ok()?);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_that_is_no_json_lines() {
        let array = Err(Misread::JsonArray);
        for (start, expected) in [
            ("[\n  {\"id\": 1},\n", array),
            ("\n [ \r\n{", array),
            ("[{\"id\": 1},\n {\"id\": 2}]\n", array),
            ("[{\"id\": 1}, {\"id\": 2}]\n", array),
            ("[{\"id\": 1}, {\"id\": 2}]", array),
            ("{\r\n  \"id\": 1\n}\n", Err(Misread::JsonOverLines)),
            ("{\0\"\0", Err(Misread::Utf16)),
            ("\0{\0\"", Err(Misread::Utf16)),
            ("[{\"id\": 1}]\n[{\"id\": 2}]\n", Ok(())),
            ("[1, 2]\n", Ok(())),
            ("[\"x\n", Ok(())),
            ("{\"id\": 1\n", Ok(())),
            ("{}", Ok(())),
            ("", Ok(())),
        ] {
            assert_eq!(check_json_lines(start.as_bytes(), true), expected, "{start:?}");
        }
        assert_eq!(check_json_lines(b"[{}]", false), Ok(()));
    }

    #[test]
    fn lines_and_texts() {
        for text in ["id,text\n1,words\n", "\n\nwords\n\n  words"] {
            assert_eq!(check_any_json(text.as_bytes()), Err(Misread::NoJson), "{text:?}");
        }
        for text in ["words\n", "words", "", "words\nwords\n {\"id\": 1}\n", "words\n[1]\n"] {
            assert_eq!(check_any_json(text.as_bytes()), Ok(()), "{text:?}");
        }
        for text in ["{\"id\": 1}\n{\"id\": 2}\n", "{}\r\n {}"] {
            assert_eq!(check_text(text.as_bytes()), Err(Misread::JsonLines), "{text:?}");
        }
        for text in ["{\"id\": 1}\n", "{\"id\": 1}\nwords\n", "{\n{}\n", "[1]\n[2]\n", ""] {
            assert_eq!(check_text(text.as_bytes()), Ok(()), "{text:?}");
        }
    }

    #[test]
    fn texts_in_utf_16() {
        let mut text = String::new();
        for unit in [u16::to_le_bytes, u16::to_be_bytes] {
            let bytes: Vec<u8> = "\u{feff}né 😀".encode_utf16().flat_map(unit).collect();
            assert!(check_encoding(&bytes).is_err());
            assert_eq!(decode_utf16(&bytes, &mut text), Some(()));
            assert_eq!(text, "né 😀");
            assert_eq!(decode_utf16(&bytes[..bytes.len() - 1], &mut text), None);
            assert_eq!(decode_utf16(&bytes[..bytes.len() - 2], &mut text), None);
        }
        assert_eq!(decode_utf16(b"plain", &mut text), None);
        assert_eq!(check_encoding(b"plain"), Ok(()));
    }
}
