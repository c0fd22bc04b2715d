//! How many elements do two sets share?

use crate::sets::Arranged;

/// Returns how many elements two sets sorted by hash share.
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

/// Returns how many elements two sets in the common order share, if at least `needed`, and how many elements it read.
/// The sets do not include their first band, whose elements are unique.
///
/// It goes band by band, rarest first, where different sets differ most. It stops as soon as either set has too many
/// unmatched elements.
pub(crate) fn common_at_least(x: (&[u64], &Arranged), y: (&[u64], &Arranged), needed: u32) -> (Option<u32>, usize) {
    let ((x, x_ends), (y, y_ends)) = ((x.0, &x.1.ends), (y.0, &y.1.ends));
    let (x_singles, y_singles) = (x_ends[0] as usize, y_ends[0] as usize);
    // How many elements of each may be unmatched, besides the unique ones.
    let spare = |shared: usize| shared.checked_sub(needed as usize);
    let (Some(spare_x), Some(spare_y)) = (spare(x.len()), spare(y.len())) else { return (None, 0) };
    let (mut i, mut j, mut common) = (0, 0, 0);
    for (&x_end, &y_end) in x_ends.iter().zip(y_ends).skip(1) {
        let (x_end, y_end) = (x_end as usize - x_singles, y_end as usize - y_singles);
        while i < x_end && j < y_end {
            let (a, b) = (x[i], y[j]);
            common += usize::from(a == b);
            i += usize::from(a <= b);
            j += usize::from(b <= a);
            if i - common > spare_x || j - common > spare_y {
                return (None, i + j);
            }
        }
        (i, j) = (x_end, y_end);
        if i - common > spare_x || j - common > spare_y {
            return (None, i + j);
        }
    }
    (Some(common as u32), i + j)
}
