//! Which outputs a run writes, and whether it can, checked before any work is done.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use lookalike_io::write::{Inputs, Table, check, check_uncompressed, follow_links};
use lookalike_io::{Format, Source, read};

use crate::error::Error;

/// Where the kept rows go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeptTarget {
    /// Into one file. `-` is standard output.
    File(PathBuf),
    /// Into a folder, with one file per input.
    Folder(PathBuf),
}

/// The outputs of a run; none by default.
#[derive(Clone, Debug, Default)]
pub struct Outputs {
    /// The kept rows, unchanged.
    pub kept: Option<KeptTarget>,
    /// The removed documents and their twins.
    pub removed: Option<PathBuf>,
    /// All pairs.
    pub pairs: Option<PathBuf>,
    /// The clusters.
    pub clusters: Option<PathBuf>,
    /// Every row with the decision on it.
    pub annotate: Option<PathBuf>,
    /// Rows that cannot be read.
    pub bad: Option<PathBuf>,
    /// Whether to replace existing files.
    pub force: bool,
}

impl Outputs {
    /// All of them, to compare with those of another run.
    pub(crate) fn names(&self) -> String {
        let Outputs { kept, removed, pairs, clusters, annotate, bad, .. } = self;
        format!("{kept:?} {removed:?} {pairs:?} {clusters:?} {annotate:?} {bad:?}")
    }

    /// Fails if an output cannot be written. `inputs` are the sources whose rows are written, `sources` everything that is read.
    pub(crate) fn check(&self, inputs: &[Source], sources: &[Source]) -> Result<(), Error> {
        let tables = [&self.removed, &self.pairs, &self.clusters];
        for path in tables.into_iter().flatten() {
            Table::check(path)?;
        }
        if let Some(path) = &self.annotate {
            self.check_annotate(path, inputs)?;
        }
        let mut paths: Vec<PathBuf> =
            tables.into_iter().chain([&self.annotate, &self.bad]).flatten().cloned().collect();
        match &self.kept {
            Some(KeptTarget::File(path)) => {
                check_one_file(path, inputs)?;
                paths.push(path.clone());
            }
            Some(KeptTarget::Folder(folder)) => {
                if folder.exists() && !folder.is_dir() {
                    return Err(Error::Usage(format!(
                        "cannot write {}/: it is a file, not a folder",
                        folder.display()
                    )));
                }
                let places = places_in(folder, inputs)?;
                for (place, input) in places.iter().zip(inputs) {
                    check_suffix(place, input)?;
                }
                paths.extend(places);
            }
            None => {}
        }
        // This folder and its subfolders are created when they are needed.
        let in_new_folder = |path: &&PathBuf| {
            matches!(&self.kept, Some(KeptTarget::Folder(folder)) if path.starts_with(folder)) && !path.exists()
        };
        check_paths(paths.iter().filter(|path| !in_new_folder(path)), self.force, sources)?;
        check_apart(&paths)
    }

    fn check_annotate(&self, path: &Path, inputs: &[Source]) -> Result<(), Error> {
        Table::check(path)?;
        if annotates_rows(path, inputs).is_some_and(|format| format != Format::Jsonl) {
            check_columns(path, inputs)?;
        }
        Ok(())
    }

    /// Whether anything goes to standard output.
    pub fn uses_stdout(&self) -> bool {
        let dash = Path::new("-");
        let kept = matches!(&self.kept, Some(KeptTarget::File(path)) if path == dash);
        let others = [&self.removed, &self.pairs, &self.clusters, &self.annotate, &self.bad];
        kept || others.into_iter().flatten().any(|path| path == dash)
    }

    /// Whether the inputs must be read again.
    pub(crate) fn needs_rows(&self) -> bool {
        self.kept.is_some() || self.annotate.is_some() || self.bad.is_some()
    }
}

/// Fails if one of these files cannot be written.
pub(crate) fn check_paths<'a>(
    mut paths: impl Iterator<Item = &'a PathBuf>,
    force: bool,
    sources: &[Source],
) -> Result<(), Error> {
    let inputs = Inputs::new(sources);
    Ok(paths.try_for_each(|path| check(path, force, &inputs))?)
}

/// Fails if two paths lead to the same file.
pub(crate) fn check_apart(paths: &[PathBuf]) -> Result<(), Error> {
    let mut places = HashSet::new();
    match paths.iter().find(|path| !places.insert(place_of(path))) {
        Some(path) => Err(Error::Usage(format!("{} is used for two outputs", path.display()))),
        None => Ok(()),
    }
}

/// The file that a path leads to, in canonical form.
fn place_of(path: &Path) -> PathBuf {
    let path = follow_links(path);
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (parent.canonicalize(), path.file_name()) {
        (Ok(parent), Some(name)) => parent.join(name),
        _ => path,
    }
}

/// The format of the annotated rows: that of the inputs, if the file name has the same. `None` means a table of ids.
pub(crate) fn annotates_rows(path: &Path, inputs: &[Source]) -> Option<Format> {
    let format = inputs.first()?.format();
    let same = inputs.iter().all(|input| input.format() == format);
    let named = Format::of_name(path).unwrap_or(Format::Jsonl);
    (same && named == format).then_some(format)
}

/// Fails if the rows of all inputs cannot go into one file.
fn check_one_file(path: &Path, inputs: &[Source]) -> Result<(), Error> {
    let Some(first) = inputs.first() else { return Ok(()) };
    let usage = |reason: String| Err(Error::Usage(format!("cannot write {}: {reason}", path.display())));
    if first.format().is_whole() {
        return usage(
            "each input file is one document. Use a folder, as in -o kept/, to copy the kept files".to_string(),
        );
    }
    if let Some(other) = inputs.iter().find(|input| input.format() != first.format()) {
        return usage(format!(
            "{} is {} and {} is {}. Use a folder, as in -o kept/, to write one file per input",
            first.path().display(),
            first.format().name(),
            other.path().display(),
            other.format().name()
        ));
    }
    if let Some(named) = Format::of_name(path)
        && named != first.format()
        && first.format() != Format::Lines
    {
        return usage(format!("the inputs are {}, and dedup does not convert rows", first.format().name()));
    }
    check_suffix(path, first)?;
    check_columns(path, inputs)
}

/// Fails if the rows of an input cannot be compressed as the name of the output says.
fn check_suffix(path: &Path, input: &Source) -> Result<(), Error> {
    if input.format() == Format::Parquet {
        check_uncompressed(path)?;
    }
    Ok(())
}

/// Fails if inputs with columns have different columns.
fn check_columns(path: &Path, inputs: &[Source]) -> Result<(), Error> {
    let different = |one: &Source, two: &Source, how: &str| {
        Error::Usage(format!(
            "cannot write {}: {} and {} have different columns{how}. Use a folder, as in -o kept/, to write one file per input",
            path.display(),
            one.path().display(),
            two.path().display()
        ))
    };
    if let Some(first) = inputs.first().filter(|first| first.format() == Format::Parquet) {
        for other in &inputs[1..] {
            if let Some(how) = read::schema_difference(first, other)? {
                return Err(different(first, other, &format!(" ({how})")));
            }
        }
    }
    let mut known: Option<(&Source, Vec<String>)> = None;
    for input in inputs.iter().filter(|input| matches!(input.format(), Format::Csv | Format::Tsv)) {
        let Some(header) = read::header(input)? else { continue };
        match &known {
            Some((first, names)) if *names != header.names => {
                return Err(different(first, input, ""));
            }
            Some(_) => {}
            None => known = Some((input, header.names)),
        }
    }
    Ok(())
}

/// The file in `folder` for each input. Its path is relative to the common folder of all inputs.
pub(crate) fn places_in(folder: &Path, inputs: &[Source]) -> Result<Vec<PathBuf>, Error> {
    let absolute = |input: &Source| match input.file() {
        Some(file) => std::path::absolute(file).unwrap_or_else(|_| file.to_path_buf()),
        None => std::path::absolute("stdin").unwrap_or_default().with_extension(input.format().name()),
    };
    let paths: Vec<PathBuf> = inputs.iter().map(absolute).collect();
    let parents: Vec<&Path> = paths.iter().map(|path| path.parent().unwrap_or(Path::new("/"))).collect();
    let mut common = parents.first().map_or(Path::new("/"), |parent| parent);
    while !parents.iter().all(|parent| parent.starts_with(common)) {
        common = common.parent().unwrap_or(Path::new("/"));
    }
    let mut seen = HashSet::new();
    let mut places = Vec::new();
    for path in &paths {
        let place = folder.join(path.strip_prefix(common).unwrap_or(path));
        if !seen.insert(place.clone()) {
            return Err(Error::Usage(format!("two inputs would both be written to {}", place.display())));
        }
        places.push(place);
    }
    Ok(places)
}
