//! Files with every type of column, of random values, and what the `parquet` crate reads from them.

use std::sync::Arc;

use ::parquet::column::reader::ColumnReader;
use ::parquet::column::writer::ColumnWriter;
use ::parquet::data_type::{AsBytes, ByteArray, FixedLenByteArray, Int96};
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
use ::parquet::file::reader::FileReader;
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::parser::parse_message_type;
use bytes::Bytes;
use lookalike_io::parquet::{Copier, open};

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
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    pub fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.below(256) as u8).collect()
    }

    /// The levels of a column for some records, and the number of values they need.
    pub fn levels(&mut self, records: usize, max_def: i16, max_rep: i16) -> (Vec<i16>, Vec<i16>, usize) {
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
    pub fn word(&mut self) -> Vec<u8> {
        match self.below(10) {
            0 => "é".repeat(self.below(200)).into_bytes(),
            _ => format!("word {}", self.below(20)).into_bytes(),
        }
    }
}

/// A file with `SCHEMA` and row groups of these sizes.
pub fn everything(seed: u64, groups: &[usize], properties: WriterPropertiesBuilder) -> Bytes {
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
pub type Record = Vec<(i16, i16, Option<Vec<u8>>)>;

/// All records of all leaf columns, read without any of our code.
pub fn records(file: &dyn FileReader) -> Vec<Vec<Record>> {
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

pub fn chosen(columns: &[Vec<Record>], keep: impl Fn(u64) -> bool) -> Vec<Vec<Record>> {
    let rows = |column: &Vec<Record>| {
        let kept = (0..).zip(column).filter(|(row, _)| keep(*row));
        kept.map(|(_, record)| record.clone()).collect()
    };
    columns.iter().map(rows).collect()
}

pub fn copied(file: &dyn FileReader, mut keep: impl FnMut(u64) -> bool) -> impl FileReader {
    let mut copier = Copier::create(file.metadata(), Vec::new(), &[]).unwrap();
    copier.copy(file, &mut keep).unwrap();
    open(Bytes::from(copier.finish().unwrap())).unwrap()
}

pub const CODECS: [&str; 6] = ["UNCOMPRESSED", "SNAPPY", "GZIP(6)", "LZ4", "LZ4_RAW", "ZSTD(1)"];

pub fn small_pages() -> WriterPropertiesBuilder {
    WriterProperties::builder()
        .set_data_page_size_limit(600)
        .set_dictionary_page_size_limit(900)
        .set_write_batch_size(16)
}
