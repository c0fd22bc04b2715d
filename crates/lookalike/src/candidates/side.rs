//! On which side of a join is a record?

/// The side of a record in a join. A pair has one record on each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first side only.
    First,
    /// The second side only.
    Second,
    /// Both sides.
    Both,
}

impl Side {
    /// Whether records of these two sides may be a pair.
    #[inline]
    pub fn faces(self, other: Side) -> bool {
        self == Side::Both || self != other
    }
}
