//! The command `lookalike`.

// First, for its macro.
#[macro_use]
mod messages;

mod args;
mod check;
mod compare;
mod dedup;
mod filter;
mod graph;
mod long_running;
mod memory;
mod method;
mod pairs;
mod progress;
mod serve;
mod sketch;
mod stream;
mod summary;
mod svg;
mod tokens;
mod watch;

use std::io::{self, Write};
use std::process::ExitCode;

use args::{Cli, Command, MatchArgs, MeasureArg, ReadArgs, RememberedArgs, WindowArgs};
use clap::{CommandFactory, Parser};
use lookalike::engine::SiteRule;
use lookalike::Threshold;
use lookalike::engine::{Recipe, SetWindow, Span};
use lookalike_engine::{Collector, Error};
use lookalike_io::write::in_place;
use lookalike_io::{Fields, Source};
use serde::Serialize;

/// How a command ended, other than in an error.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Done,
    /// An assertion that the user asked for does not hold.
    Failed,
    DoneWithBadRows,
    /// It was told to end before it was done.
    Interrupted,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        ExitCode::from(match outcome {
            Outcome::Done => 0,
            Outcome::Failed => 1,
            Outcome::DoneWithBadRows => 3,
            Outcome::Interrupted => INTERRUPTED as u8,
        })
    }
}

const FATAL: u8 = 2;
const INTERRUPTED: i32 = 130;

fn main() -> ExitCode {
    memory::watch_aborts();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return print_usage(&error),
    };
    memory::set_advice(&cli.command);
    // A service finishes what it has accepted, and a watch the file in hand.
    if !matches!(cli.command, Command::Serve(_) | Command::Watch(_)) {
        // Leaves no half-written file behind; a handler that cannot be set costs no more than that.
        let _ = ctrlc::set_handler(|| {
            // What has put its outputs in place is done: what is left to do is to say so.
            if lookalike_io::discard_unfinished() {
                std::process::exit(INTERRUPTED);
            }
        });
    }
    if matches!(cli.command, Command::Stream(_) | Command::Serve(_) | Command::Watch(_)) {
        long_running::give_memory_back();
    }
    if matches!(cli.command, Command::Serve(_) | Command::Watch(_)) {
        long_running::survive_file_limits();
    }
    let outcome = match cli.command {
        Command::Dedup(args) => dedup::run(*args),
        Command::Pairs(args) => pairs::run(*args),
        Command::Check(args) => check::run(*args),
        Command::Sketch(args) => sketch::run(*args),
        Command::Stream(args) => stream::run(*args),
        Command::Serve(args) => serve::run(*args),
        Command::Watch(args) => watch::run(*args),
        Command::Filter(args) => filter::run(&args),
        Command::Compare(args) => compare::run(*args),
        Command::Graph(args) => graph::run(&args),
        Command::Tokens(args) => tokens::run(args),
        Command::Completions(args) => {
            let mut script = Vec::new();
            clap_complete::generate(args.shell, &mut Cli::command(), "lookalike", &mut script);
            print(&script).map(|()| Outcome::Done)
        }
    };
    match outcome {
        Ok(outcome) => outcome.into(),
        Err(error) => {
            let advice = if error.is_out_of_memory() { memory::advice() } else { "" };
            let stop = if advice.is_empty() { "" } else { ". " };
            message!("lookalike: {error}{stop}{advice}");
            ExitCode::from(FATAL)
        }
    }
}

/// To standard output, which may have been closed by someone who has seen enough.
fn print(bytes: &[u8]) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let others = if in_place() > 0 { "; the files were written" } else { "" };
            Err(Error::Usage(format!("cannot write to stdout: {error}{others}")))
        }
        _ => Ok(()),
    }
}

/// Help and version on standard output, for they are what was asked for; what is wrong with the arguments on standard error.
fn print_usage(error: &clap::Error) -> ExitCode {
    match error.print().and_then(|()| io::stdout().flush()) {
        Err(failed) if !error.use_stderr() && failed.kind() != io::ErrorKind::BrokenPipe => {
            message!("lookalike: cannot write to stdout: {failed}");
            ExitCode::from(FATAL)
        }
        _ => ExitCode::from(error.exit_code() as u8),
    }
}

/// A report, as JSON.
fn print_json(report: &impl Serialize) -> Result<(), Error> {
    let json = serde_json::to_string_pretty(report).expect("a report is plain data");
    print(format!("{json}\n").as_bytes())
}

/// Standard input can be read once.
fn check_stdin(inputs: &[&[String]]) -> Result<(), Error> {
    if inputs.iter().flat_map(|inputs| inputs.iter()).filter(|input| *input == "-").count() > 1 {
        return Err(Error::Usage("stdin (-) is named more than once".to_string()));
    }
    Ok(())
}

impl ReadArgs {
    /// A field of the text where no input has fields is a misunderstanding, and so is a rule for pages where there are none.
    fn check(&self, inputs: &[Source]) -> Result<(), Error> {
        let flag = if self.html.is_some() { "--html" } else { "--text" };
        let has_no_text_field = |input: &Source| input.format().is_pages() || !input.format().has_fields();
        if (self.html.is_some() || !self.text.is_empty()) && inputs.iter().all(has_no_text_field) {
            let format = inputs.first().map_or("text", |input| input.format().name());
            return Err(Error::Usage(format!(
                "{flag} names a field, and inputs in the format {format} have none for the text; --format says what they are"
            )));
        }
        if self.page.is_some() && self.html.is_none() && !inputs.iter().any(|input| input.format().is_pages()) {
            return Err(Error::Usage(
                "--page is for web pages, and no input is one: --html FIELD says where they are, --format html or warc what they are"
                    .to_string(),
            ));
        }
        Ok(())
    }

    fn collector(&self, key: Option<&str>, within: &[String]) -> Collector {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        Collector {
            fields: Fields {
                text: match &self.html {
                    Some(html) => vec![html.clone()],
                    None if self.text.is_empty() => vec!["text".to_string()],
                    None => self.text.clone(),
                },
                is_page: self.html.is_some(),
                url: self.url.clone(),
                id: self.id.clone(),
                key: key.map(String::from),
                within: within.to_vec(),
                site: None,
            },
            page: self.page.unwrap_or_default(),
            recipe: Recipe { tokens: self.tokens, case: self.case.into(), bag: self.bag },
            max_document: self.max_document,
            strict: self.strict,
            threads: self.threads.map_or(cores, usize::from),
            hash_texts: false,
            keep_texts: false,
            signing: None,
            samples: false,
            site: SiteRule::default(),
        }
    }
}

impl WindowArgs {
    /// What makes a duplicate, and how far back.
    fn threshold_and_span(&self) -> Result<(Threshold, Span), Error> {
        let MeasureArg::Sets(measure) = self.measure else {
            return Err(Error::Usage("a window compares by a similarity of sets, and edit is a distance".to_string()));
        };
        let threshold = Threshold::new(measure, &self.threshold).map_err(|error| Error::Usage(error.to_string()))?;
        let span = Span::new(self.window, self.segment).map_err(|error| Error::Usage(error.to_string()))?;
        Ok((threshold, span))
    }
}

impl RememberedArgs {
    /// An empty window.
    fn window(&self) -> Result<SetWindow, Error> {
        let (threshold, span) = self.comparing.threshold_and_span()?;
        let window = SetWindow::new(threshold, span).map_err(|error| Error::Usage(error.to_string()))?;
        Ok(window.with_index(self.comparing.index.into()).comparing_with(self.comparing.compare_with.into()))
    }

    fn recipe(&self) -> Recipe {
        Recipe { tokens: self.tokens, case: self.case.into(), bag: self.bag }
    }
}

impl MatchArgs {
    /// The threshold as typed, or the usual one.
    fn threshold_text(&self) -> &str {
        self.threshold.as_deref().unwrap_or("0.8")
    }

    fn threshold(&self) -> Result<Threshold, Error> {
        match self.measure {
            MeasureArg::Sets(measure) => {
                Threshold::new(measure, self.threshold_text()).map_err(|error| Error::Usage(error.to_string()))
            }
            MeasureArg::Edit => {
                Err(Error::Usage("only `lookalike pairs` compares texts by their edit distance".to_string()))
            }
        }
    }
}
