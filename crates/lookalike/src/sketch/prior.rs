use std::fmt;
use std::str::FromStr;

use crate::names::NameError;

use super::Filter;
use super::filter::{FINE, integral};

/// How frequent resemblances are among the pairs of a collection, as far as one can know before looking: what the share of useless
/// candidates is reckoned by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prior {
    /// The less, the more frequent: in proportion to ρ⁻², from [0.05](Prior::LEAST) on. In three collections (documentation, mails,
    /// licence texts) the pairs between 0.1 and 0.9 fell like ρ to the power of −1.8 to −2.8.
    #[default]
    Falling,
    /// All are equally frequent, as the paper assumes and calls unrealistic.
    Uniform,
}

impl Prior {
    /// The resemblance below which no pair is reckoned with.
    pub const LEAST: f64 = 0.05;

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Prior::Falling => "falling",
            Prior::Uniform => "uniform",
        }
    }

    /// How frequent a resemblance is, in proportion to others.
    pub fn density(self, resemblance: f64) -> f64 {
        match self {
            Prior::Falling if resemblance < Prior::LEAST => 0.0,
            Prior::Falling => resemblance.powi(-2),
            Prior::Uniform => 1.0,
        }
    }

    /// The least resemblance that is reckoned with.
    fn least(self) -> f64 {
        match self {
            Prior::Falling => Prior::LEAST,
            Prior::Uniform => 0.0,
        }
    }

    /// The sum of a function over the pairs below `threshold`, in proportion: an integral of so many parts.
    pub(super) fn below(self, parts: usize, threshold: f64, function: impl Fn(f64) -> f64) -> f64 {
        let least = self.least().min(threshold);
        integral(parts, least, threshold, |x| function(x) * self.density(x))
    }

    /// The same over the pairs at or above it.
    fn above(self, threshold: f64, function: impl Fn(f64) -> f64) -> f64 {
        integral(FINE, threshold, 1.0, |x| function(x) * self.density(x))
    }

    /// Of all pairs that pass a filter, the share that lies below `threshold`.
    pub fn useless(self, filter: Filter, threshold: f64) -> f64 {
        let useless = self.below(FINE, threshold, |x| filter.found(x));
        let all = useless + self.above(threshold, |x| filter.found(x));
        if all > 0.0 { useless / all } else { 0.0 }
    }

    /// Of all pairs at or above `threshold`, the share that passes a filter.
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
