//! Where do the answers of a person go?

use std::path::{Path, PathBuf};

use lookalike_engine::{Error, Proposed};
use lookalike_io::Output;
use lookalike_io::write::commit_and_go_on;

const HEADER: &str = "a,b,label\n";

/// Pairs with answers so far, and the file that has them: a CSV file that is written after every answer, so that nothing is lost however the
/// session ends.
pub struct Answers {
    pub pairs: Vec<Proposed>,
    pub path: PathBuf,
    /// The contents of the file before.
    before: String,
    given: Vec<char>,
}

impl Answers {
    /// Begins a session. Answers are added to a file that exists.
    pub fn begin(pairs: Vec<Proposed>, path: &Path) -> Result<Answers, Error> {
        Ok(Answers { pairs, path: path.to_path_buf(), before: known_rows(path)?, given: Vec::new() })
    }

    /// How many pairs have an answer.
    pub fn len(&self) -> usize {
        self.given.len()
    }

    /// The pair to ask about, if one is left.
    pub fn next(&self) -> Option<&Proposed> {
        self.pairs.get(self.given.len())
    }

    /// Adds an answer: 1, 0 or u.
    pub fn give(&mut self, answer: char) -> Result<(), Error> {
        self.given.push(answer);
        let saved = self.save();
        if saved.is_err() {
            self.given.pop();
        }
        saved
    }

    /// Takes the last answer back. False if there is none.
    pub fn undo(&mut self) -> Result<bool, Error> {
        let Some(last) = self.given.pop() else { return Ok(false) };
        let saved = self.save();
        if saved.is_err() {
            self.given.push(last);
        }
        saved.map(|()| true)
    }

    fn save(&self) -> Result<(), Error> {
        let mut output = Output::create(&self.path)?;
        output.put(self.before.as_bytes())?;
        for (pair, answer) in self.pairs.iter().zip(&self.given) {
            output.put(format!("{},{},{answer}\n", field(&pair.a), field(&pair.b)).as_bytes())?;
        }
        // Until the session ends, Ctrl-C must end it.
        Ok(commit_and_go_on(vec![output.finish()?])?)
    }
}

/// The current contents of the file, its header and rows, or a new header.
fn known_rows(path: &Path) -> Result<String, Error> {
    let is_csv = path.extension().is_some_and(|extension| extension == "csv");
    if !is_csv {
        return Err(Error::Usage(format!("{}: answers go to a .csv file", path.display())));
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

fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_string() }
}
