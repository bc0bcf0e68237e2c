//! Datasets of HDF5 files, with the filters of Blosc, deflate and the others of the reader.

mod dtype;
mod filters;
mod refusal;
mod spool;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use hdf5_reader::error::Result;
use hdf5_reader::group::Group;
use hdf5_reader::{FileStorage, FilterRegistry, Hdf5File, OpenOptions};

use self::refusal::{refused, text};
use crate::failure::{Failure, InFile};
use crate::source::Source;

/// The first bytes of an HDF5 file without a user block.
const SIGNATURE: &[u8; 8] = b"\x89HDF\r\n\x1a\n";

/// How deep groups are followed; deeper ones are links to themselves.
const MOST_DEPTH: usize = 64;

/// The most bytes of names, which are in memory.
const MOST_NAMES: usize = 64 << 20;

/// Whether a path is that of an HDF5 file, by its ending or its first bytes.
pub(crate) fn is_hdf5(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    let ending = ending.unwrap_or_default().to_ascii_lowercase();
    let mut start = [0; 8];
    path.is_file()
        && (["h5", "hdf5", "he5"].contains(&ending.as_str())
            || File::open(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok())
                && start == *SIGNATURE)
}

/// An open file, and the datasets in it.
pub(crate) struct Hdf5 {
    path: PathBuf,
    file: Hdf5File,
    names: Vec<String>,
}

impl Hdf5 {
    /// Opens a file and walks through its groups.
    pub(crate) fn open(path: &Path) -> std::result::Result<Self, Failure> {
        let storage = FileStorage::from_file(File::open(path).in_file(path)?);
        let opened = storage.and_then(|storage| {
            let mut registry = FilterRegistry::new();
            filters::register(&mut registry);
            // Each chunk is needed once.
            let options = OpenOptions::default()
                .with_chunk_cache_bytes(0)
                .with_filter_registry(registry);
            let file = Hdf5File::from_storage_with_options(std::sync::Arc::new(storage), options)?;
            let mut names = Names::default();
            names.walk(&file.root_group()?, "", MOST_DEPTH)?;
            names.found.sort_unstable();
            Ok((file, names.found))
        });
        let (file, names) = opened.map_err(|error| Failure::in_file(path, text(&error)))?;
        Ok(Self {
            path: path.to_owned(),
            file,
            names,
        })
    }

    /// The sorted names of the datasets, with their groups.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// Why the elements of a dataset have no place in an array, if so.
    pub(crate) fn refusal(&self, name: &str) -> Option<String> {
        let opened = self.file.dataset(name);
        let fits = opened.and_then(|dataset| dtype::of(dataset.dtype()));
        fits.err().map(|error| text(&error))
    }

    /// A dataset as an `.npy` file of its own, in which one can go back and forth.
    pub(crate) fn array(&self, name: &str) -> std::result::Result<Source, Failure> {
        let spooled = self
            .file
            .dataset(name)
            .and_then(|dataset| spool::spool(&dataset));
        let file = spooled
            .map_err(|error| Failure::in_file(&self.path, format!("/{name}: {}", text(&error))))?;
        Ok(Source::of_file(file))
    }
}

/// The names of all datasets.
#[derive(Default)]
struct Names {
    found: Vec<String>,
    taken: usize,
    /// Groups that lead to the one at hand.
    above: Vec<u64>,
}

impl Names {
    fn walk(&mut self, group: &Group, prefix: &str, depth: usize) -> Result<()> {
        // A link to a group above it would never end.
        if self.above.contains(&group.address()) {
            return Ok(());
        }
        if depth == 0 {
            return refused(format!("groups deeper than {MOST_DEPTH}"));
        }
        let (groups, datasets) = group.member_names()?;
        for name in datasets {
            self.taken = self.taken.saturating_add(prefix.len() + name.len() + 100);
            if self.taken > MOST_NAMES {
                let taken = self.taken;
                return refused(format!("{taken} bytes of names, {MOST_NAMES} are read"));
            }
            self.found.push(format!("{prefix}{name}"));
        }
        self.above.push(group.address());
        for name in groups {
            self.walk(&group.group(&name)?, &format!("{prefix}{name}/"), depth - 1)?;
        }
        self.above.pop();
        Ok(())
    }
}
