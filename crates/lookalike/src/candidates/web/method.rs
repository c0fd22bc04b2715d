//! Which of the paper's algorithms is used?

use std::fmt;
use std::str::FromStr;

use crate::names::NameError;

/// Which pages are near-duplicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WebMethod {
    /// Pages that share super-shingles.
    B,
    /// Pages whose simhashes agree.
    C,
    /// Pages that share super-shingles and whose simhashes agree in slightly fewer bits.
    Combined,
    /// C for pages of different sites, the combined algorithm for pages of the same site.
    BySite,
}

impl WebMethod {
    /// All methods.
    pub const ALL: [WebMethod; 4] = [WebMethod::B, WebMethod::C, WebMethod::Combined, WebMethod::BySite];

    /// Returns the name of the method.
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
