//! The page, the security headers, and requests from other sites.

use super::client::Running;
use super::{FERRY, document};

#[test]
fn the_page_and_its_files() {
    let service = Running::start(Some("secret"));
    let page = service.get("/");
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
    let page = page.text();
    let files: Vec<&str> = page.split('"').filter(|part| part.starts_with("/page/")).collect();
    assert!(files.len() >= 3);
    for file in files {
        let answer = service.get(file);
        assert_eq!((answer.status, answer.header("cache-control")), (200, "no-cache"), "{file}");
    }
    // No inline scripts or styles, and nothing from other sites.
    for never in ["<style", "style=", "onclick", "onload", "http://", "https://", "javascript:"] {
        assert!(!page.contains(never), "{never}");
    }
    assert_eq!(page.matches("<script").count(), page.matches("<script type=\"module\" src=\"/page/").count());
}

#[test]
fn scripts_never_insert_markup() {
    let service = Running::start(None);
    for file in ["page.js", "feed.js", "charts.js", "pair.js"] {
        let script = service.get(&format!("/page/{file}")).text();
        assert!(script.len() > 500);
        for never in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "Function(",
            "DOMParser",
            "setHTML",
        ] {
            assert!(!script.contains(never), "{file}: {never}");
        }
    }
}

#[test]
fn every_response_has_the_headers() {
    let service = Running::start(None);
    service.post("/v1/documents", &document("a", "<script>1</script>", 1000)).ok();
    let lines = "{}\n";
    for answer in [
        service.get("/"),
        service.get("/page/page.js"),
        service.get("/v1/documents/a"),
        service.get("/v1/stats"),
        service.get("/metrics"),
        service.get("/healthz"),
        service.get("/nothing"),
        service.get("/v1/documents"),
        service.post_text("/v1/documents", "nonsense"),
        service.post_lines("/v1/documents", lines),
        service.send("POST", "/v1/documents", "Host: localhost\r\nOrigin: http://evil.example\r\n", "{}"),
    ] {
        let policy = answer.header("content-security-policy");
        for rule in [
            "default-src 'none'",
            "script-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        ] {
            assert!(policy.contains(rule), "{policy}");
        }
        assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("referrer-policy"), "no-referrer");
        assert_eq!(answer.header("cross-origin-resource-policy"), "same-origin");
        assert!(["no-store", "no-cache"].contains(&answer.header("cache-control")));
        assert_eq!(answer.header("access-control-allow-origin"), "");
    }
}

#[test]
fn a_page_of_another_origin_posts_nothing() {
    let service = Running::start(None);
    let body = document("a", FERRY, 1000).to_string();
    let own = service.address;
    for (host, origin) in [
        ("localhost:7878", "http://evil.example"),
        ("localhost:7878", "http://evil.example:7878"),
        ("localhost:7878", "http://localhost:8080"),
        ("localhost:7878", "http://localhost"),
        ("localhost:7878", "null"),
        ("localhost:7878", "file://"),
        ("localhost:7878", ""),
        ("localhost:7878", "chrome-extension://localhost:7878"),
    ] {
        // A browser sends a form or text without a preflight request.
        let headers = format!("Host: {host}\r\nOrigin: {origin}\r\nContent-Type: text/plain\r\n");
        assert_eq!(service.send("POST", "/v1/documents", &headers, &body).error(403), "foreign_origin", "{origin}");
        assert_eq!(service.send("OPTIONS", "/v1/documents", &headers, "").error(403), "foreign_origin", "{origin}");
        assert_eq!(service.send("DELETE", "/v1/documents/a", &headers, "").error(403), "foreign_origin", "{origin}");
    }
    // With DNS rebinding, origin and host are the same foreign name.
    for host in ["evil.example:7878", "evil.example", "localhost.evil.example"] {
        let headers = format!("Host: {host}\r\nOrigin: http://{host}\r\n");
        assert_eq!(service.send("POST", "/v1/documents", &headers, &body).error(403), "foreign_host");
        assert_eq!(service.send("GET", "/v1/stats", &format!("Host: {host}\r\n"), "").error(403), "foreign_host");
    }
    assert_eq!(service.get("/v1/stats").ok()["documents"], 0);
    for host in [own.to_string(), "localhost:7878".into(), "LOCALHOST:7878".into(), "[::1]:7878".into()] {
        let headers = format!("Host: {host}\r\nOrigin: http://{host}\r\nContent-Type: application/json\r\n");
        assert_eq!(service.send("POST", "/v1/documents", &headers, &body).status, 200, "{host}");
    }
}

#[test]
fn behind_a_name_with_a_token() {
    let service = Running::start(Some("secret"));
    let ask = |headers: &str| {
        service.send("GET", "/v1/stats", &format!("Authorization: Bearer secret\r\n{headers}"), "").status
    };
    assert_eq!(ask("Host: news.example\r\n"), 200);
    assert_eq!(ask("Host: news.example\r\nOrigin: https://news.example\r\n"), 200);
    assert_eq!(ask("Host: news.example\r\nOrigin: https://evil.example\r\n"), 403);
}
