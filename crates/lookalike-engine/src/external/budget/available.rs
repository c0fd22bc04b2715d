//! How much memory is there?

use std::fs;
use std::path::{Path, PathBuf};

/// The least memory that is used if none is named: a small run would need no more.
const LEAST: u64 = 64 << 20;

/// Returns how many bytes a run uses if none are named: 80 % of what is available. `None` if the system does not say.
pub fn usual_memory() -> Option<u64> {
    Some((available_memory()? / 5 * 4).max(LEAST))
}

/// Returns how many bytes this process could use: what the machine has available, or what is left of the limit of its control group.
/// `None` if the system does not say.
fn available_memory() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| field(&text, "MemAvailable:"));
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let left = groups.lines().filter_map(left_in_group);
    machine.map(|kilobytes| kilobytes << 10).into_iter().chain(left).min()
}

/// What is left of the limits of a group, a line of `/proc/self/cgroup`, and of the groups that it is in.
fn left_in_group(line: &str) -> Option<u64> {
    let mut fields = line.splitn(3, ':').skip(1);
    let (kind, path) = (fields.next()?, fields.next()?.trim_start_matches('/'));
    let (root, limit, usage, cache) = match kind {
        "" => ("/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"),
        _ if kind.split(',').any(|kind| kind == "memory") => {
            ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
        }
        _ => return None,
    };
    let number = |folder: &Path, name: &str| fs::read_to_string(folder.join(name)).ok()?.trim().parse::<u64>().ok();
    let left = |folder: PathBuf| {
        let limit = number(&folder, limit)?;
        // Cached files make way.
        let stat = fs::read_to_string(folder.join("memory.stat")).unwrap_or_default();
        let used = number(&folder, usage)?.saturating_sub(field(&stat, cache).unwrap_or(0));
        Some(limit.saturating_sub(used))
    };
    Path::new(path).ancestors().filter_map(|path| left(Path::new(root).join(path))).min()
}

/// The number behind a name at the start of a line.
fn field(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name)?.trim().trim_end_matches(" kB").parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields() {
        let text = "MemTotal:       24683744 kB\nMemAvailable:   23926784 kB\n";
        assert_eq!(field(text, "MemAvailable:"), Some(23_926_784));
        assert_eq!(field("inactive_file 5\nactive_file 7", "active_file"), Some(7));
        assert_eq!(field(text, "Swap:"), None);
        assert_eq!(left_in_group("nonsense"), None);
        assert_eq!(left_in_group("3:cpu:/x"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn there_is_some() {
        assert!(available_memory().is_some_and(|bytes| bytes > 1 << 20));
    }
}
