//! A document as clients send it, made ready to be judged.

use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::time::{SystemTime, UNIX_EPOCH};

use lookalike_io::{Page, PageBody};

use super::fields::Sent;
use super::scalar::Scalar;
use super::{ApiError, Service};
use crate::stock::Incoming;

/// Characters of an id: one must fit into a URL, and others' verdicts tell of it.
const LONGEST_ID: usize = 1024;
/// Bytes of a document from which on it is read on a thread of its own: those that answer requests must not be held up for long, and to
/// change threads costs about what a few kilobytes do.
pub(super) const LONG: usize = 64 << 10;

impl Service {
    /// What a client sent, ready to be judged.
    pub(super) async fn read(&self, bytes: Cow<'_, [u8]>, needs_id: bool) -> Result<Incoming, ApiError> {
        if bytes.len() < LONG {
            return self.read_here(&bytes, needs_id);
        }
        let (service, bytes) = (self.clone(), bytes.into_owned());
        self.aside(move || service.read_here(&bytes, needs_id)).await?
    }

    fn read_here(&self, bytes: &[u8], needs_id: bool) -> Result<Incoming, ApiError> {
        let names = &self.names.of;
        let mut sent = Sent::read(bytes, &self.names)?;
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
        self.makers.with(bytes.len(), |maker| {
            let text = match (text, html) {
                (Some(text), None) => text,
                (None, Some(html)) => {
                    maker.pages.read(&Page { body: PageBody::Text(&html), url: url.as_deref() }).to_string()
                }
                _ => return Err(ApiError::bad("bad_text", self.names.needed())),
            };
            let set = maker.sets.set(&text).to_vec();
            Ok(Incoming { id, time, source, text, set })
        })
    }
}

/// Several fields as one text; those that are missing are left out, unless all are.
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

/// The years 0 to 9999, in seconds. Milliseconds that were taken for seconds lie beyond, and would have the window forget all there is.
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

/// A document that does not say when it was is of now.
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}
