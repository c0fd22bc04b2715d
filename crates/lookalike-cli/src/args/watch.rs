use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use lookalike_io::Format;

use super::RememberedArgs;

#[derive(Args)]
#[command(after_help = "`--help` shows examples.", after_long_help = WATCH_EXAMPLES)]
pub struct WatchArgs {
    /// Folder into which files come, each a document: a page (.html, .htm, .xhtml, .xml, or what begins with <?xml, <!doctype or
    /// <html), or else a text in UTF-8, whatever it is called
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// Folder for files that are no duplicates; made if it is not there
    #[arg(long, value_name = "DIR")]
    pub accept: PathBuf,

    /// Folder for exact copies and near-duplicates; made if it is not there
    #[arg(long, value_name = "DIR")]
    pub reject: PathBuf,

    /// Leave the file where it is, and link it: it gets a second name, or is copied where it cannot have one
    #[arg(long)]
    pub link: bool,

    /// Folder of what must not be forgotten; made if it is not there [default: .lookalike in the watched folder]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,

    /// Judge what is there, and end
    #[arg(long)]
    pub once: bool,

    /// Look every so many seconds, and take what is the same as the last time; for network drives, of which nobody tells
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub poll: Option<Duration>,

    /// What every file is: html (a page) or text [default: by name, then by how it begins]
    #[arg(long, value_name = "FORMAT", value_parser = parse_whole)]
    pub format: Option<Format>,

    #[command(flatten)]
    pub remembered: RememberedArgs,

    /// Say nothing but verdicts and errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// A format of which a file is one document.
fn parse_whole(name: &str) -> Result<Format, String> {
    name.parse::<Format>()
        .ok()
        .filter(|format| format.is_whole())
        .ok_or_else(|| format!("'{name}' is neither html nor text: a file is one document here"))
}

/// `2`, `0.5`.
fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok().filter(|seconds| (0.001..=86_400.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| format!("'{text}' is not a number of seconds, 0.001 to 86400"))
}

const WATCH_EXAMPLES: &str = "\
A file is taken when it is whole: closed after it was written, or moved in. What was there before is taken when it has been the same for
a second. Names that begin with a dot or end in .tmp or .part are passed over. A document's time is its file's. Beside a file lies its
verdict, NAME.lookalike.json, with the keys of `lookalike stream`; of names the file that it resembles. A file of JSON is compared as the text
that it is. What cannot be judged is told, and stays; with --once the exit code is then 3. docs/guides/watch.md has the rest.

Examples:
  Judge what is there, and end:
    lookalike watch incoming --accept fresh --reject seen --once

  A week back, originals left where they are, as often as you like:
    lookalike watch incoming --accept fresh --reject seen --link --window 7d --segment 1d --once

  News items in XML, whatever they are called:
    lookalike watch incoming --accept fresh --reject seen --format html --once

  As long as it runs, and again after a crash:
    lookalike watch incoming --accept fresh --reject seen >> verdicts.jsonl

  A network drive, looked at every five seconds:
    lookalike watch /mnt/feed --accept fresh --reject seen --data news-window --poll 5";
