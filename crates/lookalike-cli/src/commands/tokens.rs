//! `lookalike tokens`: which tokens and shingles does a text have?

use lookalike::engine::{Explanation, SetMaker};
use lookalike_engine::Error;
use lookalike_io::extract::{Extracted, Extractor};
use lookalike_io::{Blocks, RowReader, resolve};

use crate::args::TokensArgs;
use crate::outcome::Outcome;
use crate::output::stdout::print;

pub fn run(args: TokensArgs) -> Result<Outcome, Error> {
    let sources = resolve(std::slice::from_ref(&args.input), args.reading.rows.format)?;
    args.reading.check(&sources)?;
    let collector = args.reading.collector(None, &[])?;
    let mut reader = RowReader::new(&collector.fields, usize::MAX);
    let mut extractor = Extractor::new(collector.extraction());
    let mut blocks = Blocks::new(&sources, &collector.fields, Default::default()).for_texts(usize::MAX);
    let mut text: Option<String> = None;
    while let Some(block) = blocks.next_block()? {
        reader.for_each(&block, |row, _| {
            let wanted = match (&args.pick, args.row) {
                (Some(id), _) => match row.id {
                    Some(own) => own == id,
                    None => *id == format!("{}:{}", sources[block.source].path().display(), row.number),
                },
                (None, Some(number)) => row.number == number,
                (None, None) => true,
            };
            if text.is_some() || !wanted {
                return Ok(());
            }
            match extractor.extract(&row) {
                Extracted::Document(document) => text = Some(document.text.to_string()),
                Extracted::Unusable(reason) | Extracted::Unreadable(reason) => {
                    return Err(Error::Usage(format!("{}, row {}: {reason}", args.input, row.number)));
                }
            }
            Ok(())
        })?;
        if text.is_some() {
            break;
        }
    }
    let Some(text) = text else {
        collector.fields.check_seen(&reader.take_seen(), "the inputs", true)?;
        let what = match (&args.pick, args.row) {
            (Some(id), _) => format!("no document with the id {id}"),
            (None, Some(row)) => format!("no document in row {row}"),
            (None, None) => "no document".to_string(),
        };
        return Err(Error::Usage(format!("{} has {what}", args.input)));
    };
    let seen = SetMaker::new(collector.recipe).explain(&text);
    let limit = if args.limit == 0 { usize::MAX } else { args.limit };
    print(if args.json { as_json(&seen) } else { as_text(&seen, limit) }.as_bytes())?;
    Ok(Outcome::Done)
}

fn as_text(seen: &Explanation, limit: usize) -> String {
    let mut distinct: Vec<u64> = seen.shingles.iter().map(|(_, hash)| *hash).collect();
    distinct.sort_unstable();
    distinct.dedup();
    let mut out = format!("{} tokens", seen.tokens.len());
    if !seen.tokens.is_empty() {
        out += ": ";
        out += &seen.tokens.iter().take(limit.saturating_mul(5)).cloned().collect::<Vec<_>>().join(" | ");
        if seen.tokens.len() > limit.saturating_mul(5) {
            out += " | …";
        }
    }
    out += &format!("\n{} shingles, {} distinct\n", seen.shingles.len(), distinct.len());
    for (shingle, hash) in seen.shingles.iter().take(limit) {
        out += &format!("{hash:016x}  {}\n", shingle.escape_debug());
    }
    if seen.shingles.len() > limit {
        out += &format!("… and {} more (--limit 0 shows all)\n", seen.shingles.len() - limit);
    }
    out
}

fn as_json(seen: &Explanation) -> String {
    let shingles: Vec<_> = seen
        .shingles
        .iter()
        .map(|(shingle, hash)| serde_json::json!({"shingle": shingle, "hash": format!("{hash:016x}")}))
        .collect();
    format!("{}\n", serde_json::json!({"tokens": seen.tokens, "shingles": shingles}))
}
