//! Has a copy the chosen rows, exactly?

use std::sync::Arc;

use ::parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use ::parquet::data_type::ByteArray;
use ::parquet::file::metadata::{FileMetaData, ParquetMetaData};
use ::parquet::file::properties::{WriterProperties, WriterVersion};
use ::parquet::file::reader::FileReader;
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::parser::parse_message_type;
use ::parquet::schema::types::{SchemaDescriptor, Type};
use bytes::Bytes;
use lookalike_io::parquet::{Cell, Column, Copier, Fields, Kind, Value, open};

use crate::fixture::{CODECS, Random, chosen, copied, everything, records, small_pages};

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
