//! How frequent is each resemblance?

use std::fmt;
use std::str::FromStr;

use crate::names::NameError;

use super::Filter;
use super::filter::{FINE, integral};

/// How frequent each resemblance is among the pairs of a collection. It is an assumption, made before looking at the
/// data, to estimate the share of useless candidates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Prior {
    /// Low resemblances are more frequent, in proportion to ρ⁻², starting at [0.05](Prior::LEAST). In three collections
    /// (documentation, mails, licence texts) the pairs between 0.1 and 0.9 fell like ρ to the power of −1.8 to −2.8.
    #[default]
    Falling,
    /// All resemblances are equally frequent, as the paper assumes (and calls unrealistic).
    Uniform,
}

impl Prior {
    /// The least resemblance that counts.
    pub const LEAST: f64 = 0.05;

    /// Returns the name of the prior.
    pub fn name(self) -> &'static str {
        match self {
            Prior::Falling => "falling",
            Prior::Uniform => "uniform",
        }
    }

    /// Returns how frequent a resemblance is, relative to others.
    pub fn density(self, resemblance: f64) -> f64 {
        match self {
            Prior::Falling if resemblance < Prior::LEAST => 0.0,
            Prior::Falling => resemblance.powi(-2),
            Prior::Uniform => 1.0,
        }
    }

    /// The least resemblance that counts.
    fn least(self) -> f64 {
        match self {
            Prior::Falling => Prior::LEAST,
            Prior::Uniform => 0.0,
        }
    }

    /// The integral of a function over the pairs below `threshold`, in `parts` parts.
    pub(super) fn below(self, parts: usize, threshold: f64, function: impl Fn(f64) -> f64) -> f64 {
        let least = self.least().min(threshold);
        integral(parts, least, threshold, |x| function(x) * self.density(x))
    }

    /// The integral of a function over the pairs at or above `threshold`.
    fn above(self, threshold: f64, function: impl Fn(f64) -> f64) -> f64 {
        integral(FINE, threshold, 1.0, |x| function(x) * self.density(x))
    }

    /// Returns the share of the pairs passing a filter that are below `threshold`.
    pub fn useless(self, filter: Filter, threshold: f64) -> f64 {
        let useless = self.below(FINE, threshold, |x| filter.found(x));
        let all = useless + self.above(threshold, |x| filter.found(x));
        if all > 0.0 { useless / all } else { 0.0 }
    }

    /// Returns the share of the pairs at or above `threshold` that pass a filter.
    pub fn recall(self, filter: Filter, threshold: f64) -> f64 {
        let all = self.above(threshold, |_| 1.0);
        if all > 0.0 { self.above(threshold, |x| filter.found(x)) / all } else { filter.found(threshold) }
    }
}

impl fmt::Display for Prior {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Prior {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Prior, NameError> {
        let priors = [Prior::Falling, Prior::Uniform];
        priors
            .into_iter()
            .find(|prior| prior.name() == name)
            .ok_or_else(|| NameError::new(name, priors.map(Prior::name)))
    }
}
