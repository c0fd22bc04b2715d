//! The service over HTTP on a loopback address.

mod client;
mod compare;
mod events;
mod hostile;
mod page;
mod stats;

use client::Running;
use lookalike_serve::api::{FieldNames, Limits};
use serde_json::{Value, json};

fn document(id: &str, text: &str, time: u64) -> Value {
    json!({"id": id, "text": text, "time": time})
}

const FERRY: &str = "The ferry to the island leaves at nine in the morning, and again at noon.";

#[test]
fn a_document_and_its_verdict() {
    let service = Running::start(None);
    let first = service.post("/v1/documents", &document("a", FERRY, 1000)).ok();
    assert_eq!(first, json!({"id": "a", "verdict": "new", "of": null, "similarity": null, "matches": []}));
    let second = service.post("/v1/documents", &document("b/1", &FERRY.to_uppercase(), 4600)).ok();
    assert_eq!((&second["verdict"], &second["of"], &second["similarity"]), (&"exact".into(), &"a".into(), &1.0.into()));
    assert_eq!(second["matches"][0]["age"], 3600);
    // The same document gets the same verdict again, and is not a copy of itself.
    assert_eq!(service.post("/v1/documents", &document("b/1", &FERRY.to_uppercase(), 4600)).ok(), second);
    assert_eq!(service.post("/v1/documents", &document("b/1", "else", 4600)).error(409), "id_taken");

    let got = service.get("/v1/documents/b/1").ok();
    assert_eq!((&got["verdict"], &got["text"]), (&"exact".into(), &FERRY.to_uppercase().into()));
    assert_eq!(got["time"], 4600.0);
    assert_eq!(service.get("/v1/documents/c").error(404), "unknown_id");
    let asked = service.post("/v1/query", &json!({"text": FERRY, "time": 5000})).ok();
    assert_eq!(asked["matches"].as_array().unwrap().len(), 2);
    let matches = service.get("/v1/matches?since=0").ok();
    assert_eq!((&matches["matches"][0]["id"], &matches["next"]), (&"b/1".into(), &2.into()));
    assert_eq!(service.get("/v1/matches?since=2").ok()["matches"], json!([]));

    assert_eq!(service.delete("/v1/documents/a").status, 204);
    assert_eq!(service.delete("/v1/documents/a").error(404), "unknown_id");
    let asked = service.post("/v1/query", &json!({"text": FERRY, "time": 5000})).ok();
    assert_eq!(asked["of"], "b/1");
    let stats = service.get("/v1/stats").ok();
    assert_eq!((&stats["in_window"], &stats["verdicts"]["exact"]), (&1.into(), &2.into()));
    assert!(service.get("/metrics").text().contains("lookalike_documents_total{verdict=\"new\"} 1\n"));
    assert_eq!(service.get("/healthz").text(), "ok\n");
    assert_eq!(service.get("/readyz").text(), "ready\n");
}

#[test]
fn many_lines() {
    let service = Running::start(None);
    let mut lines = String::new();
    for n in 0..600 {
        lines += &format!("{}\n", document(&n.to_string(), &format!("{FERRY} {}", n / 2), n));
    }
    lines += "\nnonsense\n{\"id\":\"x\"}\n{\"id\":7000,\"text\":\"else\",\"time\":\"2024-02-29T12:00:00Z\"}";
    let answers: Vec<Value> = service.post_lines("/v1/documents", &lines).lines();
    assert_eq!(answers.len(), 603);
    assert_eq!((&answers[0]["verdict"], &answers[599]["verdict"]), (&"new".into(), &"exact".into()));
    assert_eq!((&answers[600]["error"]["code"], &answers[600]["line"]), (&"bad_json".into(), &602.into()));
    assert_eq!((&answers[601]["error"]["code"], &answers[601]["line"]), (&"bad_text".into(), &603.into()));
    assert_eq!(answers[602]["id"], "7000");
    // An id may be repeated before the first document is on disk.
    let twice = format!("{0}\n{0}\n", document("twice", FERRY, 1000));
    let answers = service.post_lines("/v1/documents", &twice).lines();
    assert_eq!((&answers[0]["id"], &answers[0]), (&"twice".into(), &answers[1]));
}

#[test]
fn bad_requests_get_an_error() {
    let service = Running::start(None);
    for (body, code) in [
        ("", "bad_json"),
        ("{", "bad_json"),
        ("[]", "bad_json"),
        ("[\"a\",null,null,\"text\",null,null]", "bad_json"),
        ("\"a\"", "bad_json"),
        ("null", "bad_json"),
        ("{\"id\":\"a\",\"text\":\"x\",\"text\":\"y\"}", "bad_json"),
        ("{\"id\":\"a\",\"text\":\"\\ud8zz\"}", "bad_json"),
        ("{\"text\":\"x\"}", "bad_id"),
        ("{\"id\":\"\",\"text\":\"x\"}", "bad_id"),
        ("{\"id\":{},\"text\":\"x\"}", "bad_id"),
        ("{\"id\":\"a\",\"text\":\"x\",\"time\":\"yesterday\"}", "bad_time"),
        ("{\"id\":\"a\",\"text\":\"x\",\"html\":\"<p>x\"}", "bad_text"),
        ("{\"id\":\"a\",\"text\":7}", "bad_json"),
        ("{\"id\":\"a\",\"text\":\"\u{0}\"}", "bad_json"),
    ] {
        assert_eq!(service.post_text("/v1/documents", body).error(400), code, "{body}");
    }
    for (body, message) in [
        ("[]", "a document must be a JSON object, but this is an array"),
        (" [1]", "a document must be a JSON object, but this is an array"),
        ("7", "a document must be a JSON object, but this is a number"),
        ("{\"id\":\"a\",\"text\":[]}", "the field 'text' is not a string"),
    ] {
        let answer = service.post_text("/v1/documents", body);
        let error: Value = serde_json::from_str(&answer.text()).unwrap();
        assert_eq!(error["error"]["message"], message);
    }
    assert_eq!(service.get("/v1/nothing").error(404), "not_found");
    assert_eq!(service.get("/v1/documents").error(405), "method_not_allowed");
    assert_eq!(service.post_text("/v1/documents", &"x".repeat(200_001)).error(413), "too_large");
    let answers = service.post_lines("/v1/documents", &"x".repeat(300_000)).lines();
    assert_eq!(answers[0]["error"]["code"], "too_large");
    assert_eq!(service.get("/v1/stats").ok()["documents"], 0);
}

#[test]
fn the_description_matches_the_methods() {
    let service = Running::start(None);
    let description = service.get("/v1/openapi.json").ok();
    for (path, described) in description["paths"].as_object().unwrap() {
        for method in ["GET", "PUT", "POST", "DELETE", "PATCH", "OPTIONS", "TRACE"] {
            if (method, path.as_str()) == ("GET", "/v1/events") {
                // This response has no end.
                continue;
            }
            let status = service.ask(method, &path.replace("{id}", "a"), "", None, None).status;
            let is_described = described.get(method.to_lowercase()).is_some();
            assert_eq!(status != 405, is_described, "{method} {path}: {status}");
        }
    }
}

#[test]
fn a_token_is_required() {
    let service = Running::start(Some("secret"));
    assert_eq!(service.get("/v1/stats").error(401), "unauthorized");
    assert_eq!(service.with_token("secrez").get("/v1/stats").error(401), "unauthorized");
    assert_eq!(service.with_token("secret").get("/v1/stats").status, 200);
    assert_eq!(service.get("/healthz").status, 200);
}

#[test]
fn acknowledged_documents_survive_a_restart() {
    let mut service = Running::start(None);
    let before: Vec<Value> = (0..20)
        .map(|n| service.post("/v1/documents", &document(&n.to_string(), &format!("{FERRY} {}", n % 7), n)).ok())
        .collect();
    for _ in 0..2 {
        service.restart();
        for answer in &before {
            let id = answer["id"].as_str().unwrap();
            let got = service.get(&format!("/v1/documents/{id}")).ok();
            assert_eq!((&got["verdict"], &got["matches"]), (&answer["verdict"], &answer["matches"]));
        }
    }
    assert_eq!(service.post("/v1/documents", &document("z", &format!("{FERRY} 3"), 30)).ok()["of"], "3");
}

/// As in files, half a surrogate pair is replaced, and the rest of the text is kept.
#[test]
fn lone_surrogates_are_replaced() {
    let service = Running::start(None);
    for (number, half) in ["\\ud800", "\\uDC00", "\\ud83dx\\ude00"].into_iter().enumerate() {
        let body =
            format!("{{\"\\ud800\":1,\"id\":\"{number}\",\"time\":0,\"text\":\"a{half}b \\ud83d\\ude00 \\\\ud800\"}}");
        assert_eq!(service.post_text("/v1/documents", &body).status, 200, "{body}");
        let text = service.get(&format!("/v1/documents/{number}")).ok()["text"].as_str().unwrap().to_string();
        assert!(text.contains('\u{fffd}') && text.ends_with("b 😀 \\ud800"), "{text}");
    }
}

#[test]
fn one_host_and_a_scheme_in_any_case() {
    let service = Running::start(Some("secret"));
    let ask = |headers: &str| service.send("GET", "/v1/stats", headers, "");
    for scheme in ["Bearer", "bearer", "BEARER", "Bearer "] {
        assert_eq!(ask(&format!("Host: a\r\nAuthorization: {scheme} secret\r\n")).status, 200, "{scheme}");
    }
    for value in ["secret", "Basic secret", "Bearersecret", "Bearer", "Bearer "] {
        assert_eq!(ask(&format!("Host: a\r\nAuthorization: {value}\r\n")).error(401), "unauthorized", "{value}");
    }
    for hosts in ["", "Host: a\r\nHost: a\r\n", "Host: a\r\nHost: b\r\n"] {
        assert_eq!(ask(&format!("{hosts}Authorization: Bearer secret\r\n")).error(400), "bad_host", "{hosts:?}");
        assert_eq!(service.send("GET", "/healthz", hosts, "").error(400), "bad_host", "{hosts:?}");
        assert_eq!(service.send("GET", "/", hosts, "").error(400), "bad_host", "{hosts:?}");
    }
}

#[test]
fn fields_of_other_names() {
    let names = |text: &[&str], html: Option<&str>| FieldNames {
        id: "key".into(),
        time: "date".into(),
        text: text.iter().map(|name| name.to_string()).collect(),
        html: html.map(String::from),
        url: "key".into(),
        ..FieldNames::default()
    };
    let start = |fields| Running::with_fields(None, Limits::default(), fields);
    let service = start(names(&["title", "body"], None));
    let whole = json!({"key": "a", "date": 5, "title": "Ferry", "body": FERRY, "text": 7, "html": 7});
    assert_eq!(service.post("/v1/documents", &whole).ok()["id"], "a");
    assert_eq!(service.get("/v1/documents/a").ok()["text"], format!("Ferry\n{FERRY}"));
    assert_eq!(service.post("/v1/documents", &json!({"key": "b", "body": FERRY})).status, 200);
    assert_eq!(service.post("/v1/documents", &json!({"key": "c", "text": FERRY})).error(400), "bad_text");
    assert_eq!(service.post("/v1/documents", &json!({"id": "c", "body": FERRY})).error(400), "bad_id");

    let service = start(names(&[], Some("body")));
    let page =
        json!({"key": "http://a.example/", "date": 5, "body": format!("<p>{FERRY}<script>no</script>"), "text": "x"});
    assert_eq!(service.post("/v1/documents", &page).status, 200);
    assert_eq!(service.get("/v1/documents/http://a.example/").ok()["text"].as_str().unwrap().trim(), FERRY);
}

/// A long document is read on another thread, with the same result.
#[test]
fn a_long_document() {
    let service = Running::start(None);
    let text: String = (0..15_000).map(|n| format!("{n} ")).collect();
    assert!((65_536..200_000).contains(&text.len()));
    assert_eq!(service.post("/v1/documents", &document("long", &text, 1)).ok()["verdict"], "new");
    assert_eq!(service.get("/v1/documents/long").ok()["text"], text);
    let lines = format!("{}\n[{}]\n", document("again", &text, 2), "1,".repeat(40_000));
    let answers = service.post_lines("/v1/documents", &lines).lines();
    assert_eq!((&answers[0]["of"], &answers[1]["error"]["code"]), (&"long".into(), &"bad_json".into()));
}
