//! How are numbers written for people?

/// Writes a count with thousands separators: `1,234,567`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_separator_before_every_three_digits() {
        let written = [0, 999, 1000, 123_456, 1_234_567, u64::MAX].map(count);
        assert_eq!(written, ["0", "999", "1,000", "123,456", "1,234,567", "18,446,744,073,709,551,615"]);
    }
}
