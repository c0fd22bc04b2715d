//! Imports go only upward, from where a document is later to where it was earlier.

use std::fs;
use std::path::{Path, PathBuf};

/// The way of a document.
const WAY: [&str; 11] =
    ["arch", "text", "tokens", "sets", "measure", "sketch", "candidates", "verify", "join", "cluster", "window"];

#[test]
fn imports_go_upward() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    let mut read = 0;
    for (depth, module) in WAY.iter().enumerate() {
        for path in files(&source.join(module)) {
            let text = fs::read_to_string(&path).expect("a source file");
            read += 1;
            for later in &WAY[depth + 1..] {
                if text
                    .lines()
                    .any(|line| !line.trim_start().starts_with("//") && line.contains(&format!("crate::{later}::")))
                {
                    wrong.push(format!("{} uses {later}", path.display()));
                }
            }
        }
    }
    assert!(read > 20, "the sources were not found");
    assert_eq!(wrong, [""; 0]);
}

/// All files in a folder and the folders in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder a module") {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() { files.extend(self::files(&path)) } else { files.push(path) }
    }
    files
}

#[test]
fn every_module_lies_on_the_way() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for entry in fs::read_dir(source).expect("the sources") {
        let name = entry.expect("a readable folder").file_name().into_string().expect("a name");
        assert!(name == "lib.rs" || WAY.contains(&name.as_str()), "{name} is not on the way of a document");
    }
}

/// No build of a stranger should need a C library for encryption.
#[test]
fn unwanted_dependencies_stay_out() {
    let lock =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock")).expect("the lock file");
    assert!(lock.contains("name = \"rayon\""));
    for unwanted in ["openssl-sys", "aws-lc-sys", "ring"] {
        assert!(!lock.contains(&format!("name = \"{unwanted}\"")), "{unwanted} is in the build");
    }
}
