//! Do tables have the right columns, in input order, with numbers that read back exactly?

use crate::fixture::{CHAIN, CHAIN_LINK, Folder, SIXTEEN_DIGITS, numbered, row, sixteen_digits};

/// a, its near twin b, a copy of each, and two that resemble nothing.
fn folder() -> Folder {
    let [a, b] = sixteen_digits();
    let rows = [row("x", "alone"), row("a", &a), row("b", &b), row("y", "by itself"), row("a2", &a), row("b2", &b)];
    Folder::with(&[("in.jsonl", rows.concat())])
}

#[test]
fn removed_documents() {
    let folder = folder();
    for name in ["jsonl", "csv", "tsv"] {
        folder.run(&format!("dedup in.jsonl --removed removed.{name}")).ends(0);
    }
    assert_eq!(
        folder.text("removed.jsonl"),
        "{\"id\":\"b\",\"twin\":\"a\",\"similarity\":0.9146341463414634}\n\
         {\"id\":\"a2\",\"twin\":\"a\",\"similarity\":1.0}\n\
         {\"id\":\"b2\",\"twin\":\"a\",\"similarity\":0.9146341463414634}\n"
    );
    let csv = "id,twin,similarity\nb,a,0.9146341463414634\na2,a,1.0\nb2,a,0.9146341463414634\n";
    assert_eq!(folder.text("removed.csv"), csv);
    assert_eq!(folder.text("removed.tsv"), csv.replace(',', "\t"));
    let similarity: f64 = csv.lines().nth(1).unwrap().rsplit(',').next().unwrap().parse().unwrap();
    assert_eq!(similarity.to_bits(), SIXTEEN_DIGITS.to_bits());
    assert_eq!(similarity.to_bits(), (75.0_f64 / 82.0).to_bits());
}

/// By a distance, the columns keep their names and hold the distance.
#[test]
fn removed_documents_by_a_distance() {
    let folder =
        Folder::with(&[("in.jsonl", [row("a", "1 2 3 4"), row("b", "1 2 3 5"), row("c", "1 2 3 4")].concat())]);
    let options = "--tokens raw --measure hamming -t 3 --removed removed.csv --annotate rows.jsonl --pairs pairs.csv";
    folder.run(&format!("dedup in.jsonl {options}")).ends(0);
    assert_eq!(folder.text("removed.csv"), "id,twin,similarity\nb,a,2.0\nc,a,0.0\n");
    assert_eq!(folder.text("pairs.csv"), "a,b,distance\na,b,2\na,c,0\nb,c,2\n");
    assert_eq!(folder.field("rows.jsonl", "lookalike_similarity"), ["null", "2.0", "0.0"]);
}

#[test]
fn pairs_with_identical_documents_in_input_order() {
    let folder = folder();
    for name in ["jsonl", "csv", "tsv"] {
        folder.run(&format!("dedup in.jsonl --pairs pairs.{name}")).ends(0).says("6 pairs");
    }
    let near = "0.9146341463414634";
    let csv = format!("a,b,similarity\na,b,{near}\na,a2,1.0\na,b2,{near}\nb,a2,{near}\nb,b2,1.0\na2,b2,{near}\n");
    assert_eq!(folder.text("pairs.csv"), csv);
    assert_eq!(folder.text("pairs.tsv"), csv.replace(',', "\t"));
    assert!(folder.text("pairs.jsonl").starts_with("{\"a\":\"a\",\"b\":\"b\",\"similarity\":0.9146341463414634}\n"));
    assert_eq!(folder.text("pairs.jsonl").lines().count(), 6);
    // Pairs are in input order, whichever document is kept.
    for keep in ["last", "longest", "shortest"] {
        folder.run(&format!("dedup in.jsonl --pairs {keep}.csv --keep {keep}")).ends(0);
        assert_eq!(folder.text(&format!("{keep}.csv")), csv);
    }
}

#[test]
fn clusters() {
    let folder = folder();
    for name in ["jsonl", "csv", "tsv"] {
        folder.run(&format!("dedup in.jsonl --clusters clusters.{name} --keep last")).ends(0).says("1 cluster;");
    }
    let csv = "cluster,id,kept\n1,a,false\n1,b,false\n1,a2,false\n1,b2,true\n";
    assert_eq!(folder.text("clusters.csv"), csv);
    assert_eq!(folder.text("clusters.tsv"), csv.replace(',', "\t"));
    assert!(folder.text("clusters.jsonl").starts_with("{\"cluster\":1,\"id\":\"a\",\"kept\":false}\n"));
    assert_eq!(folder.text("clusters.jsonl").lines().count(), 4);

    // Numbered by their first document, and written one after the other.
    let rows = [("a", 0..54), ("p", 500..560), ("b", 0..54), ("q", 500..560)];
    let input: String = rows.into_iter().map(|(id, range)| numbered(id, range)).collect();
    let folder = Folder::with(&[("in.jsonl", input)]);
    folder.run("dedup in.jsonl --clusters clusters.csv").ends(0);
    assert_eq!(folder.text("clusters.csv"), "cluster,id,kept\n1,a,true\n1,b,false\n2,p,true\n2,q,false\n");
}

#[test]
fn annotated_json_lines_gain_members_and_keep_the_rest() {
    let [a, b] = sixteen_digits();
    let kept = format!("{{\"id\":\"a\",  \"text\":\"{a}\", \"n\": 1.50}}");
    let input = format!("{kept}\r\n{}\n{{}}\n[1]\nnot json\n{{ }}", row("b", &b).trim_end());
    let folder = Folder::with(&[("in.jsonl", input)]);
    folder.run("dedup in.jsonl --annotate rows.jsonl").ends(3);
    let none =
        "\"lookalike_cluster\":null,\"lookalike_kept\":true,\"lookalike_twin\":null,\"lookalike_similarity\":null";
    let expected = [
        format!(
            "{},\"lookalike_cluster\":1,\"lookalike_kept\":true,\"lookalike_twin\":null,\"lookalike_similarity\":null}}\r\n",
            kept.strip_suffix('}').unwrap()
        ),
        format!(
            "{},\"lookalike_cluster\":1,\"lookalike_kept\":false,\"lookalike_twin\":\"a\",\
             \"lookalike_similarity\":0.9146341463414634}}\n",
            row("b", &b).trim_end().strip_suffix('}').unwrap()
        ),
        format!("{{{none}}}\n"),
        format!("{{\"value\":[1],{none}}}\n"),
        format!("{{ {none}}}"),
    ];
    assert_eq!(folder.text("rows.jsonl"), expected.concat());
    assert_eq!(folder.rows("rows.jsonl").len(), 5);
}

#[test]
fn annotated_csv_gains_columns() {
    let [a, b] = sixteen_digits();
    let input = format!("id,text,more\r\na,\"{a}\",\"x,\ny\"\r\n\"b,\",{b},\r\nc,short row");
    let folder = Folder::with(&[("in.csv", &input), ("in.tsv", &input.replace("b,", "b").replace(',', "\t"))]);
    folder.run("dedup in.csv --annotate rows.csv").ends(0);
    let expected = format!(
        "id,text,more,lookalike_cluster,lookalike_kept,lookalike_twin,lookalike_similarity\r\n\
         a,\"{a}\",\"x,\ny\",1,true,,\r\n\"b,\",{b},,1,false,a,0.9146341463414634\r\nc,short row,,,true,,"
    );
    assert_eq!(folder.text("rows.csv"), expected);
    folder.run("dedup in.tsv --annotate rows.tsv").ends(0);
    let header = "id\ttext\tmore\tlookalike_cluster\tlookalike_kept\tlookalike_twin\tlookalike_similarity\r\n";
    assert!(folder.text("rows.tsv").starts_with(header), "{}", folder.text("rows.tsv"));
}

/// Where rows cannot get more columns, a table has the result for each id.
#[test]
fn annotations_of_other_formats_are_a_table_of_ids() {
    let folder = Folder::with(&[("in.txt", "same\nsame\nother\n")]);
    folder.run("dedup in.txt --format lines --annotate rows.csv").ends(0);
    assert_eq!(
        folder.text("rows.csv"),
        "id,lookalike_cluster,lookalike_kept,lookalike_twin,lookalike_similarity\n\
         in.txt:1,1,true,,\nin.txt:2,1,false,in.txt:1,1.0\nin.txt:3,,true,,\n"
    );
    let folder = self::folder();
    folder.run("dedup in.jsonl --annotate rows.tsv").ends(0);
    assert!(folder.text("rows.tsv").starts_with("id\tlookalike_cluster\tlookalike_kept\t"));
    assert_eq!(folder.text("rows.tsv").lines().count(), 7);
}

#[test]
fn ids_are_quoted_where_they_must_be() {
    let id = "a,\"b\"\n\tc";
    let folder = Folder::with(&[("in.jsonl", [numbered(id, 0..54), numbered("ü\u{1}", 0..54)].concat())]);
    folder.run("dedup in.jsonl --removed removed.csv").ends(0);
    assert_eq!(folder.text("removed.csv"), "id,twin,similarity\nü\u{1},\"a,\"\"b\"\"\n\tc\",1.0\n");
    folder.run("dedup in.jsonl --removed removed.tsv").ends(0);
    assert_eq!(folder.text("removed.tsv"), "id\ttwin\tsimilarity\nü\u{1}\t\"a,\"\"b\"\"\n\tc\"\t1.0\n");
    folder.run("dedup in.jsonl --removed removed.jsonl").ends(0);
    assert_eq!(
        folder.text("removed.jsonl"),
        "{\"id\":\"ü\\u0001\",\"twin\":\"a,\\\"b\\\"\\n\\tc\",\"similarity\":1.0}\n"
    );
    for table in ["removed.csv", "removed.tsv", "removed.jsonl"] {
        folder.run("dedup in.jsonl -o kept.jsonl --force").ends(0);
        folder.run(&format!("check in.jsonl --kept kept.jsonl --removed {table}")).ends(0);
    }
}

/// All tables of a chain at once: b is removed because of a, and c, which resembles only b, stays.
#[test]
fn all_tables_of_a_chain() {
    let ids = ["a", "b", "c"];
    let folder =
        Folder::with(&[("in.jsonl", ids.iter().zip(CHAIN).map(|(id, range)| numbered(id, range)).collect::<String>())]);
    let outputs = "-o kept.jsonl --removed removed.csv --pairs pairs.csv --clusters clusters.csv --annotate rows.jsonl";
    folder.run(&format!("dedup in.jsonl {outputs}")).ends(0);
    assert_eq!(folder.field("kept.jsonl", "id"), ["a", "c"]);
    assert_eq!(folder.text("removed.csv"), format!("id,twin,similarity\nb,a,{CHAIN_LINK}\n"));
    assert_eq!(folder.text("pairs.csv"), format!("a,b,similarity\na,b,{CHAIN_LINK}\nb,c,{CHAIN_LINK}\n"));
    assert_eq!(folder.text("clusters.csv"), "cluster,id,kept\n1,a,true\n1,b,false\n");
    assert_eq!(folder.field("rows.jsonl", "lookalike_kept"), ["true", "false", "true"]);
    assert_eq!(folder.field("rows.jsonl", "lookalike_cluster"), ["1", "1", "null"]);
}
