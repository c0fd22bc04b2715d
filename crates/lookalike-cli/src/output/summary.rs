//! Which lines do the summaries of several commands share?

use lookalike_engine::{ComparedReport, MemoryReport, ReadReport, SignedReport};

use crate::output::numbers::{bytes, count, counted};
use crate::output::signatures;

/// Prints the first bad rows by name, and how many more there are.
pub fn problems(named: &[String], all: u64) {
    for problem in named {
        message!("lookalike: {problem}");
    }
    let more = all - named.len() as u64;
    if more > 0 {
        message!("lookalike: … and {}", counted(more, "more bad row"));
    }
}

/// Formats the peak of resident memory; empty where the system does not report it.
pub fn peak_memory(peak: u64) -> String {
    if peak == 0 { String::new() } else { format!(", peak memory {}", bytes(peak)) }
}

/// Prints how a run kept to its memory, if not everything that it compared was in it, and what it planned if a sample told that.
pub fn memory_plan(memory: &MemoryReport) {
    if !memory.is_usual() {
        where_compared(memory);
    }
    if let (Some(planned), Some(disk)) = (memory.planned_bytes, memory.planned_temporary_bytes) {
        let and_disk = |disk: u64| if disk == 0 { String::new() } else { format!(" and {} of disk", bytes(disk)) };
        let again = match memory.restarts {
            0 => "",
            _ => {
                "; reading began again with less in memory, because the inputs are larger than a sample of them suggested"
            }
        };
        message!(
            "planned {} of memory{}; used {}{}{again}",
            bytes(planned),
            and_disk(disk),
            bytes(memory.peak_bytes),
            and_disk(memory.temporary_bytes)
        );
    }
}

fn where_compared(memory: &MemoryReport) {
    let budget = memory.budget_bytes.map_or(String::new(), |budget| format!(" of {}", bytes(budget)));
    let parts = if memory.parts > 1 { format!(" in {} parts", count(memory.parts as u64)) } else { String::new() };
    let sets = memory.sets.map(|sets| format!("{} that may have a partner{parts}, ", counted(sets, "set")));
    message!(
        "memory{budget}: {}; {}{} of temporary files",
        memory.plan,
        sets.unwrap_or_default(),
        bytes(memory.temporary_bytes)
    );
}

/// Prints on one line how many documents were treated in a special way.
pub fn special(counts: &[(u64, &str)]) {
    let special: Vec<String> =
        counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{} {what}", count(*n))).collect();
    if !special.is_empty() {
        message!("{}", special.join("; "));
    }
}

/// Prints what was compared, and how.
pub fn how_compared(
    documents: &str,
    read: &ReadReport,
    compared: &ComparedReport,
    bound: &str,
    signed: Option<&SignedReport>,
) {
    let compressed = if read.is_compressed { " compressed" } else { "" };
    message!(
        "{documents}, {}{compressed} with {} of text; {}{bound} on {}{}, {}",
        bytes(read.input_bytes.unwrap_or(0)),
        bytes(read.text_bytes),
        compared.measure,
        compared.tokens,
        within(&compared.within),
        signatures::certainty(signed)
    );
    if let Some(signed) = signed {
        signatures::summarise(signed);
    }
}

/// Formats the threshold as ` ≥ 0.8` or ` ≤ 3`; empty without one.
pub fn bound(threshold: Option<f64>, is_distance: bool) -> String {
    let sign = if is_distance { '≤' } else { '≥' };
    threshold.map_or(String::new(), |threshold| format!(" {sign} {threshold}"))
}

/// Formats fields as ` within lang, site`; empty without fields.
pub fn within(fields: &[String]) -> String {
    if fields.is_empty() { String::new() } else { format!(" within {}", fields.join(", ")) }
}

pub fn of_threads(threads: usize) -> String {
    if threads == 1 { "1 thread".to_string() } else { format!("{threads} threads") }
}
