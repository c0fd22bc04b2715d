//! Turns a block into rows.

use super::blocks::{Block, Body};
use super::fields::{
    Fields, Lacking, Seen, Value, Values, find_site, join, names_of_header, names_of_line, push_within,
};
use super::json;
use super::lines::without_end;
use super::page::{Page, PageBody};
use super::recognise::decode_utf16;
use super::row::{Content, Row, sized_page, sized_text};
use super::warc::{Header, Kind, Payload};

/// Shows which fields a block has, for the message about a missing one.
enum First<'a> {
    /// Its first JSON line.
    Line(&'a [u8]),
    /// The header of its first record.
    Record(Header<'a>),
    /// The columns of the file, which were checked when it was opened.
    Columns,
    /// There are no fields.
    Plain,
}

const NAME_TEXT: &str = "Use --text to name the text field.";
const NAME_PAGE: &str = "Use --html to name the field of the page.";

/// Turns blocks into rows. It reuses its buffers, so keep one per thread.
pub struct RowReader {
    names: Vec<String>,
    texts: Vec<usize>,
    /// The fields other than the text that the user named.
    named: Vec<usize>,
    is_page: bool,
    url: Option<usize>,
    /// Whether the URL is the id of a document without an id field.
    called_by_url: bool,
    id: usize,
    key: Option<usize>,
    within: Vec<usize>,
    site: Option<usize>,
    max_document: usize,
    values: Values,
    joined: String,
    id_text: String,
    url_text: String,
    within_text: String,
    site_text: String,
    reason: String,
    payload: Payload,
    seen: Seen,
}

impl RowReader {
    /// A reader of these fields. A text over `max_document` bytes is unusable.
    pub fn new(fields: &Fields, max_document: usize) -> RowReader {
        let names = fields.names();
        let place = |name: &String| names.iter().position(|known| known == name).expect("a name among the names");
        RowReader {
            texts: fields.text.iter().map(place).collect(),
            named: fields.named(true).map(place).collect(),
            is_page: fields.is_page,
            url: fields.url.as_ref().map(place),
            called_by_url: fields.id.is_none(),
            id: place(fields.id_name()),
            key: fields.key.as_ref().map(place),
            within: fields.within.iter().map(place).collect(),
            site: fields.site.as_ref().map(place),
            names,
            max_document,
            values: Values::default(),
            joined: String::new(),
            id_text: String::new(),
            url_text: String::new(),
            within_text: String::new(),
            site_text: String::new(),
            reason: String::new(),
            payload: Payload::default(),
            seen: Seen::default(),
        }
    }

    /// Which fields the rows had since the last call.
    pub fn take_seen(&mut self) -> Seen {
        std::mem::take(&mut self.seen)
    }

    /// Calls `each` with every row of a block, in order, and with its bytes. A row of a Parquet file has no bytes of its own.
    pub fn for_each<E>(
        &mut self,
        block: &Block,
        each: impl FnMut(Row, Option<&[u8]>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.for_each_of(block, |_| true, each)
    }

    /// As [`RowReader::for_each`], but only with rows whose number is `wanted`. It asks once for each row, in order. Most formats need not read the
    /// others.
    pub fn for_each_of<E>(
        &mut self,
        block: &Block,
        mut wanted: impl FnMut(u64) -> bool,
        mut each: impl FnMut(Row, Option<&[u8]>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut first = None;
        let done = match &block.body {
            Body::Lines(lines) => lines.for_each(|number, line| {
                if !wanted(number) {
                    return Ok(());
                }
                let texts = self.texts.iter().max().map_or(0, |last| last + 1);
                let read = json::read_line(line, &self.names, texts, &mut self.values);
                if read.is_ok() && first.is_none() {
                    first = Some(First::Line(line));
                }
                each(self.row(number, read, Lacking::Json(line)), Some(line))
            }),
            Body::PlainLines(lines) => {
                first = Some(First::Plain);
                lines.for_each(|number, line| match wanted(number) {
                    true => each(self.plain(number, without_end(line)), Some(line)),
                    false => Ok(()),
                })
            }
            Body::Whole(_) | Body::Page(_) if !wanted(1) => Ok(()),
            Body::Whole(bytes) => {
                first = Some(First::Plain);
                each(self.whole(bytes), Some(bytes))
            }
            Body::Page(bytes) => {
                first = Some(First::Plain);
                let content = sized_page(PageBody::Bytes(bytes, None), None, self.max_document, &mut self.reason);
                each(
                    Row { number: 1, id: None, key: Value::Missing, within: "", url: None, site: None, content },
                    Some(bytes),
                )
            }
            Body::Warc(records) => records.for_each(|number, kind, raw, header, block| match header {
                _ if kind == Kind::Other || !wanted(number) => Ok(()),
                Some(header) => {
                    first.get_or_insert(First::Record(header));
                    each(self.record(number, kind, header, block), Some(raw))
                }
                None => each(self.row(number, Err(damage(kind).to_string()), Lacking::Columns), Some(raw)),
            }),
            Body::Columns(columns) => {
                first = Some(First::Columns);
                columns.for_each(|number, at| {
                    if !wanted(number) {
                        return Ok(());
                    }
                    columns.read(at, &mut self.values);
                    each(self.row(number, Ok(()), Lacking::Columns), None)
                })
            }
            Body::Records(records) => {
                first = Some(First::Columns);
                records.for_each(|number, raw, at| {
                    if !wanted(number) {
                        return Ok(());
                    }
                    let read = records.read(at, self.names.len(), &mut self.values);
                    each(self.row(number, read, Lacking::Csv), Some(raw))
                })
            }
        };
        self.note_seen(first);
        done
    }

    /// Records which fields the rows of a block had.
    fn note_seen(&mut self, first: Option<First>) {
        let mut found = self.values.take_seen();
        let Some(first) = first else { return };
        if let First::Columns = first {
            // A file that lacks a column the user named is refused when it is opened.
            found = vec![true; self.names.len()];
        }
        let is_found = |&field: &usize| found.get(field).copied().unwrap_or(false);
        // Only in JSON may a row lack the text. Files with columns are refused, and in others the text is no field.
        let has_text = !matches!(first, First::Line(_)) || self.texts.iter().any(is_found);
        let available = if has_text && self.texts.iter().chain(&self.named).all(is_found) {
            Vec::new()
        } else {
            match first {
                First::Line(line) => names_of_line(line),
                First::Record(header) => names_of_header(header),
                First::Columns | First::Plain => Vec::new(),
            }
        };
        self.seen.add(Seen { has_rows: true, has_text, found, available });
    }

    /// A row whose requested fields have been read. `lacking` explains a missing text.
    fn row(&mut self, number: u64, read: Result<(), String>, lacking: Lacking) -> Row<'_> {
        if let Err(reason) = read {
            self.reason = reason;
            return Row {
                number,
                id: None,
                key: Value::Missing,
                within: "",
                url: None,
                site: None,
                content: Content::Unreadable(&self.reason),
            };
        }
        self.url_text.clear();
        let url = self.url.and_then(|url| self.values.get(url).written());
        self.url_text.push_str(url.as_deref().unwrap_or_default());
        let has_id = self.find_id();
        let url = Some(&*self.url_text).filter(|url| !url.is_empty());
        let odd = push_within(&self.within, &self.values, &mut self.within_text);
        let site = find_site(self.site, &self.values, &mut self.site_text);
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
            Value::Text(text) if self.is_page => {
                sized_page(PageBody::Text(text), url, self.max_document, &mut self.reason)
            }
            Value::Text(text) => sized_text(text, self.max_document, &mut self.reason),
            // No text field is requested.
            Value::Missing if self.texts.is_empty() => Content::Unusable(""),
            Value::Missing => {
                let advice = if self.is_page { NAME_PAGE } else { NAME_TEXT };
                self.reason = lacking.explain(&text_names(&self.texts, &self.names), advice);
                Content::Unusable(&self.reason)
            }
            _ => {
                self.reason = format!("field '{}' is not a string", text_names(&self.texts, &self.names).join("', '"));
                Content::Unusable(&self.reason)
            }
        };
        Row { number, id: has_id.then_some(&*self.id_text), key, within: &self.within_text, url, site, content }
    }

    /// Finds the id of a row whose fields have been read. False if it has none.
    fn find_id(&mut self) -> bool {
        let id = self.values.get(self.id).written();
        let is_empty = id.as_ref().is_none_or(|id| id.is_empty());
        let url = Some(&*self.url_text).filter(|url| is_empty && self.called_by_url && !url.is_empty());
        let Some(id) = url.or(id.as_deref()) else { return false };
        self.id_text.clear();
        self.id_text.push_str(id);
        true
    }

    /// A record of a web archive. Its fields are the lines of its header.
    fn record<'a>(&'a mut self, number: u64, kind: Kind, header: Header, block: &[u8]) -> Row<'a> {
        self.values.clear(self.names.len());
        for (field, name) in self.names.iter().enumerate() {
            if let Some(value) = header.get(name) {
                self.values.set_text(field, &value);
            }
        }
        let url = match self.url {
            Some(url) => self.values.get(url).written(),
            None => header.get("WARC-Target-URI"),
        };
        self.url_text.clear();
        // Old archives put the URL in angle brackets.
        self.url_text.push_str(url.as_deref().unwrap_or_default().trim_matches(['<', '>']));
        let has_id = self.find_id();
        push_within(&self.within, &self.values, &mut self.within_text);
        let site = find_site(self.site, &self.values, &mut self.site_text);
        let read = match kind {
            Kind::TooLong(bytes) => Err(format!("the record has {bytes} bytes, more than --max-document allows")),
            _ => self.payload.read(header, block, self.max_document),
        };
        let url = Some(&*self.url_text).filter(|url| !url.is_empty());
        let content = match read {
            Ok(()) => {
                let (bytes, kind) = (self.payload.bytes(), Some(&*self.payload.content_type));
                let body =
                    if self.payload.is_page { PageBody::Bytes(bytes, kind) } else { PageBody::PlainBytes(bytes, kind) };
                Content::Page(Page { body, url })
            }
            Err(reason) => {
                self.reason = reason;
                Content::Unusable(&self.reason)
            }
        };
        let key = self.key.map_or(Value::Missing, |key| self.values.get(key));
        Row { number, id: has_id.then_some(&*self.id_text), key, within: &self.within_text, url, site, content }
    }

    /// A file that is one text, in UTF-8 or, with a byte order mark, in UTF-16.
    fn whole<'a>(&'a mut self, bytes: &'a [u8]) -> Row<'a> {
        if decode_utf16(bytes, &mut self.joined).is_none() {
            return self.plain(1, bytes);
        }
        let content = sized_text(&self.joined, self.max_document, &mut self.reason);
        Row { number: 1, id: None, key: Value::Missing, within: "", url: None, site: None, content }
    }

    /// A row that is plain text.
    fn plain<'a>(&'a mut self, number: u64, bytes: &'a [u8]) -> Row<'a> {
        let content = match str::from_utf8(bytes) {
            Ok(text) => sized_text(text, self.max_document, &mut self.reason),
            Err(error) => {
                self.reason = format!("invalid UTF-8 at byte {}", error.valid_up_to() + 1);
                Content::Unreadable(&self.reason)
            }
        };
        Row { number, id: None, key: Value::Missing, within: "", url: None, site: None, content }
    }
}

fn damage(kind: Kind) -> &'static str {
    match kind {
        Kind::Damaged(reason) => reason,
        _ => "the record has no header",
    }
}

fn text_names<'a>(texts: &[usize], names: &'a [String]) -> Vec<&'a str> {
    texts.iter().map(|&text| names[text].as_str()).collect()
}
