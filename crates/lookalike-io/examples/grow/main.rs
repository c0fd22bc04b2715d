//! How does lookalike behave on a collection of any size? This makes one: `cargo run --release -p lookalike-io --example
//! grow -- --help`.
//!
//! Grows a collection from real text. New documents are written by a model of its words; others are copies of earlier
//! documents, as they are or with edits, at known rates. The same seed files and the same `--seed` give the same bytes,
//! and a smaller size gives the beginning of a larger one. Memory depends on the seed files only.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod history;
mod model;
mod random;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use history::{History, KINDS};
use lookalike_io::{Blocks, Content, Fields, RowReader, resolve};
use model::Model;

const HELP: &str = "\
grow SEED_FILE... -o FILE [--size 1GB] [--documents N] [--words N] [--seed N] [--truth FILE]

Writes JSON lines of {id, text}, grown from the field `text` of the seed files. Prints a line of JSON: how many documents and
bytes, and how many of each kind.
-o          where to write; - for standard output
--size      stop before the file gets larger than this: 1000000, 200MB, 8GB, 512MiB [1GB]
--documents stop after so many documents
--words     most words of a new document [as in the seed files]
--seed      another seed gives other documents [1]
--truth     a table of how each document came about: id, kind, id of the original, edits";

type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Failure> {
    let mut inputs = Vec::new();
    let (mut output, mut truth, mut size, mut documents, mut longest, mut seed) =
        (None, None, 1_000_000_000, u64::MAX, u64::MAX, 1);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut next = || arguments.next().ok_or(HELP);
        match argument.as_str() {
            "-o" => output = Some(next()?),
            "--truth" => truth = Some(BufWriter::new(File::create(next()?)?)),
            "--size" => size = parse_size(&next()?).ok_or(HELP)?,
            "--documents" => documents = next()?.parse()?,
            "--words" => longest = next()?.parse()?,
            "--seed" => seed = next()?.parse()?,
            "--help" => {
                println!("{HELP}");
                return Ok(());
            }
            name if !name.starts_with('-') => inputs.push(argument),
            _ => return Err(HELP.into()),
        }
    }
    let output = output.filter(|_| !inputs.is_empty()).ok_or(HELP)?;
    let history = History { model: Model::new(read(&inputs)?, seed)?, seed, longest };
    let is_stdout = output == "-";
    let file: Box<dyn Write> = if is_stdout { Box::new(io::stdout().lock()) } else { Box::new(File::create(output)?) };
    let mut out = BufWriter::with_capacity(1 << 20, file);
    let grown = grow(&history, size, documents, &mut out, truth)?;
    out.flush()?;
    let kinds: serde_json::Map<_, _> =
        KINDS.iter().zip(grown.kinds).map(|(&(name, ..), number)| (name.to_string(), number.into())).collect();
    let summary = serde_json::json!({"documents": grown.documents, "bytes": grown.bytes, "kinds": kinds});
    if !is_stdout {
        println!("{summary}");
    }
    Ok(())
}

/// The texts of all rows that have one.
fn read(inputs: &[String]) -> Result<Vec<String>, Failure> {
    let sources = resolve(inputs, None)?;
    let fields = Fields { text: vec!["text".into()], ..Fields::default() };
    let mut blocks = Blocks::new(&sources, &fields, Default::default());
    let mut reader = RowReader::new(&fields, usize::MAX);
    let mut texts = Vec::new();
    while let Some(block) = blocks.next_block()? {
        reader.for_each(&block, |row, _| {
            if let Content::Text(text) = row.content {
                texts.push(text.to_string());
            }
            Ok::<_, Failure>(())
        })?;
    }
    Ok(texts)
}

/// What was written.
#[derive(Default)]
struct Grown {
    documents: u64,
    bytes: u64,
    kinds: [u64; KINDS.len()],
}

/// Writes documents while they fit.
fn grow(
    history: &History,
    size: u64,
    documents: u64,
    out: &mut impl Write,
    mut truth: Option<impl Write>,
) -> io::Result<Grown> {
    let (mut grown, mut text, mut spare, mut row) = (Grown::default(), Vec::new(), Vec::new(), Vec::new());
    while grown.documents < documents {
        let number = grown.documents;
        let edits = history.write(number, &mut text, &mut spare);
        row.clear();
        write!(row, "{{\"id\": \"g{number:09}\", \"text\": \"")?;
        escape(&text, &mut row);
        row.extend_from_slice(b"\"}\n");
        if grown.bytes + row.len() as u64 > size {
            break;
        }
        out.write_all(&row)?;
        let origin = history.origin(number);
        grown.documents += 1;
        grown.bytes += row.len() as u64;
        grown.kinds[origin.kind] += 1;
        if let Some(truth) = &mut truth {
            let original = origin.original.map(|number| format!("g{number:09}")).unwrap_or_default();
            writeln!(truth, "g{number:09}\t{}\t{original}\t{edits}", KINDS[origin.kind].0)?;
        }
    }
    if let Some(truth) = &mut truth {
        truth.flush()?;
    }
    Ok(grown)
}

/// Appends a text as it stands in a JSON string.
fn escape(text: &[u8], row: &mut Vec<u8>) {
    let mut rest = text;
    while let Some(at) = rest.iter().position(|&byte| byte < 0x20 || byte == b'"' || byte == b'\\') {
        row.extend_from_slice(&rest[..at]);
        match rest[at] {
            b'\n' => row.extend_from_slice(b"\\n"),
            b'\t' => row.extend_from_slice(b"\\t"),
            byte @ (b'"' | b'\\') => row.extend_from_slice(&[b'\\', byte]),
            byte => row.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
        }
        rest = &rest[at + 1..];
    }
    row.extend_from_slice(rest);
}

/// Bytes of a size such as 200MB or 512MiB.
fn parse_size(written: &str) -> Option<u64> {
    const UNITS: [(&str, u64); 6] =
        [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("kB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000)];
    let unit = UNITS.iter().find_map(|&(name, bytes)| Some((written.strip_suffix(name)?, bytes)));
    let (number, bytes) = unit.unwrap_or((written, 1));
    number.parse::<u64>().ok()?.checked_mul(bytes)
}
