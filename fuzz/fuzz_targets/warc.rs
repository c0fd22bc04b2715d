//! Any bytes are an archive: rows and bad rows, or a file that breaks off. What is read to be compared and what is read to be written
//! are the same rows.
#![no_main]

use std::io::Write;

use libfuzzer_sys::fuzz_target;
use lookalike_io::{Blocks, Error, Fields, Format, RowReader, resolve};

const MOST: usize = 4096;

fuzz_target!(|bytes: &[u8]| {
    let path = std::env::temp_dir().join(format!("lookalike-fuzz-{}.warc", std::process::id()));
    std::fs::File::create(&path).and_then(|mut file| file.write_all(bytes)).expect("temporary space");
    let sources = resolve(&[path.display().to_string()], Some(Format::Warc)).expect("a file that is there");
    let fields = Fields { key: Some("WARC-Date".to_string()), ..Fields::default() };

    let compared = || {
        let mut rows = Vec::new();
        let mut reader = RowReader::new(&fields, MOST);
        let mut blocks = Blocks::new(&sources, &fields, Default::default()).for_texts(MOST);
        while let Some(block) = blocks.next_block()? {
            reader.for_each::<Error>(&block, |row, _| {
                rows.push(row.number);
                Ok(())
            })?;
        }
        Ok::<_, Error>(rows)
    };
    let written = || {
        let mut rows = Vec::new();
        let mut length = 0;
        let mut blocks = Blocks::new(&sources, &fields, Default::default());
        while let Some(block) = blocks.next_block()? {
            block.for_each_raw::<Error>(|raw| {
                length += raw.bytes.len();
                rows.extend((!raw.is_other).then_some(raw.number));
                Ok(())
            })?;
        }
        Ok::<_, Error>((rows, length))
    };
    match (compared(), written()) {
        (Ok(compared), Ok((written, length))) => {
            assert_eq!(compared, written);
            // Compressed files hold more than they are long.
            assert!(length <= bytes.len() || bytes.starts_with(&[0x1f, 0x8b]) || bytes.starts_with(&[0x28]));
        }
        (Err(_), Err(_)) => {}
        (one, two) => panic!("{:?} but {:?}", one.err(), two.err()),
    }
});
