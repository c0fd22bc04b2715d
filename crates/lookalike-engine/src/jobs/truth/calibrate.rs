//! The job of `calibrate`: chooses settings from labels.

use std::path::PathBuf;

use lookalike::engine::{JoinError, Progress, Stage};
use lookalike_io::Source;
use lookalike_io::write::commit;
use lookalike_truth::Ids;
use lookalike_truth::choose::{Chosen, calibrate};
use lookalike_truth::page::calibration_page;

use super::trials::{Labelled, Search, Tried};
use crate::error::{Error, pool};
use crate::html::{called, check_page, version, write_page};
use crate::read::Collector;
use crate::report::CalibrateReport;
use crate::tables::{LabelOptions, TableRead, read_labels};
use crate::write::check_paths;

/// A job that chooses settings from labels.
pub struct Calibrate {
    /// The documents.
    pub inputs: Vec<Source>,
    /// The second collection, if pairs are between two.
    pub with: Vec<Source>,
    /// How to read the documents, apart from the settings that are tried.
    pub collector: Collector,
    /// The labels.
    pub labels: LabelOptions,
    /// The settings to try.
    pub search: Search,
    /// How often the groups are split into halves, to learn what a choice is worth.
    pub splits: usize,
    /// The page to write for people.
    pub report: Option<PathBuf>,
    /// Whether to replace an existing page.
    pub force: bool,
}

impl Calibrate {
    /// Runs the job.
    pub fn run(self, progress: &dyn Progress) -> Result<CalibrateReport, Error> {
        let sources = [&self.inputs[..], &self.with].concat();
        if let Some(path) = &self.report {
            check_page(path)?;
            let all = [&sources[..], &self.labels.table.files].concat();
            check_paths([path].into_iter(), self.force, &all)?;
        }
        let (mut ids, mut read) = (Ids::default(), TableRead::default());
        let labels = read_labels(&self.labels, &mut ids, &mut read, progress)?;
        let pool = pool(self.collector.threads)?;
        let linked = !self.with.is_empty();
        let (Tried { trials, same, others, documents, unknown, skipped }, default) = pool.install(|| {
            let (inputs, ids, labels) = (self.inputs.len(), &mut ids, &labels);
            let mut labelled = Labelled { sources: &sources, inputs, linked, ids, labels };
            let default = self.search.default_only();
            let stage = Stage::begin(progress, "comparing", self.search.ways() + default.ways());
            let tried = labelled.try_all(&self.search, &self.collector, &stage)?;
            let default = labelled.try_all(&default, &self.collector, &stage)?;
            Ok::<_, Error>((tried, default.trials))
        })?;
        let chosen = pool.install(|| {
            let stage = Stage::begin(progress, "choosing settings", self.splits);
            calibrate(&trials, &same, &others, default.first(), self.splits, &stage)
        });
        let Some(calibration) = chosen.map_err(JoinError::from)? else {
            return Err(Error::Usage(
                "no labelled pair in the inputs is a match; label some with --label N".to_string(),
            ));
        };
        let command = self.command(&calibration.chosen);
        let report = CalibrateReport {
            command,
            documents,
            tried: trials.len() as u64,
            skipped,
            unknown,
            conflicts: labels.conflicts.iter().map(ToString::to_string).collect(),
            conflict_count: labels.conflicts.len() as u64 + labels.unnamed,
            bad_rows: read.bad_rows(),
            calibration,
        };
        if let Some(path) = &self.report {
            let inputs = sources.iter().map(called).collect::<Vec<_>>().join(", ");
            let mut page = calibration_page(&report.calibration, &report.command, &format!("Settings for {inputs}"));
            page.version = version();
            commit(vec![write_page(path, &page)?])?;
        }
        Ok(report)
    }

    /// The setting that the labels call for, without judging it; `None` if too few groups have labels to call for one.
    pub fn choose(self, progress: &dyn Progress) -> Result<Option<Chosen>, Error> {
        let sources = [&self.inputs[..], &self.with].concat();
        let (mut ids, mut read) = (Ids::default(), TableRead::default());
        let labels = read_labels(&self.labels, &mut ids, &mut read, progress)?;
        let linked = !self.with.is_empty();
        pool(self.collector.threads)?.install(|| {
            let (inputs, ids, labels) = (self.inputs.len(), &mut ids, &labels);
            let mut labelled = Labelled { sources: &sources, inputs, linked, ids, labels };
            let stage = Stage::begin(progress, "comparing", self.search.ways());
            let tried = labelled.try_all(&self.search, &self.collector, &stage)?;
            let calibration =
                calibrate(&tried.trials, &tried.same, &tried.others, None, 0, &stage).map_err(JoinError::from)?;
            Ok(calibration.filter(|it| it.enough.has_groups()).map(|it| it.chosen))
        })
    }

    /// A setting as a command to paste.
    fn command(&self, chosen: &Chosen) -> String {
        let quoted = |word: &str| {
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:,=+%@".contains(&byte);
            if !word.is_empty() && word.bytes().all(is_plain) {
                word.to_string()
            } else {
                format!("'{}'", word.replace('\'', "'\\''"))
            }
        };
        let files = |sources: &[Source]| sources.iter().map(|source| quoted(&called(source))).collect::<Vec<_>>();
        let mut words = vec!["lookalike".to_string(), "pairs".to_string()];
        words.extend(files(&self.inputs));
        if !self.with.is_empty() {
            words.push("--with".to_string());
            words.extend(files(&self.with));
        }
        let fields = &self.collector.fields;
        let settings = &chosen.settings;
        let text = quoted(&settings.text.join(","));
        words.extend([if fields.is_page { "--html" } else { "--text" }.to_string(), text]);
        words.extend(fields.id.iter().flat_map(|id| ["--id".to_string(), quoted(id)]));
        if let Some(table) = &self.collector.without {
            words.extend(["--without".to_string(), quoted(&table.path().display().to_string())]);
        }
        if !settings.within.is_empty() {
            words.extend(["--within".to_string(), quoted(&settings.within.join(","))]);
        }
        words.extend([
            "--tokens".to_string(),
            settings.tokens.clone(),
            "--measure".to_string(),
            settings.measure.clone(),
        ]);
        words.extend(["-t".to_string(), chosen.threshold.to_string(), "-o".to_string(), "pairs.csv".to_string()]);
        words.join(" ")
    }
}
