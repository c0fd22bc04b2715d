//! `lookalike filter`: which filter finds the wanted share of pairs, and what does it miss?

mod design;
mod plot;
mod svg;

use lookalike::sketch::{Filter, FilterNeeds, Plan};
use lookalike_engine::Error;
use lookalike_io::Output;
use lookalike_io::write::{Inputs, check, commit};

use self::design::Design;
use crate::args::FilterArgs;
use crate::outcome::Outcome;
use crate::output::stdout::{print, print_json};

pub fn run(args: &FilterArgs) -> Result<Outcome, Error> {
    let usage = |error: &dyn std::fmt::Display| Error::Usage(error.to_string());
    let FilterArgs { threshold, recall, bytes, functions, prior, .. } = *args;
    let needs = FilterNeeds { threshold, recall, bytes, functions, prior };
    if let Some(wrong) = args.at.iter().find(|at| !(0.0..=1.0).contains(*at)) {
        return Err(Error::Usage(format!("--at {wrong} is out of range: a resemblance is a number from 0 to 1")));
    }
    let plan = match args.features {
        Some(filter) if threshold > 0.0 && threshold <= 1.0 => Plan::of(filter, threshold, prior),
        // It reports a wrong threshold, too.
        _ => Plan::choose(&needs).map_err(|error| usage(&error))?,
    };
    let rules = Filter::by_rules(plan.filter.k(), threshold).map_err(|error| usage(&error))?;
    let published = Filter::PUBLISHED.iter().map(|&(k, s, whose)| {
        let filter = Filter::new(k, s, 1).map_err(|error| usage(&error))?;
        Ok((whose, Plan::of(filter, threshold, prior)))
    });
    let design = Design {
        plan,
        threshold,
        prior: prior.name(),
        rules: Plan::of(rules, threshold, prior),
        published: published.collect::<Result<_, Error>>()?,
        at: args.at.clone(),
    };
    if let Some(path) = &args.svg {
        check(path, args.force, &Inputs::new(&[]))?;
        let mut output = Output::create(path)?;
        output.put(svg::draw(&design).as_bytes())?;
        commit(vec![output.finish()?])?;
    }
    if args.json {
        print_json(&design.json())?;
    } else {
        print(design.text().as_bytes())?;
    }
    Ok(Outcome::Done)
}
