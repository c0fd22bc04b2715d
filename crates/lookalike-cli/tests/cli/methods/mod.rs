//! How do methods other than the exact one find pairs?

mod comparators;
mod definitions;
mod signatures;

use std::collections::BTreeSet;

use crate::brute::Random;
use crate::fixture::{Folder, row};

/// Documents of frequent and rare words, many of them copies in which a few words differ, and some too short.
fn corpus(documents: u64) -> Vec<Vec<String>> {
    let mut random = Random(5);
    let mut texts: Vec<Vec<String>> = Vec::new();
    // A word is the rarer, the greater its number.
    let word = |random: &mut Random| format!("w{}", random.below(40) * random.below(40));
    for _ in 0..documents {
        let mut text: Vec<String> = match random.below(3) {
            0 | 1 if !texts.is_empty() => texts[random.below(texts.len() as u64) as usize].clone(),
            _ => (0..1 + random.below(60)).map(|_| word(&mut random)).collect(),
        };
        for _ in 0..random.below(4) {
            let at = random.below(text.len() as u64) as usize;
            text[at] = word(&mut random);
        }
        texts.push(text);
    }
    texts
}

fn rows(texts: &[Vec<String>]) -> String {
    texts.iter().enumerate().map(|(n, text)| row(&format!("d{n}"), &text.join(" "))).collect()
}

fn pairs(folder: &Folder, name: &str) -> BTreeSet<(String, String)> {
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_string();
    folder.rows(name).iter().map(|row| (text(&row["a"]), text(&row["b"]))).collect()
}
