//! Writes a page.

use std::fmt::Write;

use super::chart;
use super::content::{ClusterCard, PairCard, Report, Section};
use super::diff::{Piece, compare_texts};
use super::escape::{escaped, push_escaped};
use super::numbers::count;

pub(super) const STYLE: &str = include_str!("style.css");
/// Nothing is loaded, nothing runs, and nothing is sent.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

impl Report {
    /// The page as one HTML file.
    pub fn render(&self) -> String {
        let title = escaped(&self.title);
        let mut out = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
        );
        if !self.summary.is_empty() {
            let _ = writeln!(out, "<p class=\"summary\">{}</p>", escaped(&self.summary));
        }
        out.push_str("<div class=\"tiles\">\n");
        for tile in &self.tiles {
            let (name, value, note) = (escaped(&tile.name), escaped(&tile.value), escaped(&tile.note));
            let _ = writeln!(out, "<div class=\"tile\"><span>{name}</span><b>{value}</b><span>{note}</span></div>");
        }
        out.push_str("</div>\n");
        self.sections.iter().for_each(|section| section_of(section, &mut out));
        if !self.settings.is_empty() {
            out.push_str("<section>\n<h2>Settings</h2>\n<div class=\"panel\"><dl>\n");
            for (name, value) in &self.settings {
                let _ = writeln!(out, "<dt>{}</dt><dd>{}</dd>", escaped(name), escaped(value));
            }
            out.push_str("</dl></div>\n</section>\n");
        }
        let _ = writeln!(out, "<footer>{}</footer>\n</main>\n</body>\n</html>", escaped(&self.version));
        out
    }
}

fn section_of(section: &Section, out: &mut String) {
    let (title, note) = match section {
        Section::Text { title, .. } => (title, ""),
        Section::Bars { title, note, .. }
        | Section::Table { title, note, .. }
        | Section::Pairs { title, note, .. }
        | Section::Clusters { title, note, .. } => (title, note.as_str()),
    };
    let _ = writeln!(out, "<section>\n<h2>{}</h2>", escaped(title));
    if !note.is_empty() {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", escaped(note));
    }
    match section {
        Section::Text { paragraphs, .. } => {
            for paragraph in paragraphs {
                let _ = writeln!(out, "<p>{}</p>", escaped(paragraph));
            }
        }
        Section::Bars { bars, .. } => {
            out.push_str("<div class=\"panel\">\n");
            chart::bars(bars, out);
            out.push_str("</div>\n");
        }
        Section::Table { head, rows, .. } => table(head, rows, out),
        Section::Pairs { pairs, .. } => pairs.iter().for_each(|pair| pair_card(pair, out)),
        Section::Clusters { clusters, .. } => clusters.iter().for_each(|cluster| cluster_card(cluster, out)),
    }
    out.push_str("</section>\n");
}

fn table(head: &[String], rows: &[Vec<String>], out: &mut String) {
    out.push_str("<div class=\"panel\"><table>\n<tr>");
    for name in head {
        let _ = write!(out, "<th>{}</th>", escaped(name));
    }
    out.push_str("</tr>\n");
    for row in rows {
        out.push_str("<tr>");
        for cell in row {
            let _ = write!(out, "<td>{}</td>", escaped(cell));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</table></div>\n");
}

fn pair_card(pair: &PairCard, out: &mut String) {
    let _ = writeln!(
        out,
        "<article class=\"card\"><header><span>similarity</span><b>{}</b></header>",
        escaped(&pair.similarity)
    );
    two(&pair.ids, &pair.texts, out);
    out.push_str("</article>\n");
}

/// Two documents side by side, with their differences marked.
pub(super) fn two(ids: &[(String, String); 2], texts: &[String; 2], out: &mut String) {
    let (pieces, is_compared) = compare_texts(&texts[0], &texts[1]);
    out.push_str("<div class=\"two\">");
    for ((id, role), pieces) in ids.iter().zip(&pieces) {
        let _ = write!(
            out,
            "<div><p class=\"id\"><b>{}</b> {}</p><p class=\"text\" dir=\"auto\">",
            escaped(id),
            escaped(role)
        );
        for piece in pieces {
            match piece {
                Piece::Common(text) => push_escaped(text, out),
                Piece::Own(text) => {
                    out.push_str("<mark>");
                    push_escaped(text, out);
                    out.push_str("</mark>");
                }
                Piece::Gap => out.push_str("<span class=\"gap\"> […] </span>"),
            }
        }
        out.push_str("</p></div>");
    }
    out.push_str("</div>\n");
    if !is_compared {
        out.push_str("<p class=\"note\">The texts differ too much for their differences to be marked.</p>\n");
    }
}

fn cluster_card(cluster: &ClusterCard, out: &mut String) {
    let shown = cluster.members.len() as u64 + 1;
    let rest = if shown < cluster.size { format!(", {shown} of them here") } else { String::new() };
    let _ = writeln!(
        out,
        "<article class=\"card\"><header><span>{} documents{rest}</span><span>kept: <b>{}</b></span></header>",
        count(cluster.size),
        escaped(&cluster.kept)
    );
    for member in &cluster.members {
        out.push_str("<div class=\"row\">");
        let ids = [
            (cluster.kept.clone(), "kept".to_string()),
            (member.id.clone(), format!("removed, similarity {}", member.similarity)),
        ];
        two(&ids, &[cluster.text.clone(), member.text.clone()], out);
        out.push_str("</div>");
    }
    out.push_str("</article>\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::content::Tile;

    #[test]
    fn nothing_hostile_gets_through() {
        let hostile = "<script>alert(1)</script><img src=http://x onerror=alert(1)>\"'";
        let pair = PairCard {
            ids: [(hostile.into(), hostile.into()), (hostile.into(), hostile.into())],
            similarity: hostile.into(),
            texts: [hostile.into(), format!("{hostile} </p></main>")],
        };
        let page = Report {
            title: hostile.into(),
            summary: hostile.into(),
            tiles: vec![Tile::new(hostile, hostile, hostile)],
            sections: vec![
                Section::Pairs { title: hostile.into(), note: hostile.into(), pairs: vec![pair] },
                Section::Table {
                    title: hostile.into(),
                    note: hostile.into(),
                    head: vec![hostile.into()],
                    rows: vec![vec![hostile.into()]],
                },
                Section::Bars {
                    title: hostile.into(),
                    note: hostile.into(),
                    bars: vec![crate::page::Bar { label: hostile.into(), count: 1 }],
                },
            ],
            settings: vec![(hostile.into(), hostile.into())],
            version: hostile.into(),
        }
        .render();
        assert!(!page.contains("<script") && !page.contains("<img"), "{page}");
        assert_eq!(page.matches("</main>").count(), 1);
        assert!(page.contains("default-src 'none'"));
    }
}
