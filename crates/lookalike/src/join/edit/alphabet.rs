//! How many characters should a gram have?

use super::characters::{Text, of_characters};

/// Returns how many characters a gram should have, from a sample: enough that two grams are rarely equal by chance.
///
/// Four are enough for any language and script. Texts over a few letters, such as DNA, need more.
pub(super) fn suitable_q(texts: &[Text]) -> usize {
    const SAMPLE: usize = 1 << 10;
    let mut counts = [0_u32; 256];
    for &text in texts.iter().step_by(texts.len() / SAMPLE + 1) {
        of_characters!(text, characters => {
            characters.iter().take(SAMPLE).for_each(|&character| counts[character as usize % 256] += 1)
        });
    }
    let all: f64 = counts.iter().copied().map(f64::from).sum();
    let equal: f64 = counts.iter().map(|&count| (f64::from(count) / all).powi(2)).sum();
    (4..16).find(|&q| equal.powi(q) < 1.0 / f64::from(1 << 15)).unwrap_or(16) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_letters_need_long_grams() {
        assert_eq!(suitable_q(&[Text::Narrow(b"The ferry to the island leaves at 9:15 and 16:45.")]), 4);
        assert_eq!(suitable_q(&[Text::Wide(&(0x4e00..0x4f00).collect::<Vec<u32>>())]), 4);
        assert_eq!(suitable_q(&[Text::Narrow(&b"ACGT".repeat(50))]), 8);
        assert_eq!(suitable_q(&[Text::Narrow(b"aaaa")]), 16);
        assert_eq!(suitable_q(&[]), 16);
    }
}
