//! Pages for people.

use crate::fixture::{Folder, row, words};

const HOSTILE: &str =
    "<script>alert(1)</script><img src=\"http://evil.example/x.png\"> & \"quoted\" \u{202e}reversed\u{0} </main>";

fn hostile() -> Folder {
    let text = |n: u32| format!("{HOSTILE} {} {}", words(0..40), words(100 + n..103 + n));
    let document =
        |n: u32| serde_json::json!({"id": format!("<u>{n}</u>"), "text": text(n), "source": format!("</td>{}", n % 2)});
    Folder::with(&[("in.jsonl", (0..6).map(|n| format!("{}\n", document(n))).collect::<String>())])
}

fn check(page: &str) {
    for part in ["<script", "<img", "</td>0", "<u>0</u>", "\u{202e}", "\u{0}", "http://evil.example/x.png\""] {
        assert!(!page.contains(part), "{part:?} in the page");
    }
    assert!(
        page.contains("&lt;script&gt;") && page.contains("default-src &#39;none&#39;")
            || page.contains("default-src 'none'")
    );
    assert!(!page.contains("src=\"") && !page.contains("url(") && !page.contains("@import"), "nothing is loaded");
    assert_eq!(page.matches("</main>").count(), 1);
}

#[test]
fn dedup_with_hostile_text() {
    let folder = hostile();
    folder.run("dedup in.jsonl -t 0.6 --report report.html --by source -o kept.jsonl").ends(0);
    let page = folder.text("report.html");
    check(&page);
    assert!(
        page.contains("What is removed, by source") && page.contains("The largest clusters") && page.contains("<mark>")
    );
    folder.run("dedup in.jsonl --report report.html").ends(2).says("--force");
    folder.run("dedup in.jsonl --report report.txt").ends(2).says(".html");
    folder.run("dedup in.jsonl --report in.html --by nothing").ends(2).says("nothing");
    assert_eq!(folder.list(), ["in.jsonl", "kept.jsonl", "report.html"], "a failed run leaves no page");
}

#[test]
fn pairs_with_hostile_text() {
    let folder = hostile();
    folder.run("pairs in.jsonl -t 0.6 -o pairs.csv --report report.html --by source").ends(0);
    let page = folder.text("report.html");
    check(&page);
    assert!(page.contains("Nearest to the threshold") && page.contains("(different values)"));
}

#[test]
fn evaluate_and_calibrate() {
    let folder = hostile();
    folder.run("pairs in.jsonl -t 0.3 -o pairs.csv").ends(0);
    folder.write("labels.csv", "a,b,label\n<u>0</u>,<u>1</u>,1\n<u>0</u>,<u>2</u>,0\n<u>0</u>,<i>9</i>,1\n");
    folder.run("evaluate pairs.csv --labels labels.csv --documents in.jsonl --report e.html -q").ends(0);
    check(&folder.text("e.html"));
    folder.run("calibrate in.jsonl --labels labels.csv --report c.html -q").ends(0);
    let page = folder.text("c.html");
    assert!(page.contains("Too few labels") && page.contains("How much tokens matters") && !page.contains("<u>0</u>"));
}

/// However many documents there are, the page shows a few.
#[test]
fn a_page_is_small() {
    let text = |n: u32| format!("{} {}", words(0..60), words(1000 * (n / 3) + 5000..1000 * (n / 3) + 5200));
    let documents: String = (0..3000).map(|n| row(&format!("d{n}"), &text(n))).collect();
    let folder = Folder::with(&[("in.jsonl", documents)]);
    folder.run("dedup in.jsonl --report report.html -q").ends(0);
    let page = folder.text("report.html");
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
    assert!(page.contains("10 of 1,000 clusters"));
}

/// The same page, whatever the threads and the memory.
#[test]
fn the_same_page() {
    let folder = hostile();
    folder.run("dedup in.jsonl -t 0.6 --report one.html --threads 1 -q").ends(0);
    folder.run("dedup in.jsonl -t 0.6 --report two.html --threads 2 --memory 40MiB -q").ends(0);
    assert_eq!(folder.text("one.html"), folder.text("two.html"));
}
