//! Sketches: what they estimate, without bias and with the error they tell; the filter's formula on planted pairs; values that never
//! change.

use lookalike::engine::{Recipe, SetMaker};
use lookalike::sketch::{
    BottomHash, EMPTY, Features, Filter, FilterNeeds, MinHash, Plan, PlanError, Prior, SimHash, agreeing_bits, feature,
    shared_features, super_features,
};
use proptest::prelude::*;

/// Numbers that repeat with the seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let mut bits = self.0 ^ self.0 >> 32;
        bits = bits.wrapping_mul(0xd6e8_feb8_6659_fd93);
        bits ^ bits >> 32
    }
}

/// Two sets with so many elements in common and in all, the rest of them divided evenly. Elements are hashes, or numbers one after
/// another: the worst that affine functions can meet.
fn planted(random: &mut Random, common: usize, union: usize, in_a_row: bool) -> [Vec<u64>; 2] {
    let first = random.next();
    let mut element = |at: usize| if in_a_row { first.wrapping_add(at as u64) } else { random.next() };
    let mut sets = [Vec::new(), Vec::new()];
    for at in 0..union {
        let element = element(at);
        // Common elements are spread over all of them.
        let is_common = (at + 1) * common / union > at * common / union;
        for (which, set) in sets.iter_mut().enumerate() {
            if is_common || at % 2 == which {
                set.push(element);
            }
        }
    }
    sets
}

/// Checks that the estimates of a known resemblance have it for their mean, as closely as so many can, and the variance of independent
/// draws.
#[track_caller]
fn check_estimates(truth: f64, sample: usize, estimates: &[f64], what: &str) {
    let trials = estimates.len() as f64;
    let mean = estimates.iter().sum::<f64>() / trials;
    let variance = estimates.iter().map(|estimate| (estimate - truth).powi(2)).sum::<f64>() / trials;
    let expected = truth * (1.0 - truth) / sample as f64;
    let off = (mean - truth) / (expected / trials).sqrt();
    assert!(off.abs() < 4.0, "{what}: mean {mean} for {truth}, {off:.1} standard errors off");
    let ratio = variance / expected;
    // The variance of a variance, of about normal estimates.
    let slack = 5.0 * (2.0 / trials).sqrt();
    assert!((ratio - 1.0).abs() < slack, "{what}: variance {ratio:.3} times the expected one (±{slack:.3})");
}

/// Common and all elements, and how often: tiny sets, and those of documents.
const GRID: [(usize, usize, usize); 10] = [
    (1, 2, 4000),
    (1, 3, 4000),
    (2, 3, 4000),
    (4, 5, 3000),
    (1, 10, 2000),
    (7, 10, 2000),
    (24, 30, 1500),
    (95, 100, 500),
    (300, 1000, 100),
    (900, 1000, 100),
];

#[test]
fn min_wise_estimates_are_unbiased() {
    let minhash = MinHash::new(128);
    for in_a_row in [false, true] {
        let mut random = Random(1);
        for (common, union, trials) in GRID {
            let estimates: Vec<f64> = (0..trials)
                .map(|_| {
                    let [a, b] = planted(&mut random, common, union, in_a_row).map(|set| minhash.sketch(&set));
                    MinHash::resemblance(&a, &b).value
                })
                .collect();
            let what = format!("{common} of {union}, in a row: {in_a_row}");
            check_estimates(common as f64 / union as f64, 128, &estimates, &what);
        }
    }
}

/// Told errors are true: about two of three estimates lie within one, nineteen of twenty within two. (Shares of a hundred come in
/// steps, so it is not more exact than that.)
#[test]
fn errors_are_as_told() {
    let (minhash, bottom) = (MinHash::new(100), BottomHash::new(100));
    let mut random = Random(2);
    for (common, union) in [(200, 400), (320, 400), (380, 400)] {
        let truth = common as f64 / union as f64;
        let size = |set: &[u64]| set.len();
        let (mut within_one, mut within_two, trials) = ([0; 4], [0; 4], 400);
        for _ in 0..trials {
            let [a, b] = planted(&mut random, common, union, false);
            let contained = common as f64 / a.len() as f64;
            let (sketch_a, sketch_b) = (minhash.sketch(&a), minhash.sketch(&b));
            let (bottom_a, bottom_b) = (bottom.sketch(&a), bottom.sketch(&b));
            let estimates = [
                (MinHash::resemblance(&sketch_a, &sketch_b), truth),
                (MinHash::containment(&sketch_a, &sketch_b, size(&a), size(&b)), contained),
                (bottom.resemblance(&bottom_a, &bottom_b), truth),
                (bottom.containment(&bottom_a, &bottom_b), contained),
            ];
            for (at, (estimate, truth)) in estimates.into_iter().enumerate() {
                let off = (estimate.value - truth).abs() / estimate.error;
                within_one[at] += u32::from(off <= 1.0);
                within_two[at] += u32::from(off <= 2.0);
            }
        }
        for (one, two) in within_one.into_iter().zip(within_two) {
            assert!(one * 100 >= trials * 55, "{one} of {trials} within one error at {truth}");
            assert!(two * 100 >= trials * 90, "{two} of {trials} within two errors at {truth}");
        }
    }
}

#[test]
fn bottom_estimates_are_unbiased_and_small_sets_exact() {
    let bottom = BottomHash::new(64);
    for in_a_row in [false, true] {
        let mut random = Random(3);
        for (common, union, trials) in [(1000, 5000, 200), (4000, 5000, 200)] {
            let estimates: Vec<f64> = (0..trials)
                .map(|_| {
                    let [a, b] = planted(&mut random, common, union, in_a_row).map(|set| bottom.sketch(&set));
                    bottom.resemblance(&a, &b).value
                })
                .collect();
            check_estimates(common as f64 / union as f64, 64, &estimates, &format!("bottom, {common} of {union}"));
        }
        for (common, union, _) in GRID.into_iter().filter(|(_, union, _)| *union < 64) {
            let [a, b] = planted(&mut random, common, union, in_a_row);
            let (sketch_a, sketch_b) = (bottom.sketch(&a), bottom.sketch(&b));
            let resemblance = bottom.resemblance(&sketch_a, &sketch_b);
            assert_eq!((resemblance.value, resemblance.error), (common as f64 / union as f64, 0.0));
            let containment = bottom.containment(&sketch_a, &sketch_b);
            assert_eq!((containment.value, containment.error), (common as f64 / a.len() as f64, 0.0));
        }
    }
    // A few of many: what a set's size hides from a min-wise sketch.
    let many: Vec<u64> = (0..50_000).collect();
    let estimate = bottom.containment(&bottom.sketch(&many[..40]), &bottom.sketch(&many));
    assert!(estimate.value == 1.0 || estimate.error == 1.0, "{estimate:?}");
    assert!(bottom.containment(&bottom.sketch(&many), &bottom.sketch(&many[..40])).value < 0.1);
}

#[test]
fn empty_sets_resemble_nothing() {
    let (minhash, bottom) = (MinHash::new(70), BottomHash::new(8));
    let (empty, one) = (minhash.sketch(&[]), minhash.sketch(&[1]));
    assert_eq!(empty, [EMPTY; 70]);
    assert!(MinHash::is_empty(&empty) && !MinHash::is_empty(&one));
    for (a, b) in [(&empty, &empty), (&empty, &one), (&one, &empty)] {
        assert_eq!(MinHash::resemblance(a, b).value, 0.0);
        assert_eq!(MinHash::containment(a, b, 0, 1).value, 0.0);
    }
    assert_eq!(bottom.resemblance(&[], &[]).value, 0.0);
    assert_eq!(bottom.containment(&[], &bottom.sketch(&[1])).value, 0.0);
    let mut features = Vec::new();
    Features::new(Filter::new(6, 14, 2).unwrap()).push(&[], &mut Vec::new(), &mut features);
    assert!(features.is_empty());
    let mut fingerprint = [7; 6];
    SimHash::new(384).unwrap().of(&[], &mut fingerprint);
    assert_eq!(fingerprint, [0; 6]);
}

/// The formula, on pairs whose resemblance is known: the share that passes lies within four standard errors.
#[test]
fn filters_find_what_the_formula_says() {
    let mut random = Random(4);
    for ((k, s, r), shares) in [
        ((6, 14, 2), &[(85, 100), (91, 100), (95, 100)][..]),
        ((14, 8, 1), &[(60, 100), (70, 100), (80, 100)]),
        ((9, 3, 4), &[(65, 100), (80, 100)]),
        ((4, 2, 1), &[(1, 3), (2, 3), (9, 10)]),
    ] {
        let filter = Filter::new(k, s, r).unwrap();
        let features = Features::new(filter);
        let mut sketch = Vec::new();
        for &(common, union) in shares {
            let trials = 1500;
            let passed = (0..trials)
                .filter(|_| {
                    let mut found = Vec::new();
                    for set in planted(&mut random, common, union, false) {
                        features.push(&set, &mut sketch, &mut found);
                    }
                    shared_features(&found[..k], &found[k..]) >= r
                })
                .count();
            let expected = filter.found(common as f64 / union as f64);
            let off = (passed as f64 / trials as f64 - expected) / (expected * (1.0 - expected) / trials as f64).sqrt();
            assert!(off.abs() < 4.0, "[{filter}] at {common}/{union}: {passed} of {trials}, expected {expected}");
        }
    }
}

/// Computed by another implementation of the definitions, in Python.
#[test]
fn known_answers() {
    let minhash = MinHash::new(128);
    let mut maker = SetMaker::new(Recipe { tokens: "words:2".parse().unwrap(), ..Recipe::default() });
    let text = "the ferry to the island leaves at nine in the morning";
    let sketch = minhash.sketch(maker.set(text));
    assert_eq!(sketch[..4], [0x0746_344f, 0x357d_c5e5, 0x21e2_ab45, 0x1a11_7f27]);
    assert_eq!(sketch[127], 0x1d07_cf7c);
    assert_eq!(MinHash::with_seed(2, 42).sketch(maker.set(text)), [0x2219_f21e, 0x1c9e_e598]);
    assert_eq!(minhash.sketch(&[1, 2, 3])[..4], [0x866e_fdbb, 0x3bdb_a5e3, 0x20a2_c8e4, 0x2f30_9c7b]);
    assert_eq!(BottomHash::new(64).sketch(&[1, 2]), [0x329d_2532_f487_2b1b, 0x98fd_64b7_5b11_840c]);

    let mut features = Vec::new();
    let set: Vec<u64> = (0..1000).collect();
    Features::new(Filter::new(6, 14, 2).unwrap()).push(&set, &mut Vec::new(), &mut features);
    let expected = [
        0xe538_7eb5_fc2b_68b0,
        0xcc0a_8652_4918_a1ca,
        0x0e4c_c84d_9c9b_f6c9,
        0x3ded_e0d1_572b_c55b,
        0x5110_a5f3_ac44_5e88,
        0x89eb_eb34_4378_f04f,
    ];
    assert_eq!(features, expected);
    let mut supers = Vec::new();
    super_features(&[1, 2], 2, &mut supers);
    assert_eq!(supers, [0xb29f_d866_42c4_f602]);

    let mut simhash = SimHash::new(512).unwrap();
    let mut fingerprint = [0; 8];
    simhash.of(&[1, 2], &mut fingerprint);
    assert_eq!(fingerprint[..3], [0x9108_25cc_0802_54c0, 0xbec8_0400_018c_0c42, 0x9813_a0ae_d932_510e]);
    assert_eq!(fingerprint[7], 0x8524_930e_1203_8501);
    for (element, weight) in [(1, 3), (2, 2), (3, 1)] {
        simhash.add_weighted(element, weight);
    }
    simhash.finish(&mut fingerprint);
    assert_eq!(fingerprint[..2], [0x910a_25ec_8902_5cc1, 0xbeca_0d80_618c_ac43]);
}

#[test]
fn plans_keep_to_the_wish() {
    for (threshold, recall) in [(0.5, 0.9), (0.8, 0.9), (0.8, 0.99), (0.9, 0.95), (0.95, 0.999), (1.0, 0.99)] {
        for bytes in [8, 48, 128, 200] {
            for prior in [Prior::Falling, Prior::Uniform] {
                let needs = FilterNeeds { bytes, prior, ..FilterNeeds::new(threshold, recall) };
                let Ok(plan) = Plan::choose(&needs) else {
                    assert!(bytes == 8, "{needs:?} has no plan");
                    continue;
                };
                let filter = plan.filter;
                assert!(filter.bytes() <= bytes && filter.functions() <= needs.functions, "{needs:?}: {plan:?}");
                assert!(plan.recall >= recall && plan.recall_above >= plan.recall - 1e-9, "{needs:?}: {plan:?}");
                assert!((0.0..=1.0).contains(&plan.useless), "{needs:?}: {plan:?}");
                // One value more a feature, and it would find too little.
                let longer = Filter::new(filter.k(), filter.s() + 1, filter.r()).unwrap();
                assert!(
                    longer.found(threshold) < recall || longer.functions() > needs.functions,
                    "{needs:?}: {plan:?}"
                );
            }
        }
    }
    // More bytes, less in vain.
    let useless = |bytes| Plan::choose(&FilterNeeds { bytes, ..FilterNeeds::new(0.8, 0.99) }).unwrap().useless;
    assert!(useless(48) > useless(128) && useless(128) > useless(512));
}

#[test]
fn wishes_that_cannot_be() {
    for threshold in [0.0, -0.1, 1.1, f64::NAN] {
        assert!(matches!(Plan::choose(&FilterNeeds::new(threshold, 0.9)), Err(PlanError::Threshold(_))));
    }
    for recall in [0.0, 1.0, 2.0, f64::NAN] {
        assert!(matches!(Plan::choose(&FilterNeeds::new(0.8, recall)), Err(PlanError::Recall(_))));
    }
    for needs in [
        FilterNeeds { bytes: 7, ..FilterNeeds::new(0.8, 0.9) },
        FilterNeeds { functions: 0, ..FilterNeeds::new(0.8, 0.9) },
    ] {
        assert!(matches!(Plan::choose(&needs), Err(PlanError::Budget { .. })));
    }
    assert!(matches!(
        Plan::choose(&FilterNeeds { bytes: 8, ..FilterNeeds::new(0.8, 0.99) }),
        Err(PlanError::Budget { .. })
    ));
    for bits in [0, 1, 63, 100, 576] {
        assert!(SimHash::new(bits).is_err());
    }
}

/// The definition, in a few lines.
fn simhash_by_definition(elements: &[(u64, u32)], words: usize) -> Vec<u64> {
    let mut simhash = SimHash::new(512).unwrap();
    let singles: Vec<([u64; 8], u32)> = elements
        .iter()
        .map(|&(element, weight)| {
            let mut single = [0; 8];
            simhash.of(&[element], &mut single);
            (single, weight)
        })
        .collect();
    let mut fingerprint = vec![0; words];
    for place in 0..64 * words {
        let mut sum = 0;
        for &(single, weight) in &singles {
            let is_set = single[place / 64] >> (place % 64) & 1 == 1;
            sum += if is_set { i64::from(weight) } else { -i64::from(weight) };
        }
        fingerprint[place / 64] |= u64::from(sum > 0) << (place % 64);
    }
    fingerprint
}

proptest! {
    #[test]
    fn sketches_are_the_least_values(mut set in prop::collection::vec(any::<u64>(), 1..600), functions in 1..150_usize) {
        let minhash = MinHash::new(functions);
        let sketch = minhash.sketch(&set);
        prop_assert_eq!(sketch.len(), functions);
        for (function, &least) in sketch.iter().enumerate() {
            prop_assert_eq!(Some(least), set.iter().map(|&element| minhash.value(function, element)).min());
        }
        // In any order, repeated or not.
        set.reverse();
        set.extend_from_within(..set.len() / 2);
        prop_assert_eq!(minhash.sketch(&set), sketch);
    }

    #[test]
    fn bottom_sketches_are_the_least_values(set in prop::collection::vec(0..2000_u64, 0..600), most in 1..200_usize) {
        let one = BottomHash::new(1);
        let mut expected: Vec<u64> = set.iter().map(|&element| one.sketch(&[element])[0]).collect();
        expected.sort_unstable();
        expected.dedup();
        expected.truncate(most);
        prop_assert_eq!(BottomHash::new(most).sketch(&set), expected);
    }

    #[test]
    fn features_are_those_of_the_sketch(set in prop::collection::vec(any::<u64>(), 1..50), k in 1..9_usize, s in 1..9_usize) {
        let features = Features::new(Filter::new(k, s, 1).unwrap());
        let (mut sketch, mut found) = (Vec::new(), Vec::new());
        features.push(&set, &mut sketch, &mut found);
        prop_assert_eq!(&sketch, &MinHash::new(k * s).sketch(&set));
        let expected: Vec<u64> = sketch.chunks(s).enumerate().map(|(group, values)| feature(group, values)).collect();
        prop_assert_eq!(&found, &expected);
        // Equal sets have equal features; groups do not take each other's for theirs.
        let mut again = set.clone();
        again.reverse();
        let mut others = Vec::new();
        features.push(&again, &mut sketch, &mut others);
        prop_assert_eq!(shared_features(&found, &others), k);
        prop_assert!(feature(0, &[1, 2]) != feature(1, &[1, 2]) && feature(0, &[1, 2]) != feature(0, &[2, 1]));
    }

    /// One super-feature in common, or r features: the same.
    #[test]
    fn super_features_count(equal in prop::collection::vec(any::<bool>(), 1..8), r in 1..5_usize) {
        let a: Vec<u64> = (0..equal.len() as u64).collect();
        let b: Vec<u64> = a.iter().zip(&equal).map(|(&x, &same)| if same { x } else { x + 1000 }).collect();
        let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
        super_features(&a, r, &mut of_a);
        super_features(&b, r, &mut of_b);
        let ways = if r <= equal.len() { Filter::new(equal.len(), 1, r).unwrap().super_features() } else { 0.0 };
        prop_assert_eq!(of_a.len() as f64, ways);
        prop_assert_eq!(shared_features(&of_a, &of_b) > 0, shared_features(&a, &b) >= r);
    }

    #[test]
    fn simhashes_as_defined(elements in prop::collection::vec((0..20_u64, 0..40_u32), 0..12), words in 1..9_usize) {
        let expected = simhash_by_definition(&elements, words);
        let mut simhash = SimHash::new(64 * words).unwrap();
        let mut fingerprint = vec![0; words];
        for &(element, weight) in &elements {
            simhash.add_weighted(element, weight);
        }
        simhash.finish(&mut fingerprint);
        prop_assert_eq!(&fingerprint, &expected);
        // A weight is so many occurrences.
        let repeated: Vec<u64> =
            elements.iter().flat_map(|&(element, weight)| std::iter::repeat_n(element, weight as usize)).collect();
        simhash.of(&repeated, &mut fingerprint);
        prop_assert_eq!(&fingerprint, &expected);
        prop_assert_eq!(agreeing_bits(&fingerprint, &expected), 64 * words as u32);
    }
}

/// Bits agree by the angle: texts of known cosine, within four standard errors.
#[test]
fn simhashes_agree_by_the_angle() {
    let mut random = Random(5);
    let mut simhash = SimHash::new(512).unwrap();
    for (common, each) in [(50, 100), (80, 100), (95, 100)] {
        let (mut agreeing, trials) = (0, 60);
        for _ in 0..trials {
            let shared: Vec<u64> = (0..common).map(|_| random.next()).collect();
            let mut fingerprints = [[0; 8]; 2];
            for fingerprint in &mut fingerprints {
                let own: Vec<u64> = (common..each).map(|_| random.next()).collect();
                simhash.of(&[&shared[..], &own].concat(), fingerprint);
            }
            agreeing += agreeing_bits(&fingerprints[0], &fingerprints[1]);
        }
        let bits = f64::from(512 * trials);
        let share = f64::from(agreeing) / bits;
        let expected = 1.0 - (f64::from(common) / f64::from(each)).acos() / std::f64::consts::PI;
        // Sums of an even number of elements are zero now and then, and then no bit is set on either side: a little above the angle's
        // share, by less than this.
        assert!(
            (share - expected).abs() < 4.0 * (expected * (1.0 - expected) / bits).sqrt() + 0.02,
            "{share}, {expected}"
        );
    }
}
