//! Which commands are there?

use clap::{Parser, Subcommand};

use super::{
    BoilerplateArgs, CalibrateArgs, CheckArgs, CompareArgs, CompletionsArgs, DedupArgs, EvaluateArgs, FilterArgs,
    GraphArgs, IndexArgs, PairsArgs, RunFolderArgs, ServeArgs, SketchArgs, StreamArgs, TokensArgs, VerifyArgs,
    WatchArgs,
};

/// Find near-duplicate documents: every pair, with its exact similarity
#[derive(Parser)]
#[command(name = "lookalike", version, after_help = EXAMPLES)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  lookalike dedup news.jsonl                        # report duplicates, write nothing
  lookalike dedup news.jsonl -o kept.jsonl --removed removed.jsonl
  lookalike check news.jsonl --kept kept.jsonl --removed removed.jsonl
  lookalike pairs news.jsonl -t 0.9 -o pairs.csv    # every pair with similarity 0.9 or more
  lookalike evaluate pairs.csv --labels labels.csv  # precision, recall and F1
  lookalike verify news.jsonl --candidates clusters.csv   # a second opinion on another tool
  lookalike calibrate news.jsonl --labels labels.csv   # settings that agree best with labels
  lookalike dedup news.jsonl --index archive        # add what the archive lacks
  lookalike index query archive new.jsonl           # what new documents resemble in the archive
  lookalike graph pairs.csv --svg plots             # degrees and components of these pairs
  lookalike boilerplate crawl.warc.gz -o passages.jsonl   # menus and footers that sites repeat
  lookalike compare old.html new.html               # measures and a diff of two documents
  lookalike tokens page.txt                         # tokens and shingles of a text
  lookalike stream news.jsonl --only duplicates     # duplicates within the last 24 hours
  lookalike watch in --accept out --reject seen     # the same for files that arrive in a folder
  lookalike serve --data window                     # the same over HTTP
  lookalike sketch news.jsonl -o signatures.parquet # signatures for your own index
  lookalike filter -t 0.9 --recall 0.95             # a filter for such signatures

Exit status: 0 done; 1 check failed, or --fail-if-found found something; 2 wrong usage or a fatal error; \
3 done, but with bad rows; 130 interrupted.";

#[derive(Subcommand)]
pub enum Command {
    /// Remove near-duplicates from a collection
    ///
    /// A document is removed only if a kept document is at least as similar to it as the threshold says: its twin.
    /// No two kept documents reach the threshold. Without an output option, `dedup` only reports. See docs/guides/dedup.md.
    Dedup(Box<DedupArgs>),
    /// Find every pair of similar documents
    ///
    /// Each pair carries its exact similarity, unless you set --unverified. See docs/guides/pairs.md.
    Pairs(Box<PairsArgs>),
    /// Query, change or check an index: a collection that grows
    ///
    /// `lookalike dedup --index DIR` makes an index and adds to it. docs/guides/archive.md is the guide.
    Index(IndexArgs),
    /// Show the progress of a run with --run
    Run(RunFolderArgs),
    /// Check what a deduplication wrote, by this tool or another
    ///
    /// Checks that every input row is kept or removed, that no two kept documents reach the threshold, and that the twin of every
    /// removed document is kept and as similar as stated. Give it the options of the run. If a check fails, it prints the ids and exits
    /// with status 1. See docs/guides/check.md.
    Check(Box<CheckArgs>),
    /// Measure how good pairs or clusters are, against labels
    ///
    /// Precision, recall, F1 and average precision with 95 % intervals, B-cubed and the adjusted Rand index of clusters, all of it by
    /// similarity and by field, and the worst mistakes by name. Pairs without a label count neither as right nor as wrong. See
    /// docs/guides/evaluate.md.
    Evaluate(Box<EvaluateArgs>),
    /// Choose tokens, measure, fields and threshold from labels
    ///
    /// Tries every combination, and prints the best one as a command to paste, with the F1 to expect of it and how much each choice
    /// matters. --label proposes pairs to label. See docs/guides/calibrate.md.
    Calibrate(Box<CalibrateArgs>),
    /// Compare the candidates of another tool exactly
    ///
    /// Gives each candidate pair its exact similarity, names those that fall short of the threshold, splits clusters into the
    /// parts that the threshold supports, and says which share of the documents would be removed wrongly. See docs/guides/verify.md.
    Verify(Box<VerifyArgs>),
    /// Learn which passages the sites of a collection repeat
    ///
    /// A passage is a block of a page or a line of a text. Those that are on enough pages of their site go into a table. Commands with
    /// --without TABLE leave them out before they compare. See docs/guides/boilerplate.md.
    Boilerplate(Box<BoilerplateArgs>),
    /// Write a signature of every document, for your own index
    ///
    /// Each row has the fields id and signature. The signature of a document without tokens is null. Signatures are the same on every
    /// machine; docs/theory/sketches.md defines them.
    Sketch(Box<SketchArgs>),
    /// Judge documents as they arrive, by a sliding window of time
    ///
    /// Each document is compared with the documents of the last 24 hours, or of another window. A verdict is a JSON object with the
    /// fields id, verdict, of, similarity and matches. verdict is new, exact, near, or old if the document is older than the window. of
    /// is the id of the most similar document, the earliest of equals. matches lists all, each with id, similarity, and age in seconds.
    /// See docs/guides/streams.md.
    Stream(Box<StreamArgs>),
    /// Design a filter for min-wise signatures, or examine one
    ///
    /// Among all filters [k, s, r] that reach --recall at the threshold within --bytes and --functions, it chooses the one that passes
    /// the fewest pairs below the threshold. docs/theory/sketches.md explains how.
    Filter(FilterArgs),
    /// Compare two documents: every measure, every method, and a diff
    ///
    /// See docs/guides/compare.md.
    Compare(Box<CompareArgs>),
    /// Describe pairs as a graph: degrees, components, similarities
    ///
    /// Documents are nodes and pairs are edges. It counts how many documents have how many pairs, how large the connected components
    /// are, and how many pairs have which similarity. A repeated pair counts once; a document paired with itself counts for nothing.
    /// See docs/guides/graph.md.
    Graph(GraphArgs),
    /// Show the tokens, shingles and hashes of a text
    ///
    /// docs/reference/tokens.md defines them.
    Tokens(TokensArgs),
    /// Judge documents over HTTP, with a window that survives crashes
    ///
    /// Clients post documents and get verdicts, as `lookalike stream` prints them. What the service has acknowledged is still there
    /// after a crash. See docs/guides/serve.md, and docs/reference/http-api.md for the requests.
    Serve(Box<ServeArgs>),
    /// Judge files that arrive in a folder, and move each to one of two folders
    ///
    /// `watch` takes a file when it is complete: closed after writing, or moved in. It takes a file that was there before once it has
    /// not changed for a second. It skips names that begin with a dot or end in .tmp or .part. The time of a document is the
    /// modification time of its file.
    ///
    /// For each file it prints a verdict, as `lookalike stream` does, and writes it beside the file as NAME.lookalike.json. A
    /// file that cannot be judged is reported and stays; with --once the exit status is then 3. See docs/guides/watch.md.
    Watch(Box<WatchArgs>),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
}
