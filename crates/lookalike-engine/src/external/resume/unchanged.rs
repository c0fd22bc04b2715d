//! Are the inputs of a run that continues what they were when it read them?
//!
//! Within a process, the system tells whether a file changed. Between two processes, a file can be replaced by another of the same size
//! and time. So every block is compared with the hash that it had. Of a Parquet file, that is a hash of the fields that were read.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use lookalike::engine::Progress;
use lookalike_io::Source;

use crate::error::Error;
use crate::read::{Collection, Collector};

/// Reads the inputs again, and fails if a block is not the one that was read before.
pub(in crate::external) fn check_unchanged(
    collector: &Collector,
    (sources, inputs): (&[Source], usize),
    collection: &Collection,
    progress: &dyn Progress,
) -> Result<(), Error> {
    let Collection { starts, hashes, .. } = collection;
    let changed = |source: usize| {
        let path = sources[source].path().display();
        Error::Usage(format!("{path} has changed since the run began. Use --restart to start again"))
    };
    let blocks = AtomicUsize::new(0);
    collector.work_through(
        sources,
        inputs,
        progress,
        |_| (),
        |_, block| {
            let place = starts.binary_search_by_key(&block.number, |(number, _)| *number);
            if place.ok().and_then(|place| hashes.get(place)) != Some(&block.hash()) {
                return Err(changed(block.source));
            }
            blocks.fetch_add(1, Relaxed);
            Ok(())
        },
        |(), _| Ok(()),
    )?;
    // An input that lost whole blocks at its end has fewer.
    if blocks.into_inner() == starts.len() { Ok(()) } else { Err(changed(sources.len() - 1)) }
}
