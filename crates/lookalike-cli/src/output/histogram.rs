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
    for bin in bins {
        let label = match values {
            Values::Similarities => similarity_label(bin),
            Values::Distances => distance_label(bin),
        };
        let bar = "█".repeat((bin.count as usize * WIDTH).div_ceil(most as usize));
        message!("{label:>11}  {bar}{}{}", if bar.is_empty() { "" } else { " " }, count(bin.count));
    }
}

fn similarity_label(bin: &Bin) -> String {
    match bin {
        Bin { from, to, .. } if from == to && *from > 1.0 => format!("{from}+"),
        Bin { from, to, .. } if from == to => format!("{from}"),
        Bin { from, to, .. } if *to > 1.0 => format!("{from:.0} to {to:.0}"),
        Bin { from, to, .. } => format!("{from:.2}–{to:.2}"),
    }
}

fn distance_label(bin: &Bin) -> String {
    match bin.to - bin.from {
        1.0 => format!("{}", bin.from),
        _ => format!("{} to {}", bin.from, bin.to - 1.0),
    }
}
