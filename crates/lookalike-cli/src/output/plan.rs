//! How is a plan printed?

use lookalike_engine::{Error, RunPlan};

use super::numbers::{bytes, count};
use super::stdout::print_json;
use crate::args::RunArgs;
use crate::outcome::Outcome;

/// Prints what a run will need.
pub fn print_plan(plan: &RunPlan, run: &RunArgs) -> Result<Outcome, Error> {
    if run.json {
        print_json(plan)?;
        return Ok(Outcome::Done);
    }
    let budget = plan.budget_bytes.map_or(String::new(), |budget| format!(" of {}", bytes(budget)));
    let needed: u64 = plan.memory.iter().map(|part| part.bytes).sum();
    let times = if plan.passes == 1 { "once" } else { "twice" };
    message!(
        "about {} documents in {}, {} elements",
        count(plan.documents),
        bytes(plan.input_bytes),
        count(plan.elements)
    );
    message!("plan: {}; the inputs are read {times}, and once more to write kept rows", plan.plan);
    message!("memory: up to {}{budget}", bytes(needed));
    for part in &plan.memory {
        message!("  {:>9}  {}", bytes(part.bytes), part.name);
    }
    message!("temporary files: up to {}", bytes(plan.temporary_bytes));
    message!("time: about {:.0} s", plan.seconds);
    Ok(Outcome::Done)
}
