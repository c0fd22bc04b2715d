//! The job of `evaluate`: compares what was found with labels.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use lookalike::engine::{JoinError, Progress, Stage};
use lookalike_io::Source;
use lookalike_io::write::commit;
use lookalike_truth::page::{Report, evaluation_page};
use lookalike_truth::{Evaluation, Example, Ids, Values, evaluate};

use crate::error::Error;
use crate::html::{called, check_page, cut, version, write_page};
use crate::read::Collector;
use crate::report::EvaluateReport;
use crate::tables::{FoundOptions, LabelOptions, TableRead, Visited, read_found, read_labels, visit};
use crate::write::check_paths;

/// A job that compares what was found with labels.
pub struct Evaluate {
    /// What was found.
    pub found: FoundOptions,
    /// The labels.
    pub labels: LabelOptions,
    /// Found pairs below this similarity, or beyond this distance, do not count as found.
    pub least: Option<f64>,
    /// The documents, if texts or fields are needed.
    pub documents: Vec<Source>,
    /// The second collection, if pairs are between two.
    pub with: Vec<Source>,
    /// How to read the documents.
    pub collector: Collector,
    /// The field by which pairs are divided.
    pub by: Option<EvaluateBy>,
    /// The page to write for people.
    pub report: Option<PathBuf>,
    /// Whether to replace an existing page.
    pub force: bool,
}

/// In what documents of a pair may agree.
#[derive(Clone, Debug)]
pub enum EvaluateBy {
    /// A field.
    Field(String),
    /// The site of their addresses.
    Site,
}

/// The most bytes of a text that are kept as an example.
const LONGEST: usize = 4_000;

impl Evaluate {
    /// Runs the job.
    pub fn run(self, progress: &dyn Progress) -> Result<EvaluateReport, Error> {
        if let Some(path) = &self.report {
            check_page(path)?;
            let (documents, _) = self.sources();
            let all = [&self.found.table.files[..], &self.labels.table.files, &documents].concat();
            check_paths([path].into_iter(), self.force, &all)?;
        }
        let mut read = TableRead::default();
        let mut ids = Ids::default();
        let labels = read_labels(&self.labels, &mut ids, &mut read, progress)?;
        let found = read_found(&self.found, &mut ids, &mut read, progress)?;
        let by = self.by.as_ref().map(|by| self.values(by, &ids, progress)).transpose()?;
        let linked = self.found.linked;
        let stage = Stage::begin(progress, "comparing", found.count(&ids, linked) as usize);
        let evaluation = evaluate(&ids, &found, &labels, by.as_ref(), self.least, linked, &stage);
        let mut evaluation = evaluation.map_err(JoinError::from)?;
        drop(stage);
        let Evaluation { worst_wrong, worst_missed, .. } = &mut evaluation;
        self.add_texts(worst_wrong.iter_mut().chain(worst_missed).collect(), progress)?;
        if let Some(path) = &self.report {
            commit(vec![write_page(path, &self.page(&evaluation))?])?;
        }
        Ok(EvaluateReport { evaluation, bad_rows: read.bad_rows() })
    }

    fn page(&self, evaluation: &Evaluation) -> Report {
        let names = |sources: &[Source]| sources.iter().map(called).collect::<Vec<_>>().join(", ");
        let (found, labels) = (names(&self.found.table.files), names(&self.labels.table.files));
        let title = format!("How good is {found}?");
        let mut settings = vec![("found".to_string(), found), ("labels".to_string(), labels)];
        settings.push(("labels are".to_string(), evaluation.labels.to_string()));
        settings.extend(self.least.map(|least| ("threshold".to_string(), least.to_string())));
        Report { settings, version: version(), ..evaluation_page(evaluation, &title) }
    }

    /// The files of both collections, and how many are of the first.
    fn sources(&self) -> (Vec<Source>, usize) {
        ([&self.documents[..], &self.with].concat(), self.documents.len())
    }

    /// By document, the value by which pairs are divided.
    fn values(&self, by: &EvaluateBy, ids: &Ids, progress: &dyn Progress) -> Result<Values, Error> {
        let (field, name) = match by {
            EvaluateBy::Field(name) => (Some(name.as_str()), name.as_str()),
            EvaluateBy::Site => (None, "site"),
        };
        let mut values = Values::new(name);
        let (sources, first) = self.sources();
        let wants = |visited: &Visited| {
            let value = if field.is_some() { visited.value } else { visited.site };
            let side = u8::from(self.found.linked && visited.source >= first);
            if let (Some(id), Some(value)) = (ids.get(side, visited.id), value) {
                values.set(id, value);
            }
            false
        };
        visit(&sources, &self.collector, field, progress, wants, |_, _| {})?;
        Ok(values)
    }

    /// Adds the texts of examples, if the documents are there.
    fn add_texts(&self, examples: Vec<&mut Example>, progress: &dyn Progress) -> Result<(), Error> {
        let (sources, first) = self.sources();
        if sources.is_empty() || self.collector.fields.text.is_empty() {
            return Ok(());
        }
        let side = u8::from(self.found.linked);
        let mut texts: HashMap<(u8, String), String> = HashMap::new();
        for example in &examples {
            texts.insert((0, example.a.clone()), String::new());
            texts.insert((side, example.b.clone()), String::new());
        }
        let side_of = |source: usize| u8::from(self.found.linked && source >= first);
        let wanted: HashSet<(u8, String)> = texts.keys().cloned().collect();
        visit(
            &sources,
            &self.collector,
            None,
            progress,
            |visited| wanted.contains(&(side_of(visited.source), visited.id.to_string())),
            |visited, text| {
                texts.insert((side_of(visited.source), visited.id.to_string()), cut(text, LONGEST).to_string());
            },
        )?;
        for example in examples {
            let text = |side: u8, id: &str| texts.get(&(side, id.to_string())).cloned().unwrap_or_default();
            example.texts = Some([text(0, &example.a), text(side, &example.b)]);
        }
        Ok(())
    }
}
