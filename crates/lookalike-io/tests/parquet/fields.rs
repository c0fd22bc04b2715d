//! Are fields read as they were written, and tables too?

use ::parquet::data_type::ByteArray;
use ::parquet::file::reader::FileReader;
use bytes::Bytes;
use lookalike_io::parquet::{Cell, Column, Fields, Kind, OpenError, TableWriter, Value, open};

use crate::fixture::{Record, everything, records, small_pages};

/// The expected values of a column, by its records.
fn values(records: &[Record], value: impl Fn(&[u8]) -> Value) -> Vec<Value> {
    let value = |record: &Record| record[0].2.as_deref().map_or(Value::Null, &value);
    records.iter().map(value).collect()
}

#[test]
fn fields_are_read_in_batches() {
    let i32 = |bytes: &[u8]| i32::from_le_bytes(bytes.try_into().unwrap());
    let i64 = |bytes: &[u8]| i64::from_le_bytes(bytes.try_into().unwrap());
    let int32 = |bytes: &[u8]| Value::Int(i32(bytes).into());
    let text = |bytes: &[u8]| Value::Text(ByteArray::from(bytes));
    for dictionary in [true, false] {
        let properties = small_pages().set_dictionary_enabled(dictionary);
        let bytes = everything(9, &[700, 3, 1200], properties);
        let file = open(bytes.clone()).unwrap();
        let columns = records(&file);
        let schema = file.metadata().file_metadata().schema_descr();
        let column = |name: &str| {
            let leaf = schema.columns().iter().position(|c| c.path().string() == name);
            &columns[leaf.unwrap()]
        };
        let wanted = [
            "text", "small", "positive", "id", "hash", "flag", "ratio", "score", "title", "huge", "uuid", "old_time",
            "tags", "bare", "price", "nothing", "text", "point",
        ];
        let others = vec![Value::Other; 1903];
        let float = |bytes: &[u8]| Value::Float(f32::from_le_bytes(bytes.try_into().unwrap()).into());
        let double = |bytes: &[u8]| Value::Float(f64::from_le_bytes(bytes.try_into().unwrap()));
        let expected = [
            values(column("text"), text),
            values(column("small"), int32),
            values(column("positive"), |v| Value::Int((i32(v) as u32).into())),
            values(column("id"), |v| Value::Int(i64(v))),
            values(column("hash"), |v| match i64(v) {
                number if number < 0 => Value::UInt(number as u64),
                number => Value::Int(number),
            }),
            values(column("flag"), |v| Value::Bool(v[0] == 1)),
            values(column("ratio"), float),
            values(column("score"), double),
            values(column("title"), text),
            values(column("huge"), |_| Value::Other),
            values(column("uuid"), |_| Value::Other),
            values(column("old_time"), |_| Value::Other),
            others.clone(),
            others.clone(),
            values(column("price"), int32),
            values(column("nothing"), int32),
            values(column("text"), text),
            others,
        ];
        for (max_rows, max_bytes) in [(1, 0), (7, usize::MAX), (usize::MAX, 9000), (100, 1 << 16)] {
            let mut fields = Fields::open(bytes.clone(), &wanted).unwrap();
            assert_eq!(fields.rows(), 1903);
            let mut found = vec![Vec::new(); wanted.len()];
            let mut row = 0;
            while let Some(batch) = fields.next(max_rows, max_bytes).unwrap() {
                assert_eq!(batch.first_row, row);
                assert!((1..=max_rows).contains(&batch.len));
                let texts = batch.columns.iter().flatten().filter_map(Value::text);
                let size: usize = texts.map(<[u8]>::len).sum();
                assert!(size <= max_bytes || batch.len == 1);
                for (column, values) in found.iter_mut().zip(batch.columns) {
                    assert_eq!(values.len(), batch.len);
                    column.extend(values);
                }
                row += batch.len as u64;
            }
            assert_eq!(row, 1903);
            // Compared as printed, since NaN is not equal to itself.
            assert!(format!("{found:?}") == format!("{expected:?}"));
        }
    }
}

#[test]
fn a_column_that_is_not_there_is_said_with_those_that_are() {
    let bytes = everything(1, &[1], small_pages());
    match Fields::open(bytes, &["id", "body"]).err() {
        Some(OpenError::NoColumn { name, columns }) => {
            assert_eq!(name, "body");
            assert_eq!(columns[..3], ["flag", "maybe", "small"]);
            assert_eq!(columns.last().unwrap(), "point");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn fields_can_go_to_another_thread() {
    fn check<T: Send>() {}
    check::<Fields>();
}

#[test]
fn a_table_reads_back() {
    let columns = [
        Column::new("name", Kind::Text),
        Column::required("count", Kind::Int),
        Column::new("share", Kind::Float),
        Column::new("good", Kind::Bool),
    ];
    let mut table = TableWriter::create(Vec::new(), &columns).unwrap();
    let rows = 70_000;
    for row in 0..rows {
        let name = match row % 4 {
            0 => Cell::Null,
            _ => Cell::from(format!("name {}", row % 1000)),
        };
        let share = if row % 7 == 0 { Cell::Null } else { Cell::Float(row as f64) };
        let good = if row % 3 == 0 { Cell::Null } else { Cell::Bool(row % 2 == 0) };
        table.row(&[name, Cell::Int(row), share, good]).unwrap();
    }
    assert!(table.row(&[Cell::Null, Cell::Null, Cell::Null, Cell::Null]).is_err());
    assert!(table.row(&[Cell::Int(1), Cell::Int(1), Cell::Null, Cell::Null]).is_err());
    assert!(table.row(&[Cell::Null]).is_err());
    let bytes = Bytes::from(table.finish().unwrap());

    let file = open(bytes.clone()).unwrap();
    assert_eq!(file.num_row_groups(), 2);
    let mut fields = Fields::open(bytes, &["name", "count", "share", "good"]).unwrap();
    let mut row = 0;
    while let Some(batch) = fields.next(1000, 1 << 20).unwrap() {
        for place in 0..batch.len {
            let value = |column: usize| &batch.columns[column][place];
            match row % 4 {
                0 => assert_eq!(*value(0), Value::Null),
                _ => assert_eq!(value(0).text().unwrap(), format!("name {}", row % 1000).as_bytes()),
            }
            assert_eq!(*value(1), Value::Int(row));
            assert_eq!(*value(2) == Value::Null, row % 7 == 0);
            assert_eq!(*value(3) == Value::Null, row % 3 == 0);
            row += 1;
        }
    }
    assert_eq!(row, rows);
}

#[test]
fn a_table_may_be_empty() {
    let table = TableWriter::create(Vec::new(), &[Column::new("a", Kind::Int)]).unwrap();
    let bytes = Bytes::from(table.finish().unwrap());
    let mut fields = Fields::open(bytes, &["a"]).unwrap();
    assert_eq!(fields.columns(), ["a"]);
    assert_eq!(fields.rows(), 0);
    assert_eq!(fields.next(10, 10).unwrap(), None);
}
