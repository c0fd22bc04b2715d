//! A document as clients send it.

use std::cell::RefCell;
use std::ops::RangeInclusive;
use std::time::{SystemTime, UNIX_EPOCH};

use lookalike::SetMaker;
use lookalike::text::html::PageReader;
use serde::Deserialize;

use super::scalar::Scalar;
use super::{ApiError, Service};
use crate::stock::Incoming;

/// A document; of `text` and `html`, one.
#[derive(Deserialize)]
pub(super) struct Sent {
    id: Option<Scalar>,
    time: Option<Scalar>,
    text: Option<String>,
    html: Option<String>,
    url: Option<String>,
    source: Option<String>,
}

thread_local! {
    /// Memory for sets and pages, one a thread.
    static MAKERS: RefCell<Option<(SetMaker, PageReader)>> = const { RefCell::new(None) };
}

/// Characters of an id: one must fit into a URL, and others' verdicts tell of it.
const LONGEST_ID: usize = 1024;
/// Bytes of a document whose memory is not kept for the next.
const LARGE: usize = 1 << 20;

impl Service {
    /// What a client sent, ready to be judged.
    pub(super) fn read(&self, bytes: &[u8], needs_id: bool) -> Result<Incoming, ApiError> {
        let sent: Sent = serde_json::from_slice(bytes)
            .map_err(|error| ApiError::bad("bad_json", format!("this is not a document in JSON: {error}")))?;
        let id = match sent.id {
            Some(Scalar::Text(id)) if (1..=LONGEST_ID).contains(&id.chars().count()) => id,
            Some(Scalar::Number(id)) => id.to_string(),
            None if !needs_id => String::new(),
            _ => {
                let needed = format!("a document needs an id: a string of 1 to {LONGEST_ID} characters, or a number");
                return Err(ApiError::bad("bad_id", needed));
            }
        };
        let time = match &sent.time {
            None => now(),
            Some(value) => time(value).ok_or_else(|| {
                ApiError::bad("bad_time", "time is neither RFC 3339 nor a number of seconds in the years 0 to 9999")
            })?,
        };
        MAKERS.with_borrow_mut(|makers| {
            let (sets, pages) = makers.get_or_insert_with(|| (SetMaker::new(self.recipe), PageReader::new(self.page)));
            let text = match (sent.text, &sent.html) {
                (Some(text), None) => text,
                (None, Some(html)) => pages.read(html, sent.url.as_deref()).to_string(),
                _ => return Err(ApiError::bad("bad_text", "a document has a text or an html, a string, and not both")),
            };
            let set = sets.set(&text).to_vec();
            if bytes.len() > LARGE {
                *makers = None;
            }
            Ok(Incoming { id, time, source: sent.source, text, set })
        })
    }
}

/// The years 0 to 9999, in seconds. Milliseconds that were taken for seconds lie beyond, and would have the window forget all there is.
const TIMES: RangeInclusive<f64> = -62_167_219_200.0..=253_402_300_800.0;

fn time(value: &Scalar) -> Option<i64> {
    let (time, seconds) = match value {
        Scalar::Text(text) => {
            let time = lookalike_engine::milliseconds(text)?;
            (time, time as f64 / 1e3)
        }
        Scalar::Number(number) => (lookalike_engine::milliseconds(&number.to_string())?, number.as_f64()?),
        Scalar::Other => return None,
    };
    TIMES.contains(&seconds).then_some(time)
}

/// A document that does not say when it was is of now.
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}
