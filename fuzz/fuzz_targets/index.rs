//! A part of an index whose checksums are right is read, whatever it says: an answer or an error.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use lookalike::engine::{
    Elements, FindScratch, NewDocument, NewPart, Part, Parts, Remembered, SetStore, Stage, find_references, merge, seal,
};
use lookalike::{Measure, Threshold};

static THRESHOLD: LazyLock<Threshold> = LazyLock::new(|| Threshold::new(Measure::Jaccard, "0.5").expect("a threshold"));

/// The body of a part, without its checksums.
static BODY: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let sets: Vec<Vec<u64>> = (0..20_u64).map(|set| (set * 3..set * 3 + set % 7).collect()).collect();
    let ids: Vec<String> = (0..20).map(|id| format!("document {id}")).collect();
    let documents: Vec<NewDocument> = (5..)
        .zip(sets.iter().zip(&ids))
        .map(|(serial, (set, id))| NewDocument { id, serial, set: Elements::Numbers(set) })
        .collect();
    let removed = (0..9).map(|hash| Remembered { hash, twin: 5 + hash as u64, common: 2, size: 3 }).collect();
    let bytes = NewPart::new(&documents, removed, &THRESHOLD).expect("a part").to_bytes(&Stage::silent()).expect("bytes");
    let length = u64::from_le_bytes(bytes[bytes.len() - 16..bytes.len() - 8].try_into().expect("eight bytes"));
    bytes[..length as usize].to_vec()
});

fuzz_target!(|bytes: &[u8]| {
    let (choice, rest) = bytes.split_first().unwrap_or((&0, &[]));
    // Change a few bytes, or replace all.
    let mut body = if choice & 1 == 0 { BODY.clone() } else { rest.to_vec() };
    if choice & 1 == 0 {
        for change in rest.chunks_exact(3) {
            let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % body.len();
            body[at] = change[2];
        }
    }
    // Bytes without checksums, and with right ones.
    let _ = Part::open(&body[..]).map(|part| part.check());
    let Ok(part) = Part::open(seal(&body)) else { return };
    let _ = part.check();
    let parts = Parts::new(*THRESHOLD, vec![part], vec![7]);
    let asked: Vec<u64> = (0..60).step_by(2).chain([u64::MAX]).collect();
    let _ = parts.find(&asked, &THRESHOLD, u64::MAX, &mut FindScratch::default(), |_, _| ());
    let _ = SetStore::of_sets([&asked]).map(|batch| find_references(&parts, &batch, u64::MAX, &Stage::silent()));
    let _ = (parts.find_id("document 3", &mut Vec::new()), parts.remembered(3), parts.place_of(9));
    let _ = merge(&parts, 0..1, &Stage::silent(), |part| part.to_bytes(&Stage::silent()));
});
