//! On which side of a join is each record?

use crate::candidates::Side;

/// The side of every record.
pub(in crate::join) struct Sides {
    /// By record; empty if all records are on both sides.
    of: Option<Vec<Side>>,
    /// Which kinds of sides occur. Each has its own lists.
    kinds: Vec<Side>,
}

impl Sides {
    /// Puts every record on both sides.
    pub(in crate::join) fn all() -> Sides {
        Sides { of: None, kinds: vec![Side::Both] }
    }

    /// The sides of all records.
    pub(in crate::join) fn new(of: Vec<Side>) -> Sides {
        let there = |kind: &Side| of.contains(kind);
        let kinds: Vec<Side> = [Side::First, Side::Second, Side::Both].into_iter().filter(there).collect();
        Sides { of: Some(of), kinds }
    }

    fn side(&self, record: u32) -> Side {
        self.of.as_ref().map_or(Side::Both, |of| of[record as usize])
    }

    /// Returns the number of kinds of lists.
    pub(in crate::join) fn count(&self) -> usize {
        self.kinds.len()
    }

    /// Returns the kind of list that a record is entered in.
    #[inline]
    pub(in crate::join) fn entered(&self, record: u32) -> usize {
        let side = self.side(record);
        self.kinds.iter().position(|&kind| kind == side).unwrap_or(0)
    }

    /// Returns the kinds of lists in which a record looks for partners.
    #[inline]
    pub(in crate::join) fn looked_up(&self, record: u32) -> impl Iterator<Item = usize> + use<'_> {
        let side = self.side(record);
        (0..self.kinds.len()).filter(move |&kind| side == Side::Both || self.kinds[kind] != side)
    }

    /// Returns whether two records may be a pair.
    pub(in crate::join) fn are_apart(&self, x: u32, y: u32) -> bool {
        let (x, y) = (self.side(x), self.side(y));
        x == Side::Both || x != y
    }
}
