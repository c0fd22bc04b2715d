//! Which arguments does `lookalike serve` take?

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::super::common::{READING, RememberedArgs};

#[derive(Args)]
#[command(after_help = "Use --help for details and examples.", after_long_help = EXAMPLES)]
pub struct ServeArgs {
    /// Folder of the log; created if it does not exist
    #[arg(long, value_name = "DIR")]
    pub data: PathBuf,

    /// Address and port to listen on; port 0 means any free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7878")]
    pub listen: SocketAddr,

    /// File with the token that clients must send
    ///
    /// Clients send it as `Authorization: Bearer TOKEN`. An address that other machines can reach needs a token, or --insecure.
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,

    /// Accept requests from other machines without a token
    #[arg(long)]
    pub insecure: bool,

    /// When to sync a document to disk
    #[arg(long, value_enum, default_value_t = SyncArg::Always)]
    pub sync: SyncArg,

    /// Field that holds the text [default: text, or html if the document has that field]
    ///
    /// Several fields are read one after another, as one text.
    #[arg(long, value_name = "FIELD[,FIELD…]", value_delimiter = ',', help_heading = READING)]
    pub text: Option<Vec<String>>,

    /// Field that holds a web page, in place of --text
    #[arg(long, value_name = "FIELD", conflicts_with = "text", help_heading = READING)]
    pub html: Option<String>,

    /// Field that holds the address of the page
    #[arg(long, value_name = "FIELD", default_value = "url", help_heading = READING)]
    pub url: String,

    /// Field that holds the id
    #[arg(long, value_name = "FIELD", default_value = "id", help_heading = READING)]
    pub id: String,

    /// Field that holds the time: RFC 3339, or a number of seconds since 1970
    #[arg(long, value_name = "FIELD", default_value = "time", help_heading = READING)]
    pub time: String,

    /// Maximum number of requests at the same time; further ones get status 429
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u16).range(1..))]
    pub max_requests: u16,

    /// Maximum number of open connections; further ones wait
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u16).range(1..))]
    pub max_connections: u16,

    /// Print only errors
    #[arg(short, long)]
    pub quiet: bool,

    #[command(flatten)]
    pub remembered: RememberedArgs,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum SyncArg {
    /// Before its verdict is sent
    Always,
    /// Within a second; a crash of the machine can lose that second
    Interval,
}

const EXAMPLES: &str = "\
Examples:
  Start the service on this machine:
    lookalike serve --data news-window

  Post a document, then a file of documents:
    curl localhost:7878/v1/documents \\
      --json '{\"id\": \"a1\", \"time\": \"2026-11-15T12:00:00Z\", \"text\": \"…\"}'
    curl localhost:7878/v1/documents -H 'Content-Type: application/x-ndjson' -X POST -T news.jsonl

  Compare the main text of pages in the field `body`:
    lookalike serve --data pages --html body --page main

  Serve other machines, with a token:
    lookalike serve --data news-window --listen 0.0.0.0:7878 --token-file token";
