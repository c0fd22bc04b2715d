use crate::sets::Arranged;

/// How many elements two sets sorted by hash share.
pub fn common(x: &[u64], y: &[u64]) -> u32 {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < x.len() && j < y.len() {
        let (a, b) = (x[i], y[j]);
        common += u32::from(a == b);
        i += usize::from(a <= b);
        j += usize::from(b <= a);
    }
    common
}

/// How many elements two sets in the common order share, if at least `needed`; and how many elements that took.
///
/// Band by band, the rarest first, where two sets that differ differ most; as soon as either has more elements without a counterpart
/// than it may have, there is no point in going on. The first band is not even looked at: its elements occur in one set only.
pub(crate) fn common_at_least(x: (&[u64], &Arranged), y: (&[u64], &Arranged), needed: u32) -> (Option<u32>, usize) {
    let (x_ends, y_ends) = (&x.1.ends, &y.1.ends);
    let (x, y) = (x.0, y.0);
    if x.len().min(y.len()) < needed as usize {
        return (None, 0);
    }
    let (spare_x, spare_y) = (x.len() - needed as usize, y.len() - needed as usize);
    let (mut i, mut j) = (x_ends[0] as usize, y_ends[0] as usize);
    let (mut common, begun) = (0, i + j);
    for (&x_end, &y_end) in x_ends.iter().zip(y_ends).skip(1) {
        let (x_end, y_end) = (x_end as usize, y_end as usize);
        while i < x_end && j < y_end {
            let (a, b) = (x[i], y[j]);
            common += usize::from(a == b);
            i += usize::from(a <= b);
            j += usize::from(b <= a);
            if i - common > spare_x || j - common > spare_y {
                return (None, i + j - begun);
            }
        }
        (i, j) = (x_end, y_end);
        if i - common > spare_x || j - common > spare_y {
            return (None, i + j - begun);
        }
    }
    (Some(common as u32), i + j - begun)
}
