//! The whole way, with tasks of any size, against the brute force.

use std::collections::BTreeSet;

use hashbrown::HashMap;
use proptest::prelude::*;

use super::*;
use crate::candidates::FeatureKeys;
use crate::measure::{Measure, Threshold};
use crate::sets::hash_set;
use crate::sketch::{Filter, agreeing_bits, shared_features};
use crate::verify::common;

type Sets = Vec<Vec<u64>>;

fn sets(most: usize) -> impl Strategy<Value = Sets> {
    let small = proptest::collection::btree_set(0..16u64, 0..9);
    let large = proptest::collection::btree_set(0..100_000u64, 1..30);
    proptest::collection::vec(prop_oneof![3 => small, 1 => large], 0..most)
        .prop_map(|sets| sets.into_iter().map(|set: BTreeSet<u64>| set.into_iter().collect()).collect())
}

fn threshold() -> impl Strategy<Value = Threshold> {
    let measures = Measure::ALL.iter().copied().filter(|measure| *measure != Measure::Hamming).collect::<Vec<_>>();
    (prop::sample::select(measures), 1..10u32).prop_map(|(measure, value)| {
        let value = if measure == Measure::Overlap { value.to_string() } else { format!("{value}/9") };
        Threshold::new(measure, &value).unwrap()
    })
}

/// The distinct nodes in order, with their sets.
fn nodes(sets: &Sets, sides: u64) -> Vec<(Node, &Vec<u64>)> {
    let mut seen = BTreeSet::new();
    let sets = sets.iter().zip(0..).filter(|(set, _)| !set.is_empty());
    let nodes = sets.map(|(set, at)| (node_of(hash_set(set), None, at % sides, 0), set));
    nodes.filter(|(node, _)| seen.insert(*node)).collect()
}

fn brute(nodes: &[(Node, &Vec<u64>)], threshold: &Threshold, compare: Compare) -> BTreeSet<(Node, Node)> {
    let mut pairs = BTreeSet::new();
    for (at, (a, one)) in nodes.iter().enumerate() {
        for (b, two) in &nodes[at + 1..] {
            let reaches = threshold.reaches(common(one, two), one.len() as u32, two.len() as u32);
            if compare.allows(*a, *b) && reaches {
                pairs.insert(((*a).min(*b), (*a).max(*b)));
            }
        }
    }
    pairs
}

/// Blobs that wait in memory.
#[derive(Default)]
struct Memory {
    blobs: Vec<Vec<u8>>,
    next: usize,
}

impl Waiting for Memory {
    type Error = BadBlob;

    fn append(&mut self, blob: &[u8]) -> Result<(), BadBlob> {
        self.blobs.push(blob.to_vec());
        Ok(())
    }

    fn rewind(&mut self) -> Result<(), BadBlob> {
        self.next = 0;
        Ok(())
    }

    fn next(&mut self, blob: &mut Vec<u8>) -> Result<bool, BadBlob> {
        let Some(found) = self.blobs.get(self.next) else { return Ok(false) };
        blob.clone_from(found);
        self.next += 1;
        Ok(true)
    }
}

fn buckets(rule: MeetingRule, compare: Compare, buckets: u32, hold: usize) -> Vec<Bucket<Memory>> {
    (0..buckets).map(|_| Bucket::new(rule, compare, hold, Memory::default())).collect()
}

/// What the postings of a collection give.
struct Found {
    candidates: BTreeSet<(Node, Node)>,
    heavy: Vec<HeavyBlob>,
}

/// These nodes, and others if the filter is small.
fn filter_of(nodes: &[Node], bytes: usize) -> NodeFilter {
    let mut filter = NodeFilter::new(bytes);
    nodes.iter().for_each(|&node| filter.insert(node));
    assert!(nodes.iter().all(|&node| filter.contains(node)) && !NodeFilter::default().contains(7));
    filter
}

/// The hits in lists that no task can hold: every tile with itself and with those after it.
fn compare_tiles(
    heavy: &mut Vec<HeavyBlob>,
    rule: MeetingRule,
    compare: Compare,
    room: usize,
    parts: &mut [Candidates],
) {
    let tiles: Vec<HeavyBlob> = heavy.extract_if(.., |blob| blob.list > 0).collect();
    for one in &tiles {
        let (mut list, mut found) = (TiledList::new(rule, compare, room), Vec::new());
        let mut take = |some: &mut Candidates| found.push(some.take_records(parts.len()));
        list.add(Role::Open, &one.blob, &mut take).unwrap();
        list.add(Role::Kept, &one.blob, &mut take).unwrap();
        for other in tiles.iter().filter(|other| other.list == one.list && other.tile > one.tile) {
            list.add(Role::Later, &other.blob, &mut take).unwrap();
        }
        list.finish(take);
        for records in found {
            parts.iter_mut().zip(records).for_each(|(part, records)| part.add(&records).unwrap());
        }
    }
}

/// The candidates in heavy lists, by the roles of sets. The filter of later ones has this many bytes.
fn compare_heavy(
    heavy: &[HeavyBlob],
    rule: MeetingRule,
    compare: Compare,
    roles: &[(Node, Role)],
    room: usize,
    bytes: usize,
) -> BTreeSet<(Node, Node)> {
    let roles = || {
        let of = |role: Role| roles.iter().filter(|one| one.1 == role).map(|one| one.0).collect::<Vec<Node>>();
        Roles::new(of(Role::Open), of(Role::Kept), filter_of(&of(Role::Later), bytes))
    };
    let (mut lists, mut found) = (HeavyLists::new(rule, compare, roles(), room), BTreeSet::new());
    let (whole, tiles): (Vec<&HeavyBlob>, Vec<_>) = heavy.iter().partition(|blob| blob.list == 0);
    whole.iter().for_each(|one| lists.compare(&one.blob, |some| found.extend(some)).unwrap());
    // The tiles of one list come together, divided by role.
    for list in tiles.iter().map(|tile| tile.list).collect::<BTreeSet<u64>>() {
        let divided =
            tiles.iter().filter(|tile| tile.list == list).map(|tile| roles().divide(&rule, &tile.blob).unwrap());
        let divided: Vec<[Vec<u8>; 3]> = divided.collect();
        let mut tiled = TiledList::new(rule, compare, room);
        for role in [Role::Open, Role::Kept, Role::Later] {
            divided.iter().for_each(|some| {
                tiled.add(role, &some[role as usize], |some| found.extend(some.take_all())).unwrap();
            });
        }
        tiled.finish(|some| found.extend(some.take_all()));
    }
    found
}

/// Posts in tasks, lets the postings meet in buckets that hold so many, and sums up the hits: with those in tiles, if `tiled`.
fn meet(
    nodes: &[(Node, &Vec<u64>)],
    threshold: Threshold,
    compare: Compare,
    frequent: &[u32],
    hold: usize,
    (tasks, count, most, longest, room): (usize, u32, u64, usize, usize),
    tiled: bool,
) -> Found {
    let rule = MeetingRule::Elements(threshold);
    let mut meetings = buckets(rule, compare, count, hold);
    for task in 0..tasks {
        let mut poster = Poster::new(threshold, ElementOrder::new(frequent), count);
        nodes.iter().skip(task).step_by(tasks).for_each(|(node, set)| poster.post(*node, set));
        // A task that runs twice changes nothing.
        nodes.iter().skip(task).step_by(tasks).for_each(|(node, set)| poster.post(*node, set));
        let waiting = poster.bytes();
        let blobs: Vec<(u32, Vec<u8>)> =
            std::iter::from_fn(|| Some(poster.take(room)).filter(|some| !some.is_empty())).flatten().collect();
        assert_eq!((blobs.iter().map(|(_, blob)| blob.len()).sum::<usize>(), 0), (waiting, poster.bytes()));
        for (bucket, blob) in blobs {
            meetings[bucket as usize].add(&blob).unwrap();
            meetings[bucket as usize].add(&blob).unwrap();
        }
    }
    let mut parts: Vec<Candidates> = (0..3).map(|_| Candidates::default()).collect();
    let mut heavy = Vec::new();
    for meeting in &mut meetings {
        let before = heavy.len();
        while let Some(found) = meeting.next(most, longest, room).unwrap() {
            let records = found.take_records(3);
            parts.iter_mut().zip(records).for_each(|(part, records)| part.add(&records).unwrap());
            heavy.extend(meeting.take_heavy());
        }
        heavy.extend(meeting.take_heavy());
        let tiles: Vec<&HeavyBlob> = heavy[before..].iter().filter(|blob| blob.list > 0).collect();
        let distinct: BTreeSet<(u64, u32)> = tiles.iter().map(|tile| (tile.list, tile.tile)).collect();
        assert_eq!((meeting.counts().tiles, distinct.len()), (tiles.len() as u64, tiles.len()));
        assert_eq!(meeting.counts().tiled > 0, meeting.counts().tiled_pairs > 0);
        assert!(meeting.counts().tiled <= meeting.counts().heavy);
    }
    if tiled {
        compare_tiles(&mut heavy, rule, compare, room, &mut parts);
    }
    let listed: BTreeSet<Node> = heavy.iter().flat_map(|one| HeavyLists::nodes(&rule, &one.blob).unwrap()).collect();
    let listed = filter_of(&listed.into_iter().collect::<Vec<Node>>(), 1 << 12);
    let candidates = parts.iter_mut().flat_map(|part| part.take(&listed)).collect();
    Found { candidates, heavy }
}

fn frequent(sets: &Sets, every: usize) -> Vec<u32> {
    let places: BTreeSet<u32> = sets.iter().flatten().map(|&element| place_of(element)).collect();
    places.into_iter().step_by(every).collect()
}

proptest! {
    #[test]
    fn every_pair_is_a_candidate(
        sets in sets(40), threshold in threshold(), every in 1..9usize, tasks in 1..5usize, buckets in 1..6u32,
        compare in prop::sample::select(&[Compare::All, Compare::Across, Compare::Against][..]),
        // A list has at most 80 postings here: two copies of 40. Those that do not fit come in tiles.
        hold in prop::sample::select(&[1, 5, 20, 80, 200, usize::MAX][..]),
    ) {
        let nodes = nodes(&sets, if compare == Compare::All { 1 } else { 2 });
        let met = meet(&nodes, threshold, compare, &frequent(&sets, every), hold, (tasks, buckets, u64::MAX, usize::MAX, every), true);
        let found = met.candidates;
        let expected = brute(&nodes, &threshold, compare);
        prop_assert!(expected.is_subset(&found), "{expected:?} {found:?}");
        prop_assert!(found.iter().all(|&(a, b)| a < b && compare.allows(a, b)));
        prop_assert_eq!(met.heavy, Vec::new());
    }

    /// The elements that are posted have the least hashes, and still go to all buckets alike.
    #[test]
    fn buckets_are_even(seed in any::<u64>()) {
        let threshold = Threshold::new(Measure::Jaccard, "0.8").unwrap();
        let mut poster = Poster::new(threshold, ElementOrder::new(&[]), 16);
        for node in 0..200 {
            let mut set: Vec<u64> = (0..200).map(|at| crate::sets::mix(seed ^ (node * 200 + at))).collect();
            set.sort_unstable();
            poster.post(2 * node, &set);
        }
        let sizes: Vec<usize> = poster.take(usize::MAX).iter().map(|(_, blob)| blob.len()).collect();
        let mean = sizes.iter().sum::<usize>() / 16;
        prop_assert!(sizes.len() == 16 && sizes.iter().all(|&size| size < mean * 5 / 4 && size > mean * 3 / 4), "{:?}", sizes);
    }

    #[test]
    fn candidates_meet_once_and_with_their_sets(
        pairs in proptest::collection::btree_set((0..60u64, 0..60u64), 0..80), most in 1..40u64,
    ) {
        let pairs: Vec<(Node, Node)> = pairs.into_iter().filter(|(a, b)| a < b).collect();
        let size = |node: Node| node % 7 + 1;
        let places = Places::new(&pairs, size, most / 2, most);
        let mut verified: Vec<(Node, Node)> = places.candidates.iter().flatten().copied().collect();
        verified.sort_unstable();
        prop_assert_eq!(&verified, &pairs);
        let mut used = vec![0; places.candidates.len()];
        for (number, node) in places.nodes.iter().enumerate() {
            places.of(number).iter().for_each(|&place| used[place as usize] += size(*node));
        }
        for (place, candidates) in places.candidates.iter().enumerate() {
            let there = |node: Node| places.of(places.nodes.binary_search(&node).unwrap()).contains(&(place as u32));
            prop_assert!(candidates.iter().all(|&(a, b)| there(a) && there(b)));
            prop_assert!(used[place] <= most.max(14), "{} of {most}", used[place]);
        }
    }

    /// With any share of heavy lists and any blocks, the survivors are those of the definition.
    #[test]
    fn settled_in_blocks(
        sets in sets(40), threshold in threshold(), most in 0..40u64, longest in 1..9usize, block in 1..9u32,
        references in any::<bool>(), hold in prop::sample::select(&[1, 2, 5, 20, 100, usize::MAX][..]),
        bytes in prop::sample::select(&[1, 4, 1 << 12][..]),
    ) {
        let compare = if references { Compare::Against } else { Compare::All };
        let mut nodes = nodes(&sets, if references { 2 } else { 1 });
        nodes.sort_by_key(|(node, _)| 1 - (node & 1));
        let pinned = nodes.iter().filter(|(node, _)| node & 1 == 1).count() as u32;
        let place: HashMap<Node, u32> = nodes.iter().map(|(node, _)| *node).zip(0..).collect();
        let pairs_of = |candidates: Vec<(Node, Node)>| -> Vec<NodePair> {
            candidates.into_iter().filter_map(|(a, b)| {
                let (a, b) = (place[&a], place[&b]);
                let (one, two) = (nodes[a as usize].1, nodes[b as usize].1);
                let shared = common(one, two);
                let reaches = threshold.reaches(shared, one.len() as u32, two.len() as u32);
                reaches.then_some(NodePair { later: a.max(b), earlier: a.min(b), common: shared })
            }).collect()
        };
        let sizes: Vec<u32> = nodes.iter().map(|(_, set)| set.len() as u32).collect();

        let mut expected = Settling::new(threshold, sizes.clone(), pinned);
        expected.add(pairs_of(brute(&nodes, &threshold, compare).into_iter().collect()));
        expected.settle(sizes.len() as u32);

        let met = meet(&nodes, threshold, compare, &[], hold, (2, 3, most, longest, 7), false);
        let mut settling = Settling::new(threshold, sizes.clone(), pinned);
        settling.add(pairs_of(met.candidates.into_iter().collect()));
        let heavy = |roles: Vec<(Node, Role)>| -> Vec<NodePair> {
            let found = compare_heavy(&met.heavy, MeetingRule::Elements(threshold), compare, &roles, longest, bytes);
            pairs_of(found.into_iter().collect())
        };
        let all = sizes.len() as u32;
        let mut kept: Vec<u32> = (0..pinned).collect();
        // Those of the last block that had a match before it.
        let mut matched: Vec<u32> = Vec::new();
        let mut start = pinned;
        loop {
            let later = matched.iter().copied().chain(start..all).map(|one| (one, Role::Later));
            let roles = kept.iter().map(|&one| (one, Role::Kept)).chain(later);
            settling.add(heavy(roles.map(|(one, role)| (nodes[one as usize].0, role)).collect()));
            if start >= all {
                break;
            }
            let end = (start + block).min(all);
            let open: Vec<u32>;
            (open, matched) = (start..end).partition(|&one| settling.is_kept(one));
            settling.add(heavy(open.iter().map(|&one| (nodes[one as usize].0, Role::Open)).collect()));
            settling.settle(end);
            kept = open.into_iter().filter(|&one| settling.is_kept(one)).collect();
            start = end;
        }
        prop_assert_eq!(settling.removed().collect::<Vec<_>>(), expected.removed().collect::<Vec<_>>());
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(blob in proptest::collection::vec(any::<u8>(), 0..80)) {
        let threshold = Threshold::new(Measure::Jaccard, "0.8").unwrap();
        for rule in [MeetingRule::Elements(threshold), MeetingRule::Signatures { words: 1, agree: 60 }] {
            for hold in [1, usize::MAX] {
                let mut bucket = Bucket::new(rule, Compare::All, hold, Memory::default());
                if bucket.add(&blob).is_ok() {
                    while bucket.next(u64::MAX, usize::MAX, 9).unwrap().is_some() {
                        bucket.take_heavy();
                    }
                }
            }
            let _ = HeavyLists::nodes(&rule, &blob);
            let _ = Roles::default().divide(&rule, &blob);
        }
        let _ = Candidates::default().add(&blob);
    }

    /// Documents with an equal key, or with simhashes that agree in enough bits, are the candidates: no other, and none missing.
    #[test]
    fn signatures_meet(
        documents in proptest::collection::vec((proptest::collection::vec(0..3u64, 3), 0..8u64, 0..4u32), 0..30),
        agree in 122..130u32, tasks in 1..4usize, count in 1..5u32, hold in prop::sample::select(&[1, 4, 50, usize::MAX][..]), longest in 1..9usize, filter in 1..4usize,
        compare in prop::sample::select(&[Compare::All, Compare::Across, Compare::Against][..]),
    ) {
        let filter = Filter::new(3, 2, filter).unwrap();
        // Features have their place in them; simhashes differ in a few bits, at the edges of words too.
        let documents: Vec<(Node, Vec<u64>, [u64; 2])> = documents.into_iter().zip(0..).map(|((features, bits, shift), at)| {
            let features: Vec<u64> = features.into_iter().zip(0..).map(|(feature, place)| feature * 8 + place).collect();
            let simhash = [bits << (20 * shift), bits.reverse_bits() >> shift];
            let side = if compare == Compare::All { 0 } else { at % 2 };
            (node_of(hash_set(&[&features[..], &simhash].concat()), None, side, 0), features, simhash)
        }).collect();
        let (keys, pieces) = (FeatureKeys::new(filter), PieceKeys::new(128, agree));
        let rule = MeetingRule::Signatures { words: 2, agree };
        let mut meetings = buckets(rule, compare, count, hold);
        for task in 0..tasks {
            let mut poster = SignaturePoster::new(count);
            for (node, features, simhash) in documents.iter().skip(task).step_by(tasks) {
                let pieces: Vec<u64> = pieces.iter().flat_map(|pieces| pieces.of(simhash)).collect();
                poster.post(*node, keys.of(features), pieces.into_iter(), simhash);
            }
            poster.take(usize::MAX).into_iter().for_each(|(bucket, blob)| meetings[bucket as usize].add(&blob).unwrap());
        }
        let (mut found, mut heavy) = (BTreeSet::new(), Vec::new());
        for meeting in &mut meetings {
            while let Some(some) = meeting.next(u64::MAX, longest, 5).unwrap() {
                found.extend(some.take(&NodeFilter::default()));
                heavy.extend(meeting.take_heavy());
            }
            heavy.extend(meeting.take_heavy());
        }
        // Those in long lists are compared too, if all have the role for it.
        let roles: Vec<(Node, Role)> = documents.iter().map(|(node, ..)| (*node, Role::Open)).collect();
        found.extend(compare_heavy(&heavy, rule, compare, &roles, 3, 1 << 12));
        let mut expected = BTreeSet::new();
        for (a, features_a, simhash_a) in &documents {
            for (b, features_b, simhash_b) in documents.iter().filter(|(b, ..)| a < b && compare.allows(*a, *b)) {
                let shares = keys.of(features_a).zip(keys.of(features_b)).any(|(one, two)| one == two);
                prop_assert!(shares || shared_features(features_a, features_b) < filter.r());
                if shares || agreeing_bits(simhash_a, simhash_b) >= agree {
                    expected.insert((*a, *b));
                }
            }
        }
        prop_assert_eq!(found, expected);
    }
}
