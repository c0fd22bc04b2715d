use super::blocks::{Block, Body};
use super::jsonl;
use super::lines::without_end;
use super::values::{Value, Values};

/// Which fields of a row mean what.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    /// The text, of several fields one after another.
    pub text: Vec<String>,
    /// The id; by default a field `id`, if there is one.
    pub id: Option<String>,
    /// The value that decides who is kept.
    pub key: Option<String>,
    /// Those that documents must agree in to be compared.
    pub within: Vec<String>,
}

impl Fields {
    /// Every field once: the text, then the id, then the others.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for name in self.text.iter().chain([self.id_name()]).chain(&self.key).chain(&self.within) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }

    fn id_name(&self) -> &String {
        static DEFAULT: std::sync::LazyLock<String> = std::sync::LazyLock::new(|| "id".to_string());
        self.id.as_ref().unwrap_or(&DEFAULT)
    }

    /// Whether the user asked for this field by name, so that a file with columns must have it (the key only if it is an input).
    pub(super) fn is_required(&self, name: &str, is_input: bool) -> bool {
        let key = self.key.as_ref().filter(|_| is_input);
        self.text.iter().chain(&self.id).chain(key).chain(&self.within).any(|field| field == name)
    }
}

/// A row of a file.
#[derive(Debug)]
pub struct Row<'a> {
    /// Which one, counting from 1: lines for JSON lines and plain lines, records behind the header for CSV.
    pub number: u64,
    /// The user's id, if the row has one.
    pub id: Option<&'a str>,
    /// The value that decides who is kept.
    pub key: Value<'a>,
    /// The values that documents must agree in to be compared: the same text if they are written the same, whatever their types.
    pub within: &'a str,
    /// What it says.
    pub content: Content<'a>,
}

/// What a row says.
#[derive(Debug)]
pub enum Content<'a> {
    /// A document.
    Text(&'a str),
    /// A document without a text that can be compared, and why.
    Unusable(&'a str),
    /// No document, and why.
    Unreadable(&'a str),
}

/// Turns blocks into rows, in memory that it keeps; one a thread.
pub struct RowReader {
    names: Vec<String>,
    texts: Vec<usize>,
    id: usize,
    key: Option<usize>,
    within: Vec<usize>,
    max_document: usize,
    values: Values,
    joined: String,
    id_text: String,
    within_text: String,
    reason: String,
}

impl RowReader {
    /// A reader of these fields; a text over `max_document` bytes is not compared.
    pub fn new(fields: &Fields, max_document: usize) -> RowReader {
        let names = fields.names();
        let place = |name: &String| names.iter().position(|known| known == name).expect("a name among the names");
        RowReader {
            texts: fields.text.iter().map(place).collect(),
            id: place(fields.id_name()),
            key: fields.key.as_ref().map(place),
            within: fields.within.iter().map(place).collect(),
            names,
            max_document,
            values: Values::default(),
            joined: String::new(),
            id_text: String::new(),
            within_text: String::new(),
            reason: String::new(),
        }
    }

    /// Calls `each` with every row of a block, in order, and with its bytes if it has some of its own.
    pub fn for_each<E>(
        &mut self,
        block: &Block,
        mut each: impl FnMut(Row, Option<&[u8]>) -> Result<(), E>,
    ) -> Result<(), E> {
        match &block.body {
            Body::Lines(lines) => lines.for_each(|number, line| {
                let texts = self.texts.iter().max().map_or(0, |last| last + 1);
                let read = jsonl::read(line, &self.names, texts, &mut self.values);
                each(self.row(number, read), Some(line))
            }),
            Body::PlainLines(lines) => {
                lines.for_each(|number, line| each(self.plain(number, without_end(line)), Some(line)))
            }
            Body::Whole(bytes) => each(self.plain(1, bytes), Some(bytes)),
            Body::Columns(columns) => columns.for_each(|number, at| {
                columns.read(at, &mut self.values);
                each(self.row(number, Ok(())), None)
            }),
            Body::Records(records) => records.for_each(|number, raw, at| {
                let read = records.read(at, self.names.len(), &mut self.values);
                each(self.row(number, read), Some(raw))
            }),
        }
    }

    /// A row whose wanted fields have been read.
    fn row(&mut self, number: u64, read: Result<(), String>) -> Row<'_> {
        if let Err(reason) = read {
            self.reason = reason;
            return Row {
                number,
                id: None,
                key: Value::Missing,
                within: "",
                content: Content::Unreadable(&self.reason),
            };
        }
        let id = self.values.get(self.id).written();
        self.id_text.clear();
        self.id_text.push_str(id.as_deref().unwrap_or_default());
        let has_id = id.is_some();
        let odd = push_within(&self.within, &self.values, &mut self.within_text);
        let key = self.key.map_or(Value::Missing, |key| self.values.get(key));
        let content = match self.texts[..] {
            [text] => self.values.get(text),
            _ => join(&self.texts, &self.values, &mut self.joined),
        };
        let content = match content {
            _ if odd.is_some() => {
                let name = odd.map_or("", |odd| &self.names[odd]);
                self.reason = format!("field '{name}' is neither a string nor a number");
                Content::Unusable(&self.reason)
            }
            Value::Text(text) if text.len() > self.max_document => {
                self.reason = format!("the text has {} bytes, over --max-document", text.len());
                Content::Unusable(&self.reason)
            }
            Value::Text(text) => Content::Text(text),
            Value::Missing => {
                self.reason = format!("no field '{}'", name_list(&self.texts, &self.names));
                Content::Unusable(&self.reason)
            }
            _ => {
                self.reason = format!("field '{}' is not a string", name_list(&self.texts, &self.names));
                Content::Unusable(&self.reason)
            }
        };
        Row { number, id: has_id.then_some(&*self.id_text), key, within: &self.within_text, content }
    }

    /// A row that is its text.
    fn plain<'a>(&'a mut self, number: u64, bytes: &'a [u8]) -> Row<'a> {
        let content = match str::from_utf8(bytes) {
            Ok(text) if text.len() > self.max_document => {
                self.reason = format!("the text has {} bytes, over --max-document", text.len());
                Content::Unusable(&self.reason)
            }
            Ok(text) => Content::Text(text),
            Err(error) => {
                self.reason = format!("invalid UTF-8 at byte {}", error.valid_up_to() + 1);
                Content::Unreadable(&self.reason)
            }
        };
        Row { number, id: None, key: Value::Missing, within: "", content }
    }
}

/// Several fields as one text; those that are missing are left out, unless all are.
fn join<'a>(texts: &[usize], values: &Values, joined: &'a mut String) -> Value<'a> {
    joined.clear();
    let mut found = false;
    for &text in texts {
        match values.get(text) {
            Value::Text(text) => {
                if found {
                    joined.push('\n');
                }
                joined.push_str(text);
                found = true;
            }
            Value::Missing => {}
            _ => return Value::Other,
        }
    }
    if found { Value::Text(joined) } else { Value::Missing }
}

/// Several values as one text, from which each could be told again: its length and itself, or a dash for one that is missing. Returns
/// the field, if there is one, whose value is not plain.
fn push_within(fields: &[usize], values: &Values, out: &mut String) -> Option<usize> {
    out.clear();
    let mut odd = None;
    for &field in fields {
        match values.get(field) {
            Value::Missing => out.push('-'),
            value => match value.written() {
                Some(text) => {
                    out.push_str(&format!("{}:", text.len()));
                    out.push_str(&text);
                }
                None => odd = odd.or(Some(field)),
            },
        }
    }
    odd
}

fn name_list(texts: &[usize], names: &[String]) -> String {
    texts.iter().map(|&text| names[text].as_str()).collect::<Vec<_>>().join("', '")
}
