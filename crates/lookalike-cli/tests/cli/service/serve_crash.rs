//! If the service is killed again and again, does it keep what it acknowledged, with the verdicts of an undisturbed run?
//!
//! Several feeds run at once, each with its own connection and its own letters, so that no verdict depends on which feed is faster.
//! They work in rounds of one segment, and wait for each other after each. In every round the service is killed once. A feed repeats
//! the requests that were not answered.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use crate::fixture::Folder;
use crate::service::served::{Connection, Server};

const ROUNDS: u64 = 100;
const ALPHABETS: [&[u8]; 3] = [b"abcdefgh", b"ijklmnop", b"qrstuvwx"];
/// Length of a round: one segment.
const WINDOW: &str = "--window 60m --segment 10m";
const SEGMENT: u64 = 600;
/// Number of past rounds that are certainly in the window.
const REACH: u64 = 6;

/// Pseudo-random numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % most as u64) as usize
    }
}

/// A request of a feed.
enum Action {
    Add(Value),
    AddLines(Vec<Value>),
    Delete(String),
}

/// The requests of a feed, round by round. They do not depend on the answers.
struct Feed {
    number: usize,
    dice: Dice,
    /// Earlier texts, to be repeated and varied.
    texts: Vec<String>,
    /// Ids of existing documents, and their rounds.
    ids: Vec<(String, u64)>,
    deleted: Vec<String>,
    next: usize,
}

impl Feed {
    fn new(number: usize) -> Feed {
        Feed { number, dice: Dice(number as u64), texts: Vec::new(), ids: Vec::new(), deleted: Vec::new(), next: 0 }
    }

    fn round(&mut self, round: u64) -> Vec<Action> {
        // Only what is in the window, minus one round to be safe.
        self.ids.retain(|&(_, of)| of + REACH > round + 1);
        self.deleted.clear();
        let mut actions = Vec::new();
        for _ in 0..10 {
            actions.push(match self.dice.below(10) {
                0 | 1 => Action::AddLines((0..8).map(|_| self.document(round)).collect()),
                2 | 3 if !self.ids.is_empty() => {
                    let (id, _) = self.ids.swap_remove(self.dice.below(self.ids.len()));
                    self.deleted.push(id.clone());
                    Action::Delete(id)
                }
                _ => Action::Add(self.document(round)),
            });
        }
        actions
    }

    fn document(&mut self, round: u64) -> Value {
        let text = match self.dice.below(3) {
            0 if !self.texts.is_empty() => {
                let recent = self.texts.len().saturating_sub(200);
                let at = recent + self.dice.below(self.texts.len() - recent);
                let word = if self.dice.below(2) == 0 { String::new() } else { self.word() };
                format!("{} {word}", self.texts[at])
            }
            _ => (0..15).map(|_| self.word()).collect::<Vec<_>>().join(" "),
        };
        self.texts.push(text.clone());
        // A deleted id may be used again for another document.
        let id = self.deleted.pop().unwrap_or_else(|| {
            self.next += 1;
            format!("{}-{}", self.number, self.next)
        });
        self.ids.push((id.clone(), round));
        json!({"id": id, "text": text, "time": round * SEGMENT + self.dice.below(SEGMENT as usize) as u64})
    }

    fn word(&mut self) -> String {
        let letters = ALPHABETS[self.number];
        (0..4 + self.dice.below(5)).map(|_| letters[self.dice.below(letters.len())] as char).collect()
    }
}

/// The current address of the service.
#[derive(Default)]
struct Whereabouts {
    /// How often it was started, and its current address.
    now: Mutex<(usize, Option<SocketAddr>)>,
    changed: Condvar,
}

impl Whereabouts {
    fn set(&self, address: Option<SocketAddr>) {
        let mut now = self.now.lock().unwrap();
        *now = (now.0 + usize::from(address.is_some()), address);
        self.changed.notify_all();
    }

    /// Waits for a start after the one with this number.
    fn after(&self, start: usize) -> (usize, SocketAddr) {
        let is_before = |now: &mut (usize, Option<SocketAddr>)| now.0 <= start || now.1.is_none();
        let (now, _) =
            self.changed.wait_timeout_while(self.now.lock().unwrap(), Duration::from_secs(60), is_before).unwrap();
        (now.0, now.1.expect("the service comes back within a minute"))
    }
}

/// What was acknowledged and not changed since: by id, the round, and the verdict or the deletion.
type Acknowledged = BTreeMap<String, (u64, Option<Value>)>;

#[derive(Default)]
struct Told {
    acknowledged: Mutex<Acknowledged>,
    count: AtomicUsize,
}

impl Told {
    /// Forgets an id: its state is unknown from now on.
    fn unsettle(&self, id: &str) {
        self.acknowledged.lock().unwrap().remove(id);
    }

    fn settle(&self, id: &str, round: u64, answer: Option<Value>) {
        self.acknowledged.lock().unwrap().insert(id.to_string(), (round, answer));
        self.count.fetch_add(1, Relaxed);
    }
}

/// A client of one feed, and every verdict that it received.
#[derive(Default)]
struct Client {
    verdicts: Vec<Value>,
    start: usize,
    connection: Option<Connection>,
    unanswered: usize,
}

impl Client {
    /// Repeats a request until it is answered.
    fn run(&mut self, actions: &[Action], round: u64, service: &Whereabouts, told: &Told) {
        for action in actions {
            let mut done = 0;
            let mut is_first = true;
            while self.ask(action, &mut done, is_first, round, service, told).is_err() {
                (self.connection, is_first) = (None, false);
                self.unanswered += 1;
            }
        }
    }

    /// Sends a request once. `done` is how many documents of a body of lines were answered.
    fn ask(
        &mut self,
        action: &Action,
        done: &mut usize,
        is_first: bool,
        round: u64,
        service: &Whereabouts,
        told: &Told,
    ) -> io::Result<()> {
        let connection = match &mut self.connection {
            Some(connection) => connection,
            none => {
                let (start, address) = service.after(self.start);
                self.start = start;
                none.insert(Connection::open(address)?)
            }
        };
        let id_of = |document: &Value| document["id"].as_str().unwrap().to_string();
        match action {
            Action::Add(document) => {
                told.unsettle(&id_of(document));
                let answer = connection.post("/v1/documents", document)?.ok();
                told.settle(&id_of(document), round, Some(answer.clone()));
                self.verdicts.push(answer);
            }
            Action::AddLines(documents) => {
                let rest = &documents[*done..];
                rest.iter().for_each(|document| told.unsettle(&id_of(document)));
                let lines: String = rest.iter().map(|document| format!("{document}\n")).collect();
                connection.post_lines("/v1/documents", &lines, |answer| {
                    assert_eq!(answer["id"], documents[*done]["id"], "{answer}");
                    told.settle(&id_of(&answer), round, Some(answer.clone()));
                    self.verdicts.push(answer);
                    *done += 1;
                })?;
                assert_eq!(*done, documents.len());
            }
            Action::Delete(id) => {
                told.unsettle(id);
                let status = connection.delete(&format!("/v1/documents/{id}"))?.status;
                // A request without an answer may have been executed.
                assert!(status == 204 || status == 404 && !is_first, "{status}");
                told.settle(id, round, None);
            }
        }
        Ok(())
    }
}

/// Asserts that everything acknowledged is there, with the same verdict.
fn check(address: SocketAddr, acknowledged: &Acknowledged, round: u64) {
    let mut connection = Connection::open(address).unwrap();
    for (id, (_, answer)) in acknowledged.iter().filter(|(_, (of, _))| of + REACH >= round) {
        let reply = connection.get(&format!("/v1/documents/{id}")).unwrap();
        match answer {
            None => assert_eq!(reply.status, 404, "{id} was deleted"),
            Some(answer) => {
                assert_eq!(reply.status, 200, "{id} is missing");
                let got = reply.ok();
                for key in ["id", "verdict", "of", "similarity", "matches"] {
                    assert_eq!(got[key], answer[key], "{key} of {id}");
                }
            }
        }
    }
}

/// Returns all verdicts by feed, the final state, and the number of unanswered requests.
fn run(are_killed: bool) -> (Vec<Vec<Value>>, Value, usize) {
    let folder = Folder::new();
    let data = folder.path("data");
    let mut server = Server::start(&data, WINDOW);
    let (service, told) = (Whereabouts::default(), Told::default());
    service.set(Some(server.address));
    let mut feeds: Vec<Feed> = (0..ALPHABETS.len()).map(Feed::new).collect();
    let mut clients: Vec<Client> = feeds.iter().map(|_| Client::default()).collect();
    let mut dice = Dice(7);
    for round in 0..ROUNDS {
        let actions: Vec<Vec<Action>> = feeds.iter_mut().map(|feed| feed.round(round)).collect();
        told.count.store(0, Relaxed);
        std::thread::scope(|scope| {
            for (client, actions) in clients.iter_mut().zip(&actions) {
                let (service, told) = (&service, &told);
                scope.spawn(move || client.run(actions, round, service, told));
            }
            if !are_killed {
                return;
            }
            // Kills it at a random moment after a few answers of the round. Every round has at least these.
            let (answers, pause) = (dice.below(30), Duration::from_micros(dice.below(3000) as u64));
            while told.count.load(Relaxed) < answers {
                std::thread::sleep(Duration::from_micros(200));
            }
            std::thread::sleep(pause);
            service.set(None);
            server.kill();
            server = Server::start(&data, WINDOW);
            if round % 5 == 0 {
                // Sometimes it stops in order and leaves a snapshot for the next start.
                assert!(server.terminate().success() && data.join("window.snapshot").exists());
                server = Server::start(&data, WINDOW);
            }
            check(server.address, &told.acknowledged.lock().unwrap(), round);
            service.set(Some(server.address));
        });
    }
    check(server.address, &told.acknowledged.lock().unwrap(), ROUNDS - 1);
    let stats = Connection::open(server.address).unwrap().get("/v1/stats").unwrap().ok();
    // Only the statistics that do not depend on when the service was started.
    let of_segment = |row: &Value| ["start", "documents", "new", "exact", "near"].map(|key| row[key].clone());
    let segments = stats["segments"].as_array().unwrap().iter().map(of_segment).collect::<Vec<_>>();
    let stats = json!([stats["documents"], stats["in_window"], stats["came"], segments]);
    let unanswered = clients.iter().map(|client| client.unanswered).sum();
    (clients.into_iter().map(|client| client.verdicts).collect(), stats, unanswered)
}

#[test]
fn a_hundred_crashes_change_nothing() {
    let (expected, stats, _) = run(false);
    let (verdicts, stats_too, unanswered) = run(true);
    for (one, two) in verdicts.iter().flatten().zip(expected.iter().flatten()) {
        assert_eq!(one, two);
    }
    assert_eq!(verdicts.iter().map(Vec::len).collect::<Vec<_>>(), expected.iter().map(Vec::len).collect::<Vec<_>>());
    assert_eq!(stats, stats_too);
    // Otherwise it was only killed while idle.
    assert!(unanswered > ROUNDS as usize / 2, "{unanswered}");
    let kinds = |kind: &str| expected.iter().flatten().filter(|answer| answer["verdict"] == kind).count();
    assert!(["new", "exact", "near"].map(kinds).iter().all(|&count| count > 200));
}
