//! Which elements say of themselves that they are not the page's own: menus, side bars, footers?
//!
//! Four elements do by their name. Others do by a `class`, an `id` or a `role` that has such a word in it. A name is
//! cut into words where letters end and where a capital follows a small letter: `main-nav`, `topNav` and `nav_2` all
//! have the word `nav`. A name such as `has-sidebar` or `menu-layout` is about another element.

use super::attributes::Attributes;
use super::tag::{ARTICLE, ASIDE, BODY, FOOTER, HTML, MAIN, MENU, NAV, Tag};

/// Words that name furniture. `navheader` and `navfooter` are DocBook's, `navpath` is Doxygen's, `sphinxsidebar` is
/// Sphinx's. The last three are roles.
const WORDS: [&str; 15] = [
    "nav",
    "navbar",
    "navigation",
    "navheader",
    "navfooter",
    "navpath",
    "menu",
    "menubar",
    "sidebar",
    "sphinxsidebar",
    "footer",
    "breadcrumb",
    "breadcrumbs",
    "complementary",
    "contentinfo",
];

/// Words with which a name is about another element.
const OTHERS: [&str; 5] = ["has", "with", "no", "without", "layout"];

/// Whether an element says that it is furniture.
pub(super) fn is_furniture(tag: Tag, attributes: Attributes) -> bool {
    match tag {
        NAV | ASIDE | FOOTER | MENU => true,
        HTML | BODY | MAIN | ARTICLE => false,
        _ => attributes.into_iter().any(|(name, value)| {
            let names = ["class", "id", "role"].iter().any(|known| name.eq_ignore_ascii_case(known));
            names && value.split_ascii_whitespace().any(names_furniture)
        }),
    }
}

fn names_furniture(name: &str) -> bool {
    let mut names = false;
    for word in words(name) {
        if is_any(&OTHERS, word) {
            return false;
        }
        names |= is_any(&WORDS, word);
    }
    names
}

fn is_any(words: &[&str], word: &str) -> bool {
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Returns the words of a name.
fn words(name: &str) -> impl Iterator<Item = &str> {
    let runs = name.split(|c: char| !c.is_ascii_alphabetic());
    runs.flat_map(|run| {
        let mut rest = run;
        std::iter::from_fn(move || {
            let bytes = rest.as_bytes();
            let capital = bytes.windows(2).position(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase());
            let (word, behind) = rest.split_at(capital.map_or(rest.len(), |at| at + 1));
            rest = behind;
            (!word.is_empty()).then_some(word)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for name in ["nav", "main-nav", "topNav", "NAV_2", "spirit-nav", "copyright-footer", "navpath", "Sidebar"] {
            assert!(names_furniture(name), "{name}");
        }
        for name in ["", "-", "navy", "header", "content", "has-sidebar", "page-no-footer", "menuLayout", "subnavs"] {
            assert!(!names_furniture(name), "{name}");
        }
    }
}
