//! Names of objects in stores: bundles of python-blosc2, Zarr, single frames.

use std::path::{Path, PathBuf};

use oxiblosc::DParams;
use oxiblosc::store::{Leaf, Tree};

use crate::failure::{Failure, InFile, is_dash};
use crate::sniff;

/// A leaf of a store as the command line names it: `STORE:/KEY`, or a store whose root is an array.
#[derive(Debug)]
pub(crate) struct Address {
    pub(crate) store: PathBuf,
    pub(crate) key: String,
}

impl Address {
    /// Reads `STORE:/KEY`; `None` when the text is something else, or a file of that name exists.
    pub(crate) fn parse(path: &Path) -> Option<Self> {
        if is_dash(path) || path.exists() {
            return None;
        }
        let text = path.to_str()?;
        // The first `:/` after which the part before it exists.
        let found = text.match_indices(":/").find_map(|(at, _)| {
            let (store, key) = (text.get(..at)?, text.get(at + 1..)?);
            Path::new(store).exists().then_some((store, key))
        });
        let (store, key) = found?;
        Some(Self {
            store: store.into(),
            key: key.to_owned(),
        })
    }

    /// The leaf that the command line names: by address, or the root of a Zarr folder or archive.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        Self::parse(path).or_else(|| {
            let zarr = ["zarr.json", ".zarray"];
            let is_array = zarr.iter().any(|name| path.join(name).is_file());
            is_array.then(|| Self {
                store: path.to_owned(),
                key: "/".to_owned(),
            })
        })
    }

    /// A store, or a part of one: by address, or anything that is a store and no frame or chunk.
    pub(crate) fn of_store(path: &Path) -> Option<Self> {
        let is_store = || {
            let is_folder = path.is_dir() && !path.join(sniff::SPARSE_HEADER).is_file();
            let ending = path.extension().and_then(|ending| ending.to_str());
            let is_named = matches!(ending, Some("b2z" | "b2e" | "zip")) && path.is_file();
            is_folder || is_named
        };
        Self::parse(path).or_else(|| {
            (!is_dash(path) && is_store()).then(|| Self {
                store: path.to_owned(),
                key: "/".to_owned(),
            })
        })
    }

    /// The keys of this group or object and of all below it.
    pub(crate) fn keys_below(&self, store: &Tree) -> Result<Vec<String>, Failure> {
        let root = &self.key;
        if !store.contains(root) {
            let what = format!("there is no {root} in it");
            return Err(Failure::in_file(&self.store, what));
        }
        let root = root.trim_end_matches('/');
        let keys = store.keys().filter(|key| {
            let rest = key.strip_prefix(root);
            rest.is_some_and(|rest| root.is_empty() || rest.is_empty() || rest.starts_with('/'))
        });
        Ok(keys.map(ToOwned::to_owned).collect())
    }

    /// Opens the leaf, and refuses one without data.
    pub(crate) fn open(&self, dparams: &DParams) -> Result<Leaf, Failure> {
        let store = Tree::open_with(&self.store, dparams.clone()).in_file(&self.store)?;
        let name = self.name();
        let leaf = store.leaf(&self.key).in_file(&name)?;
        leaf.check_data().in_file(&name)?;
        Ok(leaf)
    }

    /// The address as messages show it.
    pub(crate) fn name(&self) -> PathBuf {
        format!("{}:{}", self.store.display(), self.key).into()
    }
}
