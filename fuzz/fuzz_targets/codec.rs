//! Any bytes are a file, compressed or not: they are decompressed or refused, the same way from a file and from a pipe, and what is not
//! compressed stays as it is. What is compressed comes back.
#![no_main]

use std::io::{Seek, Write};

use libfuzzer_sys::fuzz_target;
use lookalike_io::read::fuzz::{compress, decompress, decompress_live};

/// A few bytes may be many when they are decompressed.
const MOST: u64 = 1 << 20;

fuzz_target!(|bytes: &[u8]| {
    let mut file = tempfile::tempfile().expect("temporary space");
    file.write_all(bytes).and_then(|()| file.rewind()).expect("temporary space");
    match (decompress(file, MOST), decompress_live(bytes, MOST)) {
        (Ok(one), Ok(two)) => {
            assert!(one == two);
            let is_compressed = bytes.starts_with(&[0x1f, 0x8b]) || bytes.get(1..4) == Some(&[0xb5, 0x2f, 0xfd]);
            let is_skippable = bytes.get(1..4) == Some(&[0x2a, 0x4d, 0x18]);
            assert!(is_compressed || is_skippable || one == bytes);
        }
        (Err(one), Err(two)) => assert_eq!(one.kind(), two.kind()),
        (one, two) => panic!("{:?} but {:?}", one.err(), two.err()),
    }
    for name in ["a.gz", "a.zst"] {
        let compressed = compress(bytes, name).expect("bytes in memory");
        assert!(decompress_live(&compressed, u64::MAX).expect("what we compressed") == bytes);
    }
});
