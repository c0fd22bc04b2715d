//! Which elements are not visible, and where do they end?
//!
//! Without a tree, the end of an element is found by counting open elements: those that must be closed, and its own
//! kind. An element that need not be closed also ends where the next of its kind starts.

use super::attributes::Attributes;
use super::tag::*;

/// Whether the attributes of an element hide it.
pub(super) fn is_hidden(attributes: Attributes) -> bool {
    attributes.has_notable()
        && (attributes.get("hidden").is_some() || attributes.get("style").is_some_and(is_style_hidden))
}

fn is_style_hidden(style: &str) -> bool {
    style.split(';').any(|declaration| {
        let Some((property, value)) = declaration.split_once(':') else { return false };
        let is = |one: &str, two: &str| one.trim().eq_ignore_ascii_case(two);
        let value = value.split('!').next().unwrap_or_default();
        (is(property, "display") && is(value, "none")) || (is(property, "visibility") && is(value, "hidden"))
    })
}

/// An element whose content is hidden.
pub(super) struct Hidden {
    tag: Tag,
    /// Open elements of its kind in it, if that kind must be closed.
    same: u32,
    /// Other open elements in it that must be closed.
    open: u32,
}

/// Where a hidden element ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Over {
    No,
    /// With this tag.
    With,
    /// Before this tag, which is visible.
    Before,
}

impl Hidden {
    pub(super) fn new(tag: Tag) -> Hidden {
        Hidden { tag, same: 0, open: 0 }
    }

    pub(super) fn start(&mut self, tag: Tag) -> Over {
        if self.open == 0 && ends_at_start(self.tag, tag) {
            return Over::Before;
        }
        if tag == self.tag && !need_not_be_closed(tag) {
            self.same += 1;
        } else {
            self.open += u32::from(must_be_closed(tag));
        }
        Over::No
    }

    pub(super) fn end(&mut self, tag: Tag) -> Over {
        let ends_inner = if tag == self.tag && !need_not_be_closed(tag) {
            &mut self.same
        } else if tag == self.tag {
            // An item of a nested list is not this item.
            return if self.open == 0 { Over::With } else { Over::No };
        } else if must_be_closed(tag) && self.same == 0 {
            &mut self.open
        } else {
            return Over::No;
        };
        match ends_inner.checked_sub(1) {
            Some(left) => {
                *ends_inner = left;
                Over::No
            }
            None if tag == self.tag => Over::With,
            None => Over::Before,
        }
    }
}

fn must_be_closed(tag: Tag) -> bool {
    matches!(
        tag,
        ARTICLE
            | ASIDE
            | BLOCKQUOTE
            | BODY
            | DIV
            | DL
            | FIELDSET
            | FIGURE
            | FOOTER
            | FORM
            | HEADER
            | HTML
            | MAIN
            | MENU
            | NAV
            | OL
            | SECTION
            | SELECT
            | TABLE
            | UL
    )
}

fn need_not_be_closed(tag: Tag) -> bool {
    matches!(tag, P | LI | DT | DD | TD | TH | TR | TBODY | THEAD | TFOOT | OPTION | OPTGROUP)
}

fn ends_at_start(tag: Tag, next: Tag) -> bool {
    let is_group = matches!(next, TBODY | THEAD | TFOOT);
    match tag {
        P => must_be_closed(next) || matches!(next, P | H1 | H2 | H3 | H4 | H5 | H6 | HR | PRE | LI | DT | DD),
        LI => next == LI,
        DT | DD => matches!(next, DT | DD),
        TD | TH => matches!(next, TD | TH | TR) || is_group,
        TR => next == TR || is_group,
        TBODY | THEAD | TFOOT => is_group,
        OPTION => matches!(next, OPTION | OPTGROUP),
        OPTGROUP => next == OPTGROUP,
        _ => false,
    }
}
