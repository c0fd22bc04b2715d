//! The page of an evaluation.

use super::content::{PairCard, Report, Section, Tile};
use super::numbers::count;
use crate::evaluate::{Evaluation, Example};
use crate::scores::Interval;

/// The page of an evaluation. Settings and the version are for the caller to add.
pub fn evaluation_page(it: &Evaluation, title: &str) -> Report {
    let mut sections = Vec::new();
    if !it.levels.is_empty() {
        let rows = it.levels.iter().rev().map(|level| {
            let range = if level.from == level.to {
                format!("{}", level.from)
            } else {
                format!("{} to {}", level.from, level.to)
            };
            let counts = [level.right, level.wrong, level.unlabelled].map(count);
            [vec![range], counts.to_vec(), vec![short(&level.precision)]].concat()
        });
        sections.push(Section::Table {
            title: "By similarity".to_string(),
            note: "Found pairs by their similarity. Precision is the share that is right, of the pairs with a label."
                .to_string(),
            head: ["similarity", "right", "wrong", "no label", "precision"].map(String::from).to_vec(),
            rows: rows.collect(),
        });
    }
    if let Some(clusters) = &it.clusters {
        let row = |name: &str, value: f64| vec![name.to_string(), format!("{value:.4}")];
        sections.push(Section::Table {
            title: "Clusters".to_string(),
            note: format!("Over {} documents.", count(clusters.documents)),
            head: vec!["score".to_string(), "value".to_string()],
            rows: vec![
                row("B-cubed precision", clusters.b_cubed_precision),
                row("B-cubed recall", clusters.b_cubed_recall),
                row("B-cubed F1", clusters.b_cubed_f1),
                row("adjusted Rand index", clusters.adjusted_rand_index),
            ],
        });
    }
    if let Some(first) = it.by.first() {
        let rows = it.by.iter().map(|slice| {
            let counts = [slice.right, slice.wrong, slice.missed].map(count);
            [vec![slice.value.to_string()], counts.to_vec(), vec![short(&slice.precision), short(&slice.recall)]]
                .concat()
        });
        sections.push(Section::Table {
            title: format!("By {}", first.field),
            note: format!("Pairs whose documents have the same {}, and pairs whose documents do not.", first.field),
            head: [&*first.field, "right", "wrong", "missed", "precision", "recall"].map(String::from).to_vec(),
            rows: rows.collect(),
        });
    }
    sections.extend(examples("Wrong: found, but different", "The most similar first", &it.worst_wrong, it.wrong));
    sections.extend(examples("Missed: the same, but not found", "Examples", &it.worst_missed, it.missed));
    if it.conflict_count > 0 {
        sections.push(Section::Text {
            title: format!("{} contradictions in the labels", count(it.conflict_count)),
            paragraphs: it.conflicts.iter().take(20).cloned().collect(),
        });
    }
    Report {
        title: title.to_string(),
        summary: format!(
            "{} pairs found: {} right, {} wrong, {} without a label. {} pairs that are the same were not found.",
            count(it.pairs),
            count(it.right),
            count(it.wrong),
            count(it.unlabelled),
            count(it.missed)
        ),
        tiles: vec![
            tile("Precision", &it.precision),
            tile("Recall", &it.recall),
            tile("F1", &it.f1),
            tile("Average precision", &it.average_precision),
        ],
        sections,
        ..Report::default()
    }
}

fn tile(name: &str, value: &Option<Interval>) -> Tile {
    match value {
        None => Tile::new(name, "–", "unknown"),
        Some(Interval { value, low, high }) => {
            Tile::new(name, format!("{value:.3}"), format!("95 % interval {low:.3} to {high:.3}"))
        }
    }
}

fn short(value: &Option<Interval>) -> String {
    value.map_or("–".to_string(), |value| format!("{:.3}", value.value))
}

fn examples(title: &str, what: &str, examples: &[Example], all: u64) -> Option<Section> {
    if examples.is_empty() {
        return None;
    }
    let card = |example: &Example| PairCard {
        ids: [(example.a.clone(), String::new()), (example.b.clone(), String::new())],
        similarity: example.similarity.map_or("unknown".to_string(), |value| format!("{value:.4}")),
        texts: example.texts.clone().unwrap_or_default(),
    };
    let note = format!("{what}; {} of {}.", count(examples.len() as u64), count(all));
    Some(Section::Pairs { title: title.to_string(), note, pairs: examples.iter().map(card).collect() })
}
