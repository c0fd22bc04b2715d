//! Which terms are neither too frequent nor too rare?
//!
//! The inverse document frequency of a term that n of N documents have is here log((N + 1) / n) / log(N + 1): 1 for a term of
//! one document, and close to 0 for a term of all. A bound p/q of it is a bound of n, without logarithms:
//!
//! > log((N + 1) / n) / log(N + 1) ≥ p/q  if and only if  n^q ≤ (N + 1)^(q − p)
//!
//! Both sides are whole numbers, and are compared as such.

use std::cmp::Ordering;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::measure::Rational;

/// A range of inverse document frequencies, both ends included.
///
/// ```
/// use lookalike::sketch::IdfRange;
///
/// let range: IdfRange = "0.2,0.85".parse()?;
/// // Of 999 documents, at least ⌈1000^0.15⌉ and at most ⌊1000^0.8⌋ have the term.
/// assert_eq!(range.frequencies(999), 3..=251);
/// # Ok::<(), lookalike::sketch::IdfError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdfRange {
    least: Rational,
    greatest: Rational,
}

/// Why a text is not a range of inverse document frequencies.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IdfError {
    /// It is not two numbers, with a comma between them.
    NotTwoNumbers {
        /// The text.
        text: String,
    },
    /// A number is greater than 1.
    AboveOne {
        /// The text.
        text: String,
    },
    /// A number has more than three decimal places, or a denominator greater than 1000.
    TooPrecise {
        /// The text.
        text: String,
    },
    /// The first number is greater than the second.
    Descending {
        /// The text.
        text: String,
    },
}

impl fmt::Display for IdfError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (IdfError::NotTwoNumbers { text }
        | IdfError::AboveOne { text }
        | IdfError::TooPrecise { text }
        | IdfError::Descending { text }) = self;
        write!(
            f,
            "'{text}' is not a range like 0.2,0.85: two numbers from 0 to 1, the lower one first, with at most three decimal places"
        )
    }
}

/// The greatest denominator of a bound.
const MOST_PARTS: u64 = 1000;

impl IdfRange {
    /// Returns how many of all documents may have a term of the lexicon.
    pub fn frequencies(&self, documents: u64) -> RangeInclusive<u64> {
        let base = documents + 1;
        // The first n whose frequency is above this bound of the idf, or also at it.
        let first_beyond = |bound: Rational, or_at: bool| {
            let (p, q) = bound.parts();
            let limit = power(base, q - p);
            first(base, |n| match compare(&power(n, q), &limit) {
                Ordering::Less => false,
                Ordering::Equal => or_at,
                Ordering::Greater => true,
            })
        };
        first_beyond(self.greatest, true)..=first_beyond(self.least, false) - 1
    }
}

/// Returns the first number from 1 to `most` that is wanted, or `most + 1`. All after the first are wanted.
fn first(most: u64, is_wanted: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (1, most + 1);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_wanted(middle) { high = middle } else { low = middle + 1 }
    }
    low
}

/// Returns a power, as digits to the base 2⁶⁴, the lowest first and without zeros at the end.
fn power(base: u64, exponent: u64) -> Vec<u64> {
    let mut digits = vec![1];
    for _ in 0..exponent {
        let mut carry = 0;
        for digit in &mut digits {
            let product = u128::from(*digit) * u128::from(base) + carry;
            (*digit, carry) = (product as u64, product >> 64);
        }
        digits.extend((carry > 0).then_some(carry as u64));
    }
    digits
}

fn compare(one: &[u64], two: &[u64]) -> Ordering {
    one.len().cmp(&two.len()).then_with(|| one.iter().rev().cmp(two.iter().rev()))
}

impl Default for IdfRange {
    /// 0.2 to 0.85: the range in which the authors of SpotSigs ran I-Match.
    fn default() -> IdfRange {
        "0.2,0.85".parse().expect("a range")
    }
}

impl fmt::Display for IdfRange {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{},{}", self.least, self.greatest)
    }
}

impl FromStr for IdfRange {
    type Err = IdfError;

    fn from_str(text: &str) -> Result<IdfRange, IdfError> {
        let bound = |text: &str| text.trim().parse::<Rational>().ok();
        let bounds = text.split_once(',').and_then(|(least, greatest)| bound(least).zip(bound(greatest)));
        let text = text.to_string();
        let Some((least, greatest)) = bounds else { return Err(IdfError::NotTwoNumbers { text }) };
        if least > Rational::ONE || greatest > Rational::ONE {
            return Err(IdfError::AboveOne { text });
        }
        if least.parts().1 > MOST_PARTS || greatest.parts().1 > MOST_PARTS {
            return Err(IdfError::TooPrecise { text });
        }
        if least > greatest {
            return Err(IdfError::Descending { text });
        }
        Ok(IdfRange { least, greatest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ranges() {
        let of = |text: &str, documents: u64| text.parse::<IdfRange>().unwrap().frequencies(documents);
        assert_eq!(of("0,1", 0), 1..=1);
        assert_eq!(of("0,1", 10), 1..=11);
        assert_eq!(of("1,1", 10), 1..=1);
        // 8 = 2³: a term of two documents has exactly 2/3, one of four exactly 1/3.
        assert_eq!(of("1/3,2/3", 7), 2..=4);
        assert_eq!(of("0.334,0.666", 7), 3..=3);
        assert_eq!(of("0.5,1", u32::MAX.into()), 1..=65_536);
        assert_eq!(of("0.001,0.999", 1_000_000), 2..=986_280);
        assert_eq!("0.20, 0.85".parse::<IdfRange>().unwrap().to_string(), "0.2,0.85");
        let error = |text: &str| text.parse::<IdfRange>().unwrap_err();
        for text in ["", "0.2", "-1,1", "a,b", "0.1,0.2,0.3"].map(String::from) {
            assert_eq!(error(&text), IdfError::NotTwoNumbers { text });
        }
        assert_eq!(error("0.2,1.1"), IdfError::AboveOne { text: "0.2,1.1".to_string() });
        assert_eq!(error("0.1234,1"), IdfError::TooPrecise { text: "0.1234,1".to_string() });
        assert_eq!(error("0.85,0.2"), IdfError::Descending { text: "0.85,0.2".to_string() });
    }

    proptest! {
        /// The bounds are those of logarithms, unless these are too close to tell.
        #[test]
        fn as_logarithms_say(documents in 1..5_000u64, low in 0..=100u32, high in 0..=100u32, n in 1..5_000u64) {
            prop_assume!(n <= documents && low <= high);
            let range: IdfRange = format!("{}/100,{}/100", low, high).parse().unwrap();
            let base = (documents + 1) as f64;
            let idf = (base / n as f64).ln() / base.ln();
            let (low, high) = (f64::from(low) / 100.0, f64::from(high) / 100.0);
            prop_assume!((idf - low).abs() > 1e-9 && (idf - high).abs() > 1e-9);
            prop_assert_eq!(range.frequencies(documents).contains(&n), low < idf && idf < high);
        }
    }
}
