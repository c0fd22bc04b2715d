//! No page of the documentation is left out when its samples are compiled.

use std::fs;
use std::path::Path;

#[test]
fn the_samples_of_every_page_are_compiled() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let listed = fs::read_to_string(package.join("src/lib.rs")).expect("the front page");
    let mut pages: Vec<String> = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(String::from).to_vec();
    for part in ["", "guides/", "reference/", "theory/"] {
        for entry in fs::read_dir(package.join("../../docs").join(part)).expect("the documentation") {
            let name = entry.expect("a readable folder").file_name().into_string().expect("a name");
            if name.ends_with(".md") {
                pages.push(format!("docs/{part}{name}"));
            }
        }
    }
    assert!(pages.len() > 10, "{pages:?}");
    for page in pages {
        assert!(listed.contains(&format!("\"../../../{page}\",")), "{page} is not among the samples in src/lib.rs");
    }
}
