//! The groups and arrays of a hierarchy.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::super::listing::{Place, check_depth};
use super::super::value::Value;
use super::json;
use crate::error::{Error, Part, Result};
use crate::limits::{self, Limits};
use crate::num::to_u64;
use crate::storage::{FileTree, TreeEntryKind};

/// The document of a group or array of version 3.
const V3: &str = "zarr.json";
/// The memory of a node in the list, beside its names.
const ENTRY_LEN: u64 = 192;

/// A path inside a folder.
pub(super) fn inside(folder: &str, name: &str) -> String {
    match folder {
        "" => name.to_owned(),
        folder => format!("{folder}/{name}"),
    }
}

/// Whether a folder is a group or an array.
pub(in super::super) fn is_node(files: &dyn FileTree, folder: &str) -> bool {
    let is = |name| files.open(&inside(folder, name)).is_ok();
    [V3, ".zarray", ".zgroup"].into_iter().any(is)
}

/// All groups and arrays by key. The folders of chunks are not listed.
pub(in super::super) fn walk(
    files: &dyn FileTree,
    limits: &Limits,
) -> Result<BTreeMap<String, Place>> {
    let mut nodes = BTreeMap::new();
    let mut folders = vec![String::new()];
    let mut taken = 0_u64;
    while let Some(folder) = folders.pop() {
        taken = taken
            .saturating_add(ENTRY_LEN)
            .saturating_add(to_u64(folder.len()).saturating_mul(3));
        limits::check("max_alloc", taken, limits.max_alloc, None)?;
        let key = format!("/{folder}");
        if is_array(files, &folder, limits)? {
            nodes.insert(key, Place::Zarr(folder));
            continue;
        }
        if !folder.is_empty() && !is_node(files, &folder) {
            continue;
        }
        let entries = files.list(&folder);
        for entry in entries.map_err(|error| Error::io(Part::Document, None, error))? {
            if entry.kind == TreeEntryKind::Folder {
                let path = inside(&folder, &entry.name);
                check_depth(&path)?;
                folders.push(path);
            }
        }
        nodes.insert(key, Place::ZarrGroup(folder));
    }
    Ok(nodes)
}

fn is_array(files: &dyn FileTree, folder: &str, limits: &Limits) -> Result<bool> {
    if files.open(&inside(folder, ".zarray")).is_ok() {
        return Ok(true);
    }
    let document = json::read(files, &inside(folder, V3), limits)?;
    let kind = document.as_ref().and_then(|json| json.get("node_type"));
    Ok(kind.and_then(Json::as_str) == Some("array"))
}

/// The attributes of a group.
pub(in super::super) fn group_attributes(
    files: &dyn FileTree,
    folder: &str,
    limits: &Limits,
) -> Result<Vec<(String, Value)>> {
    if let Some(document) = json::read(files, &inside(folder, V3), limits)? {
        return Ok(json::attributes(document.get("attributes")));
    }
    let document = json::read(files, &inside(folder, ".zattrs"), limits)?;
    Ok(json::attributes(document.as_ref()))
}
