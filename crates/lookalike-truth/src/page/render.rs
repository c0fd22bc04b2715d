//! Writes a page.

use std::fmt::Write;

use super::chart;
use super::content::{ClusterCard, PairCard, Report, Section};
use super::diff::{Piece, compare_texts};
use super::escape::{push_escaped, shortened};
use super::numbers::count;

const GAP: &str = "<span class=\"gap\"> […] </span>";
pub(super) const STYLE: &str = include_str!("style.css");
/// Nothing is loaded, nothing runs, and nothing is sent.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// The most bytes of a text that are shown. With the samples of a page, this keeps it below 5 MB whatever the documents are.
const TEXT: usize = 12_000;
/// The most bytes of an id, or of a cell of a table.
const NAME: usize = 400;
/// The most bytes of a sentence, which may name files and fields.
const SENTENCE: usize = 2_000;
/// The most bytes of a paragraph: a command to paste is one.
const PARAGRAPH: usize = 40_000;

impl Report {
    /// The page as one HTML file.
    pub fn render(&self) -> String {
        let title = shortened(&self.title, SENTENCE);
        let mut out = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
        );
        if !self.summary.is_empty() {
            let _ = writeln!(out, "<p class=\"summary\">{}</p>", shortened(&self.summary, SENTENCE));
        }
        out.push_str("<div class=\"tiles\">\n");
        for tile in &self.tiles {
            let [name, value, note] = [&tile.name, &tile.value, &tile.note].map(|text| shortened(text, NAME));
            let _ = writeln!(out, "<div class=\"tile\"><span>{name}</span><b>{value}</b><span>{note}</span></div>");
        }
        out.push_str("</div>\n");
        self.sections.iter().for_each(|section| section_of(section, &mut out));
        if !self.settings.is_empty() {
            out.push_str("<section>\n<h2>Settings</h2>\n<div class=\"panel\"><dl>\n");
            for (name, value) in &self.settings {
                let _ = writeln!(out, "<dt>{}</dt><dd>{}</dd>", shortened(name, NAME), shortened(value, SENTENCE));
            }
            out.push_str("</dl></div>\n</section>\n");
        }
        let _ = writeln!(out, "<footer>{}</footer>\n</main>\n</body>\n</html>", shortened(&self.version, NAME));
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
    let _ = writeln!(out, "<section>\n<h2>{}</h2>", shortened(title, NAME));
    if !note.is_empty() {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", shortened(note, SENTENCE));
    }
    match section {
        Section::Text { paragraphs, .. } => {
            for paragraph in paragraphs {
                let _ = writeln!(out, "<p>{}</p>", shortened(paragraph, PARAGRAPH));
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
        let _ = write!(out, "<th>{}</th>", shortened(name, NAME));
    }
    out.push_str("</tr>\n");
    for row in rows {
        out.push_str("<tr>");
        for cell in row {
            let _ = write!(out, "<td>{}</td>", shortened(cell, NAME));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</table></div>\n");
}

fn pair_card(pair: &PairCard, out: &mut String) {
    let _ = writeln!(
        out,
        "<article class=\"card\"><header><span>similarity</span><b>{}</b></header>",
        shortened(&pair.similarity, NAME)
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
            shortened(id, NAME),
            shortened(role, NAME)
        );
        let end = out.len() + TEXT;
        for piece in pieces {
            let is_whole = match piece {
                Piece::Common(text) => push_escaped(text, end, out),
                Piece::Own(text) => {
                    out.push_str("<mark>");
                    let is_whole = push_escaped(text, end, out);
                    out.push_str("</mark>");
                    is_whole
                }
                Piece::Gap => {
                    out.push_str(GAP);
                    true
                }
            };
            if !is_whole {
                out.push_str(GAP);
                break;
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
        shortened(&cluster.kept, NAME)
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
    use crate::page::content::{MemberCard, Tile};

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

    /// As many samples as the largest page has, of the longest texts, ids and values that cost most to escape.
    #[test]
    fn the_largest_page_is_small() {
        let long = |end: &str| "\"".repeat(40_000 - end.len()) + end;
        let card = |n: usize| PairCard {
            ids: [(long("a"), "kept".into()), (long("b"), "removed".into())],
            similarity: "0.8".into(),
            texts: [format!("{n} {}", long("one")), format!("{n} {} {}", "\u{202e} ".repeat(10_000), long("two"))],
        };
        let member = || MemberCard { id: long("m"), similarity: "0.9".into(), text: long("three") };
        let cluster = |_| ClusterCard {
            size: 9,
            kept: long("k"),
            text: "' ".repeat(20_000),
            members: (0..4).map(|_| member()).collect(),
        };
        let page = Report {
            title: long("t"),
            summary: long("s"),
            tiles: vec![Tile::new("n", long("v"), long("w")); 6],
            sections: vec![
                Section::Pairs { title: long("t"), note: long("n"), pairs: (0..60).map(card).collect() },
                Section::Clusters { title: "c".into(), note: long("n"), clusters: (0..10).map(cluster).collect() },
                Section::Table {
                    title: long("t"),
                    note: long("n"),
                    head: vec![long("h")],
                    rows: vec![vec![long("c")]; 60],
                },
            ],
            settings: vec![(long("a"), long("b")); 10],
            version: long("v"),
        };
        let size = page.render().len();
        assert!(size < 5_000_000, "{size} bytes");
    }
}
