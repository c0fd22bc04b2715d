//! The page of a calibration.

use super::content::{Report, Section, Tile};
use super::numbers::count;
use crate::choose::{Calibration, Chosen};

/// How many ways to compare are listed.
const LISTED: usize = 20;

/// The page of a calibration. The version is for the caller to add.
pub fn calibration_page(it: &Calibration, command: &str, title: &str) -> Report {
    let chosen = |one: &Chosen| {
        let within = if one.settings.within.is_empty() {
            String::new()
        } else {
            format!(", same {}", one.settings.within.join(", "))
        };
        format!(
            "{}{within}: {} {} ≥ {}",
            one.settings.text.join(", "),
            one.settings.tokens,
            one.settings.measure,
            one.threshold
        )
    };
    let mut sections = vec![Section::Text { title: "The command".to_string(), paragraphs: vec![command.to_string()] }];
    if !it.enough.is_enough {
        let mut paragraphs = it.enough.lacking.clone();
        paragraphs.extend(
            it.enough.more.map(|more| format!("About {} more pairs that are the same would settle it.", count(more))),
        );
        paragraphs.extend(
            it.enough
                .more_different
                .map(|more| format!("{} more different pairs that look similar are needed.", count(more))),
        );
        sections.push(Section::Text { title: "Too few labels".to_string(), paragraphs });
    }
    for influence in &it.influences {
        sections.push(Section::Table {
            title: format!("How much {} matters", influence.choice),
            note: format!(
                "The best F1 with each value, all other choices free. The best and the worst differ by {:.3}.",
                influence.spread
            ),
            head: vec![influence.choice.to_string(), "best F1".to_string()],
            rows: influence.values.iter().map(|(value, f1)| vec![value.clone(), format!("{f1:.4}")]).collect(),
        });
    }
    sections.push(Section::Table {
        title: "The best ways to compare".to_string(),
        note: "Each with its best threshold, on all labels.".to_string(),
        head: vec!["settings".to_string(), "F1".to_string()],
        rows: it.best.iter().take(LISTED).map(|one| vec![chosen(one), format!("{:.4}", one.f1)]).collect(),
    });
    let default = it.default.as_ref().map_or(Tile::new("Default settings", "–", "not tried"), |default| {
        Tile::new("Default settings", format!("{:.3}", default.f1), "F1 on all labels")
    });
    Report {
        title: title.to_string(),
        summary: format!(
            "Chosen from {} labelled pairs that are the same, in {} groups: {}.",
            count(it.enough.same),
            count(it.enough.groups),
            chosen(&it.chosen)
        ),
        tiles: vec![
            Tile::new(
                "Expected F1",
                format!("{:.3}", it.expected.value),
                format!("95 % of splits {:.3} to {:.3}", it.expected.low, it.expected.high),
            ),
            Tile::new(
                "F1 on all labels",
                format!("{:.3}", it.f1.value),
                format!("95 % interval {:.3} to {:.3}", it.f1.low, it.f1.high),
            ),
            Tile::new(
                "Lost to the best in hindsight",
                format!("{:.4}", it.median_loss),
                it.floor.map_or("F1, median over the splits".to_string(), |floor| {
                    format!("F1, median over the splits; the best one setting loses {floor:.4}")
                }),
            ),
            default,
        ],
        sections,
        ..Report::default()
    }
}
