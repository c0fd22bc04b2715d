//! Do methods by signatures report only true pairs, always the same, with the recall that they state?

use std::collections::BTreeSet;

use crate::brute::Random;
use crate::fixture::{Folder, row};

/// Documents of which many are changed copies of others, at similarities on both sides of the threshold; a few equal ones.
fn corpus(documents: u64) -> String {
    let mut random = Random(7);
    let mut texts: Vec<Vec<u64>> = Vec::new();
    let mut rows = String::new();
    for n in 0..documents {
        let mut text: Vec<u64> = match random.below(2) {
            1 if !texts.is_empty() => texts[random.below(texts.len() as u64) as usize].clone(),
            _ => (0..80 + random.below(80)).map(|_| random.below(100_000)).collect(),
        };
        for _ in 0..random.below(5) {
            let at = random.below(text.len() as u64) as usize;
            text[at] = random.below(100_000);
        }
        let words: Vec<String> = text.iter().map(|word| format!("word{word}")).collect();
        rows += &row(&format!("d{n}"), &words.join(" "));
        texts.push(text);
    }
    rows
}

fn lines(folder: &Folder, name: &str) -> BTreeSet<String> {
    folder.text(name).lines().map(String::from).collect()
}

#[test]
fn minhash_reports_only_true_pairs_and_the_recall_it_has() {
    let folder = Folder::with(&[("in.jsonl", corpus(1500))]);
    folder.run("pairs in.jsonl --distinct -o exact.jsonl").ends(0);
    let exact = lines(&folder, "exact.jsonl");
    assert!(exact.len() > 300, "{}", exact.len());
    for options in ["--recall 0.99", "--recall 0.6 --bytes 64", "--features 6,14,2"] {
        let run = format!("pairs in.jsonl --distinct --method minhash {options} --json --force -o found.jsonl");
        let report = folder.printing(&run, "").ends(0).json();
        let found = lines(&folder, "found.jsonl");
        assert!(found.is_subset(&exact), "{options}");
        let recall = found.len() as f64 / exact.len() as f64;
        let signatures = &report["signatures"];
        let value = |name: &str| signatures["recall"][name].as_f64().unwrap();
        assert!(value("low") <= recall && recall <= value("high"), "{options}: {recall} {signatures}");
        assert!(value("high") - value("low") < 0.1, "{options}: {signatures}");
        assert!(recall >= signatures["designed_recall"].as_f64().unwrap() - 0.01, "{options}: {recall} {signatures}");
        // All sets are sampled, so every pair is found from both sides, and counted once.
        let counts = ["sampled_sets", "sampled_pairs", "found_pairs"].map(|name| value(name) as usize);
        assert_eq!(counts, [value("sets") as usize, exact.len(), found.len()], "{options}: {signatures}");
    }
}

#[test]
fn equal_documents_and_second_collections() {
    let corpus = corpus(600);
    let half = corpus.len() / 2 + corpus[corpus.len() / 2..].find('\n').unwrap() + 1;
    let folder = Folder::with(&[("1.jsonl", &corpus[..half]), ("2.jsonl", &corpus[half..])]);
    folder.write("all.jsonl", format!("{corpus}{}", corpus.replace("\"d", "\"e")));
    for inputs in ["all.jsonl", "1.jsonl --with 2.jsonl", "2.jsonl --with all.jsonl --distinct"] {
        folder.run(&format!("pairs {inputs} -t 0.7 --counts --force -o exact.jsonl")).ends(0);
        // A filter that misses practically nothing, so that the outputs can be compared byte by byte.
        let run = format!("pairs {inputs} -t 0.7 --counts --force --method minhash --features 64,2,1 -o found.jsonl");
        folder.run(&run).ends(0).says("each compared exactly");
        assert!(folder.text("exact.jsonl") == folder.text("found.jsonl"), "{inputs}");
    }
}

#[test]
fn the_same_on_any_number_of_threads() {
    let folder = Folder::with(&[("in.jsonl", corpus(1000))]);
    for method in ["minhash --recall 0.9", "simhash --bits 128 --agree 110", "simhash -t 0.7 --agree 340"] {
        let of = |threads: u32| {
            let run = format!("pairs in.jsonl --method {method} --threads {threads} --json --force -o out.csv");
            let report = folder.printing(&run, "").ends(0).json();
            (folder.read("out.csv"), report["signatures"].to_string(), report["histogram"].to_string())
        };
        let one = of(1);
        assert!(one.0.len() > 100, "{method}");
        assert!(one == of(2) && one == of(3), "{method}");
    }
}

#[test]
fn simhash_tells_agreement_and_similarity() {
    let folder = Folder::with(&[("in.jsonl", corpus(300))]);
    folder.run("pairs in.jsonl --method simhash --agree 300 -o all.jsonl").ends(0);
    let rows = folder.rows("all.jsonl");
    assert!(rows.len() > 50);
    assert!(rows.iter().all(|row| row["agree"].as_u64().unwrap() >= 300));
    let reaching = rows.iter().filter(|row| row["similarity"].as_f64().unwrap() >= 0.8).count();
    let run = "pairs in.jsonl --method simhash --agree 300 -t 0.8 -o some.jsonl --json";
    let report = folder.printing(run, "").ends(0).json();
    assert_eq!(folder.rows("some.jsonl").len(), reaching);
    assert!(report["signatures"]["recall"]["measured"].as_f64().is_some());
    assert!(report["signatures"]["designed_recall"].is_null());
}

/// A filter that misses practically nothing gives the output of the exact method, byte by byte.
#[test]
fn dedup_decides_as_exactly() {
    let corpus = corpus(700);
    let half = corpus.len() / 2 + corpus[corpus.len() / 2..].find('\n').unwrap() + 1;
    let folder = Folder::with(&[("1.jsonl", &corpus[..half]), ("2.jsonl", &corpus[half..])]);
    folder.write("all.jsonl", format!("{corpus}{}", corpus.replace("\"d", "\"e")));
    let outputs = ["kept.jsonl", "removed.csv", "pairs.csv", "clusters.csv", "notes.jsonl"];
    let [kept, removed, pairs, clusters, notes] = outputs;
    for options in
        ["all.jsonl", "all.jsonl --keep longest", "1.jsonl --against 2.jsonl", "1.jsonl all.jsonl --components"]
    {
        let run = format!(
            "dedup {options} -t 0.7 --force -o {kept} --removed {removed} --pairs {pairs} --clusters {clusters} --annotate {notes}"
        );
        folder.run(&run).ends(0);
        let exact = outputs.map(|name| folder.text(name));
        assert!(exact[1].lines().count() > 20, "{options}");
        for more in ["", " --threads 1"] {
            folder
                .run(&format!("{run} --method minhash --features 64,2,1{more}"))
                .ends(0)
                .says("each compared exactly");
            assert!(outputs.map(|name| folder.text(name)) == exact, "{options}{more}");
        }
    }
}

#[test]
fn dedup_removes_only_what_resembles_a_kept_one() {
    let folder = Folder::with(&[("in.jsonl", corpus(900))]);
    for method in
        ["minhash --recall 0.5 --bytes 32", "simhash --agree 350 -t 0.6", "c -t 0.6", "b --features 6,3,1 -t 0.6"]
    {
        let run =
            format!("dedup in.jsonl -t 0.6 --method {method} -o kept.jsonl --removed removed.jsonl --force --json");
        let run = run.replacen("-t 0.6 ", if method.contains("-t") { "" } else { "-t 0.6 " }, 1);
        let report = folder.printing(&run, "").ends(0).json();
        assert!(report["near"].as_u64().unwrap() > 20, "{method}");
        let kept: BTreeSet<String> = folder.field("kept.jsonl", "id").into_iter().collect();
        for row in folder.rows("removed.jsonl") {
            assert!(kept.contains(row["twin"].as_str().unwrap()), "{method}");
            assert!(row["similarity"].as_f64().unwrap() >= 0.6, "{method}");
        }
    }
}

/// Unverified similarities are marked in every output and in the report.
#[test]
fn unverified_says_so_everywhere() {
    let folder = Folder::with(&[("in.jsonl", corpus(300))]);
    for method in ["minhash", "sketch", "simhash", "b", "by-site"] {
        let run = format!(
            "dedup in.jsonl --method {method} --unverified --force -o kept.jsonl --removed removed.csv --pairs pairs.csv --clusters clusters.csv --annotate notes.jsonl"
        );
        folder.run(&run).ends(0).says("UNVERIFIED").says("neither complete nor verified");
        let report = folder.printing(&format!("{run} --json"), "").ends(0).json();
        assert_eq!(report["signatures"]["verified"], false);
        assert!(folder.text("removed.csv").starts_with("id,twin,unverified_similarity\n"));
        assert!(folder.text("pairs.csv").starts_with("a,b,unverified_similarity"));
        assert!(folder.text("clusters.csv").starts_with("cluster,id,kept,verified\n"));
        assert!(folder.text("notes.jsonl").lines().all(|line| line.contains("\"lookalike_unverified_similarity\":")));
    }
    // A file that changes between two readings would be noticed, but nothing is read twice.
    let report = folder.printing("pairs - --method minhash --unverified --json -o p.csv", corpus(100)).ends(0).json();
    assert!(report["signatures"]["recall"].is_null());
}

/// Sketches cluster by components: a chain of documents, each like the next only, is one cluster.
#[test]
fn sketches_make_components() {
    let words = |from: u32, to: u32| (from..to).map(|n| format!("w{n}")).collect::<Vec<_>>().join(" ");
    let chain: String = (0..6).map(|n| row(&format!("c{n}"), &words(20 * n, 20 * n + 300))).collect();
    let folder = Folder::with(&[("in.jsonl", chain + &row("other", &words(5000, 5300)))]);
    let run = "dedup in.jsonl -t 0.8 --method sketch --functions 512 -o kept.jsonl --clusters clusters.csv";
    folder.run(run).ends(0).says("by connected components").says("sketch, 410 of 512 values in common");
    assert_eq!(folder.field("kept.jsonl", "id"), ["c0", "other"]);
    assert_eq!(folder.text("clusters.csv").lines().count(), 7);
}

/// Every method finds the pairs that it has according to `compare`, with the same numbers.
#[test]
fn pages_by_every_algorithm_as_compare_judges() {
    let mut random = Random(3);
    let mut pages = String::new();
    let mut text: Vec<String> = (0..200).map(|n| format!("t{}", n * n % 71)).collect();
    for n in 0..12 {
        let address = format!("http://{}.site{}.org/{n}", ["www", "old"][n % 2], n % 3);
        let html = format!("<title>{n}</title><p>{}</p>", text.join(" "));
        pages += &format!("{}\n", serde_json::json!({"id": format!("p{n}"), "page": html, "url": address}));
        for _ in 0..random.below(4) {
            let at = random.below(text.len() as u64) as usize;
            text[at] = format!("u{}", random.below(50));
        }
    }
    let folder = Folder::with(&[("pages.jsonl", pages)]);
    let reading = "--html page --url url --page text";
    let mut verdicts = Vec::new();
    for b in 0..12 {
        for a in 0..b {
            let run = format!("compare p{a} p{b} --in pages.jsonl {reading} --json");
            verdicts.push((format!("p{a}"), format!("p{b}"), folder.printing(&run, "").ends(0).json()));
        }
    }
    let mut found_by = Vec::new();
    for method in ["b", "c", "combined", "by-site"] {
        let judged = |verdict: &serde_json::Value| {
            let of = verdict["verdicts"].as_array().unwrap().iter().find(|one| one["method"] == method).unwrap();
            of["pair"] == true
        };
        folder.run(&format!("pairs pages.jsonl {reading} --method {method} --force -o pairs.jsonl")).ends(0);
        let rows = folder.rows("pairs.jsonl");
        let expected: Vec<_> = verdicts.iter().filter(|(_, _, verdict)| judged(verdict)).collect();
        assert_eq!(rows.len(), expected.len(), "{method}");
        for (a, b, verdict) in expected {
            let row = rows.iter().find(|row| row["a"] == **a && row["b"] == **b).unwrap();
            for name in ["b_similarity", "c_similarity", "term_difference"] {
                assert_eq!(row[name], verdict[name], "{method} {a} {b} {name}");
            }
            assert_eq!(row["similarity"], verdict["resemblance"]);
            assert_eq!(row["same_site"] == true, verdict["a"]["site"] == verdict["b"]["site"]);
        }
        found_by.push(rows.len());
    }
    assert!(found_by.iter().all(|found| (3..60).contains(found)), "{found_by:?}");
}

/// If every signature passes, the result is that of the exact method.
#[test]
fn signatures_that_let_all_through_give_the_exact_pairs() {
    let mut random = Random(11);
    let mut texts: Vec<Vec<String>> = Vec::new();
    let mut rows = String::new();
    for n in 0..120 {
        let mut text = match random.below(3) {
            0 => (0..3 + random.below(30)).map(|_| format!("w{}", random.below(40))).collect(),
            _ if texts.is_empty() => vec!["one".to_string(), "two".to_string()],
            _ => texts[random.below(texts.len() as u64) as usize].clone(),
        };
        if random.below(2) == 0 {
            let at = random.below(text.len() as u64) as usize;
            text[at] = format!("v{}", random.below(5));
        }
        // The same words may have other punctuation between them.
        let text_of = text.join([" ", ", ", " - "][random.below(3) as usize]);
        let language = ["a", "b"][random.below(2) as usize];
        let url = format!("http://{}.org/{n}", ["one", "two"][random.below(2) as usize]);
        rows += &format!("{}\n", serde_json::json!({"id": n, "text": text_of, "lang": language, "url": url}));
        texts.push(text);
    }
    let folder = Folder::with(&[("in.jsonl", rows)]);
    let told = |name: &str| -> Vec<String> {
        let rows = folder.rows(name);
        rows.iter().map(|row| format!("{} {} {}", row["a"], row["b"], row["similarity"])).collect()
    };
    for options in [
        "",
        "--within lang",
        "--distinct",
        "--tokens chars:5",
        "--tokens chars:5 --within lang --distinct",
        "--tokens words --bag",
    ] {
        folder.run(&format!("pairs in.jsonl --url url -t 0.6 {options} --force -o exact.jsonl")).ends(0);
        let exact = told("exact.jsonl");
        assert!(exact.len() > 5, "{options}");
        for method in [
            "c --agree 0",
            "by-site --agree 0 --combined-agree 0 --features 64,1,1 --shingle 1",
            "simhash --bits 64 --agree 0",
        ] {
            // On one site pages must share a super-shingle.
            folder
                .run(&format!("pairs in.jsonl --url url -t 0.6 {options} --method {method} --force -o found.jsonl"))
                .ends(0);
            assert_eq!(told("found.jsonl"), exact, "{options} {method}");
        }
    }
}

/// Equal pages of different sites each keep their own site.
#[test]
fn by_site_does_not_depend_on_the_order() {
    let words = |changed: u32| {
        (0..400)
            .map(|n| if n % 400 < changed { format!("x{n}") } else { format!("t{}", n % 90) })
            .collect::<Vec<_>>()
            .join(" ")
    };
    let page = |id: &str, url: &str, changed| {
        format!("{}\n", serde_json::json!({"id": id, "url": url, "text": words(changed)}))
    };
    let pages = [page("A1", "http://one.com/", 0), page("A2", "http://two.org/", 0), page("B", "http://one.com/b", 12)];
    let pairs = |order: [usize; 3]| {
        let folder = Folder::with(&[("in.jsonl", order.map(|at| pages[at].clone()).concat())]);
        folder.run("pairs in.jsonl --url url --method by-site --agree 382 --features 6,1,1 -o out.jsonl").ends(0);
        let both = |row: &serde_json::Value| {
            let mut ids = [row["a"].to_string(), row["b"].to_string()];
            ids.sort();
            ids.concat()
        };
        folder.rows("out.jsonl").iter().map(both).collect::<BTreeSet<_>>()
    };
    let found = pairs([0, 1, 2]);
    assert!(
        found.contains("\"A1\"\"A2\"") && found.contains("\"A1\"\"B\"") && !found.contains("\"A2\"\"B\""),
        "{found:?}"
    );
    assert!(pairs([1, 0, 2]) == found && pairs([2, 1, 0]) == found);
}

#[test]
fn sites_by_every_rule() {
    let text = (0..60).map(|n| format!("t{n}")).collect::<Vec<_>>().join(" ");
    let page = |id: &str, url: &str, house: &str| {
        format!("{}\n", serde_json::json!({"id": id, "text": format!("{text} {id}"), "url": url, "house": house}))
    };
    let rows = page("a", "http://x.one.co.uk/", "1") + &page("b", "http://y.one.co.uk/", "2") + &page("c", "", "2");
    let folder = Folder::with(&[("in.jsonl", rows)]);
    let sites = |options: &str| {
        folder
            .run(&format!("pairs in.jsonl --url url --method b --features 6,1,1 {options} --force -o out.jsonl"))
            .ends(0);
        folder.rows("out.jsonl").iter().map(|row| row["same_site"].to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(sites(""), "true null null");
    assert_eq!(sites("--site paper"), "true null null");
    assert_eq!(sites("--site field:house"), "false false true");
    let none = folder.run("pairs in.jsonl --method b --site field:none -o x.csv").ends(2);
    none.says("no row of the inputs has a field 'none'");
}

#[test]
fn nothing_to_find() {
    let folder = Folder::with(&[("none.jsonl", String::new()), ("one.jsonl", row("a", "") + &row("b", "one two"))]);
    for input in ["none.jsonl", "one.jsonl"] {
        folder.run(&format!("pairs {input} --method minhash --force -o out.csv")).ends(0).says("not measured");
        folder.run(&format!("pairs {input} --method simhash --force -o out.csv")).ends(0);
    }
}

#[test]
fn refused() {
    let folder = Folder::with(&[("in.jsonl", row("a", "one"))]);
    for (options, message) in [
        ("--recall 0.9", "--recall works only with --method minhash"),
        ("--method simhash --bytes 64", "--bytes works only with --method minhash"),
        ("--method minhash --agree 60", "--agree works only with --method simhash"),
        ("--method minhash --measure cosine", "--method minhash works only with --measure jaccard"),
        ("--method minhash --measure edit -t 2", "--measure edit works only with --method exact"),
        ("--method minhash --algorithm ppjoin", "work only with --method exact"),
        ("--method minhash --recall 1", "must be above 0 and below 1"),
        ("--method minhash --recall 0.999 --bytes 8 -t 0.5", "no filter finds"),
        ("--method simhash --bits 100", "a multiple of 64"),
        ("--method simhash --bits 64 --agree 65", "more than the 64 bits"),
        ("--unverified", "--unverified works only with --method minhash"),
        ("--method minhash --unverified --counts", "--counts does not work with --unverified"),
        ("--method sketch --functions 2000", "use 1 to 1024"),
        ("--method b --measure hamming -t 3", "a distance"),
        ("--method simhash --measure overlap -t 3", "a count"),
        ("--method minhash --q 3", "--q works only with --measure edit"),
        ("--method minhash --site paper", "--site works only with --method b, c, combined, by-site"),
        ("--method b --agree 300", "--agree works only with"),
        ("--method by-site --site host", "not one of registered, paper, field:NAME"),
        ("--method by-site --combined-agree 400", "more than the 384 bits"),
    ] {
        folder.run(&format!("pairs in.jsonl {options} -o out.csv")).ends(2).says(message);
    }
    assert_eq!(folder.list(), ["in.jsonl"]);
}
