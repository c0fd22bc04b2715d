//! What will a run need? An answer before it begins.

use lookalike::Threshold;
use lookalike_io::Source;
use serde::Serialize;

use super::estimate::Estimate;
use super::shares::{Budget, PROGRAM, THREAD};
use crate::error::Error;
use crate::external::postings::BYTES as POSTING;
use crate::external::whole::few_partners;
use crate::read::Collector;

/// What a run will need, estimated from a sample of its inputs.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct RunPlan {
    /// Where the sets will be: `all in memory`, `sieve and read again`, or `sets on disk`.
    pub plan: &'static str,
    /// Bytes of the inputs on disk.
    pub input_bytes: u64,
    /// Documents.
    pub documents: u64,
    /// The elements of all sets.
    pub elements: u64,
    /// The bytes that the run may use, if they are limited.
    pub budget_bytes: Option<u64>,
    /// The bytes that it will use at most, part by part.
    pub memory: Vec<MemoryPart>,
    /// Bytes of temporary files, at most.
    pub temporary_bytes: u64,
    /// How many times the inputs are read to compare documents.
    pub passes: u32,
    /// Seconds, from the speed at which the sample was read.
    pub seconds: f64,
}

/// Memory for one purpose.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct MemoryPart {
    /// The purpose.
    pub name: &'static str,
    /// The bytes.
    pub bytes: u64,
}

/// The share of the time that comparing takes, beside reading.
const COMPARING: f64 = 0.4;

impl RunPlan {
    /// Plans a run of a collector. Without a threshold, every document may have a partner.
    pub(crate) fn of(
        collector: &Collector,
        sources: &[Source],
        threshold: Option<&Threshold>,
    ) -> Result<RunPlan, Error> {
        let estimate = Estimate::of(collector, sources)?;
        let few = threshold.is_some_and(few_partners);
        let budget = Budget::new(collector, collector.memory.unwrap_or(u64::MAX), estimate).few_partners(few);
        let (plan, passes, sets, temporary_bytes) = if collector.is_without_sets() || budget.fits() {
            ("all in memory", 1, MemoryPart { name: budget.compared_name(), bytes: budget.compared() }, 0)
        } else {
            let shares = budget.shares()?;
            let sieve = MemoryPart { name: "sieve, then sets and counters", bytes: budget.memory - budget.fixed() };
            let stored = budget.stored(&shares);
            let ids = estimate.ids - budget.ids();
            // The numbers of a sample may be too low.
            match stored + stored / 4 <= shares.part {
                true => ("sieve and read again", 2, sieve, stored + ids),
                false => ("sets on disk", 2, sieve, stored + divided(stored, &estimate, threshold) + ids),
            }
        };
        let memory = vec![
            MemoryPart { name: "program", bytes: PROGRAM },
            MemoryPart { name: "threads", bytes: THREAD * collector.threads as u64 },
            MemoryPart { name: "documents", bytes: budget.documents() },
            MemoryPart { name: "ids", bytes: if passes == 1 { estimate.ids } else { budget.ids() } },
            sets,
        ];
        Ok(RunPlan {
            plan,
            input_bytes: estimate.bytes,
            documents: estimate.documents,
            elements: estimate.elements,
            budget_bytes: collector.memory,
            memory,
            temporary_bytes,
            passes,
            seconds: estimate.seconds / collector.threads as f64 * (f64::from(passes) + COMPARING),
        })
    }
}

/// Bytes that dividing sets of so many bytes writes, at most: each set once more, and a posting for each element of its prefix.
fn divided(stored: u64, estimate: &Estimate, threshold: Option<&Threshold>) -> u64 {
    let size = (estimate.elements / estimate.documents.max(1)).clamp(1, u64::from(u32::MAX)) as u32;
    let prefix = threshold.map_or(size, |threshold| threshold.long_prefix(size).min(size));
    let postings = stored as f64 / 8.0 * f64::from(prefix) / f64::from(size) * POSTING as f64;
    stored + postings as u64
}
