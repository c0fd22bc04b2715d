//! What in the inputs is a document? The arguments that say it.

use clap::Args;
use lookalike_io::Format;

use super::size::parse_size;

/// Heading of these arguments in the help. A heading stays in force for all arguments that follow, so groups with one come last.
pub const READING: &str = "Reading documents";

#[derive(Args)]
#[command(next_help_heading = READING)]
pub struct RowArgs {
    /// Field that holds the text [default: text]
    ///
    /// Several fields are read one after another, as one text.
    #[arg(long, value_name = "FIELD[,FIELD…]", value_delimiter = ',')]
    pub text: Vec<String>,

    /// Field that holds a web page, in place of --text
    #[arg(long, value_name = "FIELD", conflicts_with = "text")]
    pub html: Option<String>,

    /// Field that holds the address of the page [default: the record's address in WARC]
    ///
    /// The address is also the id of a document without an id.
    #[arg(long, value_name = "FIELD")]
    pub url: Option<String>,

    /// Field that holds the id [default: id]
    ///
    /// The id of a document without this field is the address of its page, or else its file and row: news.jsonl:17.
    #[arg(long, value_name = "FIELD")]
    pub id: Option<String>,

    /// Format of the inputs: jsonl, csv, tsv, parquet, html, warc, text, lines [default: by file name]
    ///
    /// In html and text a whole file is one document, in lines each line is one. Without --format, a file with an unknown name is
    /// text, and standard input is jsonl.
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<Format>,

    /// Maximum size of a text to compare
    ///
    /// A longer document counts as a bad row and resembles nothing; `dedup` keeps it. Sizes are written like 4096, 64kB, 50MB or 1GiB.
    #[arg(long, value_name = "SIZE", default_value = "50MB", value_parser = parse_size)]
    pub max_document: usize,

    /// Stop at the first bad row, with exit status 2
    ///
    /// Without it, bad rows are counted, the first few are reported, and the exit status is 3.
    #[arg(long)]
    pub strict: bool,

    /// Number of threads [default: all cores]
    ///
    /// The result does not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = None)]
    pub threads: Option<u16>,
}
