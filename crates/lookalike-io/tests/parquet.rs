//! Whether Parquet files are read and copied exactly: copies are compared with what the `parquet` crate itself reads, leaf by leaf and
//! level by level.

use std::sync::Arc;

use ::parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use ::parquet::column::reader::ColumnReader;
use ::parquet::column::writer::ColumnWriter;
use ::parquet::data_type::{AsBytes, ByteArray, FixedLenByteArray, Int96};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::{FileMetaData, KeyValue, ParquetMetaData};
use ::parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use ::parquet::file::reader::{FileReader, RowGroupReader};
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::record::reader::RowIter;
use ::parquet::schema::parser::parse_message_type;
use ::parquet::schema::types::{SchemaDescriptor, Type};
use bytes::Bytes;
use lookalike_io::parquet::{Cell, Column, Copier, Fields, Kind, OpenError, TableWriter, Value, open};

/// Every physical type, many logical ones, required, optional and repeated,
/// flat and nested, some with field ids.
const SCHEMA: &str = "message everything {
  required boolean flag = 1;
  optional boolean maybe;
  optional int32 small (INTEGER(8,true));
  optional int32 positive (INTEGER(32,false));
  required int64 id = 5;
  optional int64 hash (INTEGER(64,false));
  optional int96 old_time;
  optional float ratio;
  required double score;
  required binary title (STRING);
  optional binary text (STRING) = 7;
  optional binary raw;
  optional binary json (JSON);
  optional binary colour (ENUM);
  required fixed_len_byte_array(16) uuid (UUID);
  optional fixed_len_byte_array(5) odd;
  optional int32 price (DECIMAL(9,2));
  optional int64 cost (DECIMAL(18,4));
  optional fixed_len_byte_array(16) big (DECIMAL(38,10));
  optional binary huge (DECIMAL(50,3));
  optional fixed_len_byte_array(2) half (FLOAT16);
  optional fixed_len_byte_array(12) span (INTERVAL);
  optional int64 at (TIMESTAMP(MICROS,true));
  optional int32 day (DATE);
  optional int32 nothing (UNKNOWN);
  optional group tags (LIST) {
    repeated group list {
      optional group element {
        required binary name (STRING);
        optional group marks (LIST) { repeated group list { optional double element; } }
      }
    }
  }
  optional group attributes (MAP) {
    repeated group key_value { required binary key (STRING); optional int64 value; }
  }
  repeated int32 bare;
  required group point { required double x; optional float y; }
}";

/// Pseudo-random numbers with a fixed seed.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.below(256) as u8).collect()
    }

    /// The levels of a column for some records, and the number of values they need.
    fn levels(&mut self, records: usize, max_def: i16, max_rep: i16) -> (Vec<i16>, Vec<i16>, usize) {
        let (mut def, mut rep) = (vec![], vec![]);
        for _ in 0..records {
            rep.push(0);
            def.push(self.below(max_def as usize + 1) as i16);
            while max_rep > 0 && self.below(3) > 0 {
                rep.push(1 + self.below(max_rep as usize) as i16);
                def.push(self.below(max_def as usize + 1) as i16);
            }
        }
        let values = def.iter().filter(|&&level| level == max_def).count();
        (def, rep, values)
    }

    /// A few different words, so that a dictionary pays off, and some long ones.
    fn word(&mut self) -> Vec<u8> {
        match self.below(10) {
            0 => "é".repeat(self.below(200)).into_bytes(),
            _ => format!("word {}", self.below(20)).into_bytes(),
        }
    }
}

/// A file with `SCHEMA` and row groups of these sizes.
fn everything(seed: u64, groups: &[usize], properties: WriterPropertiesBuilder) -> Bytes {
    let mut random = Random(seed * 2 + 1);
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let pairs = vec![
        KeyValue::new("ARROW:schema".into(), "not looked at".to_string()),
        KeyValue::new("pandas".into(), "{}".to_string()),
        KeyValue::new("empty".into(), None),
    ];
    let properties = properties.set_key_value_metadata(Some(pairs)).build();
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).unwrap();
    for &rows in groups {
        let mut group = writer.next_row_group().unwrap();
        while let Some(mut column) = group.next_column().unwrap() {
            write_random(&mut random, rows, column.untyped());
            column.close().unwrap();
        }
        group.close().unwrap();
    }
    writer.into_inner().unwrap().into()
}

fn write_random(random: &mut Random, rows: usize, to: &mut ColumnWriter<'_>) {
    macro_rules! write {
        ($to:expr, $value:expr) => {{
            let column = $to.get_descriptor().clone();
            let (max_def, max_rep) = (column.max_def_level(), column.max_rep_level());
            let (def, rep, count) = random.levels(rows, max_def, max_rep);
            let length = column.type_length().max(0) as usize;
            let values: Vec<_> = (0..count).map(|_| $value(&mut *random, length)).collect();
            let def = (max_def > 0).then_some(&def[..]);
            let rep = (max_rep > 0).then_some(&rep[..]);
            $to.write_batch(&values, def, rep).unwrap();
        }};
    }
    match to {
        ColumnWriter::BoolColumnWriter(to) => write!(to, |r: &mut Random, _| r.below(2) == 0),
        ColumnWriter::Int32ColumnWriter(to) => {
            write!(to, |r: &mut Random, _| r.below(50) as i32 - 25)
        }
        ColumnWriter::Int64ColumnWriter(to) => {
            write!(to, |r: &mut Random, _| (r.below(usize::MAX) as i64) << r.below(60))
        }
        ColumnWriter::Int96ColumnWriter(to) => write!(to, |r: &mut Random, _| {
            let mut value = Int96::new();
            value.set_data(r.below(1 << 32) as u32, r.below(9) as u32, r.below(3_000_000) as u32);
            value
        }),
        ColumnWriter::FloatColumnWriter(to) => {
            write!(to, |r: &mut Random, _| [f32::NAN, -0.0, 1.5e-9, 7.0][r.below(4)])
        }
        ColumnWriter::DoubleColumnWriter(to) => {
            write!(to, |r: &mut Random, _| r.below(1000) as f64 / 7.0)
        }
        ColumnWriter::ByteArrayColumnWriter(to) => {
            write!(to, |r: &mut Random, _| ByteArray::from(r.word()))
        }
        ColumnWriter::FixedLenByteArrayColumnWriter(to) => {
            write!(to, |r: &mut Random, n| FixedLenByteArray::from(r.bytes(n)))
        }
    }
}

/// A record of a leaf column: the levels and the value of each of its places.
type Record = Vec<(i16, i16, Option<Vec<u8>>)>;

/// All records of all leaf columns, read without any of our code.
fn records(file: &dyn FileReader) -> Vec<Vec<Record>> {
    let schema = file.metadata().file_metadata().schema_descr();
    let mut columns = vec![Vec::new(); schema.num_columns()];
    for group in 0..file.num_row_groups() {
        let group = file.get_row_group(group).unwrap();
        for (leaf, records) in columns.iter_mut().enumerate() {
            let column = schema.column(leaf);
            let (mut def, mut rep, mut values) = (vec![], vec![], vec![]);
            macro_rules! read {
                ($reader:expr) => {{
                    let mut typed = vec![];
                    let (def, rep) = (Some(&mut def), Some(&mut rep));
                    $reader.read_records(usize::MAX, def, rep, &mut typed).unwrap();
                    values.extend(typed.iter().map(|value| value.as_bytes().to_vec()));
                }};
            }
            match group.get_column_reader(leaf).unwrap() {
                ColumnReader::BoolColumnReader(mut r) => read!(r),
                ColumnReader::Int32ColumnReader(mut r) => read!(r),
                ColumnReader::Int64ColumnReader(mut r) => read!(r),
                ColumnReader::Int96ColumnReader(mut r) => read!(r),
                ColumnReader::FloatColumnReader(mut r) => read!(r),
                ColumnReader::DoubleColumnReader(mut r) => read!(r),
                ColumnReader::ByteArrayColumnReader(mut r) => read!(r),
                ColumnReader::FixedLenByteArrayColumnReader(mut r) => read!(r),
            }
            let places = def.len().max(values.len());
            let mut values = values.into_iter();
            for place in 0..places {
                let rep = rep.get(place).copied().unwrap_or(0);
                let def = def.get(place).copied().unwrap_or(0);
                let value = (def == column.max_def_level()).then(|| values.next().unwrap());
                if rep == 0 {
                    records.push(Record::new());
                }
                records.last_mut().unwrap().push((rep, def, value));
            }
            assert_eq!(values.next(), None);
        }
    }
    columns
}

fn chosen(columns: &[Vec<Record>], keep: impl Fn(u64) -> bool) -> Vec<Vec<Record>> {
    let rows = |column: &Vec<Record>| {
        let kept = (0..).zip(column).filter(|(row, _)| keep(*row));
        kept.map(|(_, record)| record.clone()).collect()
    };
    columns.iter().map(rows).collect()
}

fn copied(file: &dyn FileReader, mut keep: impl FnMut(u64) -> bool) -> impl FileReader {
    let mut copier = Copier::create(file.metadata(), Vec::new(), &[]).unwrap();
    copier.copy(file, &mut keep).unwrap();
    open(Bytes::from(copier.finish().unwrap())).unwrap()
}

const CODECS: [&str; 6] = ["UNCOMPRESSED", "SNAPPY", "GZIP(6)", "LZ4", "LZ4_RAW", "ZSTD(1)"];

fn small_pages() -> WriterPropertiesBuilder {
    WriterProperties::builder()
        .set_data_page_size_limit(600)
        .set_dictionary_page_size_limit(900)
        .set_write_batch_size(16)
}

#[test]
fn a_copy_has_the_chosen_rows_exactly() {
    for (number, codec) in CODECS.iter().enumerate() {
        let codec: Compression = codec.parse().unwrap();
        for dictionary in [true, false] {
            for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
                let properties =
                    small_pages().set_compression(codec).set_dictionary_enabled(dictionary).set_writer_version(version);
                let bytes = everything(number as u64 + 1, &[1300, 1, 400], properties);
                let file = open(bytes).unwrap();
                check_copies(&file, codec, dictionary);
            }
        }
    }
}

fn check_copies(file: &dyn FileReader, codec: Compression, dictionary: bool) {
    let source = records(file);
    let mut random = Random(77);
    let some: Vec<bool> = (0..1701).map(|_| random.below(3) == 0).collect();
    type Keep<'a> = &'a dyn Fn(u64) -> bool;
    let ways: [(&str, Keep, usize); 5] = [
        ("all", &|_| true, 3),
        ("none", &|_| false, 0),
        ("some", &|row| some[row as usize], 3),
        ("one group", &|row| row == 1300, 1),
        ("the last", &|row| row == 1700, 1),
    ];
    for (name, keep, most_groups) in ways {
        let copy = copied(file, keep);
        assert!(records(&copy) == chosen(&source, keep), "{name} of {codec}");
        assert!(copy.num_row_groups() <= most_groups, "{name}");
        let (of_file, of_copy) = (file.metadata().file_metadata(), copy.metadata().file_metadata());
        assert_eq!(of_copy.schema(), of_file.schema());
        assert_eq!(of_copy.key_value_metadata(), of_file.key_value_metadata());
        assert_eq!(of_copy.column_orders(), of_file.column_orders());
        for column in copy.metadata().row_groups().iter().flat_map(|group| group.columns()) {
            assert_eq!(column.compression_codec(), codec.into());
            if !dictionary {
                assert_eq!(column.dictionary_page_offset(), None);
            }
        }
    }
}

#[test]
fn files_of_one_schema_can_be_joined() {
    let a = open(everything(1, &[30, 20], small_pages())).unwrap();
    let b = open(everything(2, &[40], small_pages())).unwrap();
    let mut copier = Copier::create(a.metadata(), Vec::new(), &[]).unwrap();
    assert_eq!(copier.copy(&a, &mut |row| row >= 30).unwrap(), 20);
    assert_eq!(copier.copy(&b, &mut |row| row != 5).unwrap(), 39);
    let joined = open(Bytes::from(copier.finish().unwrap())).unwrap();
    let mut expected = chosen(&records(&a), |row| row >= 30);
    for (column, more) in expected.iter_mut().zip(chosen(&records(&b), |row| row != 5)) {
        column.extend(more);
    }
    assert!(records(&joined) == expected);
}

/// A file with this schema and nothing in it.
fn empty(schema: &str) -> impl FileReader {
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let writer = SerializedFileWriter::new(Vec::new(), schema, Default::default()).unwrap();
    open(Bytes::from(writer.into_inner().unwrap())).unwrap()
}

#[test]
fn files_of_another_schema_cannot() {
    let first = empty(
        "message a { required int32 x; optional group l (LIST)
           { repeated group list { optional binary element (STRING); } } }",
    );
    for (other, difference) in [
        ("message a { required int32 x; }", "column l is missing"),
        ("message a { optional int32 x; }", "column x is optional INT32, but required INT32 in the first file"),
        ("message a { required int32 x = 4; }", "column x is required INT32 with id 4, but required INT32 in"),
        ("message a { required int32 y; }", "column y is in the place of column x of the first file"),
        (
            "message a { required int32 x; optional group l (LIST)
               { repeated group list { optional binary element; } } }",
            "column l.list.element is optional BYTE_ARRAY, but optional BYTE_ARRAY as String in",
        ),
        (
            "message a { required int32 x; optional group l (LIST)
               { repeated group list { optional binary element (STRING); } } required int32 z; }",
            "column z is not in the first file",
        ),
    ] {
        let mut copier = Copier::create(first.metadata(), Vec::new(), &[]).unwrap();
        let message = copier.copy(&empty(other), &mut |_| true).unwrap_err().to_string();
        assert!(message.contains(difference), "{message}");
    }
    // The name of the root differs, which is no difference.
    let renamed = empty(
        "message other { required int32 x; optional group l (LIST)
           { repeated group list { optional binary element (STRING); } } }",
    );
    let mut copier = Copier::create(first.metadata(), Vec::new(), &[]).unwrap();
    assert_eq!(copier.copy(&renamed, &mut |_| true).unwrap(), 0);
}

#[test]
fn extra_columns_come_after_the_copied_ones() {
    let file = open(everything(3, &[9000, 9000], WriterProperties::builder())).unwrap();
    let extra = [
        Column::new("cluster", Kind::Int),
        Column::required("kept", Kind::Bool),
        Column::new("why", Kind::Text),
        Column::new("similarity", Kind::Float),
    ];
    let words: Vec<String> = (0..18000).map(|row| format!("row {row}")).collect();
    let cell = |row: u64, column: usize| match column {
        0 if row.is_multiple_of(3) => Cell::Null,
        0 => Cell::Int(row as i64),
        1 => Cell::Bool(row.is_multiple_of(2)),
        2 if row.is_multiple_of(5) => Cell::Null,
        2 => Cell::from(words[row as usize].as_str()),
        _ => Cell::Float(row as f64 / 4.0),
    };
    let mut copier = Copier::create(file.metadata(), Vec::new(), &extra).unwrap();
    copier.copy_with(&file, &mut |row| row != 1, &mut { cell }).unwrap();
    let bytes = Bytes::from(copier.finish().unwrap());

    let copy = open(bytes.clone()).unwrap();
    let fields = copy.metadata().file_metadata().schema().get_fields();
    let before = file.metadata().file_metadata().schema().get_fields();
    assert_eq!(fields[..before.len()], *before);
    assert_eq!(fields.len(), before.len() + 4);
    let expected = chosen(&records(&file), |row| row != 1);
    assert!(records(&copy)[..expected.len()] == expected);
    // Arrow's schema lacks the new columns, so it must be gone.
    let pairs = copy.metadata().file_metadata().key_value_metadata().unwrap();
    let keys: Vec<_> = pairs.iter().map(|pair| pair.key.as_str()).collect();
    assert_eq!(keys, ["pandas", "empty"]);

    let mut fields = Fields::open(bytes, &["cluster", "kept", "why", "similarity"]).unwrap();
    let batch = fields.next(usize::MAX, usize::MAX).unwrap().unwrap();
    assert_eq!(batch.len, 17999);
    for (place, row) in (0..18000).filter(|&row| row != 1).enumerate() {
        for column in 0..4 {
            let expected = match cell(row, column) {
                Cell::Null => Value::Null,
                Cell::Int(number) => Value::Int(number),
                Cell::Float(number) => Value::Float(number),
                Cell::Bool(truth) => Value::Bool(truth),
                Cell::Bytes(bytes) => Value::Text(ByteArray::from(bytes.to_vec())),
                Cell::Text(text) => Value::Text(ByteArray::from(&*text)),
            };
            assert_eq!(batch.columns[column][place], expected);
        }
    }
}

#[test]
fn extra_columns_have_to_fit() {
    let file = open(everything(3, &[5], small_pages())).unwrap();
    let create = |extra| Copier::create(file.metadata(), Vec::new(), &[extra]);
    let message = create(Column::new("text", Kind::Int)).err().unwrap().to_string();
    assert!(message.contains("already a column \"text\""), "{message}");
    for (column, cell) in
        [(Column::required("new", Kind::Int), Cell::Null), (Column::new("new", Kind::Int), Cell::from("five"))]
    {
        let mut copier = create(column).unwrap();
        let cell = &mut |_, _| cell.clone();
        assert!(copier.copy_with(&file, &mut |_| true, cell).is_err());
    }
}

#[test]
fn a_logical_type_that_cannot_be_written_is_refused_at_once() {
    let column = Type::primitive_type_builder("strange", Physical::INT32)
        .with_repetition(Repetition::REQUIRED)
        .with_logical_type(Some(LogicalType::_Unknown { field_id: 99 }))
        .build()
        .unwrap();
    let group = Type::group_type_builder("outer")
        .with_repetition(Repetition::REQUIRED)
        .with_fields(vec![Arc::new(column)])
        .build()
        .unwrap();
    let root = Type::group_type_builder("schema").with_fields(vec![Arc::new(group)]);
    let schema = Arc::new(SchemaDescriptor::new(Arc::new(root.build().unwrap())));
    let file = FileMetaData::new(2, 0, None, None, schema, None);
    let metadata = ParquetMetaData::new(file, vec![]);
    let message = Copier::create(&metadata, Vec::new(), &[]).err().unwrap().to_string();
    assert!(message.contains("column outer.strange has an unknown logical type (number 99)"), "{message}");
}

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

/// A file that claims another number of rows than its columns have.
struct Lying {
    file: Box<dyn FileReader>,
    metadata: ParquetMetaData,
}

impl FileReader for Lying {
    fn metadata(&self) -> &ParquetMetaData {
        &self.metadata
    }
    fn num_row_groups(&self) -> usize {
        1
    }
    fn get_row_group(&self, i: usize) -> Result<Box<dyn RowGroupReader + '_>, ParquetError> {
        self.file.get_row_group(i)
    }
    fn get_row_iter(&self, _: Option<Type>) -> Result<RowIter<'_>, ParquetError> {
        unreachable!("no test iterates over rows")
    }
}

#[test]
fn columns_must_have_as_many_records_as_there_are_rows() {
    for (claim, message) in [
        (99, "column flag: more records than"),
        (101, "column flag: the last 1 records are missing"),
        (-1, "row group 0 declares -1 rows"),
        (i64::MAX, "a row group of 9223372036854775807 rows"),
    ] {
        let file = open(everything(1, &[100], small_pages())).unwrap();
        let group = file.metadata().row_group(0).clone();
        let group = group.into_builder().set_num_rows(claim).build().unwrap();
        let metadata = file.metadata().clone().into_builder().set_row_groups(vec![group]).build();
        let lying = Lying { file: Box::new(file), metadata };
        let mut copier = Copier::create(lying.metadata(), Vec::new(), &[]).unwrap();
        let error = copier.copy(&lying, &mut |_| true).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

/// Runs everything on a file that may be damaged, and collects the errors.
fn try_everything(bytes: Bytes) -> Result<(), ParquetError> {
    let file = open(bytes.clone())?;
    if let Ok(mut copier) = Copier::create(file.metadata(), Vec::new(), &[]) {
        copier.copy(&file, &mut |row| row % 3 != 1)?;
        copier.finish()?;
    }
    let schema = file.metadata().file_metadata().schema();
    let names: Vec<&str> = schema.get_fields().iter().map(|field| field.name()).collect();
    if let Ok(mut fields) = Fields::open(bytes, &names) {
        // A damaged row count can be anything, so stop at some point.
        for _ in 0..100 {
            if fields.next(50, 1 << 20)?.is_none() {
                break;
            }
        }
    }
    Ok(())
}

#[test]
fn a_truncated_file_is_an_error() {
    let bytes = everything(1, &[40, 40], small_pages());
    for length in (0..bytes.len()).step_by(13).chain([bytes.len() - 1]) {
        match Fields::open(bytes.slice(..length), &["id"]).err() {
            Some(OpenError::Unreadable(_)) => {}
            other => panic!("{length}: {other:?}"),
        }
    }
    try_everything(bytes).unwrap();
}

#[test]
fn a_damaged_file_is_an_error_or_reads_but_never_panics() {
    // Every codec, with dictionaries and without, in both versions of pages.
    let files: Vec<Bytes> = (0..24)
        .map(|number| {
            let version = match number % 2 {
                0 => WriterVersion::PARQUET_1_0,
                _ => WriterVersion::PARQUET_2_0,
            };
            let properties = small_pages()
                .set_compression(CODECS[number / 4].parse().unwrap())
                .set_dictionary_enabled(number % 4 < 2)
                .set_writer_version(version);
            everything(number as u64, &[12, 5], properties)
        })
        .collect();
    let mut random = Random(2024);
    let mut errors = 0;
    for number in 0..2000 {
        let mut bytes = files[number % files.len()].to_vec();
        for _ in 0..1 + random.below(3) {
            let place = random.below(bytes.len());
            bytes[place] ^= 1 << random.below(8);
        }
        errors += usize::from(try_everything(bytes.into()).is_err());
    }
    assert!((500..2000).contains(&errors), "{errors}");
}

#[test]
fn garbage_is_an_error() {
    let mut random = Random(5);
    for _ in 0..2000 {
        let length = random.below(200);
        let mut bytes = [b"PAR1", &random.bytes(length)[..]].concat();
        bytes.extend((random.below(length + 20) as u32).to_le_bytes());
        bytes.extend(b"PAR1");
        // A footer that is only empty structs would be well-formed.
        let _ = try_everything(bytes.into());
    }
}
