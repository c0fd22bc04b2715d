//! What is the Word_Break property of a character, and is it a letter or a digit?

use std::sync::LazyLock;

use regex_syntax::hir::{Class, HirKind};

use crate::text::CharMemo;

/// The values of Word_Break that matter for words. Spaces are never in a word, so they are `Other`. So is Katakana,
/// which is cut by character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Break {
    Other = 1,
    Letter,
    Hebrew,
    Numeric,
    ExtendNumLet,
    MidLetter,
    MidNum,
    MidNumLet,
    SingleQuote,
    DoubleQuote,
    /// CR, LF and Newline: nothing attaches to them.
    Newline,
    /// Half of a flag.
    Regional,
    /// Extend, Format and ZWJ: part of the preceding character (rule WB4).
    Attached,
}

const BY_VALUE: [(&str, Break); 16] = [
    ("ALetter", Break::Letter),
    ("Hebrew_Letter", Break::Hebrew),
    ("Numeric", Break::Numeric),
    ("ExtendNumLet", Break::ExtendNumLet),
    ("MidLetter", Break::MidLetter),
    ("MidNum", Break::MidNum),
    ("MidNumLet", Break::MidNumLet),
    ("Single_Quote", Break::SingleQuote),
    ("Double_Quote", Break::DoubleQuote),
    ("CR", Break::Newline),
    ("LF", Break::Newline),
    ("Newline", Break::Newline),
    ("Regional_Indicator", Break::Regional),
    ("Extend", Break::Attached),
    ("Format", Break::Attached),
    ("ZWJ", Break::Attached),
];

const ALPHANUMERIC: u8 = 0x80;
const PICTOGRAPHIC: u8 = 0x40;

/// A character's class, packed with two bits.
#[derive(Clone, Copy)]
pub(super) struct BreakClass(u8);

impl BreakClass {
    #[inline]
    pub(super) fn of(c: char) -> BreakClass {
        BreakClass(CLASSES.get(c))
    }

    #[inline]
    pub(super) fn class(self) -> Break {
        match self.0 & 0x3f {
            2 => Break::Letter,
            3 => Break::Hebrew,
            4 => Break::Numeric,
            5 => Break::ExtendNumLet,
            6 => Break::MidLetter,
            7 => Break::MidNum,
            8 => Break::MidNumLet,
            9 => Break::SingleQuote,
            10 => Break::DoubleQuote,
            11 => Break::Newline,
            12 => Break::Regional,
            13 => Break::Attached,
            _ => Break::Other,
        }
    }

    /// A letter or a digit: it makes its segment a word.
    #[inline]
    pub(super) fn is_alphanumeric(self) -> bool {
        self.0 & ALPHANUMERIC != 0
    }

    /// An emoji, which a zero-width joiner attaches to the preceding character (rule WB3c).
    #[inline]
    pub(super) fn is_pictographic(self) -> bool {
        self.0 & PICTOGRAPHIC != 0
    }
}

static CLASSES: CharMemo = CharMemo::new(|c| {
    let class = find(&BREAKS, c).unwrap_or(Break::Other) as u8;
    let alphanumeric = if find(&ALPHANUMERICS, c).is_some() { ALPHANUMERIC } else { 0 };
    let pictographic = if find(&PICTOGRAPHS, c).is_some() { PICTOGRAPHIC } else { 0 };
    class | alphanumeric | pictographic
});

type Ranges<T> = Vec<(char, char, T)>;

static BREAKS: LazyLock<Ranges<Break>> = LazyLock::new(|| {
    let mut ranges = Vec::new();
    for (value, class) in BY_VALUE {
        collect(&format!(r"\p{{Word_Break={value}}}"), class, &mut ranges);
    }
    ranges.sort_unstable_by_key(|range| range.0);
    ranges
});

static PICTOGRAPHS: LazyLock<Ranges<()>> = LazyLock::new(|| property(r"\p{Extended_Pictographic}"));

/// Not `char::is_alphanumeric`: its Unicode version changes with the compiler, and tokens would change with it.
static ALPHANUMERICS: LazyLock<Ranges<()>> = LazyLock::new(|| property(r"[\p{Alphabetic}\p{N}]"));

fn property(property: &str) -> Ranges<()> {
    let mut ranges = Vec::new();
    collect(property, (), &mut ranges);
    ranges
}

/// Appends the characters of a property, ascending, as ranges with a value.
fn collect<T: Copy>(property: &str, value: T, ranges: &mut Ranges<T>) {
    match regex_syntax::parse(property).expect("a property of Unicode").into_kind() {
        HirKind::Class(Class::Unicode(set)) => {
            ranges.extend(set.iter().map(|range| (range.start(), range.end(), value)));
        }
        // A property of a single character, such as the double quote, parses to a literal.
        HirKind::Literal(literal) => {
            let text = str::from_utf8(&literal.0).expect("a character is UTF-8");
            ranges.extend(text.chars().map(|c| (c, c, value)));
        }
        other => unreachable!("a property is a class or a literal, not {other:?}"),
    }
}

fn find<T: Copy>(ranges: &Ranges<T>, c: char) -> Option<T> {
    let at = ranges.partition_point(|range| range.1 < c);
    ranges.get(at).filter(|range| range.0 <= c).map(|range| range.2)
}
