//! The job of `graph`: describes a table of pairs as a graph. Documents are nodes, and pairs are edges.

use std::collections::{BTreeMap, HashMap};

use lookalike::engine::{Histogram, Progress, Roots, SetsError};
use lookalike_io::read::Lacking;
use lookalike_io::{Blocks, Content, Fields, Format, RowReader, Seen, Source, read};

use crate::error::{Error, Problem};
use crate::pairs::UNVERIFIED;
use crate::read::WatchedBlocks;
use crate::report::{BadRowsReport, Counted, GraphReport, Values};
use crate::tables::split_written;

/// A job that describes a table of pairs.
pub struct Graph {
    /// The tables, with the fields `a` and `b`.
    pub inputs: Vec<Source>,
    /// The field whose values are counted. The default is `similarity` or `distance`.
    pub by: Option<String>,
    /// Whether to stop at the first bad row.
    pub strict: bool,
}

/// The most problems to list.
const NAMED: usize = 5;

impl Graph {
    /// Runs the job.
    pub fn run(self, progress: &dyn Progress) -> Result<GraphReport, Error> {
        let mut table = Table::default();
        for source in &self.inputs {
            table.read(source, self.by.as_deref(), self.strict, progress)?;
        }
        if let Some(by) = self.by.filter(|_| table.rows > 0) {
            fields(vec![by]).check_seen(&table.seen, "the inputs", true)?;
        }
        Ok(table.report())
    }
}

/// All rows of the tables.
#[derive(Default)]
struct Table {
    numbers: HashMap<String, u32>,
    edges: Vec<(u32, u32)>,
    rows: u64,
    by: Option<String>,
    values: Vec<String>,
    unreadable: u64,
    problems: Vec<String>,
    seen: Seen,
}

/// The fields of a table of pairs.
fn fields(values: Vec<String>) -> Fields {
    // Ids may be numbers, but the text field must be a string. So `a` is read as the id and `b` as the key.
    Fields { id: Some("a".into()), key: Some("b".into()), within: values, ..Fields::default() }
}

/// Why a row is not a pair.
fn lacking(name: &str, raw: Option<&[u8]>, source: &Source) -> String {
    match raw {
        Some(line) if source.format() == Format::Jsonl => {
            Lacking::Json(line).explain(&[name], "A pair has the fields a and b.")
        }
        _ => format!("no field '{name}'"),
    }
}

impl Table {
    fn read(&mut self, source: &Source, by: Option<&str>, strict: bool, progress: &dyn Progress) -> Result<(), Error> {
        let path = source.path().display().to_string();
        let columns = read::columns(source)?;
        let has = |name: &str| columns.as_ref().is_none_or(|columns| columns.iter().any(|column| column == name));
        if let Some(missing) = ["a", "b"].into_iter().chain(by).find(|name| !has(name)) {
            return Err(Error::Usage(format!(
                "{path} has no column '{missing}'. Use a table of pairs as `lookalike pairs` writes it"
            )));
        }
        let wanted: Vec<&str> = match by {
            Some(name) => vec![name],
            None => ["similarity", "distance", UNVERIFIED].into_iter().filter(|name| has(name)).collect(),
        };
        let fields = fields(wanted.iter().map(ToString::to_string).collect());
        let mut reader = RowReader::new(&fields, usize::MAX);
        let sources = std::slice::from_ref(source);
        let mut blocks = WatchedBlocks::new(Blocks::new(sources, &fields, Default::default()), sources, progress);
        while let Some(block) = blocks.next_block()? {
            reader.for_each(&block, |row, raw| {
                let b = row.key.written().filter(|b| !b.is_empty());
                let reason = match (&row.content, row.id.filter(|a| !a.is_empty()), b) {
                    (Content::Unreadable(reason), ..) => reason.to_string(),
                    (_, Some(a), Some(b)) => {
                        self.push(a, &b)?;
                        let values = split_written(row.within);
                        if let Some((name, value)) =
                            wanted.iter().zip(values).find_map(|(name, value)| Some((name, value?)))
                        {
                            self.by.get_or_insert_with(|| name.to_string());
                            self.values.push(value.to_string());
                        }
                        return Ok(());
                    }
                    (_, None, _) => lacking("a", raw, source),
                    (_, _, None) => lacking("b", raw, source),
                };
                let problem = Problem { file: path.clone(), row: row.number, reason };
                if strict {
                    return Err(Error::Strict(problem));
                }
                self.unreadable += 1;
                if self.problems.len() < NAMED {
                    self.problems.push(problem.to_string());
                }
                Ok(())
            })?;
        }
        self.seen.add(reader.take_seen());
        Ok(())
    }

    fn push(&mut self, a: &str, b: &str) -> Result<(), Error> {
        let mut number = |id: &str| {
            // Most ids are known already, and need no copy.
            if let Some(&number) = self.numbers.get(id) {
                return Ok(number);
            }
            let next = u32::try_from(self.numbers.len()).map_err(|_| SetsError::ManyDocuments)?;
            Ok::<u32, SetsError>(*self.numbers.entry(id.to_string()).or_insert(next))
        };
        let (a, b) = (number(a)?, number(b)?);
        self.rows += 1;
        self.edges.push((a.min(b), a.max(b)));
        Ok(())
    }

    fn report(mut self) -> GraphReport {
        let rows = self.edges.len();
        self.edges.retain(|(a, b)| a != b);
        let with_itself = (rows - self.edges.len()) as u64;
        self.edges.sort_unstable();
        self.edges.dedup();
        let pairs = self.edges.len() as u64;

        let mut degrees = vec![0_u64; self.numbers.len()];
        let roots = Roots::new(self.numbers.len());
        for &(a, b) in &self.edges {
            degrees[a as usize] += 1;
            degrees[b as usize] += 1;
            roots.join(a, b);
        }
        // A document that is paired only with itself is in no pair.
        let in_pairs = (0..degrees.len() as u32).filter(|&document| degrees[document as usize] > 0);
        let mut sizes: HashMap<u32, u64> = HashMap::new();
        for document in in_pairs {
            *sizes.entry(roots.find(document)).or_default() += 1;
        }
        let degrees = counted(degrees.into_iter().filter(|&degree| degree > 0));
        let component_sizes = counted(sizes.into_values());
        let all = |counts: &[Counted<u64>]| counts.iter().map(|counted| counted.count).sum::<u64>();
        let greatest = |counts: &[Counted<u64>]| counts.last().map_or(0, |counted| counted.value);
        let documents = all(&degrees);
        GraphReport {
            rows: self.rows,
            pairs,
            repeated: self.rows - with_itself - pairs,
            with_itself,
            documents,
            average_degree: if documents == 0 { 0.0 } else { 2.0 * pairs as f64 / documents as f64 },
            greatest_degree: greatest(&degrees),
            components: all(&component_sizes),
            largest_component: greatest(&component_sizes),
            degrees,
            component_sizes,
            values: self.by.is_some().then(|| values_of(&self.values)),
            by: self.by,
            bad_rows: BadRowsReport { unreadable: self.unreadable, problems: self.problems },
        }
    }
}

fn counted<T: Ord>(values: impl Iterator<Item = T>) -> Vec<Counted<T>> {
    let mut counts: BTreeMap<T, u64> = BTreeMap::new();
    values.for_each(|value| *counts.entry(value).or_default() += 1);
    counts.into_iter().map(|(value, count)| Counted { value, count }).collect()
}

/// Counts values as integers, as other numbers or as text, whichever fits all of them.
fn values_of(values: &[String]) -> Values {
    if let Some(numbers) = values.iter().map(|value| value.parse().ok()).collect::<Option<Vec<i64>>>() {
        return Values::Numbers(counted(numbers.into_iter()));
    }
    let number = |value: &String| value.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    match values.iter().map(number).collect::<Option<Vec<f64>>>() {
        Some(numbers) => {
            let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
            let greatest = numbers.iter().copied().fold(0.0, f64::max);
            let mut histogram = if greatest > 1.0 {
                Histogram::distances(greatest as u64)
            } else {
                // Start at a round number, as most thresholds are.
                Histogram::similarities((least * 20.0).floor() / 20.0)
            };
            numbers.into_iter().for_each(|number| histogram.add(number));
            Values::Ranges(histogram.bins())
        }
        None => Values::Labels(counted(values.iter().cloned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_what_they_all_are() {
        let of = |values: &[&str]| values_of(&values.iter().map(ToString::to_string).collect::<Vec<_>>());
        let two = |value: i64, count| Counted { value, count };
        assert_eq!(of(&["6", "2", "6"]), Values::Numbers(vec![two(2, 1), two(6, 2)]));
        assert_eq!(of(&[]), Values::Numbers(vec![]));
        assert!(matches!(of(&["0.83", "1.0"]), Values::Ranges(bins) if bins[0].from == 0.8 && bins[10].count == 1));
        assert!(matches!(of(&["0.5", "nan"]), Values::Labels(labels) if labels.len() == 2));
    }
}
