//! The job of `stream`: judges documents as they arrive and writes one line for each, in order.

use std::path::PathBuf;
use std::time::Instant;

use lookalike::engine::{IdWindow, Progress, SetWindow, Span, Stage};
use lookalike::{CompareWith, Threshold, Verdict, VerdictKind, WindowIndex};
use lookalike_io::extract::Extractor;
use lookalike_io::read::{Lacking, time_of};
use lookalike_io::write::{commit, json_line};
use lookalike_io::{Blocks, Format, Output, Row, RowReader, Source, Value};

use crate::error::{Error, Problem, check_cancelled};
use crate::read::{Collector, Tally, place_of};
use crate::report::{ReadReport, StreamReport, peak_memory};
use crate::write::check_paths;

/// Which verdicts to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Only {
    /// Verdicts on documents that resemble nothing in the window.
    New,
    /// Verdicts on exact and near-duplicates.
    Duplicates,
}

/// A job that judges documents in the order in which they arrive.
pub struct Stream {
    /// The inputs.
    pub inputs: Vec<Source>,
    /// How to read. The key of its fields is the time.
    pub collector: Collector,
    /// The measure and the threshold of a duplicate.
    pub threshold: Threshold,
    /// The length of the window and its segments.
    pub span: Span,
    /// The index of the window.
    pub index: WindowIndex,
    /// Which documents of the window to compare with.
    pub compare_with: CompareWith,
    /// Which verdicts to write, if not all.
    pub only: Option<Only>,
    /// The output file. `-` is standard output.
    pub output: PathBuf,
    /// Whether to replace an existing file.
    pub force: bool,
}

impl Stream {
    /// Runs the job. Calls `tell` with the first few problems as they occur.
    pub fn run(self, progress: &dyn Progress, tell: impl Fn(&Problem)) -> Result<StreamReport, Error> {
        let start = Instant::now();
        check_paths([&self.output].into_iter(), self.force, &self.inputs)?;
        let window = SetWindow::new(self.threshold, self.span).map_err(Error::usage)?;
        let mut judge = Judge {
            extractor: Extractor::new(self.collector.extraction()),
            window: IdWindow::new(window.with_index(self.index).comparing_with(self.compare_with)),
            tally: Tally::default(),
            report: StreamReport::default(),
            line: Vec::new(),
            stream: &self,
        };
        let mut output = Output::create(&self.output)?;
        let mut reader = RowReader::new(&self.collector.fields, self.collector.max_document);
        let mut blocks = Blocks::new(&self.inputs, &self.collector.fields, Default::default())
            .for_texts(self.collector.max_document);
        // Nobody knows how many documents will arrive.
        let (stage, mut told) = (Stage::begin(progress, "judging", 0), 0);
        while let Some(block) = blocks.next_block()? {
            check_cancelled(progress)?;
            let (source, before) = (&self.inputs[block.source], judge.report.documents);
            reader.for_each(&block, |row, raw| {
                judge.row(&row, raw, source)?;
                judge.tally.problems[told..].iter().for_each(&tell);
                told = judge.tally.problems.len();
                output.put(&judge.line).map_err(Error::from)
            })?;
            stage.add((judge.report.documents - before) as usize);
            // The next block may take long to arrive.
            output.send()?;
            if output.is_closed() {
                break;
            }
        }
        if !output.is_closed() {
            // The time field may be missing: a document without a time was reported when it arrived.
            self.collector.fields.check_seen(&reader.take_seen(), "the inputs", false)?;
        }
        commit(vec![output.finish()?])?;
        let seconds = start.elapsed().as_secs_f64();
        Ok(judge.report(&self.inputs, seconds))
    }
}

/// The state between rows.
struct Judge<'a> {
    stream: &'a Stream,
    extractor: Extractor,
    window: IdWindow,
    tally: Tally,
    report: StreamReport,
    /// The line of the last verdict; empty if it is not written.
    line: Vec<u8>,
}

impl Judge<'_> {
    fn row(&mut self, row: &Row, raw: Option<&[u8]>, source: &Source) -> Result<(), Error> {
        self.line.clear();
        let strict = self.stream.collector.strict;
        let examined = self.tally.extract(row, &mut self.extractor, source.path(), strict).map_err(stop);
        let Some(document) = examined? else { return Ok(()) };
        let name = self.stream.collector.fields.key.as_deref().unwrap_or_default();
        let time = time_of(row.key);
        if document.is_some() && time.is_none() {
            self.tally.unusable += 1;
            let reason = match (row.key, raw) {
                (Value::Missing, Some(line)) if source.format() == Format::Jsonl => {
                    Lacking::Json(line).explain(&[name], "Use --time to name the time field.")
                }
                _ => format!("field '{name}' is not a time (RFC 3339, or a number of seconds since 1970)"),
            };
            self.tally.name(source.path(), row.number, &reason, strict).map_err(stop)?;
        }
        let place = source.path().display().to_string();
        let place = place_of(&place, source.format(), row.number);
        let id = row.id.filter(|id| !id.is_empty()).unwrap_or(&place);
        self.report.documents += 1;
        match (document, time) {
            (Some(mut document), Some(time)) => {
                let set = document.set();
                self.tally.empty += u64::from(set.is_empty());
                let verdict = self.window.add(id, set, time);
                self.report.count(verdict.kind);
                if self.stream.is_written(verdict.kind) {
                    json_line(&self.window.named(id, &verdict), &mut self.line);
                }
            }
            _ => {
                self.report.count(VerdictKind::New);
                if self.stream.is_written(VerdictKind::New) {
                    json_line(&Verdict::incomparable(id), &mut self.line);
                }
            }
        }
        Ok(())
    }

    fn report(self, inputs: &[Source], seconds: f64) -> StreamReport {
        let Judge { stream, window, tally, report, .. } = self;
        // A stream has no size.
        let read = ReadReport { input_bytes: None, ..ReadReport::new(&tally, inputs) };
        StreamReport {
            read,
            measure: stream.threshold.measure().name(),
            threshold: stream.threshold.value().to_f64(),
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

impl Stream {
    fn is_written(&self, kind: VerdictKind) -> bool {
        match self.only {
            None => true,
            Some(Only::New) => kind == VerdictKind::New,
            Some(Only::Duplicates) => matches!(kind, VerdictKind::Exact | VerdictKind::Near),
        }
    }
}

impl StreamReport {
    fn count(&mut self, kind: VerdictKind) {
        match kind {
            VerdictKind::New => self.new += 1,
            VerdictKind::Exact => self.exact += 1,
            VerdictKind::Near => self.near += 1,
            _ => self.old += 1,
        }
    }
}

/// Replaces the error that says that nothing was written: earlier verdicts were.
fn stop(error: Error) -> Error {
    match error {
        Error::Strict(problem) => Error::Stopped(problem),
        other => other,
    }
}
