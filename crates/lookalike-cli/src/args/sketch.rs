//! Which arguments does `lookalike sketch` take?

use std::num::NonZeroU16;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lookalike::sketch::Filter;

use super::common::{PrintArgs, ReadArgs, parse_size};

#[derive(Args)]
#[command(after_help = "Use --help for details and examples.", after_long_help = EXAMPLES)]
pub struct SketchArgs {
    /// Files, folders, globs, or - for stdin
    ///
    /// gzip and Zstandard are recognised by content.
    #[arg(required = true, value_name = "INPUT")]
    pub inputs: Vec<String>,

    /// Kind of signature
    #[arg(long, value_enum, default_value_t = SketchMethod::Minhash)]
    pub method: SketchMethod,

    /// Where to write the signatures; - for stdout, as JSON lines
    ///
    /// The name decides the format: .jsonl, .csv or .tsv (hexadecimal; may end in .gz or .zst) or .parquet (bytes).
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,

    /// For minhash: number of functions, four bytes each [default: 128]
    #[arg(long, value_name = "N")]
    pub functions: Option<NonZeroU16>,

    /// For features: K features of S values, eight bytes each [default: 6,14,2]
    ///
    /// R does not change the signature. It says how many features of two documents must be equal.
    #[arg(long, value_name = "K,S,R")]
    pub features: Option<Filter>,

    /// For simhash: number of bits, a multiple of 64 up to 512 [default: 384]
    #[arg(long, value_name = "N")]
    pub bits: Option<usize>,

    /// Memory to use, such as 512MiB or 8GB [default: 80 % of what is available]
    ///
    /// Signatures are written as documents are read. With less memory, fewer of them wait to be written.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory: Option<usize>,

    #[command(flatten)]
    pub printing: PrintArgs,

    #[command(flatten)]
    pub reading: ReadArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SketchMethod {
    /// The smallest value of each hash function over the document's set
    Minhash,
    /// Hashes of groups of such values
    Features,
    /// One bit for each direction: on which side of it the document lies
    Simhash,
}

const EXAMPLES: &str = "\
Examples:
  Print min-wise sketches of 128 functions:
    lookalike sketch press.jsonl

  Write the 48 bytes of Broder's paper as a column of bytes:
    lookalike sketch press.jsonl --method features --tokens words:8 -o features.parquet

  Write the 384 bits of Henzinger's paper, over words and their frequencies:
    lookalike sketch press.jsonl --method simhash --tokens words -o simhash.csv";
