//! How are the minima of many functions over many elements computed? One definition, compiled for the machine's
//! instruction sets; for AVX-512 it is also written by hand, so that the minima of 128 functions stay in registers.

/// Functions evaluated side by side.
pub(crate) const FUNCTIONS: usize = 64;

/// Lowers each of `minima` to the least value of its function on these elements: `low·multiplier + high`, modulo 2³²,
/// where low and high are the halves of an element.
pub(crate) fn lower(elements: &[u64], multipliers: &[[u32; FUNCTIONS]], minima: &mut [[u32; FUNCTIONS]]) {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: the machine has the instructions.
            return unsafe { lower_avx512(elements, multipliers, minima) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the machine has the instructions.
            return unsafe { lower_avx2(elements, multipliers, minima) };
        }
    }
    lower_portable(elements, multipliers, minima);
}

/// Writes `mix` of each element to `mixed`, which is at least as long. It mixes many at a time if the machine has
/// 64-bit vector multiplication.
pub(crate) fn mix_all(elements: &[u64], mixed: &mut [u64], mix: impl Fn(u64) -> u64) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") {
        // SAFETY: the machine has the instructions.
        return unsafe { mix_all_avx512(elements, mixed, mix) };
    }
    mix_all_portable(elements, mixed, mix);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq")]
fn mix_all_avx512(elements: &[u64], mixed: &mut [u64], mix: impl Fn(u64) -> u64) {
    mix_all_portable(elements, mixed, mix);
}

#[inline(always)]
fn mix_all_portable(elements: &[u64], mixed: &mut [u64], mix: impl Fn(u64) -> u64) {
    for (mixed, &element) in mixed.iter_mut().zip(elements) {
        *mixed = mix(element);
    }
}

/// Functions whose minima fit in the registers of a machine without AVX-512.
const FEWER: usize = 32;

#[inline(always)]
fn lower_portable(elements: &[u64], multipliers: &[[u32; FUNCTIONS]], minima: &mut [[u32; FUNCTIONS]]) {
    let multipliers = multipliers.as_flattened().as_chunks::<FEWER>().0;
    let minima = minima.as_flattened_mut().as_chunks_mut::<FEWER>().0;
    for (multipliers, minima) in multipliers.iter().zip(minima) {
        let mut least = *minima;
        for &element in elements {
            let (low, high) = (element as u32, (element >> 32) as u32);
            for (least, multiplier) in least.iter_mut().zip(multipliers) {
                *least = (*least).min(low.wrapping_mul(*multiplier).wrapping_add(high));
            }
        }
        *minima = least;
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn lower_avx2(elements: &[u64], multipliers: &[[u32; FUNCTIONS]], minima: &mut [[u32; FUNCTIONS]]) {
    lower_portable(elements, multipliers, minima);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn lower_avx512(elements: &[u64], multipliers: &[[u32; FUNCTIONS]], minima: &mut [[u32; FUNCTIONS]]) {
    let (pairs, rest) = multipliers.as_chunks::<2>();
    let (pairs_of_minima, rest_of_minima) = minima.as_chunks_mut::<2>();
    for (multipliers, minima) in pairs.iter().zip(pairs_of_minima) {
        lower_vectors::<8>(elements, multipliers.as_flattened(), minima.as_flattened_mut());
    }
    for (multipliers, minima) in rest.iter().zip(rest_of_minima) {
        lower_vectors::<4>(elements, multipliers, minima);
    }
}

/// The same, for `V` vectors of sixteen functions.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
#[inline]
fn lower_vectors<const V: usize>(elements: &[u64], multipliers: &[u32], minima: &mut [u32]) {
    use std::arch::x86_64::{
        _mm512_add_epi32, _mm512_loadu_si512, _mm512_min_epu32, _mm512_mullo_epi32, _mm512_set1_epi32,
        _mm512_setzero_si512, _mm512_storeu_si512,
    };
    const LANES: usize = 16;
    let multipliers = &multipliers.as_chunks::<LANES>().0[..V];
    let minima = &mut minima.as_chunks_mut::<LANES>().0[..V];
    let (mut factors, mut least) = ([_mm512_setzero_si512(); V], [_mm512_setzero_si512(); V]);
    for at in 0..V {
        // SAFETY: both are sixteen numbers of 32 bits.
        (factors[at], least[at]) = unsafe {
            (_mm512_loadu_si512(multipliers[at].as_ptr().cast()), _mm512_loadu_si512(minima[at].as_ptr().cast()))
        };
    }
    for &element in elements {
        let (low, high) = (_mm512_set1_epi32(element as i32), _mm512_set1_epi32((element >> 32) as i32));
        for (least, &factor) in least.iter_mut().zip(&factors) {
            *least = _mm512_min_epu32(*least, _mm512_add_epi32(_mm512_mullo_epi32(low, factor), high));
        }
    }
    for (minima, &least) in minima.iter_mut().zip(&least) {
        // SAFETY: sixteen numbers of 32 bits.
        unsafe { _mm512_storeu_si512(minima.as_mut_ptr().cast(), least) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Kernel = fn(&[u64], &[[u32; FUNCTIONS]], &mut [[u32; FUNCTIONS]]);

    fn kernels() -> Vec<Kernel> {
        let mut kernels: Vec<Kernel> = vec![lower, lower_portable];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the machine has the instructions.
            kernels.push(|elements, multipliers, minima| unsafe { lower_avx2(elements, multipliers, minima) });
        }
        kernels
    }

    proptest! {
        #[test]
        fn as_defined(elements in prop::collection::vec(any::<u64>(), 0..40), blocks in 1..4_usize, seed: u32) {
            let number = |at: usize| (at as u32).wrapping_mul(0x9e37_79b9) ^ seed;
            let multipliers: Vec<[u32; FUNCTIONS]> =
                (0..blocks).map(|block| std::array::from_fn(|at| number(block * FUNCTIONS + at))).collect();
            let before = vec![[seed | 0x8000_0000; FUNCTIONS]; blocks];
            let mut expected = before.clone();
            for (least, &multiplier) in expected.as_flattened_mut().iter_mut().zip(multipliers.as_flattened()) {
                for &element in &elements {
                    let value = u64::from(element as u32) * u64::from(multiplier) + (element >> 32);
                    *least = (*least).min(value as u32);
                }
            }
            let (mut mixed, mut plainly) = (vec![0; elements.len()], vec![0; elements.len()]);
            let mix = |element: u64| (element ^ (element >> 29)).wrapping_mul(0xff51_afd7_ed55_8ccd);
            mix_all(&elements, &mut mixed, mix);
            mix_all_portable(&elements, &mut plainly, mix);
            prop_assert_eq!(mixed, plainly);
            for kernel in kernels() {
                let mut minima = before.clone();
                kernel(&elements, &multipliers, &mut minima);
                prop_assert_eq!(&minima, &expected);
            }
        }
    }
}
