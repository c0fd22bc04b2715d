/// An element that a record of the block looks up: the element, the record's number in the block, the place. One number, since those
/// are sorted fastest. A place beyond 16 bits counts as the last of them, which only bounds less.
#[derive(Clone, Copy)]
pub(super) struct Lookup(u64);

impl Lookup {
    pub(super) fn new(element: u32, number: usize, place: usize) -> Lookup {
        Lookup(u64::from(element) << 32 | (number as u64) << 16 | place.min(0xffff) as u64)
    }

    pub(super) fn element(self) -> u32 {
        (self.0 >> 32) as u32
    }

    pub(super) fn number(self) -> u32 {
        (self.0 >> 16) as u32 & 0xffff
    }

    pub(super) fn place(self) -> usize {
        self.0 as usize & 0xffff
    }
}

/// Bits of an element sorted by in one pass.
const DIGIT: u32 = 11;

/// Sorts by element; those of one element stay in their order.
pub(super) fn sort_by_element(lookups: &mut Vec<Lookup>, spare: &mut Vec<Lookup>, universe: usize) {
    spare.resize(lookups.len(), Lookup(0));
    let bits = usize::BITS - universe.leading_zeros();
    for shift in (0..bits).step_by(DIGIT as usize) {
        let digit = |lookup: Lookup| (lookup.0 >> (32 + shift)) as usize & ((1 << DIGIT) - 1);
        let mut starts = [0_u32; (1 << DIGIT) + 1];
        for &lookup in lookups.iter() {
            starts[digit(lookup) + 1] += 1;
        }
        for at in 0..1 << DIGIT {
            starts[at + 1] += starts[at];
        }
        for &lookup in lookups.iter() {
            let at = &mut starts[digit(lookup)];
            spare[*at as usize] = lookup;
            *at += 1;
        }
        std::mem::swap(lookups, spare);
    }
}
