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

/// Why a text is not a number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RationalError {
    /// It is neither a decimal nor a fraction.
    Syntax {
        /// The text.
        text: String,
    },
    /// It has more than nine digits on a side.
    TooManyDigits {
        /// The text.
        text: String,
    },
    /// Its denominator is 0.
    ZeroDenominator {
        /// The text.
        text: String,
    },
}

impl fmt::Display for RationalError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (RationalError::Syntax { text }
        | RationalError::TooManyDigits { text }
        | RationalError::ZeroDenominator { text }) = self;
        write!(f, "'{text}' is not a number like 0.8 or 4/5 (at most nine digits on either side)")
    }
}

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

    /// One.
    pub const ONE: Rational = Rational { p: 1, q: 1 };

    /// Returns whether `part` of `whole` is at least this share.
    ///
    /// ```
    /// let share: lookalike::Rational = "0.1".parse()?;
    /// assert!(share.is_reached_by(3, 30) && !share.is_reached_by(3, 31));
    /// # Ok::<(), lookalike::RationalError>(())
    /// ```
    pub fn is_reached_by(self, part: u64, whole: u64) -> bool {
        u128::from(part) * u128::from(self.q) >= u128::from(self.p) * u128::from(whole)
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
        let number = |digits: &str| whole_number(digits, text);
        if let Some((p, q)) = text.split_once('/') {
            return match (number(p)?, number(q)?) {
                (_, 0) => Err(RationalError::ZeroDenominator { text: text.to_string() }),
                (p, q) => Ok(Rational::lowest(p, q)),
            };
        }
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let fraction = fraction.trim_end_matches('0');
        let (whole, fraction_digits) = match (whole, fraction) {
            ("", _) if text.len() > 1 => (0, number(fraction)?),
            (_, "") => (number(whole)?, 0),
            _ => (number(whole)?, number(fraction)?),
        };
        let q = 10_u64.pow(fraction.len() as u32);
        Ok(Rational::lowest(whole * q + fraction_digits, q))
    }
}

/// Parses the digits of one side of a text.
fn whole_number(digits: &str, text: &str) -> Result<u64, RationalError> {
    let text = || text.to_string();
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(RationalError::Syntax { text: text() });
    }
    if digits.len() > DIGITS {
        return Err(RationalError::TooManyDigits { text: text() });
    }
    digits.parse().map_err(|_| RationalError::Syntax { text: text() })
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
        let error = |text: &str| parse(text).unwrap_err();
        let syntax =
            ["/", "1/", "/2", "1/2/3", "0.1/2", "", ".", "abc", "-1", "1e3", "0,8", " 1", "+1", "0x1", "1.-2", "nan"];
        for text in syntax.map(String::from) {
            assert_eq!(error(&text), RationalError::Syntax { text });
        }
        for text in ["0.1234567891", "1234567890", "1/1234567890"].map(String::from) {
            assert_eq!(error(&text), RationalError::TooManyDigits { text });
        }
        assert_eq!(error("1/0"), RationalError::ZeroDenominator { text: "1/0".to_string() });
    }
}
