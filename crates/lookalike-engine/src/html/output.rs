//! Where a page goes.

use std::path::{Path, PathBuf};

use lookalike_io::Output;
use lookalike_io::write::Finished;
use lookalike_truth::page::Report;

use crate::error::Error;

/// A page to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageOutput {
    /// The file.
    pub path: PathBuf,
    /// The field by which documents are counted.
    pub by: Option<String>,
}

/// Fails if a page cannot have this name.
pub(crate) fn check_page(path: &Path) -> Result<(), Error> {
    let is_html = path.extension().is_some_and(|extension| extension == "html" || extension == "htm");
    if is_html {
        Ok(())
    } else {
        Err(Error::Usage(format!("cannot write {}: the name of a report must end in .html", path.display())))
    }
}

/// Writes a page under a temporary name.
pub(crate) fn write_page(path: &Path, page: &Report) -> Result<Finished, Error> {
    let mut output = Output::create(path)?;
    output.put(page.render().as_bytes())?;
    Ok(output.finish()?)
}
