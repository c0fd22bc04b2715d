//! Which arguments does `lookalike watch` take?

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use lookalike_io::Format;

use super::super::common::{READING, RememberedArgs};

#[derive(Args)]
#[command(after_help = "Use --help for details and examples.", after_long_help = EXAMPLES)]
pub struct WatchArgs {
    /// Folder in which files arrive; each file is one document
    ///
    /// A file is a web page if it ends in .html, .htm, .xhtml or .xml, or begins with <?xml, <!doctype or <html. Any other file is text
    /// in UTF-8.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// Folder for new documents; created if it does not exist
    #[arg(long, value_name = "DIR")]
    pub accept: PathBuf,

    /// Folder for exact copies and near-duplicates; created if it does not exist
    #[arg(long, value_name = "DIR")]
    pub reject: PathBuf,

    /// Link files instead of moving them
    ///
    /// The file stays and gets a hard link in the other folder, or a copy if a link is not possible.
    #[arg(long)]
    pub link: bool,

    /// Folder of the log; created if it does not exist [default: .lookalike in DIR]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,

    /// Judge the files that are there, and exit
    #[arg(long)]
    pub once: bool,

    /// Look for files at this interval, and take those that have not changed since the last look
    ///
    /// Use it for network drives, where the system does not report new files.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub poll: Option<Duration>,

    /// Format of every file: html or text [default: by name, then by content]
    #[arg(long, value_name = "FORMAT", value_parser = parse_whole, help_heading = READING)]
    pub format: Option<Format>,

    /// Print only verdicts and errors
    #[arg(short, long)]
    pub quiet: bool,

    #[command(flatten)]
    pub remembered: RememberedArgs,
}

/// Parses a format in which a whole file is one document.
fn parse_whole(name: &str) -> Result<Format, String> {
    name.parse::<Format>()
        .ok()
        .filter(|format| format.is_whole())
        .ok_or_else(|| format!("'{name}' is neither html nor text; here every file is one document"))
}

/// Parses `2` or `0.5`.
fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok().filter(|seconds| (0.001..=86_400.0).contains(seconds));
    seconds
        .map(Duration::from_secs_f64)
        .ok_or_else(|| format!("'{text}' is not a number of seconds from 0.001 to 86400"))
}

const EXAMPLES: &str = "\
Examples:
  Judge the files that are there, and exit:
    lookalike watch incoming --accept fresh --reject seen --once

  Leave the originals in place, with a window of a week:
    lookalike watch incoming --accept fresh --reject seen --link --window 7d --segment 1d --once

  Read news items in XML, whatever their names:
    lookalike watch incoming --accept fresh --reject seen --format html --once

  Run until stopped:
    lookalike watch incoming --accept fresh --reject seen >> verdicts.jsonl

  Look at a network drive every five seconds:
    lookalike watch /mnt/feed --accept fresh --reject seen --data news-window --poll 5";
