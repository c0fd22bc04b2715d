//! Which term does an image stand for under the paper's rule?

use super::super::site::host_of;

/// The term of an image's address: the whole address if it is on another host, the file name if it is on the page's
/// host. `None` if there is no file name.
pub(super) fn term<'a>(address: &'a str, page: Option<&str>) -> Option<&'a str> {
    let address = address.trim_ascii();
    let leads_elsewhere = match scheme_of(address) {
        Some("") => host_of(address) != page.and_then(host_of),
        // If there is a scheme but no host, as in `data:`, the address is the image.
        Some(_) => host_of(address).is_none_or(|host| Some(host) != page.and_then(host_of)),
        None => false,
    };
    let term = if leads_elsewhere { address } else { file_name(address) };
    Some(term).filter(|term| !term.is_empty())
}

/// Returns the text before the colon of an absolute address: empty for one that starts with its host, `None` for a
/// relative one.
fn scheme_of(address: &str) -> Option<&str> {
    if address.starts_with("//") {
        return Some("");
    }
    let (scheme, _) = address.split_once(':')?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    is_scheme.then_some(scheme)
}

fn file_name(address: &str) -> &str {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    path.rsplit('/').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_host() {
        let page = Some("http://www.example.org/a/b.html");
        assert_eq!(term("/img/logo.gif", page), Some("logo.gif"));
        assert_eq!(term("logo.gif?size=3#x", page), Some("logo.gif"));
        assert_eq!(term("HTTP://WWW.example.org:80/x/logo.gif", page), Some("logo.gif"));
        assert_eq!(term("//www.example.org/logo.gif", page), Some("logo.gif"));
        assert_eq!(term("http://img.example.org/logo.gif", page), Some("http://img.example.org/logo.gif"));
        assert_eq!(term("//cdn.net/logo.gif", page), Some("//cdn.net/logo.gif"));
        assert_eq!(term("data:image/gif;base64,R0", page), Some("data:image/gif;base64,R0"));
        assert_eq!(term("http://www.example.org/logo.gif", None), Some("http://www.example.org/logo.gif"));
        assert_eq!(term("img/logo.gif", None), Some("logo.gif"));
        for none in ["", "  ", "img/", "?x=1"] {
            assert_eq!(term(none, page), None);
        }
    }
}
