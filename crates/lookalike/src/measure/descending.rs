//! Which thresholds to try to find the most similar pairs?

use super::kind::Measure;
use super::threshold::Threshold;

/// Returns the thresholds to try, from high to low, to find the most similar pairs of sets of at most `largest` elements. All pairs of sets that share an element reach the last.
pub fn descending(measure: Measure, largest: u32) -> Vec<Threshold> {
    // Without documents any threshold will do.
    let largest = u64::from(largest.max(1));
    let values: Vec<String> = match measure {
        Measure::Overlap => halves(largest).map(|count| count.to_string()).collect(),
        Measure::Hamming => {
            let mut distances: Vec<u64> = halves(2 * largest).chain([0]).collect();
            distances.reverse();
            distances.into_iter().map(|distance| distance.to_string()).collect()
        }
        _ => {
            // 0.95, 0.9, 0.8, 0.4, 0.2, 0.1, … down to one common element of two of the largest sets.
            let least = 2 * largest;
            let halved = (0..).map(|times| 5u64 << times).take_while(|&parts| parts < least);
            let halved = halved.map(|parts| format!("1/{parts}"));
            ["0.95", "0.9", "0.8", "0.4"]
                .map(String::from)
                .into_iter()
                .chain(halved)
                .chain([format!("1/{least}")])
                .collect()
        }
    };
    let threshold = |value: &String| Threshold::new(measure, value).expect("a value that the measure has");
    values.iter().map(threshold).collect()
}

/// A number and its halves, down to 1.
fn halves(number: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(number), |number| Some(number / 2)).take_while(|&number| number > 0)
}
