//! How does a person label pairs in a terminal?

use std::io::{BufRead, stdin};
use std::path::Path;

use lookalike_engine::{Error, Piece, Proposed, compare_two};
use lookalike_io::Output;
use lookalike_io::write::commit;

use crate::outcome::Outcome;
use crate::output::numbers::counted;
use crate::output::plain::plain;
use crate::output::stdout::print;

const HELP: &str = "y the same, n different, u unsure, d whole texts, b back (undo), q save and quit\n";
const OWN: (&str, &str) = ("\x1b[1;33m", "\x1b[0m");
const HEADER: &str = "a,b,label\n";

/// Asks about each pair and adds the answers to a CSV file, after every answer: nothing is lost however the session ends.
pub fn run(pairs: &[Proposed], path: &Path) -> Result<Outcome, Error> {
    let before = known_rows(path)?;
    print(format!("{}. {HELP}", counted(pairs.len() as u64, "pair")).as_bytes())?;
    let mut answers: Vec<char> = Vec::new();
    let mut lines = stdin().lock().lines();
    while let Some(pair) = pairs.get(answers.len()) {
        show(pair, answers.len() + 1, pairs.len())?;
        loop {
            print(b"same? ")?;
            let Some(Ok(line)) = lines.next() else { return finish(path, &before, pairs, &answers) };
            match line.trim().to_lowercase().as_str() {
                "y" | "yes" => answers.push('1'),
                "n" | "no" => answers.push('0'),
                "u" | "unsure" => answers.push('u'),
                "b" | "back" | "undo" if !answers.is_empty() => drop(answers.pop()),
                "b" | "back" | "undo" => {
                    print(b"this is the first pair\n")?;
                    continue;
                }
                "d" | "diff" => {
                    whole(pair)?;
                    continue;
                }
                "q" | "quit" => return finish(path, &before, pairs, &answers),
                _ => {
                    print(HELP.as_bytes())?;
                    continue;
                }
            }
            save(path, &before, pairs, &answers)?;
            break;
        }
    }
    finish(path, &before, pairs, &answers)
}

/// What is in the file already: its header and rows, or a header.
fn known_rows(path: &Path) -> Result<String, Error> {
    let is_csv = path.extension().is_some_and(|extension| extension == "csv");
    if !is_csv {
        return Err(Error::Usage(format!("{}: answers in the terminal go to a .csv file", path.display())));
    }
    if !path.exists() {
        return Ok(HEADER.to_string());
    }
    let text = std::fs::read_to_string(path)
        .map_err(|error| Error::Usage(format!("cannot read {}: {error}", path.display())))?;
    if text.lines().next().map(str::trim_end) != Some(HEADER.trim_end()) {
        return Err(Error::Usage(format!(
            "{}: answers can be added only to a file with the columns a,b,label; name another file",
            path.display()
        )));
    }
    Ok(if text.ends_with('\n') { text } else { text + "\n" })
}

fn save(path: &Path, before: &str, pairs: &[Proposed], answers: &[char]) -> Result<(), Error> {
    let mut output = Output::create(path)?;
    output.put(before.as_bytes())?;
    for (pair, answer) in pairs.iter().zip(answers) {
        output.put(format!("{},{},{answer}\n", field(&pair.a), field(&pair.b)).as_bytes())?;
    }
    Ok(commit(vec![output.finish()?])?)
}

fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_string() }
}

fn finish(path: &Path, before: &str, pairs: &[Proposed], answers: &[char]) -> Result<Outcome, Error> {
    if !answers.is_empty() {
        save(path, before, pairs, answers)?;
    }
    let all = counted(answers.len() as u64, "answer");
    print(format!("\n{all} in {}\n", path.display()).as_bytes())?;
    Ok(Outcome::Done)
}

/// Shows two texts with what only one of them has in colour.
fn show(pair: &Proposed, number: usize, all: usize) -> Result<(), Error> {
    let (pieces, _) = compare_two(&pair.texts[0], &pair.texts[1]);
    let mut out = format!("\n{number} of {all}  similarity {:.3}\n", pair.similarity);
    for (id, pieces) in [&pair.a, &pair.b].into_iter().zip(&pieces) {
        out += &format!("  {}\n    ", plain(id));
        for piece in pieces {
            match piece {
                Piece::Common(text) => out += &one_line(text),
                Piece::Own(text) => out += &format!("{}{}{}", OWN.0, one_line(text), OWN.1),
                Piece::Gap => out += " […] ",
            }
        }
        out.push('\n');
    }
    print(out.as_bytes())
}

/// Shows two texts as they are.
fn whole(pair: &Proposed) -> Result<(), Error> {
    let [one, two] = pair.texts.each_ref().map(|text| text.lines().map(plain).collect::<Vec<_>>().join("\n    "));
    print(format!("  {}\n    {one}\n  {}\n    {two}\n", plain(&pair.a), plain(&pair.b)).as_bytes())
}

fn one_line(text: &str) -> String {
    plain(&text.replace(['\n', '\r', '\t'], " "))
}
