/// What a sketch says of two sets, and how far off that is likely to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate, from 0 to 1.
    pub value: f64,
    /// Its standard error: the truth lies within twice that in 19 of 20 cases. 0 if the estimate is exact.
    pub error: f64,
}

impl Estimate {
    /// What is known without a doubt.
    pub(super) fn exact(value: f64) -> Estimate {
        Estimate { value, error: 0.0 }
    }

    /// A share of a sample of independent answers.
    ///
    /// The error is that of a share of (hits + 1) / (sample + 2), so that a sample in which all agree is not taken for certainty.
    pub(super) fn share(hits: usize, sample: usize) -> Estimate {
        let (hits, sample) = (hits as f64, sample as f64);
        let shrunk = (hits + 1.0) / (sample + 2.0);
        // Without a sample nothing is known.
        let value = if sample == 0.0 { 0.0 } else { hits / sample };
        let error = if sample == 0.0 { 1.0 } else { (shrunk * (1.0 - shrunk) / sample).sqrt() };
        Estimate { value, error }
    }

    /// From the resemblance of two sets and their sizes, how much of the first is in the second.
    ///
    /// With resemblance ρ they share ρ·(a + b) / (1 + ρ) elements; the error follows from the slope there.
    pub(super) fn containment(self, size_a: usize, size_b: usize) -> Estimate {
        if size_a == 0 {
            return Estimate::exact(0.0);
        }
        let ratio = 1.0 + size_b as f64 / size_a as f64;
        let beyond = 1.0 + self.value;
        // Not more than all of the first, nor than there is of the second.
        let most = (size_b as f64 / size_a as f64).min(1.0);
        Estimate { value: (self.value * ratio / beyond).min(most), error: self.error * ratio / (beyond * beyond) }
    }
}
