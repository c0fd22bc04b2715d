//! Which arguments does `lookalike boilerplate` take?

use std::path::PathBuf;

use clap::Args;
use lookalike::Rational;
use lookalike::engine::SiteRule;

use super::common::{PrintArgs, RowArgs, parse_size};

#[derive(Args)]
#[command(after_help = "Use --help for details and examples.", after_long_help = EXAMPLES)]
pub struct BoilerplateArgs {
    /// Files, folders, globs, or - for stdin
    ///
    /// gzip and Zstandard are recognised by content.
    #[arg(required = true, value_name = "INPUT")]
    pub inputs: Vec<String>,

    /// Where to write the table
    ///
    /// JSON lines, whatever the name; compressed if it ends in .gz or .zst. docs/reference/pages.md describes it.
    #[arg(short, long, value_name = "TABLE")]
    pub output: PathBuf,

    /// Rule for the site of a page: registered, paper, field:NAME
    ///
    /// registered takes the registered domain by the public suffix list, paper follows Henzinger's paper, field:NAME reads the site
    /// from a field. Documents without a site count as one site. The table remembers the rule.
    #[arg(long, value_name = "RULE", default_value_t)]
    pub site: SiteRule,

    /// Minimum number of pages of a site with a passage
    ///
    /// Pages with the same text count once.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(2..))]
    pub min_pages: u64,

    /// Minimum share of a site's pages with a passage: a decimal or a fraction from 0 to 1
    #[arg(long, value_name = "SHARE", default_value = "0.1")]
    pub min_share: Rational,

    /// Memory to use, such as 512MiB or 8GB [default: 80 % of what is available]
    ///
    /// With less memory, more of the counts are in temporary files.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory: Option<usize>,

    #[command(flatten)]
    pub printing: PrintArgs,

    #[command(flatten)]
    pub rows: RowArgs,
}

const EXAMPLES: &str = "\
Examples:
  Learn what the sites of a crawl repeat on at least 3 pages, and compare the rest of the pages:
    lookalike boilerplate crawl.warc.gz -o passages.jsonl --min-pages 3
    lookalike dedup crawl.warc.gz --without passages.jsonl

  Lines that mails of one sender repeat:
    lookalike boilerplate mail.jsonl --site field:from -o signatures.jsonl";
