//! The objects of a store: from files and maps to keys, groups, tables and metadata
//! ([format §17.3](crate::format#17.3), [§17.4](crate::format#17.4)).

use std::collections::{BTreeMap, BTreeSet};

use super::embed::{self, Entry};
use crate::error::{Error, Part, Result};
use crate::frame::{AnyFrame, SPARSE_FRAME_FILE};
use crate::limits::{self, Limits};
use crate::num::to_u64;
use crate::storage::{FileTree, TreeEntryKind, path_names};

/// The endings of files that are objects.
const ENDINGS: [&str; 5] = [".b2nd", ".b2f", ".b2b", ".b2e", ".b2frame"];
/// The embedded part of the store, which is no object.
const EMBEDDED: &str = "embed";
/// The object with the metadata of its group.
const METADATA: &str = "__vlmeta__";
/// The objects that make a group a table: its schema, and the rows that are not deleted.
const TABLE: [&str; 2] = ["_meta", "_valid_rows"];
/// The objects with the metadata of a table, and the folders of its columns and indexes.
const TABLE_METADATA: [&str; 3] = ["_meta", "_vlmeta", "__vlmeta__"];
const COLUMNS: &str = "_cols";
const INDEXES: &str = "_indexes";
/// The deepest nesting of groups.
const MAX_DEPTH: usize = 64;
/// The memory of an object in the list, beside its names.
const ENTRY_LEN: u64 = 192;

/// The place of an object.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// A group.
    Group,
    /// A table.
    Table,
    /// A file with a frame.
    File(String),
    /// A folder with a sparse frame.
    Folder(String),
    /// An entry of the embedded store.
    Entry(Entry),
    /// The whole store is one frame.
    Root,
    /// The folder of a Zarr array.
    Zarr(String),
    /// The folder of a Zarr group.
    ZarrGroup(String),
}

/// The nodes of a store by key, and the frames with the metadata of groups.
#[derive(Debug, Default)]
pub(super) struct Listing {
    pub(super) nodes: BTreeMap<String, Place>,
    pub(super) metadata: BTreeMap<String, Vec<Place>>,
}

impl Listing {
    /// Adds a frame with metadata of a group.
    fn describe(&mut self, group: &str, place: Place) {
        self.metadata.entry(root_of(group)).or_default().push(place);
    }
}

/// The frames among the files of a store, with the keys that their paths make.
pub(super) fn of_files(files: &dyn FileTree, limits: &Limits) -> Result<Vec<(String, Place)>> {
    let mut found = Vec::new();
    let mut folders = vec![String::new()];
    let mut taken = 0_u64;
    while let Some(folder) = folders.pop() {
        let entries = files.list(&folder);
        for entry in entries.map_err(|error| Error::io(Part::Archive, None, error))? {
            let path = match folder.as_str() {
                "" => entry.name,
                folder => format!("{folder}/{}", entry.name),
            };
            taken = taken
                .saturating_add(ENTRY_LEN)
                .saturating_add(to_u64(path.len()).saturating_mul(2));
            limits::check("max_alloc", taken, limits.max_alloc, None)?;
            let key = ENDINGS.iter().find_map(|ending| path.strip_suffix(ending));
            let key = key.map(|key| format!("/{key}"));
            match (entry.kind, key) {
                (TreeEntryKind::File, Some(key)) => found.push((key, Place::File(path))),
                (TreeEntryKind::Folder, key) => {
                    let header = format!("{path}/{SPARSE_FRAME_FILE}");
                    match key.filter(|_| files.open(&header).is_ok()) {
                        Some(key) => found.push((key, Place::Folder(path))),
                        None => {
                            check_depth(&path)?;
                            folders.push(path);
                        }
                    }
                }
                _ => {}
            }
        }
    }
    Ok(found)
}

/// Refuses paths of more names than a store has groups.
pub(super) fn check_depth(path: &str) -> Result<()> {
    let depth = path.split('/').count();
    if depth > MAX_DEPTH {
        let field = "depth of a group";
        return Err(Error::out_of_range(
            Part::Archive,
            0,
            field,
            depth,
            0,
            MAX_DEPTH,
        ));
    }
    Ok(())
}

/// The entries of an embedded store.
pub(super) fn of_embedded(store: &AnyFrame) -> Result<Vec<(String, Place)>> {
    let entries = embed::entries(store)?;
    entries
        .into_iter()
        .map(|(key, entry)| {
            let path = key.strip_prefix('/').unwrap_or(&key);
            if path_names(path).map_or(true, |names| names.is_empty()) {
                let rule = "a key of an entry leaves the store";
                return Err(Error::broken(Part::EmbedMap, 0, rule));
            }
            check_depth(path)?;
            Ok((format!("/{path}"), Place::Entry(entry)))
        })
        .collect()
}

/// Sorts what was found into nodes and metadata, and adds the groups and tables.
pub(super) fn arrange(found: Vec<(String, Place)>) -> Result<Listing> {
    let keys: BTreeSet<&str> = found.iter().map(|(key, _)| key.as_str()).collect();
    let tables: BTreeSet<String> = keys
        .iter()
        .filter_map(|key| key.strip_suffix("/_meta"))
        .filter(|table| {
            TABLE
                .iter()
                .all(|part| keys.contains(&*format!("{table}/{part}")))
        })
        .map(str::to_owned)
        .collect();
    let mut listing = Listing::default();
    for (key, place) in found {
        let (group, name) = key.rsplit_once('/').unwrap_or(("", &key));
        if group.is_empty() && name == EMBEDDED {
            continue;
        }
        let table = tables.iter().rfind(|table| {
            key.strip_prefix(*table)
                .is_some_and(|rest| rest.starts_with('/'))
        });
        let Some(table) = table else {
            if name == METADATA {
                listing.describe(group, place);
            } else {
                add_groups(&mut listing.nodes, group);
                listing.nodes.insert(key, place);
            }
            continue;
        };
        // Inside of a table.
        let inner = key.get(table.len()..).unwrap_or_default();
        let inner = inner.trim_start_matches('/');
        match inner.split_once('/') {
            Some((INDEXES, _)) => {}
            Some((COLUMNS, column)) => {
                listing.nodes.insert(format!("{table}/{column}"), place);
            }
            None if TABLE_METADATA.contains(&inner) => listing.describe(table, place),
            _ => {
                listing.nodes.insert(key, place);
            }
        }
    }
    for table in tables {
        add_groups(&mut listing.nodes, &table);
        listing.nodes.insert(root_of(&table), Place::Table);
    }
    add_groups(&mut listing.nodes, "");
    Ok(listing)
}

/// The key of a group that is written without its first `/` when it is the root.
fn root_of(group: &str) -> String {
    match group {
        "" => "/".to_owned(),
        group => group.to_owned(),
    }
}

/// Adds a group and the groups above it.
pub(super) fn add_groups(nodes: &mut BTreeMap<String, Place>, group: &str) {
    let mut group = group;
    loop {
        let key = root_of(group);
        if nodes.contains_key(&key) {
            return;
        }
        nodes.insert(key, Place::Group);
        match group.rsplit_once('/') {
            Some((above, _)) => group = above,
            None => return,
        }
    }
}
