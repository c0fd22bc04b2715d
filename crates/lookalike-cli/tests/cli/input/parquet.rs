//! Do Parquet rows keep schema, columns and metadata, and do Parquet tables have the right columns?

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::record::Field;
use parquet::schema::parser::parse_message_type;
use serde_json::{Value, json};

use crate::fixture::{Folder, SIXTEEN_DIGITS, numbered, row, sixteen_digits, words};

const SCHEMA: &str = "message rows {
    optional binary id (STRING) = 3;
    required int64 stars;
    optional binary text (STRING);
}";

/// Rows with an id and a text, numbered in `stars`, in row groups of three.
pub fn write_parquet(path: &Path, rows: &[(Option<&str>, Option<&str>)]) {
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let note = KeyValue::new("note".to_string(), "stays".to_string());
    let properties = WriterProperties::builder().set_key_value_metadata(Some(vec![note])).build();
    let mut writer = SerializedFileWriter::new(File::create(path).unwrap(), schema, Arc::new(properties)).unwrap();
    for (number, rows) in rows.chunks(3).enumerate() {
        let mut group = writer.next_row_group().unwrap();
        let strings = |values: Vec<Option<&str>>| -> (Vec<ByteArray>, Vec<i16>) {
            (
                values.iter().flatten().map(|&value| value.into()).collect(),
                values.iter().map(|value| value.is_some().into()).collect(),
            )
        };
        let (ids, id_levels) = strings(rows.iter().map(|row| row.0).collect());
        let (texts, text_levels) = strings(rows.iter().map(|row| row.1).collect());
        let stars: Vec<i64> = (0..rows.len()).map(|at| (number * 3 + at) as i64).collect();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&ids, Some(&id_levels), None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int64Type>().write_batch(&stars, None, None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&texts, Some(&text_levels), None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    writer.close().unwrap();
}

/// All rows, as the crate itself reads them.
pub fn read_parquet(path: &Path) -> Vec<Value> {
    let value = |field: &Field| match field {
        Field::Null => Value::Null,
        Field::Bool(value) => json!(value),
        Field::Int(value) => json!(value),
        Field::Long(value) => json!(value),
        Field::Double(value) => json!(value),
        Field::Str(value) => json!(value),
        other => panic!("a field {other:?}"),
    };
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let rows = reader.get_row_iter(None).unwrap().map(|row| {
        let row = row.unwrap();
        Value::Object(row.get_column_iter().map(|(name, field)| (name.clone(), value(field))).collect())
    });
    rows.collect()
}

/// x, a, its near twin b, a row without id, one without text, a copy of a, and an empty one.
fn folder() -> Folder {
    let folder = Folder::new();
    let [a, b] = sixteen_digits();
    let rows = [
        (Some("x"), Some("alone")),
        (Some("a"), Some(&*a)),
        (Some("b"), Some(&*b)),
        (None, Some(&*a)),
        (Some("none"), None),
        (Some("a2"), Some(&*a)),
        (Some("e"), Some("")),
    ];
    write_parquet(&folder.path("in.parquet"), &rows);
    folder
}

#[test]
fn rows_pass_through_with_schema_and_metadata() {
    let folder = folder();
    let run = folder.run("dedup in.parquet -o kept.parquet --removed removed.jsonl").ends(3);
    run.says("in.parquet, row 5: field 'text' is null")
        .says("7 documents")
        .says("1 empty")
        .says("1 without usable text");
    assert_eq!(folder.field("removed.jsonl", "id"), ["b", "in.parquet:4", "a2"]);
    let all = read_parquet(&folder.path("in.parquet"));
    let kept: Vec<Value> = [0, 1, 4, 6].map(|at| all[at].clone()).into();
    assert_eq!(read_parquet(&folder.path("kept.parquet")), kept);
    let metadata = |name: &str| {
        let reader = SerializedFileReader::new(File::open(folder.path(name)).unwrap()).unwrap();
        let file = reader.metadata().file_metadata().clone();
        (file.schema().clone(), file.key_value_metadata().cloned())
    };
    assert_eq!(metadata("kept.parquet"), metadata("in.parquet"));
    folder.run("check in.parquet --kept kept.parquet --removed removed.jsonl").ends(3).says("passed");
    folder.run("dedup in.parquet -o folder/").ends(3);
    assert_eq!(read_parquet(&folder.path("folder/in.parquet")), kept);
}

#[test]
fn tables_in_parquet() {
    let [a, b] = sixteen_digits();
    let folder = Folder::with(&[("in.jsonl", [row("x", "alone"), row("a", &a), row("b", &b), row("a2", &a)].concat())]);
    let outputs = "--removed removed.parquet --pairs pairs.parquet --clusters clusters.parquet --annotate rows.parquet";
    folder.run(&format!("dedup in.jsonl -o kept.jsonl {outputs}")).ends(0);
    let table = |name: &str| read_parquet(&folder.path(name));
    assert_eq!(
        table("removed.parquet"),
        [
            json!({"id": "b", "twin": "a", "similarity": SIXTEEN_DIGITS}),
            json!({"id": "a2", "twin": "a", "similarity": 1.0}),
        ]
    );
    assert_eq!(
        table("pairs.parquet"),
        [
            json!({"a": "a", "b": "b", "similarity": SIXTEEN_DIGITS}),
            json!({"a": "a", "b": "a2", "similarity": 1.0}),
            json!({"a": "b", "b": "a2", "similarity": SIXTEEN_DIGITS}),
        ]
    );
    assert_eq!(
        table("clusters.parquet"),
        [
            json!({"cluster": 1, "id": "a", "kept": true}),
            json!({"cluster": 1, "id": "b", "kept": false}),
            json!({"cluster": 1, "id": "a2", "kept": false}),
        ]
    );
    let annotation = |id: &str, cluster: Value, kept: bool, twin: Value, similarity: Value| {
        json!({"id": id, "lookalike_cluster": cluster, "lookalike_kept": kept, "lookalike_twin": twin,
            "lookalike_similarity": similarity})
    };
    assert_eq!(
        table("rows.parquet"),
        [
            annotation("x", Value::Null, true, Value::Null, Value::Null),
            annotation("a", json!(1), true, Value::Null, Value::Null),
            annotation("b", json!(1), false, json!("a"), json!(SIXTEEN_DIGITS)),
            annotation("a2", json!(1), false, json!("a"), json!(1.0)),
        ]
    );
    folder.run("check in.jsonl --kept kept.jsonl --removed removed.parquet").ends(0).says("passed");
}

#[test]
fn annotated_rows_keep_their_columns() {
    let folder = folder();
    folder.run("dedup in.parquet --annotate rows.parquet").ends(3);
    let (all, rows) = (read_parquet(&folder.path("in.parquet")), read_parquet(&folder.path("rows.parquet")));
    assert_eq!(rows.len(), all.len());
    for (row, original) in rows.iter().zip(&all) {
        let mut row = row.as_object().unwrap().clone();
        row.retain(|name, _| !name.starts_with("lookalike_"));
        assert_eq!(&Value::Object(row), original);
    }
    let b = &rows[2];
    assert_eq!((&b["lookalike_cluster"], &b["lookalike_kept"]), (&json!(1), &json!(false)));
    assert_eq!((&b["lookalike_twin"], &b["lookalike_similarity"]), (&json!("a"), &json!(SIXTEEN_DIGITS)));
    assert_eq!((&rows[0]["lookalike_cluster"], &rows[0]["lookalike_kept"]), (&Value::Null, &json!(true)));
}

#[test]
fn columns_by_name() {
    let folder = folder();
    let known = "(columns: id, stars, text)";
    for (options, column) in [("--text body", "body"), ("--id url", "url"), ("--keep max:time", "time")] {
        let run = folder.run(&format!("dedup in.parquet {options} -o kept.parquet")).ends(2);
        run.says(&format!("in.parquet has no column '{column}'")).says(known);
    }
    assert_eq!(folder.list(), ["in.parquet"]);
    folder.run("dedup in.parquet --id stars --keep max:stars --removed removed.csv").ends(3);
    assert_eq!(folder.text("removed.csv"), format!("id,twin,similarity\n1,5,1.0\n2,5,{SIXTEEN_DIGITS}\n3,5,1.0\n"));
    folder.run("dedup in.parquet --text stars").ends(3).says("row 1: field 'stars' is not a string");
}

#[test]
fn a_file_that_breaks_off_or_is_none_is_fatal() {
    let folder = folder();
    let whole = folder.read("in.parquet");
    let mut flipped = whole.clone();
    let middle = whole.len() / 2;
    flipped[4..middle].fill(0xff);
    for bytes in [&whole[..whole.len() - 1], &whole[..middle], &whole[..10], b"", b"id,text\n1,one\n", &flipped] {
        folder.write("in.parquet", bytes);
        let run = folder.run("dedup in.parquet -o kept.parquet --removed removed.jsonl --bad bad.txt").ends(2);
        run.says("in.parquet").says("nothing was written");
        assert_eq!(folder.list(), ["in.parquet"], "{} bytes", bytes.len());
    }
}

#[test]
fn no_rows_at_all() {
    let folder = Folder::new();
    write_parquet(&folder.path("in.parquet"), &[]);
    folder.run("dedup in.parquet -o kept.parquet --removed removed.parquet").ends(0).says("0 documents");
    assert_eq!(read_parquet(&folder.path("kept.parquet")), [] as [Value; 0]);
    assert_eq!(read_parquet(&folder.path("removed.parquet")), [] as [Value; 0]);
    folder.run("check in.parquet --kept kept.parquet --removed removed.parquet").ends(0);
}

#[test]
fn several_files_into_one_or_one_each() {
    let folder = Folder::new();
    let (near, other) = (words(4..58), words(500..560));
    write_parquet(&folder.path("1.parquet"), &[(Some("a"), Some(&words(0..54)))]);
    write_parquet(&folder.path("2.parquet"), &[(Some("b"), Some(&near)), (Some("c"), Some(&other))]);
    folder.run("dedup 1.parquet 2.parquet -o kept.parquet").ends(0);
    let ids = |name: &str| -> Vec<String> {
        read_parquet(&folder.path(name)).iter().map(|row| row["id"].as_str().unwrap().to_string()).collect()
    };
    assert_eq!(ids("kept.parquet"), ["a", "c"]);
    folder.run("dedup 1.parquet 2.parquet -o kept/ --keep last").ends(0);
    assert_eq!((ids("kept/1.parquet"), ids("kept/2.parquet")), (vec![], vec!["b".to_string(), "c".to_string()]));
}

/// Parquet is read from its end, so standard input is copied to a file first.
#[test]
fn through_a_pipe() {
    let folder = folder();
    let run = folder.printing("dedup - --format parquet --removed -", folder.read("in.parquet")).ends(3);
    assert_eq!(run.stdout.lines().count(), 3);
    assert!(run.stdout.contains("\"id\":\"-:4\""), "{}", run.stdout);
    folder.write("in.jsonl", numbered("j", 0..82));
    folder.run("dedup in.jsonl --against in.parquet --removed removed.csv").ends(3);
    assert_eq!(folder.text("removed.csv"), "id,twin,similarity\nj,a,1.0\n");
}
