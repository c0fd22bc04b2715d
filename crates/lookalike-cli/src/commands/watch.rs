//! `lookalike watch`: which files that arrive in a folder are new?

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lookalike::Verdict;
use lookalike_engine::Error;
use lookalike_io::write::json_line;
use lookalike_serve::folder::{Done, Event, Folders, How, Settings, Watch, signals};

use crate::args::WatchArgs;
use crate::commands::serve::tell_opened;
use crate::outcome::{INTERRUPTED, Outcome};
use crate::output::numbers::{count, counted, percent};
use crate::output::summary::special;

/// How long a file must stay unchanged, unless `--poll` sets it.
const INTERVAL: Duration = Duration::from_secs(1);

pub fn run(args: WatchArgs) -> Result<Outcome, Error> {
    let window = args.remembered.window()?;
    let (watch, opened) = Watch::open(settings(&args)?, window).map_err(|error| usage(&error.to_string()))?;
    tell_opened(&data(&args), &opened, watch.remembered(), args.quiet);
    let (sender, receiver) = signals();
    // The second signal does not wait for the current file; the next run finishes it.
    let _ = ctrlc::set_handler(move || {
        if sender.stop() {
            std::process::exit(INTERRUPTED);
        }
    });
    let mut failed = None;
    let done = watch.run(receiver, &mut |event| match event {
        Event::Watching(reason) => tell_watching(&args.folder, reason, args.quiet),
        Event::Verdict(answer) => print_verdict(answer, &mut failed),
        Event::Left(path, reason) => {
            message!("lookalike: {} {reason}", path.display());
            ControlFlow::Continue(())
        }
    });
    let done = done.map_err(|error| usage(&error.to_string()))?;
    if let Some(error) = failed {
        return Err(usage(&format!("cannot write to stdout: {error}")));
    }
    if !args.quiet {
        summarise(&done);
    }
    Ok(match done {
        // A watch without --once ends only when it is stopped.
        Done { is_stopped: true, .. } if args.once => Outcome::Interrupted,
        Done { left: 1.., .. } if args.once => Outcome::DoneWithBadRows,
        _ => Outcome::Done,
    })
}

fn data(args: &WatchArgs) -> PathBuf {
    args.data.clone().unwrap_or_else(|| args.folder.join(".lookalike"))
}

fn settings(args: &WatchArgs) -> Result<Settings, Error> {
    Ok(Settings {
        folders: Folders {
            input: args.folder.clone(),
            accept: args.accept.clone(),
            reject: args.reject.clone(),
            data: data(args),
        },
        link: args.link,
        how: match (args.once, args.poll) {
            (true, _) => How::Once,
            (false, Some(_)) => How::Polling,
            (false, None) => How::Notified,
        },
        interval: args.poll.unwrap_or(INTERVAL),
        extraction: args.remembered.extraction()?,
        format: args.format,
        max_document: args.remembered.max_document,
    })
}

fn tell_watching(folder: &Path, reason: Option<&str>, quiet: bool) -> ControlFlow<()> {
    if let Some(reason) = reason {
        message!(
            "lookalike: {}: the system does not report new files here ({reason}); looking every second",
            folder.display()
        );
    }
    if !quiet {
        message!("watching {}", folder.display());
    }
    ControlFlow::Continue(())
}

/// Prints a verdict. Stops the watch if nobody reads them.
fn print_verdict(answer: &Verdict, failed: &mut Option<io::Error>) -> ControlFlow<()> {
    let mut line = Vec::new();
    json_line(answer, &mut line);
    let mut out = io::stdout().lock();
    match out.write_all(&line).and_then(|()| out.flush()) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            *failed = (error.kind() != io::ErrorKind::BrokenPipe).then_some(error);
            ControlFlow::Break(())
        }
    }
}

fn summarise(done: &Done) {
    let stopped = done.exact + done.near;
    let all = done.new + stopped + done.old;
    message!(
        "{}: {} new; stopped {} ({}): {}, {}",
        counted(all, "file"),
        count(done.new),
        count(stopped),
        percent(stopped, all),
        counted(done.exact, "exact copy"),
        counted(done.near, "near-duplicate")
    );
    special(&[(done.old, "older than the window (accepted, not compared)"), (done.left, "not judged (left in place)")]);
}

fn usage(message: &str) -> Error {
    Error::Usage(message.to_string())
}
