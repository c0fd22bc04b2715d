//! What are files called? Which are ignored, what a sidecar is called, and what happens if a name is taken.

use std::ffi::OsStr;

/// The maximum length of a name in bytes. File systems allow 255; the rest is for prefixes and suffixes.
const LONGEST: usize = 200;
/// Bytes of a dot and a number.
const NUMBER: usize = 11;

/// Whether a file is ignored: it is hidden, or its name says that it is unfinished.
pub(super) fn is_ignored(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.starts_with(b".") || name.ends_with(b".tmp") || name.ends_with(b".part")
}

/// The name of the file with the verdict on a file.
pub(super) fn sidecar(name: &str) -> String {
    format!("{name}.lookalike.json")
}

/// The names that a file may get: first its own, then for `a.txt` `a.2.txt`, `a.3.txt`, ….
pub(super) fn numbered(name: &str, number: u32) -> String {
    if number <= 1 && name.len() <= LONGEST {
        return name.to_string();
    }
    let (stem, ending) = match name.rfind('.').filter(|&dot| dot > 0 && name.len() - dot <= 16) {
        Some(dot) => name.split_at(dot),
        None => (name, ""),
    };
    let most = (LONGEST - ending.len() - NUMBER).min(stem.len());
    let cut = (0..=most).rev().find(|&at| stem.is_char_boundary(at)).unwrap_or(0);
    format!("{}.{number}{ending}", &stem[..cut])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_names() {
        for name in [".hidden", "a.tmp", "a.txt.part", "."] {
            assert!(is_ignored(name.as_ref()), "{name}");
        }
        for name in ["a", "a.txt", "part", "tmp", "a.tmp.txt"] {
            assert!(!is_ignored(name.as_ref()), "{name}");
        }
    }

    #[test]
    fn numbered_names() {
        for (name, first, second) in [
            ("a.txt", "a.txt", "a.2.txt"),
            ("a", "a", "a.2"),
            ("a.b.html", "a.b.html", "a.b.2.html"),
            ("a.", "a.", "a.2."),
            (
                "ends in a very long word.that is no ending",
                "ends in a very long word.that is no ending",
                "ends in a very long word.that is no ending.2",
            ),
        ] {
            assert_eq!((numbered(name, 1).as_str(), numbered(name, 2).as_str()), (first, second));
        }
    }

    #[test]
    fn long_names_are_cut() {
        for name in ["ä".repeat(127) + "x", "x".repeat(250) + ".txt", "x".repeat(200) + ".2"] {
            for number in [1, 2, u32::MAX] {
                let made = numbered(&name, number);
                assert!(made.len() <= LONGEST && made != name, "{made}");
                assert_eq!(numbered(&made, 1), made);
                assert_eq!(made.ends_with(".txt"), name.ends_with(".txt"));
            }
        }
    }
}
