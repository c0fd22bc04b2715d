//! Documents judged as they come, each with a line of its own, in order.

mod answer;
mod time;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use lookalike::window::{CompareWith, DocumentRef, IndexKind, Kind, Span, Window};
use lookalike::{SetMaker, Threshold};
use lookalike_io::read::Lacking;
use lookalike_io::write::commit;
use lookalike_io::{Blocks, Format, Output, Row, RowReader, Source, Value};
use serde::Serialize;

use crate::collect::{Collector, Problem, Tally};
use crate::documents::place_of;
use crate::error::Error;
use crate::outputs::check_paths;
use crate::page_text::PageTexts;
use crate::report::peak_memory;
pub use answer::{Answer, MatchAnswer, by_name};
pub use time::milliseconds;

/// Which verdicts are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Only {
    /// On documents that resemble nothing in the window.
    New,
    /// On exact and near-duplicates.
    Duplicates,
}

/// A job that judges documents in the order in which they come.
pub struct Stream {
    /// Where they come from.
    pub inputs: Vec<Source>,
    /// How to read; the key of its fields is the time.
    pub collector: Collector,
    /// What makes a duplicate.
    pub threshold: Threshold,
    /// How time is cut.
    pub span: Span,
    /// How documents are found again.
    pub index: IndexKind,
    /// With which they are compared.
    pub compare_with: CompareWith,
    /// Which verdicts are written, if not all.
    pub only: Option<Only>,
    /// Where to; `-` is standard output.
    pub output: PathBuf,
    /// Whether an existing file is replaced.
    pub force: bool,
}

/// What came of it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct StreamReport {
    /// Documents that came.
    pub documents: u64,
    /// Bytes of all texts.
    pub text_bytes: u64,
    /// Those that resembled nothing.
    pub new: u64,
    /// Those whose set was in the window already.
    pub exact: u64,
    /// Those that resembled one in the window.
    pub near: u64,
    /// Those that were older than the window.
    pub old: u64,
    /// Documents without a token: they are new.
    pub empty: u64,
    /// Documents without a usable text or time: they are new.
    pub unusable: u64,
    /// Rows that are no documents.
    pub unreadable: u64,
    /// The first few of both.
    pub problems: Vec<String>,
    /// What was measured.
    pub measure: &'static str,
    /// From where on documents are duplicates.
    pub threshold: String,
    /// Of what elements.
    pub tokens: String,
    /// How far the window reaches back.
    pub window_seconds: f64,
    /// How long a segment is.
    pub segment_seconds: f64,
    /// By what documents were found again.
    pub index: &'static str,
    /// Documents in the window at the end.
    pub in_window: u64,
    /// How long it took.
    pub seconds: f64,
    /// Documents a second.
    pub documents_per_second: f64,
    /// The most memory that was resident.
    pub peak_memory_bytes: u64,
}

impl Stream {
    /// Does it. Problems are told as they come, the first few.
    pub fn run(self, tell: impl Fn(&Problem)) -> Result<StreamReport, Error> {
        let start = Instant::now();
        check_paths([&self.output].into_iter(), self.force, &self.inputs)?;
        let window = Window::new(self.threshold, self.span).map_err(|error| Error::Usage(error.to_string()))?;
        let mut judge = Judge {
            maker: SetMaker::new(self.collector.recipe),
            pages: PageTexts::new(self.collector.page),
            window: window.with_index(self.index).comparing_with(self.compare_with),
            ids: BTreeMap::new(),
            tally: Tally::default(),
            report: StreamReport::default(),
            line: Vec::new(),
            stream: &self,
        };
        let mut output = Output::create(&self.output)?;
        let mut reader = RowReader::new(&self.collector.fields, self.collector.max_document);
        let mut blocks = Blocks::new(&self.inputs, &self.collector.fields, Default::default())
            .for_texts(self.collector.max_document);
        let mut told = 0;
        while let Some(block) = blocks.next_block()? {
            let source = &self.inputs[block.source];
            reader.for_each(&block, |row, raw| {
                judge.row(&row, raw, source)?;
                judge.tally.problems[told..].iter().for_each(&tell);
                told = judge.tally.problems.len();
                output.put(&judge.line).map_err(Error::from)
            })?;
            // The next block may be long in coming.
            output.send()?;
            if output.is_closed() {
                break;
            }
        }
        if !output.is_closed() {
            // The time need not be there: a document without one is told of when it comes.
            self.collector.fields.check_seen(&reader.take_seen(), "the inputs", false)?;
        }
        commit(vec![output.finish()?])?;
        let seconds = start.elapsed().as_secs_f64();
        Ok(judge.report(seconds))
    }
}

/// What is kept from row to row.
struct Judge<'a> {
    stream: &'a Stream,
    maker: SetMaker,
    pages: PageTexts,
    window: Window,
    /// What the documents of a segment are called.
    ids: BTreeMap<i64, Vec<Box<str>>>,
    tally: Tally,
    report: StreamReport,
    /// The last verdict as it is written; empty if it is not.
    line: Vec<u8>,
}

impl Judge<'_> {
    fn row(&mut self, row: &Row, raw: Option<&[u8]>, source: &Source) -> Result<(), Error> {
        self.line.clear();
        let strict = self.stream.collector.strict;
        let examined = self.tally.examine(row, &mut self.pages, source.path(), strict).map_err(stop);
        let Some(text) = examined? else { return Ok(()) };
        let name = self.stream.collector.fields.key.as_deref().unwrap_or_default();
        let time = time::read(row.key);
        if text.is_some() && time.is_none() {
            self.tally.unusable += 1;
            let reason = match (row.key, raw) {
                (Value::Missing, Some(line)) if source.format() == Format::Jsonl => {
                    Lacking::Json(line).explain(&[name], "Use --time to name the time field.")
                }
                _ => format!("field '{name}' is no time"),
            };
            self.tally.name(source.path(), row.number, &reason, strict).map_err(stop)?;
        }
        let place = source.path().display().to_string();
        let place = place_of(&place, source.format(), row.number);
        let id = row.id.filter(|id| !id.is_empty()).unwrap_or(&place);
        self.report.documents += 1;
        match (text, time) {
            (Some(text), Some(time)) => {
                let set = self.maker.set(text);
                self.tally.empty += u64::from(set.is_empty());
                let verdict = self.window.add(set, time);
                self.count(verdict.kind);
                if self.is_written(verdict.kind) {
                    let id_of = |at: DocumentRef| &*self.ids[&at.segment][at.slot as usize];
                    Answer::new(id, &verdict, id_of).write(&mut self.line);
                }
                if let Some(at) = verdict.document {
                    self.ids.entry(at.segment).or_default().push(id.into());
                    let oldest = self.window.oldest().unwrap_or(i64::MIN);
                    while self.ids.first_key_value().is_some_and(|(&segment, _)| segment < oldest) {
                        self.ids.pop_first();
                    }
                }
            }
            _ => {
                self.count(Kind::New);
                if self.is_written(Kind::New) {
                    Answer::incomparable(id).write(&mut self.line);
                }
            }
        }
        Ok(())
    }

    fn count(&mut self, kind: Kind) {
        match kind {
            Kind::New => self.report.new += 1,
            Kind::Exact => self.report.exact += 1,
            Kind::Near => self.report.near += 1,
            Kind::Old => self.report.old += 1,
        }
    }

    fn is_written(&self, kind: Kind) -> bool {
        match self.stream.only {
            None => true,
            Some(Only::New) => kind == Kind::New,
            Some(Only::Duplicates) => matches!(kind, Kind::Exact | Kind::Near),
        }
    }

    fn report(self, seconds: f64) -> StreamReport {
        let Judge { stream, window, tally, report, .. } = self;
        StreamReport {
            text_bytes: tally.text_bytes,
            empty: tally.empty,
            unusable: tally.unusable,
            unreadable: tally.unreadable,
            problems: tally.problems.iter().map(ToString::to_string).collect(),
            measure: stream.threshold.measure().name(),
            threshold: stream.threshold.value().to_string(),
            tokens: stream.collector.recipe.tokens.to_string(),
            window_seconds: stream.span.window() as f64 / 1e3,
            segment_seconds: stream.span.segment_length() as f64 / 1e3,
            index: stream.index.name(),
            in_window: window.len() as u64,
            seconds,
            documents_per_second: report.documents as f64 / seconds,
            peak_memory_bytes: peak_memory(),
            ..report
        }
    }
}

/// What was written before stays.
fn stop(error: Error) -> Error {
    match error {
        Error::Strict(problem) => Error::Stopped(problem),
        other => other,
    }
}
