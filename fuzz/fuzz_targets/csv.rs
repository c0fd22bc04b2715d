//! Any bytes are rows of a CSV file: the same ones in blocks of any size, one after another as they stand in the file, with the fields
//! that the `csv` crate finds. Ours differs from it on purpose in one thing: a quotation mark that would swallow several lines and does
//! not end its field stands for itself.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_io::Format;
use lookalike_io::read::fuzz::{CsvRecord, csv};

fuzz_target!(|bytes: &[u8]| {
    let (choice, file) = bytes.split_first().unwrap_or((&0, &[]));
    let (format, delimiter) = if choice & 1 == 0 { (Format::Csv, b',') } else { (Format::Tsv, b'\t') };
    // Another encoding is refused as a whole.
    let Ok(read) = csv(file, format, 1 << 18) else { return };
    assert_eq!(csv(file, format, usize::from(choice >> 1) + 1).expect("bytes in memory"), read);
    let records: Vec<CsvRecord> =
        read.into_iter().flat_map(|(header, rows)| std::iter::once(header).chain(rows)).collect();
    check_order(file, &records);
    check_fields(file, delimiter, &records);
});

/// Between the rows there are blank lines and nothing else.
fn check_order(file: &[u8], records: &[CsvRecord]) {
    let mut rest = without_mark(file);
    for record in records {
        rest = trim_start(rest).strip_prefix(&record.raw[..]).expect("rows as they stand in the file");
    }
    assert!(trim_start(rest).is_empty(), "{rest:?} is left");
}

fn check_fields(file: &[u8], delimiter: u8, records: &[CsvRecord]) {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(file);
    let mut columns = 0;
    for (number, record) in records.iter().enumerate() {
        let start = reader.position().byte() as usize;
        let mut expected = csv::ByteRecord::new();
        assert!(reader.read_byte_record(&mut expected).expect("bytes in memory"), "more rows than the crate finds");
        let raw = &file[start..reader.position().byte() as usize];
        let raw = if number == 0 { without_mark(raw) } else { raw };
        if trim(raw) != trim(&record.raw) {
            // Here the two go different ways.
            assert!(trim(raw).contains(&b'"') && trim(raw).iter().any(|byte| b"\r\n".contains(byte)), "{raw:?}");
            return;
        }
        if number == 0 {
            columns = expected.len();
        }
        assert_eq!(record.missing, columns.saturating_sub(expected.len()));
        let Some(fields) = &record.fields else {
            assert!(str::from_utf8(&record.raw).is_err());
            continue;
        };
        let text = |field| expected.get(field).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        assert_eq!(fields, &(0..columns).map(text).collect::<Vec<_>>());
    }
    let mut more = csv::ByteRecord::new();
    assert!(!reader.read_byte_record(&mut more).expect("bytes in memory"), "fewer rows than the crate finds");
}

fn without_mark(file: &[u8]) -> &[u8] {
    file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file)
}

fn trim_start(bytes: &[u8]) -> &[u8] {
    let blank = bytes.iter().take_while(|byte| b"\r\n".contains(byte)).count();
    &bytes[blank..]
}

fn trim(bytes: &[u8]) -> &[u8] {
    let bytes = trim_start(bytes);
    let blank = bytes.iter().rev().take_while(|byte| b"\r\n".contains(byte)).count();
    &bytes[..bytes.len() - blank]
}
