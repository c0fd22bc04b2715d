//! Which files does the page at `/` have, and how is the service protected from other sites?
//!
//! The page is made of static files without data. It is served without the token, and asks the user for it. Documents come to it as JSON,
//! and are never inserted as markup. The content security policy of every response would prevent scripts in them anyway.

use std::net::{IpAddr, SocketAddr};

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::errors::ApiError;
use super::service::Service;

const FILES: [(&str, &str, &str); 7] = [
    ("/", "text/html; charset=utf-8", include_str!("../../page/index.html")),
    ("/page/page.css", "text/css; charset=utf-8", include_str!("../../page/page.css")),
    ("/page/page.js", "text/javascript; charset=utf-8", include_str!("../../page/page.js")),
    ("/page/feed.js", "text/javascript; charset=utf-8", include_str!("../../page/feed.js")),
    ("/page/charts.js", "text/javascript; charset=utf-8", include_str!("../../page/charts.js")),
    ("/page/pair.js", "text/javascript; charset=utf-8", include_str!("../../page/pair.js")),
    ("/page/icon.svg", "image/svg+xml", include_str!("../../page/icon.svg")),
];

/// A browser may only run and show files of this service, and only connect to it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

pub(super) fn routes() -> Router<Service> {
    FILES.into_iter().fold(Router::new(), |router, (path, kind, file)| {
        let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")];
        router.route(path, get(move || async move { (headers, file) }))
    })
}

impl Service {
    /// Sets the address on which the service listens.
    pub(super) fn at(mut self, address: SocketAddr) -> Service {
        self.is_local = address.ip().is_loopback();
        self
    }
}

/// Refuses requests that pages of other sites make through a browser, and adds the security headers to every response.
pub(super) async fn protect(State(service): State<Service>, request: Request, next: Next) -> Response {
    let is_local = service.is_local && !service.has_token();
    let refused = bad_host(&request).or_else(|| foreign(request.headers(), is_local));
    let mut response = match refused {
        Some(error) => error.into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // Documents must not stay in caches.
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// HTTP/1.1 requires exactly one `Host`. With two, a proxy might check one of them and this service the other.
pub(crate) fn bad_host(request: &Request) -> Option<ApiError> {
    let hosts = request.headers().get_all(header::HOST).iter().count();
    let is_bad = hosts > 1 || hosts == 0 && request.version() >= Version::HTTP_11;
    is_bad.then(|| ApiError::bad("bad_host", format!("a request must have one Host header, and this one has {hosts}")))
}

/// An error if the request comes from a page of another site. A browser sends the origin of the page that posts something. `Host` reveals
/// a foreign name that resolves to this machine (DNS rebinding).
pub(crate) fn foreign(headers: &HeaderMap, is_local: bool) -> Option<ApiError> {
    let host = headers.get(header::HOST).map(HeaderValue::as_bytes);
    if is_local && host.is_some_and(|host| !std::str::from_utf8(host).is_ok_and(is_this_machine)) {
        let message = "without a token, use localhost or an IP address to reach this service";
        return Some(ApiError::new(StatusCode::FORBIDDEN, "foreign_host", message));
    }
    let origin = headers.get(header::ORIGIN)?.as_bytes();
    let from = origin.strip_prefix(b"http://").or_else(|| origin.strip_prefix(b"https://"));
    let is_own = from.zip(host).is_some_and(|(from, host)| from.eq_ignore_ascii_case(host));
    let message = "pages of other origins may not use this service";
    (!is_own).then(|| ApiError::new(StatusCode::FORBIDDEN, "foreign_origin", message))
}

/// Whether a host is an IP address, or a name that every browser resolves to this machine.
fn is_this_machine(host: &str) -> bool {
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let name = host.rsplit_once(':').filter(|(_, port)| is_port(port)).map_or(host, |(name, _)| name);
    let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    let name = name.to_ascii_lowercase();
    address.parse::<IpAddr>().is_ok() || name == "localhost" || name.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_this_machine() {
        for host in
            ["localhost", "LOCALHOST:7878", "127.0.0.1:7878", "127.1.2.3", "[::1]:7878", "[::1]", "news.localhost:1"]
        {
            assert!(is_this_machine(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "evil.example:7878",
            "localhost.evil.example",
            "evil-localhost",
            "127.0.0.1.nip.io",
            ":7878",
        ] {
            assert!(!is_this_machine(host), "{host}");
        }
    }
}
