//! Which passages are left out of texts? The argument that says it.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use lookalike_engine::Error;
use lookalike_io::extract::Boilerplate;

use super::rows::READING;

#[derive(Args)]
#[command(next_help_heading = READING)]
pub struct WithoutArgs {
    /// Table of passages to leave out of texts, from `lookalike boilerplate`
    ///
    /// A passage is a block of a page or a line of a text. It is left out where its site has it in the table. See
    /// docs/guides/boilerplate.md.
    #[arg(long, value_name = "TABLE")]
    pub without: Option<PathBuf>,
}

impl WithoutArgs {
    /// Reads the table.
    pub fn table(&self) -> Result<Option<Arc<Boilerplate>>, Error> {
        let read = self.without.as_deref().map(Boilerplate::read);
        Ok(read.transpose()?.map(Arc::new))
    }
}
