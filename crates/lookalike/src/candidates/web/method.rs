//! Which of the paper's algorithms decides?

use std::fmt;
use std::str::FromStr;

use crate::names::NameError;

/// Which pages are near-duplicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WebMethod {
    /// Those that share super-shingles.
    B,
    /// Those whose simhashes agree.
    C,
    /// Those that share super-shingles and whose simhashes agree a little less.
    Combined,
    /// On different sites C's, on the same site the combined algorithm's.
    BySite,
}

impl WebMethod {
    /// All of them.
    pub const ALL: [WebMethod; 4] = [WebMethod::B, WebMethod::C, WebMethod::Combined, WebMethod::BySite];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            WebMethod::B => "b",
            WebMethod::C => "c",
            WebMethod::Combined => "combined",
            WebMethod::BySite => "by-site",
        }
    }
}

impl fmt::Display for WebMethod {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for WebMethod {
    type Err = NameError;

    fn from_str(name: &str) -> Result<WebMethod, NameError> {
        let known = WebMethod::ALL.into_iter().find(|method| method.name() == name);
        known.ok_or_else(|| NameError::new(name, WebMethod::ALL.map(WebMethod::name)))
    }
}
