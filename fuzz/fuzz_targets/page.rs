//! Any bytes are a page: under every rule they become a text, and its words are found.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike::engine::{PageReader, PageRule, decode, for_each_word};

fuzz_target!(|bytes: &[u8]| {
    // The first byte says what came with the page.
    let (choice, page) = bytes.split_first().unwrap_or((&0, &[]));
    let label = [None, Some("utf-8"), Some("windows-1252"), Some("shift_jis")][usize::from(choice % 4)];
    let url = (choice & 4 != 0).then_some("http://www.example.org/a/b.html");
    let page = decode(page, label, choice & 8 == 0);
    for rule in [PageRule::Text, PageRule::Main, PageRule::Paper] {
        let mut reader = PageReader::new(rule);
        let text = reader.read(&page, url).to_string();
        assert_eq!(reader.read(&page, url), text);
        let mut words = 0;
        for_each_word(&text, |_| words += 1);
        assert!(words <= text.len());
    }
});
