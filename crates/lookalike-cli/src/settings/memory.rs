//! How much memory may a run use, and where do its temporary files go?

use lookalike_engine::{Collector, Error, RunOptions, usual_memory};
use lookalike_io::spill::Space;

use crate::args::{BudgetArgs, MemoryArgs};

impl MemoryArgs {
    /// Returns where the state of the run is kept, if it is.
    pub fn run(&self) -> Option<RunOptions> {
        self.run.clone().map(|folder| RunOptions { folder, restart: self.restart })
    }
}

impl BudgetArgs {
    /// Returns where temporary files go.
    pub fn space(&self) -> Result<Space, Error> {
        if let Some(folder) = self.tmp.as_ref().filter(|folder| !folder.is_dir()) {
            return Err(Error::Usage(format!("--tmp {}: there is no such folder", folder.display())));
        }
        Ok(self.tmp.clone().map_or_else(Space::default, Space::new))
    }

    /// Adds the limits to the options for reading.
    pub fn limit(&self, collector: Collector) -> Result<Collector, Error> {
        let space = self.space()?;
        Ok(Collector { memory: budget(self.memory), space, ..collector })
    }
}

/// Returns the bytes that a run may use: as many as the user says, or what is usual.
pub fn budget(memory: Option<usize>) -> Option<u64> {
    memory.map(|bytes| bytes as u64).or_else(usual_memory)
}
