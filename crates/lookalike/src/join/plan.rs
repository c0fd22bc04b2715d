use std::fmt;

use super::Method;
use super::dense::{Dense, DensePlan};
use super::density::Density;

/// What was chosen, and why.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What was chosen.
    pub method: Method,
    /// Why: a sentence each.
    pub reasons: Vec<String>,
}

impl Plan {
    /// Sparse or dense.
    pub(super) fn choose(&mut self, density: &Density) {
        let Density { sets, per_element, per_occurrence } = density;
        self.reasons.push(format!(
            "{sets} different sets; an element occurs in {per_element:.1} of them; any of a set's elements, in {per_occurrence:.1}"
        ));
        if density.is_dense() {
            // Short or long lists: known when the records are coded.
            self.method = Method::Light;
            self.reasons.push("few elements in many sets: dense".to_string());
        } else {
            self.method = Method::Sparse;
            let why = if *per_element < 8.0 { "most elements are rare" } else { "most sets are nearly the same" };
            self.reasons.push(format!("{why}: sparse"));
        }
    }

    /// If it is dense, short lists or long ones.
    pub(super) fn choose_lists(&mut self, dense: &Dense) {
        let (length, entries) = (dense.list_length(), dense.entries());
        let (method, why) = match dense.plan() {
            DensePlan::Light => (Method::Light, "short enough for a record at a time"),
            DensePlan::Heavy => (Method::Heavy, "long enough for a block of records at a time"),
        };
        self.method = method;
        self.reasons.push(format!("{entries} entries in lists of {length:.1} on average: {why}"));
        self.reasons.push(match dense.signature_bits() {
            0 => "so few records meet that signatures do not pay".to_string(),
            bits => format!("signatures of {bits} bits"),
        });
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.method)?;
        self.reasons.iter().try_for_each(|reason| write!(f, "\n  {reason}"))
    }
}
