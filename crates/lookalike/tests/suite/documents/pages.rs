//! Pages to texts: tricky markup as data, and pages generated together with what a reader sees of them.

use lookalike::engine::{PageReader, PageRule, decode, for_each_word};
use proptest::prelude::*;

fn read(rule: PageRule, page: &str) -> String {
    words(PageReader::new(rule).read(page, Some("http://www.example.org/a/page.html")))
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn shows(rule: PageRule, cases: &[(&str, &str)]) {
    for (page, expected) in cases {
        assert_eq!(read(rule, page), *expected, "{page}");
    }
}

#[test]
fn what_a_reader_sees() {
    shows(
        PageRule::Text,
        &[
            ("<p>one<p>two", "one two"),
            ("o<b>n</b>e <i>t</i>wo<br>three", "one two three"),
            ("<td>a</td><td>b</td>", "a b"),
            ("a<span>b</span><a href=x>c</a><div>d</div>e", "abc d e"),
            ("a<my-own>b</my-own>c", "a b c"),
            ("a<!-- <p>b</p> -->c", "ac"),
            ("a<!doctype html>b<?php echo '<p>' ?>c", "ab' ?>c"),
            ("<title>T &amp; U</title><style>p {}</style><script>if (a < b) {}</script>v", "T & U v"),
            ("<script>x</SCRIPT foo='>'>seen", "seen"),
            ("<script>'</scripts>'</script>seen", "seen"),
            ("<script><!-- document.write('<script>a</script>') --></script>seen", "seen"),
            ("<script><!--> '<script>' </script>seen", "seen"),
            ("<script><!-- '<script>' --> </script>seen", "seen"),
            ("<script>never closed <p>x", ""),
            ("<title>never <b>closed</b>", "never <b>closed</b>"),
            ("<textarea>a <b>&lt;</b></textarea>c", "a <b><</b> c"),
            ("<xmp>a <b>&lt;</b></xmp>c", "a <b>&lt;</b> c"),
            ("<plaintext>a </plaintext> <b>", "a </plaintext> <b>"),
            ("<noscript>no</noscript><template><p>no</p></template>yes", "yes"),
            ("<iframe>no <b></iframe>yes<video>no</video>", "yes"),
        ],
    );
}

#[test]
fn markup_as_it_is_found() {
    shows(
        PageRule::Text,
        &[
            ("1 < 2 <3 <- a<>b </> c </ d> e", "1 < 2 <3 <- a<>b c e"),
            ("<a title='>'>x</a>", "x"),
            ("<a title=\">\" b=c>x</a>", "x"),
            ("<a \"b>c\">d", "c\">d"),
            ("<a b='c'd=\">\">x", "x"),
            ("<a b=c'>'x", "'x"),
            ("<a =\">\">x", "\">x"),
            ("<a b = '>' >x", "x"),
            ("<a/b/>x</a/>y", "xy"),
            ("<a b='never closed>x</a>", ""),
            ("text <a", "text"),
            ("text <", "text <"),
            ("<!-->a<!--->b<!-- --!>c<!----!>d<!--!> -->e<!-- -- -->f", "abcdef"),
            ("<!-- never closed <p>x", ""),
            ("<![CDATA[a > b]]>c", "b]]>c"),
            ("<?xml version='1.0'?><p>a<![CDATA[<b> &amp;]]><script src='x'/>c<title/>d", "a<b> &amp; c d"),
            ("&lt;p&gt; &#x41;&#66;C&nbspD &amp;lt;", "<p> ABC D &lt;"),
        ],
    );
}

#[test]
fn what_is_hidden() {
    shows(
        PageRule::Text,
        &[
            ("<div hidden>a<div>b</div>c</div>d", "d"),
            ("<div HIDDEN=''>a</div>d", "d"),
            ("<p style='color:red; Display : NONE !important'>a</p>d", "d"),
            ("<p style=visibility:hidden>a<p>d", "d"),
            ("<p style='display:block' data-hidden=1>a", "a"),
            ("<ul><li hidden>a<li>b</ul>c", "b c"),
            ("<ul><li hidden>a<ul><li>x<li>y</ul>z</li><li>b</ul>c", "b c"),
            ("<div><span hidden>a</div>b", "b"),
            ("<table><tr><td hidden>a<td>b<tr hidden><td>c<td>d<tr><td>e</table>f", "b e f"),
            ("<input hidden>a<img style='display:none'>b", "a b"),
            ("<p hidden>a <b>c</b> <div>b</div>", "b"),
            ("<span hidden>a<span>b</span>c</span>d", "d"),
            ("<div hidden>never closed <p>x", ""),
            ("<select><option hidden>a<option>b</select>", "b"),
        ],
    );
}

/// The paper's rules, where they are plain and where they had to be decided.
#[test]
fn as_the_paper_has_it() {
    shows(
        PageRule::Paper,
        &[
            ("<p>one<p>two", "one two"),
            ("o<b>n</b>e t<font size=2>w</font>o<span>s</span> a<a href=x>b</a>c", "one twos a b c"),
            ("can't x_y 3.14 a-b é&eacute; e\u{301}x", "can t x y 3 14 a b éé e\u{301}x"),
            ("a<!-- b -->c<script>d</script><style>e</style>f", "a c f"),
            ("<title>T</title><div hidden>h</div><noscript>n</noscript>", "T h n"),
            (
                "see http://www.my-shop.com/a/b.html?x=1&y_z, ok",
                "see http www my_2dshop com a b html_3fx_3d1_26y_5fz ok",
            ),
            ("(www.example.org). xwww.a.b awww", "www example org xwww a b awww"),
            ("\"https://x.org/\"y http:// www. WWW.A.b", "https x org y http www WWW A b"),
            ("http://www.<b>ab</b>c.org<p>d", "http www abc org d"),
            ("a<img src='/img/logo.gif' alt='no'>b", "a logo_2egif b"),
            ("<img src=http://cdn.net/a.png>", "http_3a_2f_2fcdn_2enet_2fa_2epng"),
            ("<img src=http://WWW.example.org/x/a.png>", "a_2epng"),
            ("<img alt=x><img src=''>", ""),
            ("<input hidden style='x' src=a.gif>", ""),
        ],
    );
    let page = "<img src='http://www.example.org/a.png'>";
    assert_eq!(words(PageReader::new(PageRule::Paper).read(page, None)), "http_3a_2f_2fwww_2eexample_2eorg_2fa_2epng");
}

/// The words of the paper's text are its terms, image addresses and all.
#[test]
fn terms_are_words() {
    let page = "<p>3.14 can't <img src='//cdn.net/a-b.png?x=1'> http://my-shop.com";
    let mut reader = PageReader::new(PageRule::Paper);
    let mut tokens = Vec::new();
    for_each_word(reader.read(page, None), |word| tokens.push(word.to_string()));
    assert_eq!(tokens, ["3", "14", "can", "t", "cdn_2enet_2fa_2db_2epng_3fx_3d1", "http", "my_2dshop", "com"]);
}

/// A piece of a page, and what a reader sees of it; `\n` where words are parted.
fn piece() -> impl Strategy<Value = (String, String)> {
    let text = "[a-c<>&; é漢]{0,6}".prop_map(|text| {
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;");
        (escaped, text)
    });
    let nothing = prop::sample::select(vec![
        "<!-- x -->",
        "<script>a<b</script>",
        "<style>x</style>",
        "<p hidden>x</p>",
        "<div style=\"display:none\"><div>x</div></div>",
        "<template><div>x</template>",
    ]);
    let leaf = prop_oneof![
        3 => text,
        1 => nothing.prop_map(|page| (page.to_string(), if page.starts_with("<!") { "" } else { "\n" }.to_string())),
        1 => Just(("<br class='>'>".to_string(), "\n".to_string())),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let inline = prop::sample::select(vec!["b", "SPAN", "a href='<x>'", "i data-x=\"a>b\" "]);
        let block = prop::sample::select(vec!["div", "P", "td class=x", "h1", "unknown-element"]);
        let joined = proptest::collection::vec(inner, 0..4)
            .prop_map(|parts| parts.into_iter().unzip::<String, String, Vec<_>, Vec<_>>())
            .prop_map(|(page, seen)| (page.concat(), seen.concat()));
        let close = |tag: &str| tag.split(' ').next().unwrap_or_default().to_string();
        prop_oneof![
            (inline, joined.clone())
                .prop_map(move |(tag, (page, seen))| (format!("<{tag}>{page}</{}>", close(tag)), seen)),
            (block, joined).prop_map(move |(tag, (page, seen))| (
                format!("<{tag}>{page}</{} >", close(tag)),
                format!("\n{seen}\n")
            )),
        ]
    })
}

/// Nearly markup.
const MESS: &str = "([<>&/!?='\"\\-a ]|<!--|-->|</|<p|<script>|</script>|<title>|style=|hidden|&amp|&#x|http://|www\\.|<img src=|é|漢|\\PC){0,40}";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn generated_pages_show_what_they_were_made_of((page, seen) in piece()) {
        prop_assert_eq!(read(PageRule::Text, &page), words(&seen), "{}", page);
    }

    /// What was read before leaves no trace.
    #[test]
    fn a_reader_has_no_memory(pages in proptest::collection::vec(MESS, 1..4)) {
        for rule in [PageRule::Text, PageRule::Main, PageRule::Paper] {
            let mut reader = PageReader::new(rule);
            for page in &pages {
                let text = reader.read(page, None).to_string();
                let mut fresh = PageReader::new(rule);
                prop_assert_eq!(text, fresh.read(page, None));
            }
        }
    }

    /// Blocks are the text, in pieces; those of the main text are some of those of the text.
    #[test]
    fn blocks_are_the_text((page, _) in piece(), mess in MESS) {
        for page in [page, mess] {
            let blocks = |rule| {
                let mut reader = PageReader::new(rule);
                let whole = reader.read(&page, None).to_string();
                let (text, ends) = reader.read_blocks(&page, None);
                assert_eq!((text, ends.last()), (&*whole, Some(&whole.len())));
                assert!(ends.is_sorted());
                let starts = [0].into_iter().chain(ends.iter().copied());
                starts.zip(ends).map(|(start, &end)| words(&text[start..end])).collect::<Vec<String>>()
            };
            let all = blocks(PageRule::Text);
            let main = blocks(PageRule::Main);
            prop_assert!(main.iter().all(|block| block.is_empty() || all.contains(block)), "{:?} in {:?}", main, all);
            prop_assert_eq!(blocks(PageRule::Paper).len(), 1);
        }
    }

    /// Without markup a page is its text.
    #[test]
    fn plain_text_stays(text in "[^<&]{0,40}") {
        let mut reader = PageReader::new(PageRule::Text);
        prop_assert_eq!(reader.read(&text, None), &text);
    }

    #[test]
    fn any_bytes_are_a_text(bytes: Vec<u8>, label in proptest::option::of("[a-z0-9-]{0,12}"), is_page: bool) {
        let text = decode(&bytes, label.as_deref(), is_page);
        if label.is_none() && !is_page && let Ok(same) = str::from_utf8(&bytes) {
            prop_assert_eq!(text, same.strip_prefix('\u{feff}').unwrap_or(same));
        }
    }
}
