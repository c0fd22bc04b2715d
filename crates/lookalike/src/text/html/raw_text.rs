//! Where do elements end whose content is not markup?

use memchr::memchr;
use memchr::memmem;

use super::attributes::end_of_name;
use super::tag::Tag;

/// Returns the start of the end tag of an element whose content starts at `at`, or the end of the page.
pub(super) fn end_of_verbatim(bytes: &[u8], mut at: usize, tag: Tag) -> usize {
    while let Some(found) = memchr(b'<', &bytes[at..]) {
        at += found;
        if is_end_tag(bytes, at, tag) {
            return at;
        }
        at += 1;
    }
    bytes.len()
}

/// The same for a script. In a comment within it, `<script` starts an inner script, and the next end tag ends only that
/// one. (Pages were written this way for browsers without scripts.)
pub(super) fn end_of_script(bytes: &[u8], mut at: usize, tag: Tag) -> usize {
    let (mut in_comment, mut in_inner) = (false, false);
    while let Some(found) = memchr(b'<', &bytes[at..]) {
        if in_comment && memmem::find(&bytes[at..at + found], b"-->").is_some() {
            (in_comment, in_inner) = (false, false);
        }
        at += found;
        if bytes[at..].starts_with(b"<!--") {
            in_comment = true;
            // Its dashes may also end it, as in `<!-->`.
            at += 2;
        } else if is_end_tag(bytes, at, tag) {
            if !in_inner {
                return at;
            }
            in_inner = false;
            at += 1;
        } else {
            in_inner |= in_comment && is_tag(bytes, at + 1, tag);
            at += 1;
        }
    }
    bytes.len()
}

fn is_end_tag(bytes: &[u8], at: usize, tag: Tag) -> bool {
    bytes.get(at + 1) == Some(&b'/') && is_tag(bytes, at + 2, tag)
}

/// Whether this name is at `at` and is a complete tag name.
fn is_tag(bytes: &[u8], at: usize, tag: Tag) -> bool {
    /// The length of the longest name of an element whose content is not markup, plus one.
    const LONGEST: usize = 10;
    let name = &bytes[at.min(bytes.len())..(at + LONGEST).min(bytes.len())];
    let end = end_of_name(name, 0);
    let ends = name.get(end).is_some_and(|&byte| byte != b'=');
    ends && str::from_utf8(&name[..end]).is_ok_and(|name| Tag::new(name) == tag)
}
