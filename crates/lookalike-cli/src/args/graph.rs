//! Which arguments does `lookalike graph` take?

use std::path::PathBuf;

use clap::Args;
use lookalike_io::Format;

#[derive(Args)]
#[command(after_help = "Use --help for details and examples.", after_long_help = EXAMPLES)]
pub struct GraphArgs {
    /// Tables of pairs as `lookalike pairs` writes them, or - for stdin
    ///
    /// A table needs the fields a and b. It is a .jsonl, .csv, .tsv or .parquet file.
    #[arg(required = true, value_name = "PAIRS")]
    pub inputs: Vec<String>,

    /// Field whose values are counted [default: similarity or distance, if there is one]
    #[arg(long, value_name = "FIELD")]
    pub by: Option<String>,

    /// Folder for pictures: degrees.svg, components.svg, values.svg
    #[arg(long, value_name = "DIR")]
    pub svg: Option<PathBuf>,

    /// Replace pictures that exist
    #[arg(long)]
    pub force: bool,

    /// Format of the tables: jsonl, csv, tsv, parquet [default: by file name; jsonl for stdin]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<Format>,

    /// Stop at the first bad row, with exit status 2
    #[arg(long)]
    pub strict: bool,

    /// Print the result as JSON to stdout
    #[arg(long)]
    pub json: bool,
}

const EXAMPLES: &str = "\
Examples:
  Tables of degrees, components and similarities:
    lookalike pairs press.jsonl | lookalike graph -

  The same as pictures, plots/degrees.svg, plots/components.svg and plots/values.svg:
    lookalike pairs press.jsonl -t 0.5 | lookalike graph - --svg plots

  Count the values of another field:
    lookalike pairs press.jsonl --counts | lookalike graph - --by common";
