use std::fmt;
use std::str::FromStr;

use super::Filter;
use super::filter::integral;

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

    /// The mean of a function over the pairs below `threshold`, times the ratio of their number to that of the pairs above.
    pub(super) fn below(self, threshold: f64, function: impl Fn(f64) -> f64) -> f64 {
        let least = self.least().min(threshold);
        let above = integral(threshold, 1.0, |x| self.density(x));
        integral(least, threshold, |x| function(x) * self.density(x)) / above.max(f64::MIN_POSITIVE)
    }

    /// The mean of a function over the pairs at or above `threshold`; at 1, its value there.
    pub(super) fn above(self, threshold: f64, function: impl Fn(f64) -> f64) -> f64 {
        let all = integral(threshold, 1.0, |x| self.density(x));
        if all > 0.0 { integral(threshold, 1.0, |x| function(x) * self.density(x)) / all } else { function(1.0) }
    }

    /// Of all pairs that pass a filter, the share that lies below `threshold`.
    pub fn useless(self, filter: Filter, threshold: f64) -> f64 {
        let useless = self.below(threshold, |x| filter.found(x));
        let useful = self.above(threshold, |x| filter.found(x));
        useless / (useless + useful)
    }

    /// Of all pairs at or above `threshold`, the share that passes a filter.
    pub fn recall(self, filter: Filter, threshold: f64) -> f64 {
        self.above(threshold, |x| filter.found(x))
    }
}

impl fmt::Display for Prior {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Prior {
    type Err = String;

    fn from_str(name: &str) -> Result<Prior, String> {
        let priors = [Prior::Falling, Prior::Uniform];
        priors.into_iter().find(|prior| prior.name() == name).ok_or_else(|| "it must be falling or uniform".to_string())
    }
}
