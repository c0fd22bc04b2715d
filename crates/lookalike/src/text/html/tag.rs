//! What a tag is, as far as a page's text goes.

/// The name of an element, in lower case: its first sixteen bytes, which tell all elements of HTML apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag(u128);

/// What a tag does to the text around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Changes how text looks, and does not part it.
    Formatting,
    /// Means something else, and does not part text either.
    Inline,
    /// Parts the text before it from the text behind it. An unknown element is one: a word glued together of two exists nowhere.
    Break,
    /// Has content that a reader does not see.
    Unseen,
}

/// How the content of an element is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// As markup.
    Markup,
    /// As text with character references, up to its end tag.
    Text,
    /// As it stands, up to its end tag.
    Verbatim,
    /// As it stands, and a comment in it may hide its end tag.
    Script,
    /// As it stands, up to the end of the page.
    Rest,
    /// There is none: XML closed it.
    Nothing,
}

impl Tag {
    /// The tag of this name, in whatever case.
    #[inline]
    pub const fn new(name: &str) -> Tag {
        let name = name.as_bytes();
        let mut packed = 0;
        let mut at = 0;
        while at < name.len() && at < 16 {
            packed = packed << 8 | name[at].to_ascii_lowercase() as u128;
            at += 1;
        }
        Tag(packed)
    }

    #[inline]
    pub(super) fn kind(self) -> Kind {
        match self {
            ABBR | ACRONYM | B | BASEFONT | BIG | BLINK | CITE | CODE | DEL | DFN | EM | FONT | I | INS | KBD
            | MARK | NOBR | S | SAMP | SMALL | SPAN | STRIKE | STRONG | SUB | SUP | TT | U | VAR | WBR => {
                Kind::Formatting
            }
            A | BDI | BDO | DATA | LABEL | Q | TIME => Kind::Inline,
            SCRIPT | STYLE | TEMPLATE | NOSCRIPT | NOFRAMES | NOEMBED | IFRAME | AUDIO | VIDEO | CANVAS | DATALIST => {
                Kind::Unseen
            }
            _ => Kind::Break,
        }
    }

    #[inline]
    pub(super) fn content(self) -> Content {
        match self {
            SCRIPT => Content::Script,
            STYLE | XMP | IFRAME | NOEMBED | NOFRAMES => Content::Verbatim,
            TITLE | TEXTAREA => Content::Text,
            PLAINTEXT => Content::Rest,
            _ => Content::Markup,
        }
    }

    /// Whether the element has no content and no end tag.
    pub(super) fn is_void(self) -> bool {
        matches!(
            self,
            AREA | BASE
                | BASEFONT
                | BR
                | COL
                | EMBED
                | FRAME
                | HR
                | IMG
                | INPUT
                | LINK
                | META
                | PARAM
                | SOURCE
                | TRACK
                | WBR
        )
    }
}

macro_rules! tags {
    ($($name:ident)*) => { $(pub(super) const $name: Tag = Tag::new(stringify!($name));)* };
}

tags! {
    A ABBR ACRONYM AREA ARTICLE ASIDE AUDIO B BASE BASEFONT BDI BDO BIG BLINK BLOCKQUOTE BODY BR CANVAS CITE CODE COL DATA DATALIST DD
    DEL DFN DIV DL DT EM EMBED FIELDSET FIGURE FONT FOOTER FORM FRAME H1 H2 H3 H4 H5 H6 HEADER HR HTML I IFRAME IMG INPUT INS KBD LABEL
    LI LINK MAIN MARK MENU META NAV NOBR NOEMBED NOFRAMES NOSCRIPT OL OPTGROUP OPTION P PARAM PLAINTEXT PRE Q S SAMP SCRIPT
    SECTION SELECT SMALL SOURCE SPAN STRIKE STRONG STYLE SUB SUP TABLE TBODY TD TEMPLATE TEXTAREA TFOOT TH THEAD TIME TITLE TR TRACK TT
    U UL VAR VIDEO WBR XMP
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_any_case() {
        assert_eq!(Tag::new("bLoCkQuOtE"), BLOCKQUOTE);
        assert_ne!(Tag::new("h1"), H2);
        assert_ne!(Tag::new("b"), Tag::new("\0b\0"));
        assert_eq!(Tag::new("my-element").kind(), Kind::Break);
        assert_eq!(Tag::new("a-very-long-name-of-an-element"), Tag::new("a-very-long-name-of-another"));
    }
}
