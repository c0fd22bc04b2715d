//! How many numbers do two records, or two ascending sets, share?

/// Returns how many elements two ascending sets share, if at least `needed`. It stops as soon as either set has too
/// many unmatched elements.
pub(crate) fn common_numbers<N: Copy + Ord>(x: &[N], y: &[N], needed: usize) -> Option<u32> {
    if x.len().min(y.len()) < needed {
        return None;
    }
    let (spare_x, spare_y) = (x.len() - needed, y.len() - needed);
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < x.len() && j < y.len() {
        let (a, b) = (x[i], y[j]);
        common += usize::from(a == b);
        i += usize::from(a <= b);
        j += usize::from(b <= a);
        if i - common > spare_x || j - common > spare_y {
            return None;
        }
    }
    Some(common as u32)
}
