//! How many blocks fit in the memory of a job that writes as it reads?

use lookalike_io::Source;

use super::estimate::Estimate;
use super::shares::{PROGRAM, THREAD, mebibytes};
use crate::error::Error;
use crate::read::Collector;

/// The most rows of a block: lines of one character, in the bytes of a block.
const ROWS: u64 = 1 << 17;

/// What a job holds while it writes as it reads.
pub(crate) struct Streamed {
    /// Bytes for each row of a block that waits to be written.
    pub(crate) row: u64,
    /// Bytes of the writer.
    pub(crate) writer: u64,
    /// The most blocks that may wait.
    pub(crate) waiting: u64,
}

impl Streamed {
    /// How many blocks may wait to be written, within the memory of the collector. Fails if there is too little for one.
    pub(crate) fn blocks(&self, collector: &Collector, sources: &[Source]) -> Result<usize, Error> {
        let Some(memory) = collector.memory else { return Ok(self.waiting as usize) };
        let threads = collector.threads as u64;
        // Every thread makes a block, whether it may wait or not.
        let needed = |blocks: u64, rows: u64| {
            PROGRAM + self.writer + threads * THREAD + ((threads + blocks) * rows).saturating_mul(self.row)
        };
        if needed(self.waiting, ROWS) <= memory {
            return Ok(self.waiting as usize);
        }
        let rows = Estimate::of(collector, sources)?.rows_of_block;
        let Some(waiting) = (1..=self.waiting).rev().find(|&blocks| needed(blocks, rows) <= memory) else {
            let needed = needed(1, rows).div_ceil(1 << 20);
            return Err(Error::Usage(format!(
                "{} of memory is too little for about {rows} signatures at a time on each of {threads} threads; use \
                 --memory {needed}MiB or more, or fewer --threads",
                mebibytes(memory)
            )));
        };
        Ok(waiting as usize)
    }
}
