//! `lookalike run`: how far is a run?

use lookalike_engine::{Error, RunState};

use crate::args::{RunCommand, RunFolderArgs};
use crate::outcome::Outcome;
use crate::output::numbers::{bytes, count, counted};
use crate::output::stdout::print_json;

pub fn run(args: RunFolderArgs) -> Result<Outcome, Error> {
    let RunCommand::Show { folder, json } = args.command;
    let state = RunState::of(&folder)?;
    if json {
        print_json(&state)?;
        return Ok(Outcome::Done);
    }
    let total: u64 = state.inputs.iter().map(|(_, bytes)| bytes).sum();
    let command = state.parameters.get("command").map_or("run", |command| command);
    message!("{command} of {}, {}", counted(state.inputs.len() as u64, "file"), bytes(total));
    let done = |is_done: bool| if is_done { "done" } else { "to do" };
    message!("read documents: {}", done(state.is_read || state.is_finished));
    let selected =
        state.selected.map_or(String::new(), |sets| format!(", {} that may have a partner", counted(sets, "set")));
    message!("select sets: {}{selected}", done(state.selected.is_some() || state.is_finished));
    match state.parts {
        Some(parts) => message!("compare: {} of {} parts done", count(state.compared as u64), count(parts as u64)),
        None => message!("compare: {}", done(state.is_finished)),
    }
    message!("write outputs: {}", done(state.is_finished));
    Ok(Outcome::Done)
}
