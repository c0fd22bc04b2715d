use std::num::NonZeroU16;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lookalike::sketch::Filter;

use super::{ReadArgs, RunArgs};

#[derive(Args)]
#[command(after_help = "`--help` shows examples.", after_long_help = SKETCH_EXAMPLES)]
pub struct SketchArgs {
    /// Files, folders, globs, or - for stdin; .gz and .zst are recognised by content
    #[arg(required = true, value_name = "INPUT")]
    pub inputs: Vec<String>,

    /// What a signature is
    #[arg(long, value_enum, default_value_t = SketchMethod::Minhash)]
    pub method: SketchMethod,

    /// Signatures: .jsonl, .csv or .tsv (hexadecimal; compressed if .gz or .zst follows), .parquet (bytes), - for stdout as JSON
    /// lines
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,

    /// For minhash: how many functions, four bytes each [default: 128]
    #[arg(long, value_name = "N")]
    pub functions: Option<NonZeroU16>,

    /// For features: k features of s values, eight bytes each; r is for those who compare them [default: 6,14,2]
    #[arg(long, value_name = "K,S,R")]
    pub features: Option<Filter>,

    /// For simhash: how many bits, a multiple of 64 up to 512 [default: 384]
    #[arg(long, value_name = "N")]
    pub bits: Option<usize>,

    #[command(flatten)]
    pub reading: ReadArgs,

    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SketchMethod {
    /// The least value of each of many functions on the document's set
    Minhash,
    /// Groups of such values, hashed
    Features,
    /// A bit a direction: on which side of it the document's elements lie, each as often as it occurs
    Simhash,
}

const SKETCH_EXAMPLES: &str = "\
Each row has the fields id and signature. A document without a token has no signature: null. Signatures are the same on every
machine; docs/theory/sketches.md defines them.

Examples:
  Min-wise sketches of 128 functions, to look at:
    lookalike sketch examples/press.jsonl

  The 48 bytes of Broder's paper, as a column of bytes:
    lookalike sketch examples/press.jsonl --method features --tokens words:8 -o features.parquet

  Henzinger's 384 bits, over words with their frequencies:
    lookalike sketch examples/press.jsonl --method simhash --tokens words -o simhash.csv";
