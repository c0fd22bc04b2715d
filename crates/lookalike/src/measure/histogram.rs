//! A histogram of similarities or distances.

use super::threshold::Threshold;

/// The number of values in a range, `from` included and `to` excluded. The last bin of similarities has the values that are exactly 1.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Bin {
    /// The least value.
    pub from: f64,
    /// The first value past the range.
    pub to: f64,
    /// The number of values.
    pub count: u64,
}

/// Counts similarities or distances by range.
pub struct Histogram {
    from: f64,
    to: f64,
    counts: Vec<u64>,
    /// Values at the top of the range or above. `None` for distances.
    top: Option<u64>,
}

const BINS: usize = 10;

impl Histogram {
    /// A histogram for pairs that reach a threshold.
    pub fn of(threshold: &Threshold) -> Histogram {
        let value = threshold.value().to_f64();
        if threshold.is_distance() { Histogram::distances(value as u64) } else { Histogram::similarities(value) }
    }

    /// From `least` to 1, or to ten times `least` if it is a count.
    pub fn similarities(least: f64) -> Histogram {
        let to = if least <= 1.0 { 1.0 } else { least * 10.0 };
        Histogram { from: least.min(to), to, counts: vec![0; BINS], top: Some(0) }
    }

    /// From 0 to `most`, with the same number of integers in each bin.
    pub fn distances(most: u64) -> Histogram {
        let width = (most + 1).div_ceil(BINS as u64);
        let bins = (most + 1).div_ceil(width);
        Histogram { from: 0.0, to: (bins * width) as f64, counts: vec![0; bins as usize], top: None }
    }

    /// Counts a value.
    pub fn add(&mut self, similarity: f64) {
        match &mut self.top {
            Some(top) if similarity >= self.to => *top += 1,
            _ => {
                // The rule `components` may remove documents below the threshold. Count them in the lowest bin.
                let bins = self.counts.len();
                let at = (similarity - self.from) / (self.to - self.from) * bins as f64;
                self.counts[(at.max(0.0) as usize).min(bins - 1)] += 1;
            }
        }
    }

    /// Returns the ranges in order, each with its count.
    pub fn bins(&self) -> Vec<Bin> {
        let edge = |at: usize| self.from + (self.to - self.from) * at as f64 / self.counts.len() as f64;
        let bins = self.counts.iter().enumerate().map(|(at, &count)| Bin { from: edge(at), to: edge(at + 1), count });
        let top = self.top.map(|count| Bin { from: self.to, to: self.to, count });
        let bins = bins.filter(|bin| bin.from < bin.to);
        bins.chain(top).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(mut histogram: Histogram, values: &[f64]) -> Vec<u64> {
        values.iter().for_each(|&value| histogram.add(value));
        histogram.bins().iter().map(|bin| bin.count).collect()
    }

    #[test]
    fn whole_numbers_are_in_one_bin_each_while_they_are_few() {
        assert_eq!(counts(Histogram::distances(0), &[0.0, 0.0]), [2]);
        assert_eq!(counts(Histogram::distances(3), &[0.0, 1.0, 1.0, 3.0]), [1, 2, 0, 1]);
        let bins = Histogram::distances(20).bins();
        assert_eq!(bins.iter().map(|bin| bin.to - bin.from).collect::<Vec<_>>(), [3.0; 7]);
    }

    #[test]
    fn one_has_a_bin_of_its_own() {
        assert_eq!(counts(Histogram::similarities(0.8), &[0.8, 0.81, 0.99, 1.0]), [2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
        assert_eq!(counts(Histogram::similarities(1.0), &[1.0]), [1]);
    }
}
