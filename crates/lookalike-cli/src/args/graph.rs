use std::path::PathBuf;

use clap::Args;
use lookalike_io::Format;

#[derive(Args)]
#[command(after_help = "`--help` shows examples.", after_long_help = GRAPH_EXAMPLES)]
pub struct GraphArgs {
    /// Tables of pairs as `pairs` writes them, with the fields a and b: .jsonl, .csv, .tsv, .parquet, or - for stdin
    #[arg(required = true, value_name = "PAIRS")]
    pub inputs: Vec<String>,

    /// Field whose values are counted, of whatever kind [default: similarity or distance, if there is one]
    #[arg(long, value_name = "FIELD")]
    pub by: Option<String>,

    /// Draw degrees, component sizes and values into this folder
    #[arg(long, value_name = "DIR")]
    pub svg: Option<PathBuf>,

    /// Replace existing pictures
    #[arg(long)]
    pub force: bool,

    /// Format of the tables: jsonl, csv, tsv, parquet [default: by name; stdin is jsonl]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<Format>,

    /// Stop at the first bad row
    #[arg(long)]
    pub strict: bool,

    /// Print everything as JSON to stdout
    #[arg(long)]
    pub json: bool,
}

const GRAPH_EXAMPLES: &str = "\
Documents are nodes and pairs are edges: how many documents have how many pairs, how large the connected components are, how many pairs
have which similarity. A pair that is named twice counts once, and a document that is paired with itself is in no pair by that.

Examples:
  As tables:
    lookalike pairs examples/press.jsonl | lookalike graph -

  As pictures, degrees.svg, components.svg and values.svg:
    lookalike pairs examples/press.jsonl -t 0.5 | lookalike graph - --svg plots

  By another field of the table:
    lookalike pairs examples/press.jsonl --counts | lookalike graph - --by common";
