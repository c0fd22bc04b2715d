//! How is progress shown on a terminal?

use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};

use indicatif::{ProgressBar, ProgressStyle};
use lookalike::engine::{Progress, Unit};

use super::caller::{self, Watcher};

/// One bar at a time on standard error, if that is a terminal. If a program runs the command, the program gets the progress instead.
pub struct Bars {
    shown: bool,
    program: Option<Watcher>,
    bar: Mutex<Option<ProgressBar>>,
}

impl Bars {
    pub fn new(quiet: bool) -> Bars {
        let program = caller::watcher();
        let shown = !quiet && program.is_none() && std::io::stderr().is_terminal();
        Bars { shown, program, bar: Mutex::new(None) }
    }

    fn with(&self, act: impl FnOnce(&mut Option<ProgressBar>)) {
        if self.shown {
            act(&mut self.bar.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }
}

impl Progress for Bars {
    fn begin(&self, stage: &'static str, total: u64, unit: Unit) {
        if let Some(program) = &self.program {
            program.begin(stage, total, unit);
        }
        let counts = match unit {
            Unit::Bytes => "{decimal_bytes} of {decimal_total_bytes}, {decimal_bytes_per_sec}",
            _ => "{human_pos} of {human_len} documents",
        };
        let style = if total == 0 {
            ProgressStyle::with_template("{msg:<13} {spinner}")
        } else {
            ProgressStyle::with_template(&format!("{{msg:<13}} {{bar:30}} {counts}, {{eta}} left"))
        };
        self.with(|bar| {
            let new = ProgressBar::new(total).with_message(stage);
            new.set_style(style.expect("a template that the crate knows"));
            *bar = Some(new);
        });
    }

    fn reach(&self, done: u64) {
        if let Some(program) = &self.program {
            program.reach(done);
        }
        self.with(|bar| {
            if let Some(bar) = bar {
                bar.set_position(done);
            }
        });
    }

    fn end(&self) {
        if let Some(program) = &self.program {
            program.end();
        }
        self.with(|bar| {
            if let Some(bar) = bar.take() {
                bar.finish_and_clear();
            }
        });
    }

    fn warn(&self, message: &str) {
        message!("lookalike: {message}");
    }

    fn is_cancelled(&self) -> bool {
        self.program.as_ref().is_some_and(|program| program.is_cancelled())
    }
}
