//! How are similarities or distances shown as bars?

use lookalike_engine::Bin;

use crate::output::numbers::count;

/// What a histogram counts.
#[derive(Clone, Copy)]
pub enum Values {
    Similarities,
    /// Whole numbers.
    Distances,
}

impl Values {
    pub fn of(is_distance: bool) -> Values {
        if is_distance { Values::Distances } else { Values::Similarities }
    }
}

/// Widest bar, in characters.
const WIDTH: usize = 40;
/// Narrowest column of labels.
const LABEL: usize = 11;
/// Most decimal places of a label.
const PLACES: usize = 9;

pub fn histogram(bins: &[Bin], values: Values, of_what: &str) {
    let most = bins.iter().map(|bin| bin.count).max().unwrap_or(0);
    if most == 0 {
        return;
    }
    let heading = match values {
        Values::Similarities => "similarity",
        Values::Distances => "distance",
    };
    message!("\n{heading:<10}   {of_what}");
    let label = |bin: &Bin| match values {
        Values::Similarities => similarity_label(bin.from, bin.to),
        Values::Distances => distance_label(bin),
    };
    let labels: Vec<String> = bins.iter().map(label).collect();
    let width = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0).max(LABEL);
    for (bin, label) in bins.iter().zip(labels) {
        let bar = "█".repeat((bin.count as usize * WIDTH).div_ceil(most as usize));
        message!("{label:>width$}  {bar}{}{}", if bar.is_empty() { "" } else { " " }, count(bin.count));
    }
}

fn similarity_label(from: f64, to: f64) -> String {
    match from == to {
        true if from > 1.0 => format!("{from}+"),
        true => format!("{from}"),
        false if to > 1.0 => format!("{from:.0} to {to:.0}"),
        // Enough places to tell the ends of a bin apart.
        false => {
            let places = (2..PLACES).find(|&places| (to - from) * 10f64.powi(places as i32) > 0.9).unwrap_or(PLACES);
            format!("{from:.places$}–{to:.places$}")
        }
    }
}

fn distance_label(bin: &Bin) -> String {
    match bin.to - bin.from {
        1.0 => format!("{}", bin.from),
        _ => format!("{} to {}", bin.from, bin.to - 1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_tell_the_ends_of_a_bin_apart() {
        let label = similarity_label;
        assert_eq!(label(0.8, 0.82), "0.80–0.82");
        assert_eq!(label(0.9, 0.91), "0.90–0.91");
        assert_eq!(label(0.999, 0.9991), "0.9990–0.9991");
        assert_eq!(label(1.0, 1.0), "1");
    }
}
