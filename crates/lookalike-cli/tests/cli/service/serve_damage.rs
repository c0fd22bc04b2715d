//! Does the service start on a damaged log, and report what is lost?

use std::path::Path;

use serde_json::{Value, json};

use crate::fixture::Folder;
use crate::service::served::{Connection, Server};

/// Creates a log of twenty documents, and returns them with their verdicts.
fn twenty(data: &Path) -> Vec<(Value, Value)> {
    let mut server = Server::start(data, "");
    let mut connection = Connection::open(server.address).unwrap();
    let documents =
        (0..20).map(|n| json!({"id": format!("d{n}"), "text": format!("on the quay stood {}", n / 2), "time": n}));
    let mut post = |document: Value| (document.clone(), connection.post("/v1/documents", &document).unwrap().ok());
    let answered = documents.map(&mut post).collect();
    server.kill();
    answered
}

#[test]
fn a_torn_tail_costs_what_was_in_it() {
    let folder = Folder::new();
    for cut in [1, 9, 150, 400, 1500] {
        let data = folder.path(&format!("cut-{cut}"));
        let answered = twenty(&data);
        let log = data.join("00000001.log");
        let length = std::fs::metadata(&log).unwrap().len();
        std::fs::File::options().write(true).open(&log).unwrap().set_len(length - cut).unwrap();
        let server = Server::start(&data, "");
        let mut connection = Connection::open(server.address).unwrap();
        let there: Vec<bool> = answered
            .iter()
            .map(|(_, answer)| connection.get(&format!("/v1/documents/{}", answer["id"].as_str().unwrap())).unwrap())
            .map(|reply| reply.status == 200)
            .collect();
        let left = there.iter().filter(|&&is_there| is_there).count();
        assert!(left < 20 && there[..left].iter().all(|&is_there| is_there), "{there:?}");
        // The loss is known even if two thirds of the log are missing.
        let lost = format!("{} acknowledged documents are lost", 20 - left);
        let last = format!("is number {}, with the id \"d{}\"", left - 1, left - 1);
        assert!(server.said.contains(&lost) && server.said.contains(&last), "{}", server.said);
        for (document, answer) in &answered {
            assert_eq!(&connection.post("/v1/documents", document).unwrap().ok(), answer);
        }
    }
}

#[test]
fn a_flipped_bit_is_named_and_costs_one_document() {
    let folder = Folder::new();
    let data = folder.path("data");
    let answered = twenty(&data);
    let log = data.join("00000001.log");
    let mut bytes = std::fs::read(&log).unwrap();
    let at = bytes.windows(8).position(|eight| eight == b"\"id\":\"d6").unwrap();
    bytes[at + 20] ^= 4;
    std::fs::write(&log, bytes).unwrap();
    let server = Server::start(&data, "");
    assert!(server.said.contains("00000001.log: damaged at byte "), "{}", server.said);
    let mut connection = Connection::open(server.address).unwrap();
    for (n, (_, answer)) in answered.iter().enumerate() {
        let reply = connection.get(&format!("/v1/documents/d{n}")).unwrap();
        assert_eq!(reply.status, if n == 6 { 404 } else { 200 });
        if n != 6 {
            assert_eq!(reply.ok()["matches"], answer["matches"]);
        }
    }
    // The lost document was the first with its text; now the second is the match.
    let again = connection.post("/v1/documents", &answered[6].0).unwrap().ok();
    assert_eq!((&again["verdict"], &again["of"]), (&"exact".into(), &"d7".into()));
}
