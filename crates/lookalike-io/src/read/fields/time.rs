//! The time of a document, from a field.

use super::values::Value;

/// Milliseconds since 1970 of a time in RFC 3339 or a number of seconds.
pub fn milliseconds(text: &str) -> Option<i64> {
    rfc_3339(text.trim()).or_else(|| seconds(text.trim()))
}

/// The time of a field, in milliseconds since 1970.
pub fn time_of(value: Value) -> Option<i64> {
    match value {
        Value::Text(text) => milliseconds(text),
        Value::Number(text) => seconds(text),
        Value::Int(seconds) => i64::try_from(seconds.checked_mul(1_000)?).ok(),
        Value::Float(seconds) => rounded(seconds),
        Value::Missing | Value::Bool(_) | Value::Other => None,
    }
}

/// The milliseconds of a number of seconds.
fn seconds(text: &str) -> Option<i64> {
    if !text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E')) {
        return None;
    }
    match text.parse::<i64>() {
        Ok(seconds) => seconds.checked_mul(1_000),
        Err(_) => rounded(text.parse().ok()?),
    }
}

fn rounded(seconds: f64) -> Option<i64> {
    let milliseconds = (seconds * 1e3).round();
    // As a double, `i64::MAX` rounds up to a number that is one too large.
    (milliseconds >= i64::MIN as f64 && milliseconds < i64::MAX as f64).then_some(milliseconds as i64)
}

/// `1987-02-26T15:01:01.79Z`, `2024-02-29 23:59:60+05:30`.
fn rfc_3339(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    let number = |from: usize, to: usize| {
        let digits = bytes.get(from..to)?;
        digits.iter().try_fold(0, |sum, digit| digit.is_ascii_digit().then(|| sum * 10 + i64::from(digit - b'0')))
    };
    let is = |at: usize, allowed: &[u8]| bytes.get(at).is_some_and(|byte| allowed.contains(byte));
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    if !(is(4, b"-") && is(7, b"-") && is(10, b"Tt ") && is(13, b":") && is(16, b":")) {
        return None;
    }
    // A leap second counts as the first second of the next minute.
    if !(1..=12).contains(&month) || day < 1 || day > days_of(year, month) || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let mut at = 19;
    let mut milliseconds = 0;
    if is(at, b".") {
        let digits = bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            return None;
        }
        for place in 0..3 {
            let digit = if place < digits { bytes[at + 1 + place] - b'0' } else { 0 };
            milliseconds = milliseconds * 10 + i64::from(digit);
        }
        at += 1 + digits;
    }
    let offset = match bytes.get(at)? {
        b'Z' | b'z' if bytes.len() == at + 1 => 0,
        sign @ (b'+' | b'-') if bytes.len() == at + 6 && is(at + 3, b":") => {
            let (hours, minutes) = (number(at + 1, at + 3)?, number(at + 4, at + 6)?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            (hours * 60 + minutes) * if *sign == b'+' { 1 } else { -1 }
        }
        _ => return None,
    };
    let minutes = (days_to(year, month, day) * 24 + hour) * 60 + minute - offset;
    Some((minutes * 60 + second) * 1_000 + milliseconds)
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_of(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + i64::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 to a date.
fn days_to(year: i64, month: i64, day: i64) -> i64 {
    let before = year - 1;
    let days_before = before * 365 + before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400);
    const TO_1970: i64 = 1969 * 365 + 1969 / 4 - 1969 / 100 + 1969 / 400;
    days_before - TO_1970 + (1..month).map(|month| days_of(year, month)).sum::<i64>() + day - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_as_they_are_written() {
        let cases = [
            ("1970-01-01T00:00:00Z", 0),
            ("1969-12-31T23:59:59.5Z", -500),
            ("1987-02-26T15:01:01.79Z", 541_350_061_790),
            ("2000-02-29T00:00:00Z", 951_782_400_000),
            ("2024-02-29t12:00:00z", 1_709_208_000_000),
            ("2024-02-29 12:00:00.123456789+05:30", 1_709_188_200_123),
            ("2024-02-29T12:00:00-08:00", 1_709_236_800_000),
            ("2016-12-31T23:59:60Z", 1_483_228_800_000),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000),
            ("9999-12-31T23:59:59Z", 253_402_300_799_000),
            ("0", 0),
            ("-1", -1_000),
            ("1.5", 1_500),
            ("1e3", 1_000_000),
            (" 12 ", 12_000),
        ];
        for (text, expected) in cases {
            assert_eq!(time_of(Value::Text(text)), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_time() {
        let no_times = [
            "",
            "now",
            "2023-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z",
            "2024-13-01T00:00:00Z",
            "2024-00-01T00:00:00Z",
            "2024-01-32T00:00:00Z",
            "2024-01-01T24:00:00Z",
            "2024-01-01T00:60:00Z",
            "2024-01-01T00:00:61Z",
            "2024-01-01T00:00:00",
            "2024-01-01T00:00:00.Z",
            "2024-01-01T00:00:00+24:00",
            "2024-01-01T00:00:00+0100",
            "2024-01-01T00:00:00Zx",
            "2024-01-01",
            "+024-01-01T00:00:00Z",
            "1e99",
            "inf",
            "nan",
            "9223372036854775807",
            "é024-01-01T00:00:00Z",
        ];
        for text in no_times {
            assert_eq!(time_of(Value::Text(text)), None, "{text}");
        }
        for value in [Value::Missing, Value::Bool(true), Value::Other, Value::Float(f64::NAN), Value::Int(i128::MAX)] {
            assert_eq!(time_of(value), None, "{value:?}");
        }
    }

    #[test]
    fn numbers() {
        assert_eq!(time_of(Value::Number("541350061.79")), Some(541_350_061_790));
        assert_eq!(time_of(Value::Int(-3)), Some(-3_000));
        assert_eq!(time_of(Value::Float(0.25)), Some(250));
    }

    /// The count of days grows by one from each date to the next.
    #[test]
    fn days_follow_each_other() {
        let mut expected = days_to(1896, 1, 1);
        for year in 1896..2105 {
            for month in 1..=12 {
                for day in 1..=days_of(year, month) {
                    assert_eq!(days_to(year, month, day), expected);
                    expected += 1;
                }
            }
        }
    }
}
