//! How accurate is an estimate from a sketch?

/// An estimate from a sketch, and its likely error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate, from 0 to 1.
    pub value: f64,
    /// The standard error: the true value is within twice this in 19 of 20 cases. It is 0 if the estimate is exact.
    pub error: f64,
}

impl Estimate {
    /// An estimate without error.
    pub(super) fn exact(value: f64) -> Estimate {
        Estimate { value, error: 0.0 }
    }

    /// The share of hits in a sample of independent answers.
    ///
    /// The error is that of a share of (hits + 1) / (sample + 2), so that a sample in which all agree does not look
    /// certain.
    pub(super) fn share(hits: usize, sample: usize) -> Estimate {
        let (hits, sample) = (hits as f64, sample as f64);
        let shrunk = (hits + 1.0) / (sample + 2.0);
        // Without a sample, nothing is known.
        let value = if sample == 0.0 { 0.0 } else { hits / sample };
        let error = if sample == 0.0 { 1.0 } else { (shrunk * (1.0 - shrunk) / sample).sqrt() };
        Estimate { value, error }
    }

    /// Converts a resemblance of two sets to the containment of the first in the second, given their sizes.
    ///
    /// With resemblance ρ they share ρ·(a + b) / (1 + ρ) elements. The error follows from the slope of that function.
    pub(super) fn containment(self, size_a: usize, size_b: usize) -> Estimate {
        if size_a == 0 {
            return Estimate::exact(0.0);
        }
        let ratio = 1.0 + size_b as f64 / size_a as f64;
        let beyond = 1.0 + self.value;
        // At most the whole first set, and at most the whole second set.
        let most = (size_b as f64 / size_a as f64).min(1.0);
        Estimate { value: (self.value * ratio / beyond).min(most), error: self.error * ratio / (beyond * beyond) }
    }
}
