//! Opening a store and its objects.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

use super::embed::{self, Entry};
use super::kind::Kind;
use super::leaf::{Leaf, frame_metadata};
use super::listing::{self, Place};
use super::value::Value;
use super::zarr::{self, ZarrArray};
use super::zip::ZipTree;
use crate::error::{Error, Part, Result};
use crate::frame::{AnyFrame, FileKind, FrameReader, SPARSE_FRAME_FILE};
use crate::params::DParams;
use crate::schunk::ChunkSource;
use crate::storage::{DiskFile, DiskTree, FileTree, ReadAt};

/// The embedded part of a store in a folder or an archive.
const EMBEDDED: &str = "embed.b2e";
/// The bytes with which a zip archive begins; an empty one has the second pair only.
const ZIP: [[u8; 4]; 2] = [*b"PK\x03\x04", *b"PK\x05\x06"];

/// The format of a store.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StoreKind {
    /// An `EmbedStore`: one frame that holds others (`.b2e`).
    Embed,
    /// A `DictStore`: a folder (`.b2d`) or a zip archive (`.b2z`).
    Dict,
    /// A `TreeStore`: as a `DictStore`, with groups.
    Tree,
    /// A folder or zip archive of Zarr arrays and groups, version 2 or 3.
    Zarr,
    /// A single frame, as the object `/`.
    Single,
}

impl fmt::Display for StoreKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Embed => "embed store",
            Self::Dict => "dict store",
            Self::Tree => "tree store",
            Self::Zarr => "zarr",
            Self::Single => "frame",
        })
    }
}

/// A store: objects under keys such as `/group/array`.
///
/// Opening lists the keys; an object is opened when it is asked for, in place: a member of an
/// archive is a window of the archive's file. Nothing outside of the store is opened, whatever its
/// names, links and references say.
///
/// ```
/// use oxiblosc::b2nd::{Array, ArrayParams};
/// use oxiblosc::store::{B2zWriter, Kind, Tree};
/// # fn main() -> oxiblosc::Result<()> {
/// # let dir = tempfile::tempdir().unwrap();
/// # let path = dir.path().join("store.b2z");
/// let numbers: Vec<i32> = (0..12).collect();
/// let array = Array::from_elements(&numbers, &ArrayParams::new::<i32>(&[3, 4]))?;
/// let mut writer = B2zWriter::create(&path)?;
/// writer.add_array("/group/numbers", &array)?;
/// writer.finish()?;
///
/// let store = Tree::open(&path)?;
/// assert_eq!(store.keys().collect::<Vec<_>>(), ["/", "/group", "/group/numbers"]);
/// let leaf = store.leaf("/group/numbers")?;
/// assert_eq!(leaf.kind(), Kind::Array);
/// let array = leaf.into_array(store.dparams().clone())?;
/// assert_eq!(array.get::<i32>(&[1, 2])?, 6);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Tree {
    kind: StoreKind,
    nodes: BTreeMap<String, Place>,
    /// The frames whose vlmetalayers are the metadata of a group.
    metadata: BTreeMap<String, Vec<Place>>,
    files: Option<Arc<dyn FileTree>>,
    disk: Option<DiskTree>,
    embedded: Option<AnyFrame>,
    single: Option<Arc<dyn ReadAt>>,
    dparams: DParams,
}

impl Tree {
    /// Opens a store with default parameters: limits for untrusted data, one thread.
    ///
    /// # Errors
    /// As [`open_with`](Self::open_with).
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, DParams::new())
    }

    /// Opens a `.b2e` file, a `.b2d` folder, a `.b2z` archive, a Zarr folder or archive, or one
    /// frame, recognised by its content; objects of the store use the parameters, too.
    ///
    /// # Errors
    /// [`Error::Refused`] when it is no store; [`Error::Io`] when it cannot be read; the first
    /// damage of what lists the objects; [`Error::LimitExceeded`] when the list takes more memory
    /// than allowed.
    pub fn open_with(path: impl AsRef<Path>, dparams: DParams) -> Result<Self> {
        let path = path.as_ref();
        Self::open_path(path, dparams).map_err(|error| error.in_file(path))
    }

    fn open_path(path: &Path, dparams: DParams) -> Result<Self> {
        match DiskTree::open(path) {
            Ok(folder) => Self::open_folder(folder, dparams),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                let file = DiskFile::open(path);
                let file = file.map_err(|error| Error::io(Part::Archive, None, error))?;
                Self::open_in(Arc::new(file), dparams)
            }
            Err(error) => Err(Error::io(Part::Archive, None, error)),
        }
    }

    /// Opens a store in one piece of bytes: an archive, an embedded store, or a single frame.
    ///
    /// # Errors
    /// As [`open_with`](Self::open_with).
    pub fn open_in(storage: Arc<dyn ReadAt>, dparams: DParams) -> Result<Self> {
        let mut start = [0; 4];
        let failed = |error| Error::io(Part::Archive, None, error);
        if storage.len().map_err(failed)? >= 4 {
            storage.read_exact_at(&mut start, 0).map_err(failed)?;
        }
        if ZIP.contains(&start) {
            let zip = ZipTree::open_in(storage, &dparams.limits)?;
            return Self::open_files(Arc::new(zip), dparams);
        }
        if FileKind::sniff(&storage).map_err(failed)? != FileKind::Frame {
            return Err(no_store("it is no zip archive and no frame"));
        }
        let frame = AnyFrame::from_storage(Arc::clone(&storage), dparams.clone())?;
        let mut store = Self::empty(StoreKind::Single, dparams);
        if Kind::of_store(frame.metalayers()).is_none() {
            store.nodes.insert("/".to_owned(), Place::Root);
            store.single = Some(storage);
            return Ok(store);
        }
        store.kind = StoreKind::Embed;
        let found = listing::of_embedded(&frame)?;
        store.embedded = Some(frame);
        store.add(found)
    }

    /// Opens a store whose files lie in a tree of another kind than a folder of the disk.
    ///
    /// # Errors
    /// As [`open_with`](Self::open_with).
    pub fn open_files(files: Arc<dyn FileTree>, dparams: DParams) -> Result<Self> {
        let has = |name: &str| files.open(name).is_ok();
        if has(EMBEDDED) {
            return Self::open_bundle(files, None, dparams);
        }
        if zarr::is_node(&*files, "") {
            let nodes = zarr::walk(&*files, &dparams.limits)?;
            let mut store = Self::empty(StoreKind::Zarr, dparams);
            store.files = Some(files);
            store.nodes = nodes;
            return Ok(store);
        }
        Err(no_store(
            "there is neither embed.b2e nor zarr.json, .zgroup or .zarray in it",
        ))
    }

    fn open_folder(folder: DiskTree, dparams: DParams) -> Result<Self> {
        if folder.open(SPARSE_FRAME_FILE).is_ok() {
            let mut store = Self::empty(StoreKind::Single, dparams);
            store.nodes.insert("/".to_owned(), Place::Root);
            store.disk = Some(folder);
            return Ok(store);
        }
        if folder.open(EMBEDDED).is_ok() {
            return Self::open_bundle(Arc::new(folder.clone()), Some(folder), dparams);
        }
        Self::open_files(Arc::new(folder), dparams)
    }

    /// Opens a folder or archive with an embedded store beside its files.
    fn open_bundle(
        files: Arc<dyn FileTree>,
        disk: Option<DiskTree>,
        dparams: DParams,
    ) -> Result<Self> {
        let storage = files.open(EMBEDDED);
        let storage = storage.map_err(|error| Error::io(Part::EmbedMap, None, error))?;
        let frame = AnyFrame::from_storage(storage, dparams.clone())?;
        let kind = match Kind::of_store(frame.metalayers()) {
            Some(Kind::DictStore) => StoreKind::Dict,
            Some(_) => StoreKind::Tree,
            None => return Err(no_store("its embed.b2e is no embedded store")),
        };
        let mut store = Self::empty(kind, dparams);
        let mut found = listing::of_files(&*files, &store.dparams.limits)?;
        found.extend(listing::of_embedded(&frame)?);
        store.files = Some(files);
        store.disk = disk;
        store.embedded = Some(frame);
        store.add(found)
    }

    fn empty(kind: StoreKind, dparams: DParams) -> Self {
        Self {
            kind,
            nodes: BTreeMap::new(),
            metadata: BTreeMap::new(),
            files: None,
            disk: None,
            embedded: None,
            single: None,
            dparams,
        }
    }

    fn add(mut self, found: Vec<(String, Place)>) -> Result<Self> {
        let listing = listing::arrange(found)?;
        self.nodes = listing.nodes;
        self.metadata = listing.metadata;
        Ok(self)
    }

    /// The format of the store.
    pub fn kind(&self) -> StoreKind {
        self.kind
    }

    /// The parameters with which the store was opened.
    pub fn dparams(&self) -> &DParams {
        &self.dparams
    }

    /// The keys of all groups and objects in order, `/` first.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.nodes.keys().map(String::as_str)
    }

    /// Whether there is a group or an object with this key; a `/` at the end is ignored.
    pub fn contains(&self, key: &str) -> bool {
        self.nodes.contains_key(&canonical(key))
    }

    /// The keys directly below a group, in order.
    pub fn children(&self, key: &str) -> impl Iterator<Item = &str> {
        let mut prefix = canonical(key);
        if prefix != "/" {
            prefix.push('/');
        }
        let from = self.nodes.range(prefix.clone()..);
        let start = prefix.clone();
        let below = from.take_while(move |(key, _)| key.starts_with(&start));
        below.map(|(key, _)| key.as_str()).filter(move |key| {
            let name = key.get(prefix.len()..).unwrap_or_default();
            !name.is_empty() && !name.contains('/')
        })
    }

    /// The kind of a group or an object. Of a frame, header and trailer are read.
    ///
    /// # Errors
    /// [`Error::Mismatch`] when there is none with this key; as [`leaf`](Self::leaf).
    pub fn node_kind(&self, key: &str) -> Result<Kind> {
        match self.place(key)? {
            Place::Group | Place::ZarrGroup(_) => Ok(Kind::Group),
            Place::Table => Ok(Kind::Table),
            Place::Zarr(_) => Ok(Kind::ZarrArray),
            Place::Entry(Entry::Reference(_)) => Ok(Kind::C2Array),
            _ => self.leaf(key).map(|leaf| leaf.kind()),
        }
    }

    /// Opens an object.
    ///
    /// # Errors
    /// [`Error::Mismatch`] when there is none with this key, or it is a group; [`Error::Io`] when
    /// it cannot be read, as a compressed member of an archive; as [`FrameReader::open_in`].
    pub fn leaf(&self, key: &str) -> Result<Leaf> {
        let place = self.place(key)?;
        match place {
            Place::Group | Place::Table | Place::ZarrGroup(_) => Err(Error::Mismatch {
                what: "object",
                stored: format!("{key}, a group").into(),
                asked: "an object with data".into(),
            }),
            Place::Zarr(folder) => {
                let files = self.files.as_ref().ok_or_else(lost)?;
                let array = ZarrArray::open(Arc::clone(files), folder, self.dparams.clone())?;
                Ok(Leaf::of_zarr(array))
            }
            Place::Entry(Entry::Reference(value)) => Ok(Leaf::of_reference(value.clone())),
            place => Leaf::of_frame(self.frame(place)?),
        }
    }

    /// The attributes of a group or an object, by name: vlmetalayers of python-blosc2, attributes
    /// of Zarr.
    ///
    /// # Errors
    /// As [`leaf`](Self::leaf); when one is damaged, or larger than the limits allow.
    pub fn metadata(&self, key: &str) -> Result<Vec<(String, Value)>> {
        match self.place(key)? {
            Place::ZarrGroup(folder) => {
                let files = self.files.as_ref().ok_or_else(lost)?;
                zarr::group_attributes(&**files, folder, &self.dparams.limits)
            }
            Place::Group | Place::Table => {
                let places = self.metadata.get(&canonical(key));
                let places = places.into_iter().flatten();
                let parts = places.map(|place| frame_metadata(&self.frame(place)?));
                Ok(parts.collect::<Result<Vec<_>>>()?.concat())
            }
            _ => self.leaf(key)?.metadata(),
        }
    }

    fn place(&self, key: &str) -> Result<&Place> {
        self.nodes.get(&canonical(key)).ok_or_else(|| {
            let what = "key of the store";
            let (stored, asked) = ("absent".into(), key.into());
            Error::Mismatch {
                what,
                stored,
                asked,
            }
        })
    }

    /// Opens the frame at a place.
    fn frame(&self, place: &Place) -> Result<AnyFrame> {
        let dparams = self.dparams.clone();
        let io = |error| Error::io(Part::FrameHeader, None, error);
        match (place, &self.disk, &self.embedded) {
            (Place::File(path), _, _) => {
                let files = self.files.as_ref().ok_or_else(lost)?;
                AnyFrame::from_storage(files.open(path).map_err(io)?, dparams)
            }
            (Place::Folder(path), Some(disk), _) => {
                let path = disk.resolve(path).map_err(io)?;
                FrameReader::open_sparse(path, dparams).map(AnyFrame::Sparse)
            }
            (Place::Entry(Entry::Frame { offset, len }), _, Some(store)) => {
                embed::open(store, *offset, *len, dparams)
            }
            (Place::Root, disk, _) => match (&self.single, disk) {
                (Some(storage), _) => AnyFrame::from_storage(Arc::clone(storage), dparams),
                (None, Some(disk)) => {
                    FrameReader::open_sparse(disk.path(), dparams).map(AnyFrame::Sparse)
                }
                (None, None) => Err(lost()),
            },
            _ => Err(lost()),
        }
    }
}

/// A key with one `/` at its start and none at its end.
fn canonical(key: &str) -> String {
    format!("/{}", key.trim_matches('/'))
}

fn no_store(why: &'static str) -> Error {
    let what = "open as a store";
    Error::Refused { what, why }
}

/// The error of an object whose storage the store does not have; listings never make one.
fn lost() -> Error {
    no_store("it has no storage for this object")
}
