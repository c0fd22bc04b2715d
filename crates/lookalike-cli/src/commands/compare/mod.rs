//! `lookalike compare`: how similar are two documents, and why?

mod words;

use std::io::{IsTerminal, stdout};

use lookalike::Threshold;
use lookalike::engine::PageRecipe;
use lookalike_engine::{Compare, Comparison, Error, Measured, TwoDocuments};
use lookalike_io::resolve;

use crate::args::{ColorArg, CompareArgs, MeasureArg};
use crate::outcome::Outcome;
use crate::output::numbers::count;
use crate::output::plain::plain;
use crate::output::progress::Bars;
use crate::output::stdout::{print, print_json};
use crate::settings::inputs::check_stdin;

pub fn run(args: CompareArgs) -> Result<Outcome, Error> {
    let usage = |message: &str| Error::Usage(message.to_string());
    let MeasureArg::Sets(measure) = args.measure else {
        return Err(usage(
            "--measure edit does not work here: the exact verdict compares sets; the edit distance is printed in any case",
        ));
    };
    let threshold = Threshold::new(measure, &args.threshold).map_err(|error| Error::Usage(error.to_string()))?;
    let recipe = PageRecipe {
        filter: args.features,
        shingle: args.shingle.into(),
        weighted: args.weighted,
        bits: args.bits,
        element: args.element.into(),
    };
    let resolved = |name: &String| resolve(std::slice::from_ref(name), args.reading.rows.format);
    let documents = if args.inputs.is_empty() {
        check_stdin(&[&[args.a.clone(), args.b.clone()]])?;
        let (in_a, in_b) = (resolved(&args.a)?, resolved(&args.b)?);
        args.reading.check(&[&*in_a, &*in_b].concat())?;
        TwoDocuments::Files([(args.a.clone(), in_a), (args.b.clone(), in_b)])
    } else {
        check_stdin(&[&args.inputs])?;
        let inputs = resolve(&args.inputs, args.reading.rows.format)?;
        args.reading.check(&inputs)?;
        TwoDocuments::InCollection([args.a.clone(), args.b.clone()], inputs)
    };
    let collector = args.reading.collector(None, &[])?.by_site(args.site)?;
    let comparison = Compare { documents, collector, threshold, recipe }.run(&Bars::new(true))?;
    if args.json {
        print_json(&comparison)?;
        return Ok(Outcome::Done);
    }
    let coloured = match args.color {
        ColorArg::Always => true,
        ColorArg::Never => false,
        // By https://no-color.org an empty NO_COLOR counts as not set.
        ColorArg::Auto => stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty()),
    };
    print((table(&comparison, args.bits) + &words::diff(&comparison, args.context, coloured)).as_bytes())?;
    Ok(Outcome::Done)
}

fn table(comparison: &Comparison, bits: usize) -> String {
    let Comparison { a, b, .. } = comparison;
    let mut out = String::new();
    for (letter, side) in [('A', a), ('B', b)] {
        let site = side.site.as_ref().map_or_else(String::new, |site| format!(", site {}", plain(site)));
        out += &format!(
            "{letter}  {}: {} words, {} elements of {}{site}\n",
            plain(&side.id),
            count(side.words as u64),
            count(side.elements as u64),
            comparison.tokens
        );
    }
    out.push('\n');
    let mut row = |name: &str, value: String| out += &format!("{name:<22}{value}\n");
    row("resemblance", number(comparison.resemblance));
    row("containment of A in B", number(comparison.containment_a));
    row("containment of B in A", number(comparison.containment_b));
    for Measured { measure, value } in &comparison.measures {
        row(measure, value.map_or_else(|| "too large to compute".to_string(), number));
    }
    row(
        "shared features",
        format!(
            "{} of [{}], which finds {:.4} of such pairs",
            comparison.shared_features,
            comparison.filter.replace(',', ", "),
            comparison.found_by_filter
        ),
    );
    row("B-similarity", comparison.b_similarity.to_string());
    row("C-similarity", format!("{} of {bits}", comparison.c_similarity));
    let terms = match comparison.term_difference {
        Some(terms) if comparison.identical => format!("{terms}: the same words in the same order"),
        Some(terms) => count(terms as u64),
        None => "too large to compute".to_string(),
    };
    row("term difference", terms);
    out.push('\n');
    for verdict in &comparison.verdicts {
        let pair = match verdict.pair {
            Some(true) => "near-duplicates",
            Some(false) => "no",
            None => "unknown",
        };
        out += &format!("{:<15}{pair:<17}{}\n", verdict.method, verdict.why);
    }
    out
}

/// Formats a number with at most four decimal places.
fn number(value: f64) -> String {
    let rounded = (value * 1e4).round() / 1e4;
    // A number just below 1 must not look like 1.
    if rounded == 1.0 && value != 1.0 { format!("{value}") } else { format!("{rounded}") }
}
