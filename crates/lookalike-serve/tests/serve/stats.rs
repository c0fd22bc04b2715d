//! Statistics of the window.

use serde_json::{Value, json};

use super::FERRY;
use super::client::Running;

const HOUR: u64 = 3600;

fn post(service: &Running, id: &str, source: Option<&str>, text: &str, time: u64) {
    service.post("/v1/documents", &json!({"id": id, "source": source, "text": text, "time": time})).ok();
}

/// The statistics that a restart does not change.
fn stats(service: &Running) -> Value {
    let mut stats = service.get("/v1/stats").ok();
    for passing in ["memory_bytes", "verdicts"] {
        stats.as_object_mut().unwrap().remove(passing).unwrap();
    }
    for row in stats["segments"].as_array_mut().unwrap() {
        assert_eq!(row["bytes"].as_u64() > Some(0), row["documents"].as_u64() > Some(0));
        row["bytes"] = 0.into();
    }
    stats
}

#[test]
fn by_segment_and_by_source() {
    let mut service = Running::start(None);
    post(&service, "a", Some("north"), FERRY, 100 * HOUR + 5);
    post(&service, "b", Some("south"), &FERRY.to_uppercase(), 100 * HOUR + 10);
    post(&service, "c", Some("south"), "something else entirely", 101 * HOUR);
    post(&service, "d", None, &FERRY.replace("nine", "ten"), 101 * HOUR + 1);
    post(&service, "e", None, FERRY, HOUR);
    let found = stats(&service);
    assert_eq!(found["came"], json!({"new": 2, "exact": 1, "near": 1, "old": 1}));
    assert_eq!(found["tokens"], "letters:4");
    assert_eq!(
        found["window"],
        json!({"length": 86400, "segment": 3600, "segments": 2, "measure": "max", "threshold": 0.8})
    );
    let row = |start: u64, documents, new, exact, near, old| json!({"start": start * HOUR, "length": 3600, "documents": documents, "bytes": 0, "new": new, "exact": exact, "near": near, "old": old});
    // A document older than the window is counted in the oldest segment of the window.
    let rows = [row(100, 2, 1, 1, 0, 0), row(101, 2, 1, 0, 1, 0)];
    assert_eq!(
        found["segments"].as_array().unwrap().iter().filter(|row| row["documents"] != 0).collect::<Vec<_>>(),
        [&rows[0], &rows[1]]
    );
    assert_eq!(
        found["sources"],
        json!([
            {"source": null, "documents": 2, "duplicates": 1},
            {"source": "south", "documents": 2, "duplicates": 1},
            {"source": "north", "documents": 1, "duplicates": 0}
        ])
    );
    service.restart();
    assert_eq!(stats(&service), found);

    post(&service, "f", Some("north"), FERRY, 125 * HOUR);
    let found = stats(&service);
    assert_eq!(found["came"], json!({"new": 1, "exact": 0, "near": 2, "old": 0}));
    service.restart();
    assert_eq!(stats(&service), found);
}

#[test]
fn many_sources_are_summed_up() {
    let service = Running::start(None);
    let lines: String = (0..500)
        .map(|n| {
            format!("{}\n", json!({"id": n, "source": format!("source {}", n % 100), "text": FERRY, "time": 1000}))
        })
        .collect();
    service.post_lines("/v1/documents", &lines);
    let found = stats(&service);
    assert_eq!(found["sources"].as_array().unwrap().len(), 20);
    assert_eq!(found["other_sources"], json!({"sources": 80, "documents": 400, "duplicates": 400}));
}
