//! Texts in a file give the pairs and the fates of texts in memory, whatever fits at a time.

use std::sync::Arc;

use lookalike::engine::{EditJoin, Fate, PairSource, Side, Stage, Texts, components, survivors};
use lookalike_io::spill::Space;
use proptest::prelude::*;

use super::text_file::TextFileWriter;
use super::text_tiles::{TextTiles, TextsOnDisk};
use crate::testing::{among, pairs};

/// Texts of which many are near each other, some equal, and some empty.
fn texts() -> impl Strategy<Value = Vec<String>> {
    let text = prop_oneof![4 => "[ab]{0,8}", 2 => "[abcé日]{5,30}", 1 => Just("abababababab".to_string())];
    proptest::collection::vec(text, 0..50)
}

fn on_disk(
    texts: &[String],
    (order, across): ((Vec<u32>, usize), bool),
    within: &[u64],
    distance: u32,
    bytes: u64,
) -> TextTiles {
    let mut writer = TextFileWriter::new(&Space::default()).block(100);
    let some = texts.len() / 2;
    let keys = |range: std::ops::Range<usize>| if within.is_empty() { &[] } else { &within[range] };
    writer.put(&texts[..some].iter().collect(), keys(0..some)).unwrap();
    writer.put(&texts[some..].iter().collect(), keys(some..texts.len())).unwrap();
    TextsOnDisk::new(writer.finish().unwrap(), order, across, within.to_vec(), bytes).source(distance, None, None)
}

/// From one text at a time to all of them.
fn bytes() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), 1..20_000u64, Just(1 << 30)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_same_fates(
        texts in texts(),
        distance in 0..6u32,
        bytes in bytes(),
        pinned in 0..10usize,
        turn in 0..50usize,
        keys in proptest::option::of(proptest::collection::vec(0..2u64, 50)),
        is_by_component in any::<bool>(),
    ) {
        let mut order: Vec<u32> = (0..texts.len() as u32).collect();
        order.rotate_left(turn.min(texts.len()));
        let pinned = pinned.min(texts.len());
        let within = keys.map_or(Vec::new(), |keys| keys[..texts.len()].to_vec());
        let decide = if is_by_component { components } else { survivors };
        let in_memory: Arc<Texts> = Arc::new(texts.iter().collect());
        let join = EditJoin::new(distance).within(within.clone()).keep_order(order.clone(), pinned);
        let expected: Vec<Fate> = decide(&mut join.prepare(in_memory), &Stage::silent()).unwrap();
        let mut source = on_disk(&texts, ((order, pinned), false), &within, distance, bytes);
        prop_assert_eq!(decide(&mut source, &Stage::silent()).unwrap(), expected);
    }

    #[test]
    fn the_same_pairs(
        texts in texts(),
        distance in 0..6u32,
        bytes in bytes(),
        split in proptest::option::of(0..50u32),
        sides in proptest::collection::vec(prop::sample::select(&[None, Some(Side::First), Some(Side::Second), Some(Side::Both)][..]), 50),
    ) {
        let documents = texts.len() as u32;
        let join = EditJoin::new(distance);
        let join = split.map_or(join.clone(), |split| join.across(split));
        let in_memory: Arc<Texts> = Arc::new(texts.iter().collect());
        let mut expected = join.prepare(in_memory);
        let first = split.unwrap_or(documents).min(documents);
        let order = ((first..documents).chain(0..first).collect(), (documents - first) as usize);
        let mut source = on_disk(&texts, (order, split.is_some()), &[], distance, bytes);
        prop_assert_eq!(source.compared(), expected.compared());
        prop_assert_eq!(pairs(&mut source), pairs(&mut expected));
        prop_assert_eq!(among(&mut source, &sides), among(&mut expected, &sides));
    }
}
