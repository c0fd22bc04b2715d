//! What should the user have typed? Tips for the ends of messages.

use std::ffi::OsString;

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use lookalike_engine::Error;
use lookalike_io::Error as FileError;

use crate::args::Cli;

/// Options of one command that another one has by another name: the command, what is typed, what is meant.
const OTHER_NAMES: [(&str, &str, &str); 3] = [
    ("dedup", "--with", "`dedup` has --against: documents similar to the other collection are removed"),
    ("pairs", "--against", "`pairs` has --with: the pairs between two collections are found"),
    ("dedup", "--explain", "--plan says what the run will need, and `pairs --explain` how it is joined"),
];

/// Gives a parser's error a tip of our own. The parser's for an unknown option, to pass it as a value, is meant by hardly anyone.
pub fn of_usage(mut error: clap::Error, arguments: &[OsString]) -> clap::Error {
    let command = arguments.get(1).and_then(|name| name.to_str());
    let command = command.filter(|name| Cli::command().find_subcommand(name).is_some());
    let is_given = |name: &str| arguments.iter().any(|argument| argument.to_str() == Some(name));
    // Such as `--with`, or `--method <METHOD>`.
    let option = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(option)) => option.split([' ', '=']).next().unwrap_or_default(),
        _ => "",
    };
    let tip = match error.kind() {
        ErrorKind::UnknownArgument => {
            let other = OTHER_NAMES.iter().find(|(known, typed, _)| command == Some(*known) && option == *typed);
            let general = || {
                error.get(ContextKind::Suggested)?;
                let command = command.map_or(String::new(), |name| format!("{name} "));
                Some(format!("'lookalike {command}-h' lists the options"))
            };
            other.map(|(_, _, tip)| tip.to_string()).or_else(general)
        }
        ErrorKind::MissingRequiredArgument if is_given("--against") => {
            Some("--against takes all files behind it: name the inputs first".to_string())
        }
        ErrorKind::InvalidValue if command == Some("sketch") && option == "--method" => Some(
            "a signature is meant here: `dedup --method minhash` compares features, --method sketch values of minhash"
                .to_string(),
        ),
        _ => None,
    };
    if let Some(tip) = tip {
        error.remove(ContextKind::SuggestedArg);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// If an error is about a field that is not there: which option asks for it, unless the message says that already.
pub fn of_field(error: &Error, arguments: &[OsString]) -> String {
    let (Error::Io(FileError::NoField { field, .. }) | Error::Io(FileError::NoColumn { column: field, .. })) = error
    else {
        return String::new();
    };
    let names = |value: &str| value.split([',', ':']).any(|part| part == field);
    let typed: Vec<&str> = arguments.iter().filter_map(|argument| argument.to_str()).collect();
    let named = typed.windows(2).find(|pair| pair[0].starts_with("--") && names(pair[1])).map(|pair| pair[0]);
    let joined =
        || typed.iter().filter_map(|one| one.split_once('=')).find(|(_, value)| names(value)).map(|(name, _)| name);
    match named.or_else(joined) {
        Some(option) if !error.to_string().contains(option) => format!("; {option} asks for it"),
        _ => String::new(),
    }
}
