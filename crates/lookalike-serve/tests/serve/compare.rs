//! Comparing two documents.

use serde_json::json;

use super::client::Running;
use super::{FERRY, document};

#[test]
fn two_documents_and_the_words_of_each() {
    let service = Running::start(None);
    service.post("/v1/documents", &document("a/1", FERRY, 1000)).ok();
    let later = FERRY.replace("nine", "ten").to_uppercase();
    let answer = service.post("/v1/documents", &document("?&=#+ b", &later, 2000)).ok();
    let compared = service.get("/v1/compare?a=a%2F1&b=%3F%26%3D%23%2B%20b").ok();
    assert_eq!(compared["similarity"], answer["similarity"]);
    assert_eq!(compared["by"], "words");
    assert_eq!((&compared["a"]["id"], &compared["b"]["id"]), (&"a/1".into(), &"?&=#+ b".into()));
    assert_eq!((&compared["a"]["time"], &compared["a"]["cut"]), (&1000.into(), &0.into()));
    let rest = " in the morning, and again at noon.";
    assert_eq!(
        compared["a"]["runs"],
        json!([{"same": "The ferry to the island leaves at "}, {"only": "nine"}, {"same": rest}])
    );
    assert_eq!(compared["b"]["runs"][1], json!({"only": "TEN"}));
    assert_eq!(service.get("/v1/compare?a=a%2F1&b=c").error(404), "unknown_id");
    assert_eq!(service.get("/v1/compare?a=a%2F1").status, 400);
}

#[test]
fn documents_that_have_nothing_in_common() {
    let service = Running::start(None);
    service.post("/v1/documents", &document("a", FERRY, 1000)).ok();
    service.post("/v1/documents", &document("b", "", 1000)).ok();
    service.post("/v1/documents", &document("c", "<script>window.ran = 1</script>\u{202e}\u{0}", 1000)).ok();
    let compared = service.get("/v1/compare?a=a&b=b").ok();
    assert_eq!((&compared["similarity"], &compared["b"]["runs"]), (&json!(0.0), &json!([])));
    assert_eq!(service.get("/v1/compare?a=b&b=b").ok()["similarity"], 0.0);
    let compared = service.get("/v1/compare?a=a&b=c").ok();
    let runs = compared["b"]["runs"].as_array().unwrap();
    let text: String =
        runs.iter().flat_map(|run| run.as_object().unwrap().values()).map(|text| text.as_str().unwrap()).collect();
    assert_eq!(text, "<script>window.ran = 1</script>\u{202e}\u{0}");
}
