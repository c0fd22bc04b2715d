//! The documents of the window by their users' ids, and the log that remembers them.
//!
//! A document is judged, taken in and appended to the log in one go; its verdict may be told when [`Stock::commit`] has returned. An id
//! that comes again with the same text gets the verdict that it got the first time: a client that was not answered may ask again.

use std::path::Path;

use lookalike::Recipe;
use lookalike::window::Window;
use lookalike_engine::Answer;

use crate::books::Books;
use crate::entry::{Added, Entry};
use crate::figures::{Figures, News};
use crate::log::{Log, LogError, Place, Recovered};
use crate::replay::{Replayed, replay};
use crate::snapshot::Snapshots;

/// A document that comes.
#[derive(Clone, Debug)]
pub struct Incoming {
    /// What its user calls it.
    pub id: String,
    /// Its own time, in milliseconds of Unix.
    pub time: i64,
    /// Where it comes from.
    pub source: Option<String>,
    /// What it says.
    pub text: String,
    /// Its set.
    pub set: Vec<u64>,
}

/// Why a document was not taken.
#[derive(Debug, thiserror::Error)]
pub enum StockError {
    /// Another document has this id.
    #[error("another document has the id {0}")]
    IdTaken(String),
    /// The disk.
    #[error(transparent)]
    Log(#[from] LogError),
    /// Something in the log that this version did not write.
    #[error("the log has an entry that cannot be read: {0}")]
    Entry(#[from] serde_json::Error),
}

/// What is in the window, and on disk.
pub struct Stock {
    books: Books,
    /// Before the log, whose lock must be held until they are finished.
    snapshots: Snapshots,
    log: Log,
}

impl Stock {
    /// What a folder's log remembers, in this window, which must be empty.
    pub fn open(folder: &Path, window: Window, recipe: Recipe) -> Result<(Stock, Recovered), StockError> {
        let Replayed { mut books, mut log, recovered, entered } = replay(folder, window, recipe)?;
        log.forget_before(books.first_needed())?;
        Ok((Stock { books, snapshots: Snapshots::new(recipe, entered), log }, recovered))
    }

    /// Judges a document and takes it in.
    pub fn add(&mut self, document: Incoming) -> Result<Answer, StockError> {
        if let Some(place) = self.books.place(&document.id) {
            let before = self.read(place)?;
            return if before.text == document.text {
                Ok(before.answer)
            } else {
                Err(StockError::IdTaken(document.id))
            };
        }
        let Incoming { id, time, source, text, set } = document;
        let verdict = self.books.window.add(&set, time);
        let answer = self.books.answer(&id, &verdict);
        self.books.expire();
        let added = Added { number: self.books.next, answer, time, source, text, taken: verdict.document.is_some() };
        let place = self.log.append(&serde_json::to_vec(&Entry::Add(Box::new(added.clone())))?)?;
        self.snapshots.count(place.length);
        self.books.hold(&added, verdict.document, place);
        Ok(added.answer)
    }

    /// Judges a document without taking it in.
    pub fn query(&mut self, id: &str, set: &[u64], time: i64) -> Answer {
        let verdict = self.books.window.query(set, time);
        self.books.answer(id, &verdict)
    }

    /// Forgets a document; whether it was there.
    pub fn remove(&mut self, id: &str) -> Result<bool, StockError> {
        if self.books.place(id).is_none() {
            return Ok(false);
        }
        let place = self.log.append(&serde_json::to_vec(&Entry::Remove { id: id.to_string() })?)?;
        Ok(self.books.remove(id, place))
    }

    /// Makes what happened so far last.
    pub fn commit(&mut self, sync: bool) -> Result<(), StockError> {
        self.log.commit(sync)?;
        if sync {
            // What is not needed any more is so by something that is on the disk now.
            self.log.forget_before(self.books.first_needed())?;
        }
        Ok(())
    }

    /// Does what need not be done before an answer.
    pub fn tidy(&mut self) -> Result<(), StockError> {
        if self.snapshots.are_due(&self.log) {
            self.commit(true)?;
            self.snapshots.make(&self.books.window, &self.log);
        }
        Ok(())
    }

    /// Makes all last, and leaves it so that the next start takes little time.
    pub fn close(mut self) -> Result<(), StockError> {
        self.commit(true)?;
        self.snapshots.make(&self.books.window, &self.log);
        Ok(())
    }

    /// A document as it came, and its verdict.
    pub fn get(&self, id: &str) -> Result<Option<Added>, StockError> {
        self.books.place(id).map(|place| self.read(place)).transpose()
    }

    /// Whether a document has this id.
    pub fn has(&self, id: &str) -> bool {
        self.books.place(id).is_some()
    }

    /// The document that came last, of those that are remembered. What was not committed cannot be read.
    pub fn last(&self) -> Result<Option<Added>, StockError> {
        self.books.last().map(|place| self.read(place)).transpose()
    }

    /// Up to so many duplicates that came from this number on, and the number to ask for next.
    pub fn duplicates(&self, since: u64, most: usize) -> Result<(Vec<Added>, u64), StockError> {
        let mut found = Vec::new();
        for id in self.books.duplicates.range(since..).take(most).map(|(_, id)| id) {
            found.extend(self.get(id)?);
        }
        let next = found.last().filter(|_| found.len() == most).map_or(self.books.next, |last| last.number + 1);
        Ok((found, next))
    }

    /// The window in numbers.
    pub fn figures(&self) -> Figures {
        Figures::of(&self.books)
    }

    /// What came from this number on.
    pub fn news(&self, since: u64) -> News {
        News::since(&self.books, since)
    }

    /// How many documents have an id here.
    pub fn len(&self) -> usize {
        self.books.ids.len()
    }

    /// Whether none has.
    pub fn is_empty(&self) -> bool {
        self.books.ids.is_empty()
    }

    /// The window itself.
    pub fn window(&self) -> &Window {
        &self.books.window
    }

    /// Bytes on disk.
    pub fn log_bytes(&self) -> u64 {
        self.log.bytes()
    }

    fn read(&self, place: Place) -> Result<Added, StockError> {
        match serde_json::from_slice(&self.log.read(place)?)? {
            Entry::Add(added) => Ok(*added),
            Entry::Remove { id } => Err(StockError::IdTaken(id)),
        }
    }
}

#[cfg(test)]
mod tests {
    use lookalike::window::Span;
    use lookalike::{Measure, SetMaker, Threshold};
    use proptest::prelude::*;

    use super::*;

    fn open(folder: &Path) -> Stock {
        let span = Span::new(100, 20).unwrap();
        let window = Window::new(Threshold::new(Measure::Max, "0.7").unwrap(), span).unwrap();
        let (stock, recovered) = Stock::open(folder, window, recipe()).unwrap();
        assert_eq!((recovered.cut, recovered.damaged.len()), (0, 0));
        stock
    }

    fn recipe() -> Recipe {
        Recipe { tokens: "letters:2".parse().unwrap(), ..Recipe::default() }
    }

    fn incoming(id: &str, text: &str, time: i64) -> Incoming {
        let set = SetMaker::new(recipe()).set(text).to_vec();
        Incoming { id: id.to_string(), time, source: id.get(1..).map(String::from), text: text.to_string(), set }
    }

    /// All numbers but those of bytes: there is more room in memory that grew than in memory that was asked for.
    fn told(stock: &Stock) -> String {
        let mut figures = stock.figures();
        figures.segments.iter_mut().for_each(|row| row.bytes = 0);
        format!("{} {figures:?} {:?}", stock.len(), stock.news(5))
    }

    #[derive(Clone, Debug)]
    enum Event {
        Add(u32, String, i64),
        Query(String, i64),
        Remove(u32),
    }

    fn events() -> impl Strategy<Value = Vec<Event>> {
        let text = prop::sample::select(vec!["abcdefgh", "abcdefgx", "abcdefxx", "stuvwxyz", "stuvwxyzz", ""]);
        let step = prop_oneof![5 => 0i64..10, 1 => -80i64..0, 1 => 0i64..90];
        prop::collection::vec((0u8..10, 0u32..30, text, step), 0..50).prop_map(|made| {
            let mut time = 0;
            let mut event = |(what, id, text, step): (u8, u32, &str, i64)| {
                let at = time + step;
                time = time.max(at);
                match what {
                    0 => Event::Remove(id),
                    1 => Event::Query(text.to_string(), at),
                    _ => Event::Add(id, text.to_string(), at),
                }
            };
            made.into_iter().map(&mut event).collect()
        })
    }

    /// What is done to a stock, if anything.
    #[derive(Clone, Debug)]
    enum Restart {
        None,
        Crash,
        Close,
        WithoutSnapshot,
        FlipByte(usize),
        CutSnapshot(usize),
        OfOtherSettings,
    }

    fn restart() -> impl Strategy<Value = Restart> {
        prop_oneof![
            4 => Just(Restart::None),
            2 => Just(Restart::Crash),
            3 => Just(Restart::Close),
            1 => Just(Restart::WithoutSnapshot),
            1 => any::<usize>().prop_map(Restart::FlipByte),
            1 => any::<usize>().prop_map(Restart::CutSnapshot),
            1 => Just(Restart::OfOtherSettings),
        ]
    }

    fn restart_by(how: &Restart, stock: Stock, folder: &Path) -> Stock {
        let path = folder.join("window.snapshot");
        match how {
            Restart::None => return stock,
            Restart::Crash => drop(stock),
            _ => stock.close().unwrap(),
        }
        match how {
            Restart::WithoutSnapshot => std::fs::remove_file(&path).unwrap(),
            Restart::FlipByte(at) => {
                let mut bytes = std::fs::read(&path).unwrap();
                let at = at % bytes.len();
                bytes[at] ^= 1;
                std::fs::write(&path, bytes).unwrap();
            }
            Restart::CutSnapshot(length) => {
                let bytes = std::fs::read(&path).unwrap();
                std::fs::write(&path, &bytes[..length % bytes.len()]).unwrap();
            }
            Restart::OfOtherSettings => {
                let window = Window::new(Threshold::new(Measure::Max, "0.9").unwrap(), Span::new(100, 20).unwrap());
                let (other, _) = Stock::open(folder, window.unwrap(), recipe()).unwrap();
                other.close().unwrap();
            }
            _ => (),
        }
        open(folder)
    }

    proptest! {
        /// A stock that is closed and opened again at any moment answers as one that never was: with the snapshot that it left, with one of
        /// some time before, without one, and with one that is not whole any more.
        #[test]
        fn restarts_change_nothing(events in events(), restarts in prop::collection::vec(restart(), 50)) {
            let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
            let mut plain = open(folders[0].path());
            let mut restarted = open(folders[1].path());
            for (at, event) in events.into_iter().enumerate() {
                let [one, two] = [&mut plain, &mut restarted].map(|stock| {
                    let answer = match &event {
                        Event::Add(id, text, time) => format!("{:?}", stock.add(incoming(&id.to_string(), text, *time))),
                        Event::Query(text, time) => {
                            let document = incoming("?", text, *time);
                            format!("{:?}", stock.query("?", &document.set, *time))
                        }
                        Event::Remove(id) => format!("{:?}", stock.remove(&id.to_string())),
                    };
                    stock.commit(true).unwrap();
                    stock.tidy().unwrap();
                    let got: Vec<_> = (0..30).map(|id| stock.get(&id.to_string()).unwrap()).collect();
                    format!("{answer} {:?} {got:?} {}", stock.duplicates(3, 4).unwrap(), told(stock))
                });
                prop_assert_eq!(one, two);
                restarted = restart_by(&restarts[at], restarted, folders[1].path());
            }
        }
    }

    /// What was taken by one reading has no elements by the next: then documents have other slots.
    #[test]
    fn another_reading() {
        let folder = tempfile::tempdir().unwrap();
        let open = |tokens: &str| {
            let span = Span::new(100, 20).unwrap();
            let window = Window::new(Threshold::new(Measure::Max, "0.7").unwrap(), span).unwrap();
            let recipe = Recipe { tokens: tokens.parse().unwrap(), ..Recipe::default() };
            (Stock::open(folder.path(), window, recipe).unwrap().0, recipe)
        };
        let (mut stock, recipe) = open("raw");
        for (id, text) in [("x", "…"), ("a", "abcdefgh"), ("b", "stuvwxyz")] {
            let set = SetMaker::new(recipe).set(text).to_vec();
            stock.add(Incoming { set, ..incoming(id, text, 5) }).unwrap();
        }
        stock.remove("x").unwrap();
        stock.close().unwrap();
        for _ in 0..3 {
            let (mut stock, recipe) = open("letters:2");
            let ask = |stock: &mut Stock, text| stock.query("?", SetMaker::new(recipe).set(text), 5).of;
            assert_eq!(ask(&mut stock, "abcdefgh").as_deref(), Some("a"));
            assert_eq!(ask(&mut stock, "stuvwxyz").as_deref(), Some("b"));
            stock.close().unwrap();
        }
    }

    /// Similarities are not numbers that come out even.
    #[test]
    fn what_is_read_again_is_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let text = |length: usize| (0..length).map(|n| format!("{}{}", n % 7, n % 89)).collect::<String>();
        let mut stock = open(folder.path());
        let answers: Vec<Answer> =
            (50..150).map(|n| stock.add(incoming(&n.to_string(), &text(n), 7 * n as i64 % 60)).unwrap()).collect();
        stock.commit(true).unwrap();
        assert!(answers.iter().any(|answer| answer.similarity.is_some_and(|similarity| similarity < 1.0)));
        drop(stock);
        let stock = open(folder.path());
        for answer in answers {
            assert_eq!(stock.get(&answer.id).unwrap().unwrap().answer, answer);
        }
    }

    #[test]
    fn the_last_that_came() {
        let folder = tempfile::tempdir().unwrap();
        let mut stock = open(folder.path());
        assert_eq!(stock.last().unwrap(), None);
        for (id, time) in [("a", 500), ("b", 520), ("older than the window", 0)] {
            stock.add(incoming(id, id, time)).unwrap();
            stock.commit(true).unwrap();
            assert_eq!(stock.last().unwrap().unwrap().answer.id, id);
        }
        drop(stock);
        let stock = open(folder.path());
        assert_eq!(stock.last().unwrap().unwrap().answer.id, "older than the window");
        assert!(stock.has("a") && !stock.has("c"));
    }

    #[test]
    fn an_id_that_comes_again() {
        let folder = tempfile::tempdir().unwrap();
        let mut stock = open(folder.path());
        let first = stock.add(incoming("a", "abcdefgh", 0)).unwrap();
        stock.commit(true).unwrap();
        assert_eq!(stock.add(incoming("a", "abcdefgh", 5)).unwrap(), first);
        assert!(matches!(stock.add(incoming("a", "something else", 5)), Err(StockError::IdTaken(_))));
        assert!(stock.remove("a").unwrap() && !stock.remove("a").unwrap());
        assert_eq!(stock.add(incoming("a", "something else", 5)).unwrap().verdict, "new");
    }
}
