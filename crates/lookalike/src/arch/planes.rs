//! How often was each of up to 512 bits set? Counts are stored in planes: the lowest digits of all counts side by side,
//! then the next digits. So adding a vector of bits to all counts takes a few logical operations.
//!
//! One definition, compiled for the machine's instruction sets.

/// Words in a plane. Unused places are counted too, and ignored.
pub(crate) const WORDS: usize = 8;
/// One digit of all counts, or a bit to add to each.
pub(crate) type Plane = [u64; WORDS];
/// Digits of a count: enough for any possible sum of weights.
pub(crate) const DIGITS: usize = 64;

/// Returns the bits of an element: word j is number j + 1 of SplitMix64 from the element.
#[inline(always)]
pub(crate) fn expand(element: u64) -> Plane {
    std::array::from_fn(|word| {
        let mut bits = element.wrapping_add(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(word as u64 + 1));
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    })
}

/// Adds the bits of each element to the counts of the first `words` words.
pub(crate) fn count(elements: &[u64], planes: &mut [Plane; DIGITS], words: usize) {
    // The other words are ignored, so a narrow fingerprint does not pay for a wide one.
    match words {
        0..=1 => count_in::<1>(elements, planes),
        2 => count_in::<2>(elements, planes),
        3..=4 => count_in::<4>(elements, planes),
        _ => count_in::<WORDS>(elements, planes),
    }
}

fn count_in<const W: usize>(elements: &[u64], planes: &mut [Plane; DIGITS]) {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") {
            // SAFETY: the machine has the instructions.
            return unsafe { count_avx512::<W>(elements, planes) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the machine has the instructions.
            return unsafe { count_avx2::<W>(elements, planes) };
        }
    }
    count_portable::<W>(elements, planes);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq")]
fn count_avx512<const W: usize>(elements: &[u64], planes: &mut [Plane; DIGITS]) {
    count_portable::<W>(elements, planes);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn count_avx2<const W: usize>(elements: &[u64], planes: &mut [Plane; DIGITS]) {
    count_portable::<W>(elements, planes);
}

/// Adds eight elements at a time: a tree of adders reduces their bits to the digits 1, 2 and 4, and one carry.
#[inline(always)]
fn count_portable<const W: usize>(elements: &[u64], planes: &mut [Plane; DIGITS]) {
    let digit = |planes: &[Plane; DIGITS], at: usize| -> [u64; W] { std::array::from_fn(|word| planes[at][word]) };
    let (mut ones, mut twos, mut fours) = (digit(planes, 0), digit(planes, 1), digit(planes, 2));
    let (eights, rest) = elements.as_chunks::<8>();
    for eight in eights {
        let bits: [[u64; W]; 8] = std::array::from_fn(|at| expand_in(eight[at]));
        let carry = add_eight(&bits, &mut ones, &mut twos, &mut fours);
        ripple(&carry, 3, planes);
    }
    let bits: [[u64; W]; 8] = std::array::from_fn(|at| rest.get(at).map_or([0; W], |&element| expand_in(element)));
    let carry = add_eight(&bits, &mut ones, &mut twos, &mut fours);
    ripple(&carry, 3, planes);
    for (plane, digit) in planes.iter_mut().zip([ones, twos, fours]) {
        plane[..W].copy_from_slice(&digit);
    }
}

#[inline(always)]
fn expand_in<const W: usize>(element: u64) -> [u64; W] {
    let bits = expand(element);
    std::array::from_fn(|word| bits[word])
}

/// Sum and carry of three bits, in every place.
#[inline(always)]
fn add<const W: usize>(sum: &mut [u64; W], b: &[u64; W], c: &[u64; W]) -> [u64; W] {
    let mut carry = [0; W];
    for word in 0..W {
        let (a, b, c) = (sum[word], b[word], c[word]);
        let either = a ^ b;
        sum[word] = either ^ c;
        carry[word] = (a & b) | (either & c);
    }
    carry
}

#[inline(always)]
fn add_eight<const W: usize>(
    bits: &[[u64; W]; 8],
    ones: &mut [u64; W],
    twos: &mut [u64; W],
    fours: &mut [u64; W],
) -> [u64; W] {
    let (a, b) = (add(ones, &bits[0], &bits[1]), add(ones, &bits[2], &bits[3]));
    let first = add(twos, &a, &b);
    let (a, b) = (add(ones, &bits[4], &bits[5]), add(ones, &bits[6], &bits[7]));
    let second = add(twos, &a, &b);
    add(fours, &first, &second)
}

/// Adds a bit in every place, starting at this digit.
#[inline(always)]
pub(crate) fn ripple<const W: usize>(bits: &[u64; W], from: usize, planes: &mut [Plane; DIGITS]) {
    let mut carry = *bits;
    for plane in &mut planes[from..] {
        if carry == [0; W] {
            return;
        }
        for word in 0..W {
            let both = plane[word] & carry[word];
            plane[word] ^= carry[word];
            carry[word] = both;
        }
    }
}

/// Returns, for every place, whether its count is at least `least`.
pub(crate) fn reach(planes: &[Plane; DIGITS], least: u64) -> Plane {
    let (mut greater, mut equal) = ([0; WORDS], [u64::MAX; WORDS]);
    for (digit, plane) in planes.iter().enumerate().rev() {
        let wanted = if least >> digit & 1 == 1 { u64::MAX } else { 0 };
        for word in 0..WORDS {
            greater[word] |= equal[word] & plane[word] & !wanted;
            equal[word] &= !(plane[word] ^ wanted);
        }
    }
    std::array::from_fn(|word| greater[word] | equal[word])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Kernel = fn(&[u64], &mut [Plane; DIGITS]);

    fn kernels<const W: usize>() -> Vec<Kernel> {
        let mut kernels: Vec<Kernel> = vec![count_in::<W>, count_portable::<W>];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the machine has the instructions.
            kernels.push(|elements, planes| unsafe { count_avx2::<W>(elements, planes) });
        }
        kernels
    }

    fn check<const W: usize>(elements: &[u64], more: &[u64]) {
        let mut counts = vec![0_u64; 64 * W];
        for &element in elements.iter().chain(more) {
            let bits = expand(element);
            for (place, count) in counts.iter_mut().enumerate() {
                *count += bits[place / 64] >> (place % 64) & 1;
            }
        }
        for kernel in kernels::<W>() {
            let mut planes = [[0; WORDS]; DIGITS];
            kernel(elements, &mut planes);
            kernel(more, &mut planes);
            for (place, &count) in counts.iter().enumerate() {
                let digits = planes.iter().enumerate();
                let found: u64 = digits.map(|(digit, plane)| (plane[place / 64] >> (place % 64) & 1) << digit).sum();
                assert_eq!(found, count, "place {place}");
            }
            for least in [0, 1, 2, 7, 8, elements.len() as u64 / 2 + 1, u64::MAX] {
                let reached = reach(&planes, least);
                for (place, &count) in counts.iter().enumerate() {
                    assert_eq!(reached[place / 64] >> (place % 64) & 1 == 1, count >= least);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn as_counted(
            elements in prop::collection::vec(any::<u64>(), 0..70),
            more in prop::collection::vec(any::<u64>(), 0..20),
        ) {
            check::<1>(&elements, &more);
            check::<2>(&elements, &more);
            check::<4>(&elements, &more);
            check::<8>(&elements, &more);
        }
    }
}
