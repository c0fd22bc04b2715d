//! What does a tag mean for a page's text?

/// The name of an element, in lower case: its first sixteen bytes, which are unique among HTML elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tag(u128);

/// How a tag affects the text around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Changes how text looks, and does not separate it.
    Formatting,
    /// Has another meaning, and does not separate text either.
    Inline,
    /// Separates the text before it from the text after it. Unknown elements do: a missing separator would create words
    /// that do not exist.
    Break,
    /// Has content that is not visible.
    Unseen,
}

/// How the content of an element is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// As markup.
    Markup,
    /// As text with character references, up to its end tag.
    Text,
    /// Literally, up to its end tag.
    Verbatim,
    /// Literally, but a comment in it can hide its end tag.
    Script,
    /// Literally, up to the end of the page.
    Rest,
    /// There is no content: XML closed the element.
    Nothing,
}

impl Tag {
    /// Returns the tag with this name, in any case.
    #[inline]
    pub(crate) const fn new(name: &str) -> Tag {
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
