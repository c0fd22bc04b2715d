//! Which algorithm was chosen, and why?

use std::fmt;

use super::Algorithm;
use crate::join::dense::{Dense, DensePlan};
use crate::join::forecast::{self, Forecast};

/// The chosen algorithm and the reasons.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Plan {
    /// The chosen algorithm.
    pub algorithm: Algorithm,
    /// The reasons, one sentence each.
    pub reasons: Vec<String>,
}

impl Plan {
    /// Whether to count the elements of all sets, to find those without a partner. Otherwise the sets are coded at
    /// once.
    pub(in crate::join) fn choose_to_sift(&mut self, sets: usize, droppable: f64) -> bool {
        let at_most = 100.0 * droppable;
        let is_dense = forecast::is_dense(droppable);
        let why = if is_dense { "too few to look for them: dense" } else { "worth a count of all elements" };
        self.reasons.push(format!(
            "{sets} different sets; in a sample, sets with {at_most:.0} % of the elements may have no partner: {why}"
        ));
        // Coding the records shows whether the lists are short or long.
        self.algorithm = if is_dense { Algorithm::Light } else { Algorithm::Sparse };
        !is_dense
    }

    /// Whether the remaining sets are coded.
    pub(in crate::join) fn choose_to_code(&mut self, forecast: &Forecast) -> bool {
        let Forecast { sets, share, postings, meetings, .. } = forecast;
        self.reasons.push(format!("{sets} sets, with {:.0} % of the elements, may have a partner", 100.0 * share));
        let (sparse, dense) = (forecast.sparse() / 1e6, forecast.dense() / 1e6);
        let is_dense = dense < sparse;
        let chosen = if is_dense { "dense" } else { "sparse" };
        self.reasons.push(format!(
            "about {postings:.0} postings and {meetings:.0} meetings: about {sparse:.0} ms without coding, {dense:.0} ms with: {chosen}"
        ));
        self.algorithm = if is_dense { Algorithm::Light } else { Algorithm::Sparse };
        is_dense
    }

    /// The index is slower than forecast.
    pub(in crate::join) fn change_to_dense(&mut self) {
        self.reasons.push("a trial took more work than foreseen: dense after all".to_string());
        self.algorithm = Algorithm::Light;
    }

    /// For a dense plan, whether the lists are short or long.
    pub(in crate::join) fn choose_lists(&mut self, dense: &Dense) {
        let (length, entries) = (dense.list_length(), dense.entries());
        let (algorithm, why) = match dense.plan() {
            DensePlan::Light => (Algorithm::Light, "short enough for a record at a time"),
            DensePlan::Heavy => (Algorithm::Heavy, "long enough for a block of records at a time"),
        };
        self.algorithm = algorithm;
        self.reasons.push(format!("{entries} entries; lists with {length:.1} of a fitting size on average: {why}"));
        self.reasons.push(match dense.signature_bits() {
            0 => "too few candidates for signatures to pay off".to_string(),
            bits => format!("signatures of {bits} bits"),
        });
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.algorithm)?;
        self.reasons.iter().try_for_each(|reason| write!(f, "\n  {reason}"))
    }
}
