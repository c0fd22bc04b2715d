//! How are bytes decoded to text? As browsers do.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

use super::html::{Event, Events, Tag};

/// A page must name its encoding within this many bytes, by the HTML standard.
const PRESCAN: usize = 1024;

/// Decodes bytes to text. The encoding comes from the first of these that applies: a byte order mark; the label that
/// came with the bytes, as in an HTTP header; for a page, the label in it (`<meta charset>`); UTF-8, if the bytes are
/// valid; detection. Invalid bytes become U+FFFD.
///
/// ```
/// use lookalike::engine::decode;
/// assert_eq!(decode(b"caf\xe9", Some("iso-8859-1"), true), "café");
/// assert_eq!(decode(b"<meta charset=koi8-r>\xc4\xc1", None, true), "<meta charset=koi8-r>да");
/// ```
pub fn decode<'a>(bytes: &'a [u8], label: Option<&str>, is_page: bool) -> Cow<'a, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[mark..]).0;
    }
    let named = label.and_then(|label| Encoding::for_label(label.trim_ascii().as_bytes()));
    let named = named.or_else(|| if is_page { named_in_page(bytes) } else { None });
    let encoding = match named {
        Some(encoding) => encoding,
        None => match str::from_utf8(bytes) {
            Ok(text) => return Cow::Borrowed(text),
            Err(_) => guess(bytes),
        },
    };
    encoding.decode_without_bom_handling(bytes).0
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Allow)
}

/// Returns the encoding that a page declares.
fn named_in_page(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = &bytes[..bytes.len().min(PRESCAN)];
    // Names are ASCII, and other bytes cannot change where a tag is.
    let start: String = start.iter().map(|&byte| if byte.is_ascii() { char::from(byte) } else { '?' }).collect();
    let label = xml_label(&start).or_else(|| Events::new(&start).find_map(meta_label))?;
    let encoding = Encoding::for_label(label.trim_ascii().as_bytes())?;
    // The label was read byte by byte, so it cannot be a two-byte encoding; and `x-user-defined` is never meant.
    Some(match encoding {
        encoding if encoding == UTF_16BE || encoding == UTF_16LE => UTF_8,
        encoding if encoding == X_USER_DEFINED => WINDOWS_1252,
        encoding => encoding,
    })
}

fn meta_label<'a>(event: Event<'a>) -> Option<&'a str> {
    const META: Tag = Tag::new("meta");
    let Event::Start(META, attributes) = event else { return None };
    if let Some(label) = attributes.get("charset") {
        return Some(label);
    }
    let is_type = attributes.get("http-equiv").is_some_and(|name| name.eq_ignore_ascii_case("content-type"));
    if is_type { attributes.get("content").and_then(charset_in) } else { None }
}

/// Returns the encoding that an XML declaration names.
fn xml_label(start: &str) -> Option<&str> {
    let declaration = start.strip_prefix("<?xml")?.split('>').next()?;
    let value = declaration.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    value[1..].split(quote).next()
}

/// Returns the label in a content type, as in `text/html; charset=utf-8`.
pub fn charset_in(content_type: &str) -> Option<&str> {
    let lower = content_type.to_ascii_lowercase();
    let mut from = 0;
    while let Some(found) = lower[from..].find("charset") {
        from += found + "charset".len();
        if let Some(value) = content_type[from..].trim_start().strip_prefix('=') {
            let value = value.trim_start();
            return match value.chars().next() {
                Some(quote @ ('"' | '\'')) => value[1..].split(quote).next(),
                _ => value.split([';', ' ', ',', '\t']).next(),
            };
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_that_says_something() {
        let meta = b"<meta charset='windows-1251'>\xe4\xe0";
        assert!(decode(meta, None, true).ends_with("да"));
        assert!(decode(meta, Some("latin1"), true).ends_with("äà"));
        assert!(decode(meta, Some("no such encoding"), true).ends_with("да"));
        assert_eq!(decode(b"\xef\xbb\xbf\xc3\xa9", Some("latin1"), true), "é");
        assert_eq!(decode(b"\xff\xfeh\0i\0", None, true), "hi");
        assert_eq!(decode("déjà vu".as_bytes(), None, true), "déjà vu");
        assert!(!decode(meta, None, false).contains("<meta charset='windows-1252'"));
    }

    #[test]
    fn labels_in_pages() {
        for page in [
            "<meta http-equiv=\"Content-Type\" content=\"text/html; charset=ISO-8859-2\">",
            "<META CONTENT='text/html;charset = \"iso-8859-2\"' HTTP-EQUIV=content-type>",
            "<?xml version=\"1.0\" encoding='iso-8859-2'?><html>",
            "<!-- <meta charset=koi8-r> --><meta name=x content='charset=koi8-r'><meta charset=\"latin2\"/>",
        ] {
            assert_eq!(named_in_page(page.as_bytes()).unwrap().name(), "ISO-8859-2", "{page}");
        }
        assert_eq!(named_in_page(b"<meta charset=utf-16>"), Some(UTF_8));
        assert_eq!(named_in_page(format!("{:1024}<meta charset=latin2>", "").as_bytes()), None);
        assert_eq!(charset_in("text/html; CharSet=\"utf-8\"; x"), Some("utf-8"));
        assert_eq!(charset_in("text/html; mycharset; charset=a"), Some("a"));
        assert_eq!(charset_in("text/html"), None);
    }

    #[test]
    fn what_bytes_look_like() {
        let russian = b"\xcf\xf0\xe8\xe2\xe5\xf2, \xea\xe0\xea \xe4\xe5\xeb\xe0? \xdd\xf2\xee \xf2\xe5\xea\xf1\xf2.";
        assert_eq!(decode(russian, None, true), "Привет, как дела? Это текст.");
        assert_eq!(decode(b"ein gr\xfc\xdfendes M\xe4dchen", None, true), "ein grüßendes Mädchen");
        assert_eq!(decode(b"\xff\xff", Some("utf-8"), true), "\u{fffd}\u{fffd}");
    }
}
