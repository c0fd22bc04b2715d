//! No file or folder of any crate depends on one that depends on it, and rooms depend only on rooms before them.
//!
//! Sources are parsed. A path in a `use` (braces, `super`, `self`) or in code is followed through re-exports to the file that defines
//! what it names.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::Visit;

/// The rooms of each crate, in the order in which a document passes through them.
const ROOMS: [(&str, &[&str]); 7] = [
    (
        "lookalike",
        &[
            "arch",
            "names",
            "progress",
            "storage",
            "text",
            "tokens",
            "sets",
            "measure",
            "sketch",
            "candidates",
            "verify",
            "join",
            "cluster",
            "window",
            "index",
            "distributed",
            "front",
            "engine",
            "lib",
        ],
    ),
    (
        "lookalike-io",
        &[
            "at_once", "cell", "error", "no_zstd", "codec", "format", "spill", "source", "parquet", "read", "write",
            "extract", "index", "lib",
        ],
    ),
    ("lookalike-truth", &["ids", "random", "labels", "scores", "evaluate", "choose", "page", "lib"]),
    (
        "lookalike-engine",
        &[
            "error", "testing", "on_disk", "read", "report", "tables", "sign", "external", "pairs", "decide", "write",
            "html", "jobs", "lib",
        ],
    ),
    ("lookalike-serve", &["log", "document", "stats", "store", "writer", "api", "folder", "labelling", "lib"]),
    (
        "lookalike-cli",
        &["args", "tips", "outcome", "output", "settings", "process", "commands", "program", "lib", "main"],
    ),
    (
        "../python",
        &[
            "call", "passages", "settings", "data", "origin", "result", "compare", "corpus", "index", "jobs", "sketch",
            "window", "spark", "lib",
        ],
    ),
];

/// A module: its file, what it imports under which name, and the paths that it uses.
#[derive(Default)]
struct Module {
    file: PathBuf,
    imports: BTreeMap<String, Vec<String>>,
    globs: Vec<Vec<String>>,
    used: BTreeSet<Vec<String>>,
}

/// The modules of a crate by their paths; that of the root is empty.
type Modules = BTreeMap<Vec<String>, Module>;

struct Reader<'a> {
    at: Vec<String>,
    folder: PathBuf,
    file: PathBuf,
    modules: &'a mut Modules,
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let syn::Meta::List(list) = &attribute.meta else { return attribute.path().is_ident("test") };
        let inside = list.tokens.to_string();
        attribute.path().is_ident("cfg") && (inside == "test" || inside == "doctest" || inside == "fuzzing")
    })
}

impl Reader<'_> {
    fn module(&mut self) -> &mut Module {
        self.modules.entry(self.at.clone()).or_default()
    }

    fn absolute(&self, path: &[String]) -> Option<Vec<String>> {
        let mut at = self.at.clone();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => {
                at.clear();
                rest = &path[1..];
            }
            "self" => rest = &path[1..],
            "super" => {
                while rest.first().is_some_and(|name| name == "super") {
                    at.pop();
                    rest = &rest[1..];
                }
            }
            _ => (),
        }
        at.extend_from_slice(rest);
        Some(at)
    }

    fn import(&mut self, before: &[String], tree: &syn::UseTree) {
        let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        match tree {
            syn::UseTree::Path(path) => self.import(&with(&path.ident), &path.tree),
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(before, tree)),
            syn::UseTree::Name(name) if name.ident == "self" => {
                let own = before.last().cloned().unwrap_or_default();
                self.imported(own, before.to_vec());
            }
            syn::UseTree::Name(name) => self.imported(name.ident.to_string(), with(&name.ident)),
            syn::UseTree::Rename(rename) => self.imported(rename.rename.to_string(), with(&rename.ident)),
            syn::UseTree::Glob(_) => {
                if let Some(path) = self.absolute(before) {
                    self.module().globs.push(path);
                }
            }
        }
    }

    fn imported(&mut self, name: String, path: Vec<String>) {
        if let Some(path) = self.absolute(&path) {
            self.module().imports.insert(name, path.clone());
            self.module().used.insert(path);
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if !is_test(&item.attrs) {
            self.import(&[], &item.tree);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if let Some(path) = self.absolute(&names) {
            self.module().used.insert(path);
        }
        syn::visit::visit_path(self, path);
    }

    /// `pub(super)` and its like depend on nothing.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if !is_test(&item.attrs) {
            syn::visit::visit_item_impl(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !is_test(&item.attrs) {
            syn::visit::visit_item_fn(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if is_test(&item.attrs) {
            return;
        }
        let name = item.ident.to_string();
        self.at.push(name.clone());
        match &item.content {
            Some((_, items)) => {
                let file = self.file.clone();
                self.module().file = file;
                items.iter().for_each(|item| self.visit_item(item));
            }
            None => {
                let folder = self.folder.join(&name);
                let alone = self.folder.join(format!("{name}.rs"));
                let file = if alone.exists() { alone } else { folder.join("mod.rs") };
                read(self.at.clone(), folder, file, self.modules);
            }
        }
        self.at.pop();
    }
}

fn read(at: Vec<String>, folder: PathBuf, file: PathBuf, modules: &mut Modules) {
    let source = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let parsed = syn::parse_file(&source).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let mut reader = Reader { at, folder, file: file.clone(), modules };
    reader.module().file = file;
    reader.visit_file(&parsed);
}

fn modules_of(name: &str) -> Modules {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src");
    let root = ["lib.rs", "main.rs"].map(|file| source.join(file)).into_iter().find(|file| file.exists());
    let mut modules = Modules::new();
    read(Vec::new(), source.clone(), root.expect("a root"), &mut modules);
    modules
}

/// The file in which a path leads to a definition; `None` if it leads out of the crate.
fn resolve(modules: &Modules, path: &[String], depth: usize) -> Option<PathBuf> {
    let mut at: Vec<String> = Vec::new();
    for (place, name) in path.iter().enumerate() {
        let mut child = at.clone();
        child.push(name.clone());
        if modules.contains_key(&child) {
            at = child;
            continue;
        }
        let module = &modules[&at];
        let behind = |target: &[String]| [target, &path[place + 1..]].concat();
        if let Some(target) = module.imports.get(name) {
            let target = behind(target);
            return if depth == 0 || target == path { None } else { resolve(modules, &target, depth - 1) };
        }
        let from_glob = module.globs.iter().find_map(|glob| {
            let target = [glob, &path[place..]].concat();
            if depth == 0 { None } else { resolve(modules, &target, depth - 1) }
        });
        // A name that this module defines, or one that is not of this crate at all: what begins with it is then not a path of modules.
        return from_glob.or_else(|| (place > 0 || at.is_empty()).then(|| module.file.clone()));
    }
    Some(modules[&at].file.clone())
}

/// Which files a file depends on.
fn edges(modules: &Modules) -> BTreeMap<PathBuf, BTreeSet<PathBuf>> {
    let mut edges: BTreeMap<PathBuf, BTreeSet<PathBuf>> = BTreeMap::new();
    for (at, module) in modules {
        // A module that only declares and re-exports others is a page of contents: nothing depends on it.
        for path in &module.used {
            let is_own = path.len() > at.len() && path.starts_with(at) && !modules.contains_key(&path[..at.len() + 1]);
            let is_import = |name: &String| module.imports.contains_key(name);
            if is_own && !path.get(at.len()).is_some_and(is_import) {
                continue;
            }
            if let Some(file) = resolve(modules, path, 8).filter(|file| *file != module.file) {
                edges.entry(module.file.clone()).or_default().insert(file);
            }
        }
    }
    // Re-exports are followed where they are used.
    let contents: Vec<PathBuf> =
        modules.values().filter(|module| is_contents(&module.file)).map(|m| m.file.clone()).collect();
    contents.iter().for_each(|file| drop(edges.remove(file)));
    edges
}

/// Whether a file has nothing but modules, imports and documentation.
fn is_contents(file: &Path) -> bool {
    let parsed = syn::parse_file(&fs::read_to_string(file).expect("a source")).expect("a source");
    parsed.items.iter().all(|item| match item {
        syn::Item::Use(_) => true,
        syn::Item::Mod(module) => module.content.is_none() || is_test(&module.attrs),
        _ => false,
    })
}

/// Files from which a way leads back to themselves, in groups.
fn cycles(edges: &BTreeMap<PathBuf, BTreeSet<PathBuf>>) -> Vec<BTreeSet<PathBuf>> {
    let reach = |from: &PathBuf| {
        let (mut seen, mut left) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(file) = left.pop() {
            for next in edges.get(&file).into_iter().flatten() {
                if seen.insert(next.clone()) {
                    left.push(next.clone());
                }
            }
        }
        seen
    };
    let all: BTreeMap<PathBuf, BTreeSet<PathBuf>> = edges.keys().map(|file| (file.clone(), reach(file))).collect();
    let mut cycles = BTreeSet::new();
    for (file, reached) in &all {
        let group: BTreeSet<PathBuf> =
            reached.iter().filter(|other| all.get(*other).is_some_and(|back| back.contains(file))).cloned().collect();
        if !group.is_empty() {
            cycles.insert(group);
        }
    }
    cycles.into_iter().collect()
}

fn short(file: &Path) -> String {
    let parts: Vec<String> = file.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    let src = parts.iter().rposition(|part| part == "src").unwrap_or(0);
    parts[src + 1..].join("/")
}

#[test]
fn no_file_depends_on_one_that_depends_on_it() {
    let mut found = Vec::new();
    for (name, _) in ROOMS {
        let modules = modules_of(name);
        assert!(modules.len() > 10, "{name}: the sources were not found");
        let edges = edges(&modules);
        assert!(edges.len() > 5, "{name}: no imports were found");
        for cycle in cycles(&edges) {
            found.push(format!("{name}: {}", cycle.iter().map(|file| short(file)).collect::<Vec<_>>().join(", ")));
        }
    }
    assert!(found.is_empty(), "{} cycles:\n{}", found.len(), found.join("\n"));
}

/// Which members of each folder (its files and folders) depend on which others. A member that is a file and a folder is one.
fn edges_of_folders(
    edges: &BTreeMap<PathBuf, BTreeSet<PathBuf>>,
) -> BTreeMap<String, BTreeMap<PathBuf, BTreeSet<PathBuf>>> {
    let mut folders: BTreeMap<String, BTreeMap<PathBuf, BTreeSet<PathBuf>>> = BTreeMap::new();
    for (file, others) in edges {
        for other in others {
            let [from, to] = [short(file), short(other)];
            let [from, to]: [Vec<&str>; 2] = [&from, &to].map(|file| file.trim_end_matches(".rs").split('/').collect());
            let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            // A file `x.rs` beside a folder `x` belongs to it.
            let (Some(from_member), Some(to_member)) = (from.get(shared), to.get(shared)) else { continue };
            let members = folders.entry(from[..shared].join("/")).or_default();
            members.entry(from_member.into()).or_default().insert(to_member.into());
        }
    }
    folders
}

#[test]
fn no_folder_depends_on_one_beside_it_that_depends_on_it() {
    let mut found = Vec::new();
    for (name, _) in ROOMS {
        for (folder, members) in edges_of_folders(&edges(&modules_of(name))) {
            for cycle in cycles(&members) {
                let cycle: Vec<String> = cycle.iter().map(|member| member.display().to_string()).collect();
                found.push(format!("{name}: {folder}/ {{{}}}", cycle.join(", ")));
            }
        }
    }
    assert!(found.is_empty(), "{} cycles:\n{}", found.len(), found.join("\n"));
}

#[test]
fn rooms_depend_on_rooms_before_them() {
    let mut wrong = Vec::new();
    for (name, rooms) in ROOMS {
        let room = |file: &Path| {
            let short = short(file);
            let first = short.split('/').next().unwrap_or_default().trim_end_matches(".rs").to_string();
            rooms.iter().position(|room| **room == first).unwrap_or_else(|| panic!("{name}: {short} is in no room"))
        };
        for (file, others) in edges(&modules_of(name)) {
            for other in others.iter().filter(|other| room(other) > room(&file)) {
                wrong.push(format!("{name}: {} uses {}", short(&file), short(other)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The test can fail: a cycle through braces, `super` and a re-export is found.
#[test]
fn a_cycle_is_found() {
    let folder = std::env::temp_dir().join(format!("lookalike-layering-{}", std::process::id()));
    fs::create_dir_all(folder.join("b")).expect("a folder");
    let files = [
        ("lib.rs", "mod a;\nmod b;\n"),
        ("a.rs", "use crate::{b::{Deep}};\npub struct A(pub Deep);\n"),
        ("b/mod.rs", "mod deep;\npub use deep::Deep;\n"),
        ("b/deep.rs", "use super::super::a;\npub struct Deep(pub Box<a::A>);\n"),
    ];
    for (name, text) in files {
        fs::write(folder.join(name), text).expect("a file");
    }
    let mut modules = Modules::new();
    read(Vec::new(), folder.clone(), folder.join("lib.rs"), &mut modules);
    let found = cycles(&edges(&modules));
    fs::remove_dir_all(&folder).expect("the folder");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].len(), 2);
}

/// The test of folders can fail: no file is in a cycle, but two folders are.
#[test]
fn a_cycle_of_folders_is_found() {
    let path = |file: &str| PathBuf::from("src").join(file);
    let edges = [("a/one.rs", "b/one.rs"), ("b/two.rs", "a/two.rs"), ("lib.rs", "a/one.rs")];
    let edges = edges.map(|(from, to)| (path(from), BTreeSet::from([path(to)]))).into();
    assert!(cycles(&edges).is_empty());
    let folders = edges_of_folders(&edges);
    assert_eq!(cycles(&folders[""]), [BTreeSet::from(["a".into(), "b".into()])]);
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
