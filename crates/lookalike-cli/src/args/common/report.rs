//! Is a page for people written? The arguments that say it.

use std::path::PathBuf;

use clap::Args;
use lookalike_engine::PageOutput;

#[derive(Args)]
pub struct ReportArgs {
    /// Where to write a page for people, one HTML file with numbers and examples side by side
    ///
    /// It loads nothing from the network. docs/guides/report.md shows one.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,

    /// For --report: field by which documents are counted, such as a source or a language
    #[arg(long, value_name = "FIELD", requires = "report")]
    pub by: Option<String>,
}

impl ReportArgs {
    /// The page to write, if there is one.
    pub fn output(&self) -> Option<PageOutput> {
        self.report.clone().map(|path| PageOutput { path, by: self.by.clone() })
    }
}
