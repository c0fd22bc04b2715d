//! The page on which a person labels pairs, one at a time.

use std::fmt::Write;

use super::content::PairCard;
use super::escape::escaped;
use super::render::{STYLE, two};

/// Files that the page loads from beside it: the name, the content type, and the content.
pub const LABELLING_FILES: [(&str, &str, &str); 3] = [
    ("style.css", "text/css; charset=utf-8", STYLE),
    ("labelling.css", "text/css; charset=utf-8", include_str!("labelling.css")),
    ("labelling.js", "text/javascript; charset=utf-8", include_str!("labelling.js")),
];

/// The page that asks about a pair. `at` is its number, from 0, and `file` is where the answers go.
pub fn question_page(pair: &PairCard, at: usize, all: usize, file: &str) -> String {
    let mut out = head(&format!("Pair {} of {all}", at + 1));
    let _ = writeln!(
        out,
        "<p class=\"note\">Pair {} of {all} · similarity {}</p>\n<progress value=\"{at}\" max=\"{all}\"></progress>\n\
         <h1>Are these two the same?</h1>\n<article class=\"card\">",
        at + 1,
        escaped(&pair.similarity)
    );
    two(&pair.ids, &pair.texts, &mut out);
    out.push_str("</article>\n");
    buttons(at, &[("y", "Same"), ("n", "Different"), ("u", "Unsure"), ("b", "Undo"), ("q", "Stop")], &mut out);
    out.push_str("<details><summary>Whole texts <kbd>d</kbd></summary><div class=\"two card\">");
    for text in &pair.texts {
        let _ = write!(out, "<div><p class=\"text\" dir=\"auto\">{}</p></div>", escaped(text));
    }
    let _ = writeln!(out, "</div></details>\n<footer>Each answer is saved to {} at once.</footer>", escaped(file));
    out + END
}

/// The page after the last answer, which can still be taken back for some seconds.
pub fn answered_page(answers: usize, file: &str, seconds: u64) -> String {
    let mut out = head("All pairs are labelled");
    let _ = writeln!(
        out,
        "<h1>All pairs are labelled</h1>\n<p class=\"summary\">{answers} answers are in {}. This session ends by itself in {seconds} seconds.</p>",
        escaped(file)
    );
    buttons(answers, &[("b", "Undo"), ("q", "Stop")], &mut out);
    out + END
}

/// The page after the end of a session.
pub fn ended_page(answers: usize, file: &str) -> String {
    let answers = if answers == 1 { "1 answer is".to_string() } else { format!("{answers} answers are") };
    let text = format!("{answers} in {file}. You can close this page.");
    format!("{}<h1>The session has ended</h1>\n<p class=\"summary\">{}</p>\n{END}", head("Ended"), escaped(&text))
}

/// The page after an answer that could not be saved.
pub fn failed_page(message: &str) -> String {
    format!(
        "{}<h1>The answer was not saved</h1>\n<p class=\"summary\">{}</p>\n<p><a href=\"./\">Go on</a></p>\n{END}",
        head("Not saved"),
        escaped(message)
    )
}

const END: &str = "</main>\n</body>\n</html>\n";

fn head(title: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{} – lookalike</title>\n<link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" href=\"style.css\">\n\
         <link rel=\"stylesheet\" href=\"labelling.css\">\n<script src=\"labelling.js\" defer></script>\n</head>\n<body>\n<main>\n",
        escaped(title)
    )
}

/// A form with buttons, each with the key that presses it.
fn buttons(at: usize, buttons: &[(&str, &str)], out: &mut String) {
    let _ = write!(
        out,
        "<form method=\"post\" action=\"answer\" class=\"answers\"><input type=\"hidden\" name=\"at\" value=\"{at}\">"
    );
    for (key, name) in buttons {
        let disabled = if *key == "b" && at == 0 { " disabled" } else { "" };
        let _ = write!(out, "<button name=\"answer\" value=\"{key}\"{disabled}>{name} <kbd>{key}</kbd></button>");
    }
    out.push_str("</form>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_texts_stay_text() {
        let evil = "</p><script>alert(1)</script>\" onload=x";
        let pair = PairCard {
            ids: [(evil.to_string(), String::new()), ("b".to_string(), String::new())],
            similarity: "0.5".to_string(),
            texts: [evil.to_string(), "plain".to_string()],
        };
        for page in
            [question_page(&pair, 0, 2, evil), answered_page(2, evil, 9), ended_page(1, evil), failed_page(evil)]
        {
            assert_eq!(page.matches("<script").count(), 1, "{page}");
            assert!(!page.contains("alert(1)</script>"), "{page}");
        }
        assert!(question_page(&pair, 0, 2, "f").contains("value=\"b\" disabled"));
        assert!(!question_page(&pair, 1, 2, "f").contains("disabled"));
    }
}
