//! Any bytes are a Parquet file: rows, or an error. No panic, and no more memory than such a file may ask for. The rows are the same in
//! batches of any size, and a copy has them too.
#![no_main]

mod limit;

use bytes::Bytes;
use libfuzzer_sys::fuzz_target;
use lookalike_io::parquet::{Copier, Fields, Value};

/// Rows that are looked at: a few bytes may say that there are billions.
const MOST: usize = 10_000;

fuzz_target!(|bytes: &[u8]| {
    let (choice, file) = bytes.split_first().unwrap_or((&0, &[]));
    let file = Bytes::copy_from_slice(file);
    let Ok(fields) = Fields::open(file.clone(), &[]) else { return };
    let (names, rows) = (fields.columns(), fields.rows());
    let read = rows_of(file.clone(), &names, 1 << 14, 1 << 18);
    let other = rows_of(file.clone(), &names, usize::from(*choice) + 1, usize::from(*choice) << 4);
    assert_eq!(read.is_ok(), other.is_ok());
    let (Ok(read), Ok(other)) = (read, other) else { return };
    assert!(same(&read, &other));
    if rows > MOST as u64 {
        return;
    }
    let copied = Copier::create(fields.file().metadata(), Vec::new(), &[]).and_then(|mut copier| {
        copier.copy(fields.file(), &mut |_| true)?;
        copier.finish()
    });
    if let Ok(copied) = copied {
        assert!(same(&read, &rows_of(copied.into(), &names, 1 << 14, 1 << 18).expect("a copy that can be read")));
    }
});

/// All rows of all columns.
fn rows_of(file: Bytes, names: &[String], most: usize, bytes: usize) -> Result<Vec<Vec<Value>>, String> {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut fields = Fields::open(file, &names).map_err(|error| error.to_string())?;
    let mut rows = Vec::new();
    while let Some(batch) = fields.next(most, bytes).map_err(|error| error.to_string())? {
        assert_eq!(batch.first_row, rows.len() as u64);
        assert!(batch.len > 0 && batch.len <= most && batch.columns.iter().all(|column| column.len() == batch.len));
        rows.extend((0..batch.len).map(|at| batch.columns.iter().map(|column| column[at].clone()).collect::<Vec<_>>()));
        if rows.len() >= MOST {
            rows.truncate(MOST);
            break;
        }
    }
    Ok(rows)
}

/// As equal as numbers that are none can be.
fn same(one: &[Vec<Value>], two: &[Vec<Value>]) -> bool {
    let is_same = |one: &Value, two: &Value| match (one, two) {
        (Value::Float(one), Value::Float(two)) => one.to_bits() == two.to_bits() || one.is_nan() && two.is_nan(),
        _ => one == two,
    };
    one.len() == two.len()
        && one.iter().zip(two).all(|(one, two)| one.iter().zip(two).all(|(one, two)| is_same(one, two)))
}
