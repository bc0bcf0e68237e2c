//! Files that hold several arrays: `.npz` archives, and HDF5 files.

use std::path::{Path, PathBuf};

use crate::address::Address;
use crate::failure::Failure;
#[cfg(feature = "hdf5")]
use crate::hdf5::{Hdf5, is_hdf5};
use crate::npz::{Npz, is_npz};
use crate::source::Source;

/// An open file, and the arrays in it.
pub(crate) struct Members {
    path: PathBuf,
    file: Opened,
}

enum Opened {
    Npz(Npz),
    #[cfg(feature = "hdf5")]
    Hdf5(Box<Hdf5>),
}

/// The array that `FILE.npz`, `FILE.h5`, `FILE.npz:/NAME` or `FILE.h5:/NAME` names; `None` for any
/// other input.
pub(crate) fn open(input: &Path) -> Option<Result<Source, Failure>> {
    if let Some(address) = Address::parse(input) {
        let name = address.key.trim_start_matches('/');
        let opened = Members::open(&address.store)?;
        return Some(opened.and_then(|members| members.array(name)));
    }
    let opened = Members::open(input)?;
    Some(opened.and_then(|members| members.only()))
}

impl Members {
    /// Opens an archive or an HDF5 file; `None` for any other.
    pub(crate) fn open(path: &Path) -> Option<Result<Self, Failure>> {
        let file = if is_npz(path) && path.is_file() {
            Npz::open(path).map(Opened::Npz)
        } else {
            hdf5(path)?
        };
        let path = path.to_owned();
        Some(file.map(|file| Self { path, file }))
    }

    /// The names of the arrays.
    pub(crate) fn names(&self) -> Vec<&str> {
        match &self.file {
            Opened::Npz(npz) => npz.names().collect(),
            #[cfg(feature = "hdf5")]
            Opened::Hdf5(file) => file.names().collect(),
        }
    }

    /// The one array.
    fn only(&self) -> Result<Source, Failure> {
        let names = self.names();
        match names.as_slice() {
            [name] => self.array(name),
            [] => Err(Failure::in_file(&self.path, "holds no array")),
            [first, ..] => {
                let what = format!(
                    "holds {} arrays: {}; {}:/{first} names one of them, and -o OUT.b2z takes all",
                    names.len(),
                    first_of(&names),
                    self.path.display(),
                );
                Err(Failure::in_file(&self.path, what))
            }
        }
    }

    /// Why an object is no array, if so: elements of variable length and references in HDF5.
    #[cfg_attr(
        not(feature = "hdf5"),
        expect(unused_variables, reason = "archives hold arrays alone")
    )]
    pub(crate) fn refusal(&self, name: &str) -> Option<String> {
        match &self.file {
            Opened::Npz(_) => None,
            #[cfg(feature = "hdf5")]
            Opened::Hdf5(file) => file.refusal(name),
        }
    }

    /// An array as an `.npy` file of its own, in which one can go back and forth.
    pub(crate) fn array(&self, name: &str) -> Result<Source, Failure> {
        let names = self.names();
        if !names.contains(&name) {
            let what = format!("there is no {name} in it, but {}", first_of(&names));
            return Err(Failure::in_file(&self.path, what));
        }
        match &self.file {
            Opened::Npz(npz) => npz.array(name),
            #[cfg(feature = "hdf5")]
            Opened::Hdf5(file) => file.array(name),
        }
    }
}

fn first_of(names: &[&str]) -> String {
    names
        .iter()
        .take(10)
        .copied()
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(feature = "hdf5")]
fn hdf5(path: &Path) -> Option<Result<Opened, Failure>> {
    is_hdf5(path).then(|| Ok(Opened::Hdf5(Box::new(Hdf5::open(path)?))))
}

/// HDF5 files have a name even where they are not read.
#[cfg(not(feature = "hdf5"))]
fn hdf5(path: &Path) -> Option<Result<Opened, Failure>> {
    let ending = path.extension().and_then(|ending| ending.to_str());
    let is_one = path.is_file() && matches!(ending, Some("h5" | "hdf5" | "he5"));
    let what = "is an HDF5 file, which this build does not read (feature `hdf5`)";
    is_one.then(|| Err(Failure::in_file(path, what)))
}
