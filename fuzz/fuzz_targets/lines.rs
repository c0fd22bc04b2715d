//! Any bytes are lines, unless they are refused as a whole: the same ones in blocks of any size, and together all that is not blank.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_io::read::fuzz::lines;

fuzz_target!(|bytes: &[u8]| {
    let (choice, file) = bytes.split_first().unwrap_or((&0, &[]));
    let (is_json, size) = (choice & 1 == 1, usize::from(choice >> 1) + 1);
    let all =
        [lines(file, 1 << 18, is_json, false), lines(file, size, is_json, false), lines(file, size, is_json, true)];
    let refused = all.iter().filter(|read| read.is_err()).count();
    // What is no JSON lines is told by the first lines, and blocks have more or fewer of them.
    assert!(refused == 0 || refused == all.len() || is_json, "{all:?}");
    let file = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
    let expected = file.split_inclusive(|&byte| byte == b'\n').zip(1..);
    let expected = expected.filter(|(line, _)| !line.trim_ascii().is_empty());
    let expected: Vec<(u64, Vec<u8>)> = expected.map(|(line, number)| (number, line.to_vec())).collect();
    for read in all.into_iter().flatten() {
        assert_eq!(read, expected);
    }
});
