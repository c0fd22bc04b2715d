/// On which side of a join a record is: a pair has one of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// On the first only.
    First,
    /// On the second only.
    Second,
    /// On both.
    Both,
}

impl Side {
    /// Whether one on this side and one on the other may be a pair.
    #[inline]
    pub fn faces(self, other: Side) -> bool {
        self == Side::Both || self != other
    }
}
