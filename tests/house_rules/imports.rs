//! The imports between the files of a crate: the module tree, its `use` declarations and its paths.
//!
//! An import counts for the file that defines the name, however many modules re-export it. So
//! `mod child;` and `pub use child::Name;` are no imports by themselves: they are if the parent's
//! own code uses the name.
//!
//! Limits: the text is read as tokens, not compiled. Names that a macro of another file produces,
//! methods called without a path, and both arms of a `cfg` are seen as they are written.
#![expect(clippy::panic, reason = "a failing test may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::tokens::{Token, tokens};

/// Imports of one file from another may go through this many re-exports.
const MOST_REEXPORTS: usize = 16;

/// The files and modules of one crate.
#[derive(Debug, Default)]
pub(crate) struct Crate {
    pub(crate) files: Vec<PathBuf>,
    modules: Vec<Module>,
}

/// One import: from file, to file, and the line that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Import {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) line: usize,
}

/// A module; an inline module shares the file of its parent.
#[derive(Debug, Default)]
struct Module {
    file: usize,
    parent: usize,
    children: BTreeMap<String, usize>,
    defined: BTreeSet<String>,
    uses: Vec<Use>,
    paths: Vec<(Vec<String>, usize)>,
    words: BTreeMap<String, usize>,
}

/// `use path as name;`, with `*` as the name of a glob.
#[derive(Debug)]
struct Use {
    path: Vec<String>,
    name: String,
    public: bool,
    line: usize,
}

#[derive(Clone, Copy, Debug)]
enum Target {
    Module(usize),
    Item(usize),
}

impl Crate {
    /// The crate whose root is this file; `read` gives the text of a file that exists.
    pub(crate) fn load(root: &Path, read: &dyn Fn(&Path) -> Option<String>) -> Self {
        let mut all = Self::default();
        let folder = root.parent().unwrap_or(Path::new("")).to_owned();
        all.add_file(root, &folder, 0, read);
        all
    }

    /// The crate on disk.
    pub(crate) fn open(root: &Path) -> Self {
        Self::load(root, &|path| fs::read_to_string(path).ok())
    }

    fn add_file(
        &mut self,
        path: &Path,
        folder: &Path,
        parent: usize,
        read: &dyn Fn(&Path) -> Option<String>,
    ) -> usize {
        let source = read(path).unwrap_or_else(|| panic!("{} is missing", path.display()));
        self.files.push(path.to_owned());
        let file = self.files.len() - 1;
        let all = tokens(&source);
        self.add_module(&all, file, folder, parent, read)
    }

    /// A module from its tokens; `folder` holds the files of its children.
    fn add_module(
        &mut self,
        all: &[Token],
        file: usize,
        folder: &Path,
        parent: usize,
        read: &dyn Fn(&Path) -> Option<String>,
    ) -> usize {
        let index = self.modules.len();
        self.modules.push(Module {
            file,
            parent,
            ..Module::default()
        });
        let text = |at: usize| all.get(at).map_or("", |token| token.text.as_str());
        let (mut at, mut depth) = (0, 0_usize);
        while at < all.len() {
            let begin = at;
            at += 1;
            match text(begin) {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                "mod" if is_name(text(at)) && text(at + 1) == ";" => {
                    let name = text(at);
                    let path = [format!("{name}.rs"), format!("{name}/mod.rs")]
                        .map(|end| folder.join(end))
                        .into_iter()
                        .find(|path| read(path).is_some())
                        .unwrap_or_else(|| panic!("{name} of {}", self.files[file].display()));
                    let child = self.add_file(&path, &folder.join(name), index, read);
                    self.modules[index].children.insert(name.to_owned(), child);
                }
                "mod" if is_name(text(at)) && text(at + 1) == "{" => {
                    let (name, body) = (text(at), at + 2);
                    at = closing(all, body);
                    let inner = folder.join(name);
                    let child = self.add_module(&all[body..at - 1], file, &inner, index, read);
                    self.modules[index].children.insert(name.to_owned(), child);
                }
                // Not `impl Trait + use<'a, T>`.
                "use" if text(at) != "<" => {
                    let end = (at..all.len()).find(|&end| text(end) == ";");
                    let end = end.unwrap_or(all.len());
                    // The `)` is that of `pub(crate)`.
                    let public = begin > 0 && matches!(text(begin - 1), "pub" | ")");
                    let uses = use_tree(&all[at..end], public);
                    self.modules[index].uses.extend(uses);
                    at = end;
                }
                word if is_item(word) && depth == 0 && is_name(text(at)) => {
                    self.modules[index].defined.insert(text(at).to_owned());
                }
                "macro_rules" => {
                    self.modules[index].defined.insert(text(at + 1).to_owned());
                }
                word if is_name(word) => {
                    let mut path = vec![word.to_owned()];
                    while text(at) == "::" && is_name(text(at + 1)) {
                        path.push(text(at + 1).to_owned());
                        at += 2;
                    }
                    let module = &mut self.modules[index];
                    let line = all[begin].line;
                    if begin == 0 || text(begin - 1) != "::" {
                        module.words.entry(path[0].clone()).or_insert(line);
                    }
                    if path.len() > 1 && (begin == 0 || text(begin - 1) != "::") {
                        module.paths.push((path, line));
                    }
                }
                _ => {}
            }
        }
        index
    }

    /// The imports between files, one per pair of files.
    pub(crate) fn imports(&self) -> Vec<Import> {
        let mut found = BTreeMap::new();
        for (index, module) in self.modules.iter().enumerate() {
            let mut add = |target: Option<Target>, line: usize| {
                if let Some(Target::Item(to)) = target
                    && to != module.file
                {
                    found.entry((module.file, to)).or_insert(line);
                }
            };
            for import in &module.uses {
                if import.name == "*" {
                    let Some(Target::Module(of)) = self.resolve(index, &import.path, 0) else {
                        continue;
                    };
                    for (word, &line) in &module.words {
                        if !module.defined.contains(word) {
                            add(self.member(of, word, 0), line);
                        }
                    }
                } else if !import.public || module.words.contains_key(&import.name) {
                    add(self.resolve(index, &import.path, 0), import.line);
                }
            }
            for (path, line) in &module.paths {
                add(self.resolve(index, path, 0), *line);
            }
        }
        let import = |((from, to), line)| Import { from, to, line };
        found.into_iter().map(import).collect()
    }

    /// The target of a path in a module; `None` for other crates and local names.
    fn resolve(&self, from: usize, path: &[String], reexports: usize) -> Option<Target> {
        let (first, mut rest) = path.split_first()?;
        let mut at = match first.as_str() {
            "crate" => 0,
            "self" => from,
            "super" => self.modules[from].parent,
            name => match self.imported(from, name, reexports)? {
                Target::Module(module) => module,
                item @ Target::Item(_) => return Some(item),
            },
        };
        while let Some((name, tail)) = rest.split_first() {
            if name == "super" {
                at = self.modules[at].parent;
            } else {
                match self.member(at, name, reexports) {
                    Some(Target::Module(module)) => at = module,
                    Some(item) => return Some(item),
                    None => return Some(Target::Item(self.modules[at].file)),
                }
            }
            rest = tail;
        }
        Some(Target::Module(at))
    }

    /// The target of a name in a module: a child, an item, or an import of either.
    fn member(&self, of: usize, name: &str, reexports: usize) -> Option<Target> {
        let module = &self.modules[of];
        if module.defined.contains(name) && !module.children.contains_key(name) {
            return Some(Target::Item(module.file));
        }
        self.imported(of, name, reexports)
    }

    /// A child, or what a `use` brought in.
    fn imported(&self, of: usize, name: &str, reexports: usize) -> Option<Target> {
        if reexports > MOST_REEXPORTS {
            return None;
        }
        let module = &self.modules[of];
        if let Some(&child) = module.children.get(name) {
            return Some(Target::Module(child));
        }
        let named = module.uses.iter().find(|import| import.name == name);
        if let Some(import) = named {
            // `use lz4::lz4;` or `use std::io;` must not find itself.
            let outside = import.path.len() > 1 || import.path[0] != name;
            return outside
                .then(|| self.resolve(of, &import.path, reexports + 1))
                .flatten();
        }
        let globs = module.uses.iter().filter(|import| import.name == "*");
        globs
            .filter_map(|glob| match self.resolve(of, &glob.path, reexports + 1)? {
                Target::Module(target) if target != of => self.member(target, name, reexports + 1),
                _ => None,
            })
            .next()
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

fn is_item(word: &str) -> bool {
    matches!(
        word,
        "fn" | "struct" | "enum" | "union" | "trait" | "type" | "const" | "static"
    )
}

/// The index after the brace that closes the one before `at`.
fn closing(all: &[Token], mut at: usize) -> usize {
    let mut depth = 1_usize;
    while at < all.len() && depth > 0 {
        match all[at].text.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    at
}

/// The imports of a `use` declaration, given without `use` and `;`.
fn use_tree(all: &[Token], public: bool) -> Vec<Use> {
    let mut found = Vec::new();
    let (mut stack, mut path) = (Vec::new(), Vec::<String>::new());
    let mut alias: Option<String> = None;
    let mut at = 0;
    let mut flush = |path: &mut Vec<String>, alias: &mut Option<String>, line, outer: usize| {
        if path.len() > outer {
            if path.last().is_some_and(|last| last == "self") {
                path.pop();
            }
            let glob = path.last().is_some_and(|last| last == "*");
            let name = alias.take().or_else(|| path.last().cloned());
            if glob {
                path.pop();
            }
            found.push(Use {
                path: path.clone(),
                name: name.unwrap_or_default(),
                public,
                line,
            });
        }
    };
    while at < all.len() {
        let line = all[at].line;
        let outer = stack.last().copied().unwrap_or(0);
        match all[at].text.as_str() {
            "{" => stack.push(path.len()),
            "}" => {
                flush(&mut path, &mut alias, line, outer);
                stack.pop();
                // What the braces held is done; the `,` or `}` after them adds nothing.
                path.truncate(stack.last().copied().unwrap_or(0));
            }
            "," => {
                flush(&mut path, &mut alias, line, outer);
                path.truncate(outer);
            }
            "as" => {
                at += 1;
                alias = all.get(at).map(|token| token.text.clone());
            }
            "::" => {}
            word => path.push(word.to_owned()),
        }
        at += 1;
    }
    let line = all.last().map_or(0, |token| token.line);
    flush(&mut path, &mut alias, line, 0);
    found
}

/// The imports of a toy crate, as names of files without folder and ending.
fn toy(files: &[(&str, &str)]) -> Vec<(String, String)> {
    let texts: BTreeMap<PathBuf, String> = files
        .iter()
        .map(|&(path, text)| (PathBuf::from(path), text.to_owned()))
        .collect();
    let all = Crate::load(Path::new("lib.rs"), &|path| texts.get(path).cloned());
    let name = |file: usize| all.files[file].with_extension("").display().to_string();
    let imports = all.imports();
    imports
        .iter()
        .map(|import| (name(import.from), name(import.to)))
        .collect()
}

#[track_caller]
fn check(files: &[(&str, &str)], wanted: &[(&str, &str)]) {
    let wanted: Vec<_> = wanted
        .iter()
        .map(|&(from, to)| (from.to_owned(), to.to_owned()))
        .collect();
    assert_eq!(toy(files), wanted);
}

#[test]
fn declarations_and_reexports_are_no_imports() {
    let root = "mod a; mod b; pub use a::A; pub(crate) use b::{B, C as D};";
    check(&[("lib.rs", root), ("a.rs", ""), ("b.rs", "")], &[]);
}

#[test]
fn a_reexport_that_is_used_is_an_import() {
    let root = "mod a; pub use a::A; fn f(a: A) {}";
    let files = [("lib.rs", root), ("a.rs", "pub struct A;")];
    check(&files, &[("lib", "a")]);
}

#[test]
fn a_reexported_name_counts_for_its_file() {
    let files = [
        ("lib.rs", "mod a; mod b;"),
        (
            "a/mod.rs",
            "mod c; mod d; pub(crate) use c::C; pub(crate) struct M;",
        ),
        ("a/c.rs", "pub(crate) struct C;"),
        ("a/d.rs", "use super::C;"),
        ("b.rs", "use crate::a::{C, M};"),
    ];
    check(&files, &[("a/d", "a/c"), ("b", "a/mod"), ("b", "a/c")]);
}

#[test]
fn captured_lifetimes_are_no_imports() {
    let files = [
        (
            "lib.rs",
            "mod a; fn f() -> impl Sized + use<> { g(); } fn h() { a::b() }",
        ),
        ("a.rs", "pub fn b() {}"),
    ];
    check(&files, &[("lib", "a")]);
}

#[test]
fn nested_braces_globs_and_aliases() {
    let files = [
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a.rs", "pub fn f() {} pub struct S;"),
        (
            "b.rs",
            "use crate::{a::{self as x, S}, c::*}; fn g() { h(); }",
        ),
        ("c.rs", "pub(crate) fn h() {} pub(crate) fn unused() {}"),
    ];
    check(&files, &[("b", "a"), ("b", "c")]);
}

#[test]
fn paths_in_code_are_imports() {
    let files = [
        ("lib.rs", "mod a; mod b; fn f() { a::g::<u8>() }"),
        ("a.rs", "pub fn g() { super::b::h() } // crate::b::x()"),
        ("b.rs", "use std::io; pub fn h() { io::a() }"),
    ];
    check(&files, &[("lib", "a"), ("a", "b")]);
}

#[test]
fn a_module_alone_is_no_import_and_what_is_used_of_it_is() {
    let files = [
        ("lib.rs", "mod a; mod b;"),
        ("a/mod.rs", "mod c; pub use c::f;"),
        ("a/c.rs", "pub fn f() {}"),
        ("b.rs", "use crate::a; fn g() { a::f() }"),
    ];
    check(&files, &[("b", "a/c")]);
}

#[test]
fn inline_modules_belong_to_their_file() {
    let files = [
        (
            "lib.rs",
            "mod a { mod inner { use super::super::b::B; } mod c; } mod b;",
        ),
        ("a/c.rs", "use super::super::b;"),
        ("b.rs", "pub struct B;"),
    ];
    check(&files, &[("lib", "b")]);
}
