//! Which site does a page belong to?
//!
//! There is no exact definition. The paper's rule removes the first name of a host. The public suffix list has the
//! names under which anyone can register (`co.uk`, `github.io`), and so shows where a site starts.

use std::borrow::Cow;
use std::fmt;
use std::net::Ipv4Addr;
use std::str::FromStr;

use crate::names::NameError;

/// How a page's site is found.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum SiteRule {
    /// The registered name, by the public suffix list: `cs.berkeley.edu` and `www.berkeley.edu` belong to
    /// `berkeley.edu`.
    #[default]
    Registered,
    /// Henzinger's rule: the host if it has at most one dot, otherwise the host without its first name.
    Paper,
    /// A field of the row names the site.
    Field(String),
}

impl SiteRule {
    /// Returns the site of an address, or `None` if it has no host or the rule does not use addresses.
    ///
    /// ```
    /// use lookalike::engine::SiteRule;
    /// let site = |rule: SiteRule, url| rule.of_url(url).map(|site| site.into_owned());
    /// assert_eq!(site(SiteRule::Paper, "www.cs.berkeley.edu/index.html").unwrap(), "cs.berkeley.edu");
    /// assert_eq!(site(SiteRule::Registered, "https://news.bbc.co.uk/1/hi").unwrap(), "bbc.co.uk");
    /// ```
    pub fn of_url<'a>(&self, url: &'a str) -> Option<Cow<'a, str>> {
        if matches!(self, SiteRule::Field(_)) {
            return None;
        }
        let host = host_of(url)?.0;
        let host = host.strip_suffix('.').unwrap_or(host);
        let host = if host.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(host.to_ascii_lowercase())
        } else {
            Cow::Borrowed(host)
        };
        let start = self.start_in(&host);
        Some(match host {
            Cow::Borrowed(host) => Cow::Borrowed(&host[start..]),
            Cow::Owned(mut host) => Cow::Owned(host.split_off(start)),
        })
    }

    /// Returns where the site starts in a host.
    fn start_in(&self, host: &str) -> usize {
        if host.starts_with('[') || host.parse::<Ipv4Addr>().is_ok() {
            return 0;
        }
        match self {
            // A host that is itself a public suffix is its own site.
            SiteRule::Registered => psl::domain_str(host).map_or(0, |site| host.len() - site.len()),
            SiteRule::Paper if host.matches('.').nth(1).is_some() => host.find('.').map_or(0, |dot| dot + 1),
            SiteRule::Paper | SiteRule::Field(_) => 0,
        }
    }
}

impl FromStr for SiteRule {
    type Err = NameError;

    fn from_str(text: &str) -> Result<SiteRule, NameError> {
        match text.split_once(':') {
            Some(("field", name)) if !name.is_empty() => Ok(SiteRule::Field(name.to_string())),
            None if text == "registered" => Ok(SiteRule::Registered),
            None if text == "paper" => Ok(SiteRule::Paper),
            _ => Err(NameError::new(text, ["registered", "paper", "field:NAME"])),
        }
    }
}

impl fmt::Display for SiteRule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            SiteRule::Registered => f.write_str("registered"),
            SiteRule::Paper => f.write_str("paper"),
            SiteRule::Field(name) => write!(f, "field:{name}"),
        }
    }
}

/// Returns a host's name, ignoring case.
#[derive(Clone, Copy, Debug)]
pub(super) struct Host<'a>(&'a str);

impl PartialEq for Host<'_> {
    fn eq(&self, other: &Host) -> bool {
        self.0.eq_ignore_ascii_case(other.0)
    }
}

/// Returns the host of an address, without user and port. The scheme may be missing.
pub(super) fn host_of(url: &str) -> Option<Host<'_>> {
    let url = url.trim_ascii();
    let behind_scheme = match url.find("//") {
        Some(at) if at == 0 || url[..at].ends_with(':') => &url[at + 2..],
        _ => url,
    };
    let authority = behind_scheme.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let end = match host.find(']') {
        Some(bracket) if host.starts_with('[') => bracket + 1,
        _ => host.find(':').unwrap_or(host.len()),
    };
    let host = &host[..end];
    // An address without a scheme has a host only if it looks like one; `data:` has none.
    let is_host = !host.is_empty() && (behind_scheme.len() < url.len() || host.contains('.'));
    is_host.then_some(Host(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(rule: &SiteRule, url: &str) -> String {
        rule.of_url(url).map_or("none".to_string(), Cow::into_owned)
    }

    #[test]
    fn by_the_papers_rule() {
        for (url, expected) in [
            ("www.cs.berkeley.edu/index.html", "cs.berkeley.edu"),
            ("http://berkeley.edu", "berkeley.edu"),
            ("http://www.berkeley.edu/", "berkeley.edu"),
            ("http://www.bbc.co.uk/", "bbc.co.uk"),
            ("http://bbc.co.uk/", "co.uk"),
            ("http://localhost:8080/x", "localhost"),
            ("http://192.168.0.1/", "192.168.0.1"),
            ("http://[::1]:80/", "[::1]"),
            ("HTTP://User:Pass@WWW.Example.ORG.:80?q#f", "example.org"),
        ] {
            assert_eq!(site(&SiteRule::Paper, url), expected, "{url}");
        }
    }

    #[test]
    fn by_the_public_suffix_list() {
        for (url, expected) in [
            ("www.cs.berkeley.edu/index.html", "berkeley.edu"),
            ("http://bbc.co.uk/", "bbc.co.uk"),
            ("http://www.news.BBC.co.uk/", "bbc.co.uk"),
            ("https://someone.github.io/a", "someone.github.io"),
            ("https://github.io/a", "github.io"),
            ("http://a.b.invalid/", "b.invalid"),
            ("http://localhost/", "localhost"),
            ("http://10.1.2.3/", "10.1.2.3"),
        ] {
            assert_eq!(site(&SiteRule::Registered, url), expected, "{url}");
        }
    }

    #[test]
    fn what_has_no_site() {
        for none in ["", "  ", "data:image/gif;base64,R0", "mailto:someone", "http:///path", "file:///x/y", "/a/b", "x"]
        {
            assert_eq!(site(&SiteRule::Registered, none), "none", "{none}");
        }
        assert_eq!(SiteRule::Field("s".into()).of_url("http://a.org"), None);
    }

    #[test]
    fn written_and_read() {
        for text in ["registered", "paper", "field:site", "field:a:b"] {
            assert_eq!(text.parse::<SiteRule>().unwrap().to_string(), text);
        }
        for wrong in ["", "field", "field:", "host", "paper:x"] {
            assert!(wrong.parse::<SiteRule>().is_err());
        }
    }
}
