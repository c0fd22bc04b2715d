//! Which passages does a site repeat on its pages? A table of them, in a file that a person can read.
//!
//! The file is JSON lines. The first line has the format, the settings it was learned with, and a checksum of all bytes after that line.
//! Every other line is a passage of a site: the hash of its normal form, on how many pages it is, of how many, and how its normal form
//! begins. Lines are sorted by site, then by pages, most first, then by hash. So a table has the same bytes wherever it is made.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use lookalike::engine::{Progress, Silent, SiteRule};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use crate::codec::decode;
use crate::error::Error;
use crate::write::{Finished, Output};

const FORMAT: &str = "lookalike boilerplate";
const VERSION: u32 = 1;
/// Rows that are read between two looks at whether the call is cancelled.
const ROWS: u64 = 1 << 12;

/// The passages that sites repeat.
#[derive(Debug)]
pub struct Boilerplate {
    path: PathBuf,
    site: SiteRule,
    hash: String,
    sites: HashMap<String, HashSet<u64>>,
}

/// How a table was learned.
#[derive(Clone, Debug)]
pub struct BoilerplateSettings {
    /// How the site of a document is found.
    pub site: SiteRule,
    /// On how many pages a passage is at least.
    pub min_pages: u64,
    /// On which share of its site's pages a passage is at least.
    pub min_share: String,
}

/// A passage of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoilerplateRow {
    /// The site; empty for documents without one.
    pub site: String,
    /// The hash of its normal form, as 16 hexadecimal digits.
    pub passage: String,
    /// On how many pages of the site it is.
    pub pages: u64,
    /// Pages of the site.
    pub of: u64,
    /// How its normal form begins.
    pub text: String,
}

#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    site: String,
    min_pages: u64,
    min_share: String,
    passages: u64,
    checksum: String,
}

impl Boilerplate {
    /// Reads a table.
    pub fn read(path: &Path) -> Result<Boilerplate, Error> {
        Boilerplate::read_watched(path, &Silent)
    }

    /// Reads a table, and fails if the call is cancelled.
    pub fn read_watched(path: &Path, progress: &dyn Progress) -> Result<Boilerplate, Error> {
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(|error| Error::read(path, error))?;
        let read = decode(file, Default::default()).and_then(|mut stream| stream.read_to_end(&mut bytes));
        read.map_err(|error| Error::read(path, error))?;
        let table = Boilerplate::of_bytes(&bytes, progress);
        let table = table.map_err(|reason| Error::Boilerplate { path: path.to_path_buf(), reason })?;
        Ok(Boilerplate { path: path.to_path_buf(), ..table })
    }

    fn of_bytes(bytes: &[u8], progress: &dyn Progress) -> Result<Boilerplate, String> {
        let other = || "it is not a table that `lookalike boilerplate` wrote".to_string();
        let end = bytes.iter().position(|&byte| byte == b'\n').ok_or_else(other)?;
        let (first, rest) = (&bytes[..end], &bytes[end + 1..]);
        let start: serde_json::Value = serde_json::from_slice(first).map_err(|_| other())?;
        if start["format"] != FORMAT {
            return Err(other());
        }
        if start["version"] != VERSION {
            let version = &start["version"];
            return Err(format!("it has format version {version}, and this program reads version {VERSION}"));
        }
        let header: Header = serde_json::from_value(start).map_err(|error| format!("row 1: {error}"))?;
        if header.checksum != format!("{:016x}", xxh3_64(rest)) {
            return Err("its checksum is wrong: it was changed or damaged. Make it again with `lookalike boilerplate`"
                .to_string());
        }
        let site = header.site.parse().map_err(|error| format!("row 1: {error}"))?;
        let path = PathBuf::new();
        let mut table = Boilerplate { path, site, hash: format!("{:032x}", xxh3_128(bytes)), sites: HashMap::new() };
        let lines = rest.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        for (line, number) in lines.zip(2_u64..) {
            if number.is_multiple_of(ROWS) && progress.is_cancelled() {
                return Err("cancelled".to_string());
            }
            let row: BoilerplateRow = serde_json::from_slice(line).map_err(|error| format!("row {number}: {error}"))?;
            let hash = u64::from_str_radix(&row.passage, 16)
                .map_err(|_| format!("row {number}: '{}' is not a hash of 16 hexadecimal digits", row.passage))?;
            table.sites.entry(row.site).or_default().insert(hash);
        }
        Ok(table)
    }

    /// Writes a table, complete but under its temporary name.
    pub fn write(
        path: &Path,
        settings: &BoilerplateSettings,
        mut rows: Vec<BoilerplateRow>,
    ) -> Result<Finished, Error> {
        rows.sort_by(|a, b| a.site.cmp(&b.site).then(b.pages.cmp(&a.pages)).then_with(|| a.passage.cmp(&b.passage)));
        let mut lines = Vec::new();
        for row in &rows {
            lines.extend(serde_json::to_vec(row).unwrap_or_default());
            lines.push(b'\n');
        }
        let header = Header {
            format: FORMAT.to_string(),
            version: VERSION,
            site: settings.site.to_string(),
            min_pages: settings.min_pages,
            min_share: settings.min_share.clone(),
            passages: rows.len() as u64,
            checksum: format!("{:016x}", xxh3_64(&lines)),
        };
        let mut output = Output::create(path)?;
        output.put(&serde_json::to_vec(&header).unwrap_or_default())?;
        output.put(b"\n")?;
        output.put(&lines)?;
        output.finish()
    }

    /// The file that it was read from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How the site of a document is found.
    pub fn site(&self) -> &SiteRule {
        &self.site
    }

    /// A hash of the table: two tables with the same hash leave out the same passages.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The hashes of the passages of a site.
    pub(super) fn of_site(&self, site: &str) -> Option<&HashSet<u64>> {
        self.sites.get(site)
    }
}
