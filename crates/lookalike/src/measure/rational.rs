//! How is a threshold stored exactly?

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A non-negative fraction in lowest terms, parsed from a decimal or a fraction: 0.8 is 4/5, not 0.8000000000000000444.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rational {
    pub(super) p: u64,
    pub(super) q: u64,
}

/// A number that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a number like 0.8 or 4/5 (at most nine digits on either side)")]
pub struct RationalError(String);

/// With nine digits, products in the bounds fit in 64 bits and their squares in 128.
const DIGITS: usize = 9;

impl Rational {
    fn lowest(p: u64, q: u64) -> Rational {
        let divisor = gcd(p, q);
        Rational { p: p / divisor, q: q / divisor }
    }

    pub(super) fn is_zero(self) -> bool {
        self.p == 0
    }

    pub(super) fn is_whole(self) -> bool {
        self.q == 1
    }

    pub(super) fn exceeds_one(self) -> bool {
        self.p > self.q
    }

    /// Returns the numerator and the denominator, in lowest terms.
    pub(crate) fn parts(self) -> (u64, u64) {
        (self.p, self.q)
    }

    /// Returns the nearest 64-bit float.
    pub fn to_f64(self) -> f64 {
        self.p as f64 / self.q as f64
    }
}

/// By value.
impl Ord for Rational {
    fn cmp(&self, other: &Rational) -> Ordering {
        let side = |p: u64, q: u64| u128::from(p) * u128::from(q);
        side(self.p, other.q).cmp(&side(other.p, self.q))
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Rational) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl FromStr for Rational {
    type Err = RationalError;

    fn from_str(text: &str) -> Result<Rational, RationalError> {
        let error = || RationalError(text.to_string());
        if let Some((p, q)) = text.split_once('/') {
            return match (whole_number(p), whole_number(q)) {
                (Some(p), Some(q)) if q > 0 => Ok(Rational::lowest(p, q)),
                _ => Err(error()),
            };
        }
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let fraction = fraction.trim_end_matches('0');
        let parts = match (whole, fraction) {
            ("", _) if text.len() > 1 => (Some(0), whole_number(fraction)),
            (_, "") => (whole_number(whole), Some(0)),
            _ => (whole_number(whole), whole_number(fraction)),
        };
        let (Some(whole), Some(fraction_digits)) = parts else { return Err(error()) };
        let q = 10_u64.pow(fraction.len() as u32);
        Ok(Rational::lowest(whole * q + fraction_digits, q))
    }
}

fn whole_number(digits: &str) -> Option<u64> {
    let plain = !digits.is_empty() && digits.len() <= DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| plain)
}

/// Writes a decimal if it is finite, otherwise a fraction.
impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if 10_u64.pow(DIGITS as u32).is_multiple_of(self.q) {
            write!(f, "{}", self.to_f64())
        } else {
            write!(f, "{}/{}", self.p, self.q)
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals() {
        let parse = |text: &str| text.parse::<Rational>();
        assert_eq!(parse("0.8"), Ok(Rational { p: 4, q: 5 }));
        assert_eq!(parse(".80"), Ok(Rational { p: 4, q: 5 }));
        assert_eq!(parse("1"), Ok(Rational { p: 1, q: 1 }));
        assert_eq!(parse("0.123456789"), Ok(Rational { p: 123_456_789, q: 1_000_000_000 }));
        assert_eq!(parse("2."), Ok(Rational { p: 2, q: 1 }));
        assert_eq!(parse("6/9"), Ok(Rational { p: 2, q: 3 }));
        assert_eq!(parse("6/9").unwrap().to_string(), "2/3");
        assert_eq!(parse("0.50").unwrap().to_string(), "0.5");
        assert!(parse("2/3").unwrap() < parse("0.7").unwrap() && parse("0.6").unwrap() < parse("2/3").unwrap());
        for wrong in [
            "1/0",
            "/",
            "1/",
            "/2",
            "1/2/3",
            "0.1/2",
            "",
            ".",
            "abc",
            "-1",
            "1e3",
            "0,8",
            "0.1234567891",
            "1234567890",
            " 1",
            "+1",
            "0x1",
            "1.-2",
            "nan",
        ] {
            assert_eq!(parse(wrong), Err(RationalError(wrong.to_string())));
        }
    }
}
