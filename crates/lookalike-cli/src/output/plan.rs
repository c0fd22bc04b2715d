//! How is a plan printed?

use lookalike_engine::{Error, RunPlan};

use super::numbers::{bytes, count};
use super::stdout::print_json;
use crate::args::PrintArgs;
use crate::outcome::Outcome;

/// Prints what a run will need.
pub fn print_plan(plan: &RunPlan, printing: &PrintArgs) -> Result<Outcome, Error> {
    if printing.json {
        print_json(plan)?;
        return Ok(Outcome::Done);
    }
    let budget = plan.budget_bytes.map_or(String::new(), |budget| format!(" of {}", bytes(budget)));
    let times = if plan.passes == 1 { "once" } else { "twice" };
    message!(
        "about {} documents in {}, {} elements",
        count(plan.documents),
        bytes(plan.input_bytes),
        count(plan.elements)
    );
    let more =
        if plan.read_bytes > u64::from(plan.passes) * plan.input_bytes { ", and once more to write rows" } else { "" };
    message!("plan: {}; the inputs are read {times}{more}", plan.plan);
    message!("memory: up to {}{budget}", bytes(plan.memory_bytes()));
    for part in &plan.memory {
        message!("  {:>9}  {}", bytes(part.bytes), part.name);
    }
    message!("temporary files: up to {}", bytes(plan.temporary_bytes));
    message!("read: {}; written besides pairs: up to {}", bytes(plan.read_bytes), bytes(plan.written_bytes));
    match plan.seconds {
        0.0..1.0 => message!("time: less than a second"),
        seconds => message!("time: about {seconds:.0} s"),
    }
    Ok(Outcome::Done)
}
