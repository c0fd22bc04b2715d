//! Does the service still answer when the disk is full, and accept documents again when there is space?

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::fixture::{BINARY, Folder, words};
use crate::output::cut_short::{SmallDisk, wait_until};
use crate::service::served::{Connection, Server};

fn document(n: u32) -> Value {
    json!({"id": format!("d{n}"), "text": words(n * 50..n * 50 + 100), "time": 1000 + n})
}

/// Fills the disk, checks what works, frees space, and checks again, also after a crash.
fn fill_and_free(mut server: Server, data: &Path, free: impl FnOnce(&Server)) {
    let mut connection = Connection::open(server.address).unwrap();
    let mut acknowledged = Vec::new();
    let (refused, reply) = (0..1000)
        .find_map(|n| {
            let reply = connection.post("/v1/documents", &document(n)).unwrap();
            if reply.status != 200 {
                return Some((n, reply));
            }
            acknowledged.push(reply.ok());
            None
        })
        .expect("a disk that is full");
    assert!(acknowledged.len() > 5, "{}", acknowledged.len());
    let error: Value = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!((reply.status, &error["error"]["code"]), (507, &json!("disk_full")), "{error}");
    let message = error["error"]["message"].as_str().unwrap();
    assert!(message.contains("00000001.log: ") && message.contains("until there is room"), "{message}");

    // No kind of request adds a document.
    assert_eq!(connection.post("/v1/documents", &document(refused)).unwrap().status, 507);
    let lines = format!("{}\n{}\nnonsense\n{}\n", document(0), document(refused), document(refused + 1));
    let mut codes = Vec::new();
    connection.post_lines("/v1/documents", &lines, |answer| codes.push(answer["error"]["code"].clone())).unwrap();
    assert_eq!(codes, [json!(null), json!("disk_full"), json!("bad_json"), json!("disk_full")]);
    assert_eq!(connection.get(&format!("/v1/documents/d{refused}")).unwrap().status, 404);
    // Reading still works.
    for answer in &acknowledged {
        let path = format!("/v1/documents/{}", answer["id"].as_str().unwrap());
        assert_eq!(connection.get(&path).unwrap().ok()["matches"], answer["matches"]);
    }
    let asked = connection.post("/v1/query", &json!({"text": words(0..100), "time": 1000})).unwrap().ok();
    assert_eq!(asked["of"], "d0");
    let stats = connection.get("/v1/stats").unwrap().ok();
    assert_eq!(stats["documents"], acknowledged.len());
    assert!(stats["refusing"].as_str().unwrap().contains("00000001.log"), "{stats}");
    for (path, status) in [("/healthz", 200), ("/readyz", 503), ("/", 200), ("/v1/matches", 200), ("/metrics", 200)] {
        assert_eq!(connection.get(path).unwrap().status, status, "{path}");
    }

    free(&server);
    wait_until("that it is ready", || connection.get("/readyz").unwrap().status == 200);
    assert_eq!(connection.get("/v1/stats").unwrap().ok()["refusing"], json!(null));
    for n in refused..refused + 5 {
        acknowledged.push(connection.post("/v1/documents", &document(n)).unwrap().ok());
    }
    assert_eq!(connection.delete("/v1/documents/d0").unwrap().status, 204);
    let said = server.said_until_killed();
    assert_eq!(said.matches("refusing documents").count(), 1, "{said}");
    assert_eq!(said.matches("accepting documents").count(), 1, "{said}");

    let server = Server::start(data, "");
    assert!(!server.said.contains("lost") && !server.said.contains("damaged"), "{}", server.said);
    let mut connection = Connection::open(server.address).unwrap();
    assert_eq!(connection.get("/v1/documents/d0").unwrap().status, 404);
    for (n, answer) in acknowledged.iter().enumerate().skip(1) {
        let got = connection.get(&format!("/v1/documents/d{n}")).unwrap().ok();
        assert_eq!((&got["verdict"], &got["matches"]), (&answer["verdict"], &answer["matches"]), "{n}");
    }
    assert_eq!(connection.get("/v1/stats").unwrap().ok()["documents"], acknowledged.len() - 1);
}

/// A file that may not grow stands for a full disk where mounting is not permitted.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_may_not_grow() {
    let folder = Folder::new();
    let data = folder.path("data");
    let mut command = Command::new("bash");
    // In kilobytes. The soft limit can be raised again.
    command.args(["-c", "ulimit -S -f 16; exec \"$0\" \"$@\"", BINARY]);
    fill_and_free(Server::start_by(command, &data, ""), &data, |server| {
        let unlimited = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
        // SAFETY: the new limits outlive the call, and the old ones are not requested.
        let raised =
            unsafe { libc::prlimit(server.id() as libc::pid_t, libc::RLIMIT_FSIZE, &unlimited, std::ptr::null_mut()) };
        assert_eq!(raised, 0, "{}", std::io::Error::last_os_error());
    });
}

#[test]
fn a_small_disk() {
    let folder = Folder::new();
    let Some(disk) = SmallDisk::mount(folder.path("small")) else { return };
    let data = disk.0.join("data");
    std::fs::write(disk.0.join("filler"), vec![1; 32 << 10]).unwrap();
    fill_and_free(Server::start(&data, ""), &data, |_| std::fs::remove_file(disk.0.join("filler")).unwrap());
}
