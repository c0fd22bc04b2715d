//! Which elements say of themselves that they are not the page's own: menus, side bars, footers?
//!
//! Four elements do by their name. Others do by a `class`, an `id` or a `role` that has such a word in it. A name is
//! cut into words where letters end and where a capital follows a small letter: `main-nav`, `topNav` and `nav_2` all
//! have the word `nav`. A name such as `has-sidebar` or `menu-layout` is about another element.
//!
//! The same names tell which element is the title of the page, where it is no heading, as in Doxygen's pages.

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

/// What an element says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Says {
    Nothing,
    /// It is the title of something on the page.
    Title,
    Furniture,
}

/// Returns what an element says of itself.
pub(super) fn says(tag: Tag, attributes: Attributes) -> Says {
    match tag {
        NAV | ASIDE | FOOTER | MENU => Says::Furniture,
        HTML | BODY | MAIN | ARTICLE => Says::Nothing,
        _ => {
            let names = |name: &str| ["class", "id", "role"].iter().any(|known| name.eq_ignore_ascii_case(known));
            let named = attributes.into_iter().filter(|(name, _)| names(name));
            named.flat_map(|(_, value)| value.split_ascii_whitespace().map(named_as)).max().unwrap_or(Says::Nothing)
        }
    }
}

fn named_as(name: &str) -> Says {
    let mut says = Says::Nothing;
    for word in words(name) {
        if is_any(&OTHERS, word) {
            return Says::Nothing;
        }
        if is_any(&WORDS, word) {
            says = Says::Furniture;
        } else if word.eq_ignore_ascii_case("title") {
            says = says.max(Says::Title);
        }
    }
    // The title of the site is on all of its pages.
    if says == Says::Title && words(name).any(|word| word.eq_ignore_ascii_case("site")) { Says::Nothing } else { says }
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
        for name in
            ["nav", "main-nav", "topNav", "NAV_2", "spirit-nav", "copyright-footer", "navpath", "Sidebar", "nav-title"]
        {
            assert_eq!(named_as(name), Says::Furniture, "{name}");
        }
        for name in ["title", "entry-title", "pageTitle", "TITLE"] {
            assert_eq!(named_as(name), Says::Title, "{name}");
        }
        for name in [
            "",
            "-",
            "navy",
            "header",
            "content",
            "has-sidebar",
            "page-no-footer",
            "menuLayout",
            "subnavs",
            "titlearea",
            "site-title",
            "no-title",
        ] {
            assert_eq!(named_as(name), Says::Nothing, "{name}");
        }
    }
}
