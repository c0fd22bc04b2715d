use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::RememberedArgs;

#[derive(Args)]
#[command(after_help = "`--help` shows examples.", after_long_help = SERVE_EXAMPLES)]
pub struct ServeArgs {
    /// Folder of what must not be forgotten; made if it is not there
    #[arg(long, value_name = "DIR")]
    pub data: PathBuf,

    /// Address and port to listen on; port 0 is any
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7878")]
    pub listen: SocketAddr,

    /// File with a token that clients must send (Authorization: Bearer …); needed on any address but loopback
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,

    /// Listen to strangers without a token
    #[arg(long)]
    pub insecure: bool,

    /// When a document is on the disk: always (before its verdict is told), or interval (within a second)
    #[arg(long, value_enum, default_value_t = SyncArg::Always)]
    pub sync: SyncArg,

    /// Field of the text; several are read one after another [default: text, or html if the document has that]
    #[arg(long, value_name = "FIELD[,FIELD…]", value_delimiter = ',')]
    pub text: Option<Vec<String>>,

    /// Field of a web page, in place of a text
    #[arg(long, value_name = "FIELD", conflicts_with = "text")]
    pub html: Option<String>,

    /// Field of a page's address
    #[arg(long, value_name = "FIELD", default_value = "url")]
    pub url: String,

    /// Field of the id
    #[arg(long, value_name = "FIELD", default_value = "id")]
    pub id: String,

    /// Field of a document's time: RFC 3339, or a number of seconds
    #[arg(long, value_name = "FIELD", default_value = "time")]
    pub time: String,

    #[command(flatten)]
    pub remembered: RememberedArgs,

    /// Requests that are answered at once; more are told to come again
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u16).range(1..))]
    pub max_requests: u16,

    /// Connections that may be open at once; more wait
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u16).range(1..))]
    pub max_connections: u16,

    /// Say nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum SyncArg {
    Always,
    Interval,
}

const SERVE_EXAMPLES: &str = "\
Examples:
  A service on this machine:
    lookalike serve --data news-window

  Judge a document, and a file of them, answered line by line:
    curl localhost:7878/v1/documents --json '{\"id\": \"a1\", \"time\": \"2026-11-15T12:00:00Z\", \"text\": \"…\"}'
    curl localhost:7878/v1/documents -H 'Content-Type: application/x-ndjson' -X POST -T news.jsonl

  Pages in the field `body`, of which the prose counts:
    lookalike serve --data pages --html body --page main

  For others, who have the token:
    lookalike serve --data news-window --listen 0.0.0.0:7878 --token-file token";
