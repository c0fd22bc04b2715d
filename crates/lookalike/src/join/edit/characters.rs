//! How are the characters of a text read, in either width?

/// A text as it is stored. Equal texts are stored in equal width.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Text<'a> {
    Narrow(&'a [u8]),
    Wide(&'a [u32]),
}

/// Evaluates an expression for the characters of a [`Text`], in either width.
macro_rules! of_characters {
    ($text:expr, $characters:ident => $value:expr) => {
        match $text {
            $crate::join::edit::characters::Text::Narrow($characters) => $value,
            $crate::join::edit::characters::Text::Wide($characters) => $value,
        }
    };
}
pub(super) use of_characters;

impl Text<'_> {
    #[inline]
    pub(super) fn length(self) -> u32 {
        of_characters!(self, characters => characters.len() as u32)
    }
}

/// A character in one of the two widths.
pub(super) trait Character: Copy {
    /// Returns the scalar value, which is the same in both widths.
    fn value(self) -> u32;
}

impl Character for u8 {
    #[inline(always)]
    fn value(self) -> u32 {
        u32::from(self)
    }
}

impl Character for u32 {
    #[inline(always)]
    fn value(self) -> u32 {
        self
    }
}
