//! How does a person label pairs in a terminal?

use std::io::{BufRead, stdin};

use lookalike_engine::{Error, Piece, Proposed, compare_two};

use super::answers::Answers;
use crate::outcome::Outcome;
use crate::output::numbers::counted;
use crate::output::plain::plain;
use crate::output::stdout::print;

const HELP: &str = "y the same, n different, u unsure, d whole texts, b back (undo), q save and quit\n";
const OWN: (&str, &str) = ("\x1b[1;33m", "\x1b[0m");

/// Asks about each pair, until all have an answer or the person stops.
pub fn run(mut answers: Answers) -> Result<Outcome, Error> {
    let all = answers.pairs.len();
    print(format!("{}. {HELP}", counted(all as u64, "pair")).as_bytes())?;
    let mut lines = stdin().lock().lines();
    while let Some(pair) = answers.next() {
        show(pair, answers.len() + 1, all)?;
        loop {
            print(b"same? ")?;
            let Some(Ok(line)) = lines.next() else { return finish(&answers) };
            match line.trim().to_lowercase().as_str() {
                "y" | "yes" => answers.give('1')?,
                "n" | "no" => answers.give('0')?,
                "u" | "unsure" => answers.give('u')?,
                "b" | "back" | "undo" => {
                    if !answers.undo()? {
                        print(b"this is the first pair\n")?;
                        continue;
                    }
                }
                "d" | "diff" => {
                    answers.next().map_or(Ok(()), whole)?;
                    continue;
                }
                "q" | "quit" => return finish(&answers),
                _ => {
                    print(HELP.as_bytes())?;
                    continue;
                }
            }
            break;
        }
    }
    finish(&answers)
}

fn finish(answers: &Answers) -> Result<Outcome, Error> {
    let all = counted(answers.len() as u64, "answer");
    print(format!("\n{all} in {}\n", answers.path.display()).as_bytes())?;
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
