//! Files to sets, by the readers of the command.

use lookalike::engine::SiteRule;
use lookalike_engine::{Collector, Keep, Load};
use lookalike_io::spill::Space;
use lookalike_io::{Fields, Format, resolve};
use pyo3::prelude::*;

use crate::call::job_exception;
use crate::settings::{Settings, parsed};

/// Which files, and what their fields mean.
#[derive(Clone, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Files {
    pub paths: Vec<String>,
    pub format: Option<String>,
    pub text: Vec<String>,
    pub html: Option<String>,
    pub url: Option<String>,
    pub id: Option<String>,
    /// Whether to stop at the first bad row.
    pub strict: bool,
}

impl Files {
    /// How to read them.
    pub fn load(&self, settings: &Settings, keep: Keep, within: &[String]) -> PyResult<Load> {
        let format: Option<Format> = self.format.as_deref().map(parsed).transpose()?;
        let inputs = resolve(&self.paths, format);
        let inputs = inputs.map_err(|error| job_exception(error.into()))?;
        let collector =
            self.collector(settings, &keep, within).without(settings.without.clone()).map_err(job_exception)?;
        Ok(Load { inputs, collector, keep })
    }

    fn collector(&self, settings: &Settings, keep: &Keep, within: &[String]) -> Collector {
        let fields = Fields {
            key: keep.field().map(String::from),
            within: within.to_vec(),
            ..Fields::of(&self.text, self.html.as_ref(), self.url.as_ref(), self.id.as_ref())
        };
        Collector {
            fields,
            page: settings.page,
            without: None,
            recipe: settings.recipe(),
            max_document: settings.max_document,
            strict: self.strict,
            threads: settings.threads(),
            hash_texts: false,
            edit: None,
            signing: None,
            verifies: false,
            samples: false,
            site: SiteRule::default(),
            memory: None,
            space: Space::default(),
        }
    }
}
