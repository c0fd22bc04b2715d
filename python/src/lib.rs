//! The native half of the Python package `lookalike`. The other half, in `python/lookalike`, finds the columns of the caller's data and
//! gives results back in the caller's own type.
//!
//! | module | what it does |
//! |---|---|
//! | `data::capsule` | takes arrays from other libraries by Arrow's C interface |
//! | `data::column` | a column of values, from Arrow or from a Python list |
//! | `call` | runs long work beside the interpreter: interrupts, progress, panics |
//! | `settings` | what the arguments mean |
//! | `data::blocks` | work on rows in memory, on several threads |
//! | `data::documents` | rows in memory to sets, by the extractor that files go through |
//! | `data::sets` | sets of the caller to sets |
//! | `data::files` | files to sets |
//! | `data::archive` | the pages of a web archive |
//! | `passages` | a table of passages to leave out of texts |
//! | `corpus`, `origin`, `result` | questions and answers |
//! | `jobs` | whole jobs of the command, from files to files |
//! | `data::rows` | rows in memory for such jobs |
//! | `window`, `index`, `sketch`, `compare` | the other nouns |
//! | `spark` | what the tasks and the driver of a Spark job compute |

mod call;
mod compare;
mod corpus;
mod data;
mod index;
mod jobs;
mod origin;
mod passages;
mod result;
mod settings;
mod sketch;
mod spark;
mod window;

/// The native module.
#[pyo3::pymodule(gil_used = false)]
mod _lookalike {
    use std::ffi::OsString;

    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::compare::{compare, tokens};
    #[pymodule_export]
    use crate::corpus::CoreCorpus;
    #[pymodule_export]
    use crate::data::archive::CoreArchive;
    #[pymodule_export]
    use crate::data::column::Column;
    #[pymodule_export]
    use crate::data::rows::CoreRows;
    #[pymodule_export]
    use crate::index::CoreIndex;
    #[pymodule_export]
    use crate::jobs::{decide_job, run_job};
    #[pymodule_export]
    use crate::passages::PassageTable;
    #[pymodule_export]
    use crate::sketch::CoreSigner;
    #[pymodule_export]
    use crate::spark::{
        CoreBucket, CoreCandidates, CoreHeavy, CorePoster, CoreProbe, CoreRoles, CoreSampler, CoreSettling,
        CoreShipper, CoreTally, CoreTiledList, CoreTwins, CoreVerifier, buckets_of, columns_of_beside,
        columns_of_pairs, count_places, describe_method, divide_hashes, groups_that_meet, hash_keys, heavy_nodes,
        merge_candidates, merge_nodes, node_filter, nodes_of_pairs, order_keys, pack_pairs, place_candidates,
        recall_of, repeated_hashes, sets_to_sample, unpack_pairs,
    };
    #[pymodule_export]
    use crate::window::CoreWindow;

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    /// Bytes of memory that are used if none are named, if the system says how many are available.
    #[pyfunction]
    fn usual_memory() -> Option<u64> {
        lookalike_engine::usual_memory()
    }

    /// Runs the command with these arguments and returns its exit status.
    #[pyfunction]
    fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
        py.detach(|| lookalike_cli::run_command(arguments))
    }
}
