//! Which document does a client send, and is it valid?

use std::ops::RangeInclusive;
use std::time::{SystemTime, UNIX_EPOCH};

use lookalike_io::extract::Extracted;
use lookalike_io::{Content, Page, PageBody};

use super::extractors::Extractors;
use super::fields::{Names, Sent};
use super::scalar::Scalar;
use crate::api::errors::ApiError;
use crate::store::Incoming;

/// The maximum length of an id in characters: it must fit into a URL, and appears in the verdicts of other documents.
const LONGEST_ID: usize = 1024;
/// Documents of at least this many bytes are read on another thread, so that they do not hold up requests. Switching threads costs as
/// much as a few kilobytes.
pub(in crate::api) const LONG: usize = 64 << 10;

/// Parses a document and makes its set.
pub(in crate::api) fn read_document(
    bytes: &[u8],
    needs_id: bool,
    fields: &Names,
    extractors: &Extractors,
) -> Result<Incoming, ApiError> {
    let names = &fields.of;
    let mut sent = Sent::read(bytes, fields)?;
    let id = match sent.get(&names.id) {
        Some(Scalar::Text(id)) if (1..=LONGEST_ID).contains(&id.chars().count()) => id.clone(),
        Some(Scalar::Number(id)) => id.to_string(),
        None if !needs_id => String::new(),
        _ => {
            let needed = format!("a document needs an id: a string of 1 to {LONGEST_ID} characters, or a number");
            return Err(ApiError::bad("bad_id", needed));
        }
    };
    let time = match sent.get(&names.time) {
        None => now(),
        Some(value) => time(value).ok_or_else(|| {
            ApiError::bad("bad_time", "time is neither RFC 3339 nor a number of seconds in the years 0 to 9999")
        })?,
    };
    let source = sent.take_text(&names.source)?;
    let url = sent.take_text(&names.url)?;
    let html = names.html.as_ref().map_or(Ok(None), |html| sent.take_text(html))?;
    let text = text(&mut sent, &names.text)?;
    let content = match (&text, &html) {
        (Some(text), None) => Content::Text(text),
        (None, Some(html)) => Content::Page(Page { body: PageBody::Text(html), url: url.as_deref() }),
        _ => return Err(ApiError::bad("bad_text", fields.needed())),
    };
    extractors.with(bytes.len(), |extractor| match extractor.extract_content(&content, url.as_deref()) {
        Extracted::Document(mut document) => {
            let set = document.set().to_vec();
            Ok(Incoming { id, time, source, text: document.text.to_string(), set })
        }
        Extracted::Unusable(reason) | Extracted::Unreadable(reason) => Err(ApiError::bad("bad_text", reason)),
    })
}

/// Joins several fields to one text, without those that are missing. `None` if all are.
fn text(sent: &mut Sent, fields: &[String]) -> Result<Option<String>, ApiError> {
    let mut joined: Option<String> = None;
    for field in fields {
        match (&mut joined, sent.take_text(field)?) {
            (Some(joined), Some(text)) => {
                joined.push('\n');
                joined.push_str(&text);
            }
            (None, Some(text)) => joined = Some(text),
            (_, None) => (),
        }
    }
    Ok(joined)
}

/// The years 0 to 9999, in Unix seconds. Milliseconds sent by mistake lie outside; accepted, they would expire the whole window.
const TIMES: RangeInclusive<f64> = -62_167_219_200.0..=253_402_300_800.0;

fn time(value: &Scalar) -> Option<i64> {
    let (time, seconds) = match value {
        Scalar::Text(text) => {
            let time = lookalike_io::read::milliseconds(text)?;
            (time, time as f64 / 1e3)
        }
        Scalar::Number(number) => (lookalike_io::read::milliseconds(&number.to_string())?, number.as_f64()?),
        Scalar::Other => return None,
    };
    TIMES.contains(&seconds).then_some(time)
}

/// The time of a document that has none.
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}
