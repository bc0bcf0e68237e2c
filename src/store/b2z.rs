//! Writing `.b2z` archives ([format §17.3](crate::format#17.3)).

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use rawzip::path::EntryPath;
use rawzip::{CompressionMethod, ZipArchiveWriter};

use super::embed::MAP;
use super::kind::{BATCHES, STORES};
use super::value::Value;
use crate::b2nd::{Array, METALAYER};
use crate::error::{Error, Part, Result};
use crate::frame::{Contiguous, FrameParams, FrameReader, FrameStore, FrameWriter};
use crate::num::{saturating_usize, to_u64};
use crate::params::CParams;
use crate::schunk::{ChunkSource, SChunk, copy_chunks};
use crate::storage::{DiskFile, Memory, ReadAt, path_names};

/// The bytes that are copied at once.
const PIECE: u64 = 1 << 20;
/// Names that a store uses itself, in any group.
const RESERVED: [&str; 6] = [
    "embed",
    "__vlmeta__",
    "_meta",
    "_valid_rows",
    "_cols",
    "_indexes",
];

/// Writes a store of arrays and super-chunks as a zip archive, which python-blosc2 opens as a
/// `TreeStore`.
///
/// Members are stored without compression and without dates, in the order in which they are added:
/// the same objects make the same bytes. The archive is complete once [`finish`](Self::finish)
/// returns.
///
/// ```
/// use oxiblosc::b2nd::{Array, ArrayParams};
/// use oxiblosc::store::{B2zWriter, Value};
/// # fn main() -> oxiblosc::Result<()> {
/// let array = Array::from_elements(&[1_i32, 2, 3], &ArrayParams::new::<i32>(&[3]))?;
/// let mut writer = B2zWriter::new(Vec::new());
/// writer.add_array("/group/numbers", &array)?;
/// writer.set_metadata("/group", &[("author", Value::from("me"))])?;
/// let archive: Vec<u8> = writer.finish()?;
/// # Ok(())
/// # }
/// ```
pub struct B2zWriter<W: Write> {
    zip: ZipArchiveWriter<W>,
    /// The keys that are taken, and whether they are groups.
    keys: BTreeMap<String, bool>,
}

impl<W: Write> fmt::Debug for B2zWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("B2zWriter")
            .field("keys", &self.keys.len())
            .finish_non_exhaustive()
    }
}

impl B2zWriter<File> {
    /// Creates an archive on disk; an existing file loses its content at once.
    ///
    /// # Errors
    /// [`Error::Io`] when the system refuses.
    pub fn create(path: impl AsRef<Path>) -> Result<Self> {
        let file = DiskFile::create(path).map_err(|error| Error::io(Part::Archive, None, error))?;
        Ok(Self::new(file.into_file()))
    }
}

impl<W: Write> B2zWriter<W> {
    /// An archive whose bytes go to a writer.
    pub fn new(writer: W) -> Self {
        Self {
            zip: ZipArchiveWriter::new(writer),
            keys: BTreeMap::new(),
        }
    }

    /// Adds an array with its metalayers of fixed size. Its chunks are copied as they are; memory:
    /// all chunks, compressed.
    ///
    /// # Errors
    /// [`Error::Refused`] when the key is taken, or reserved, or leaves the store; the errors of
    /// reading chunks and of the writer.
    pub fn add_array<C: ChunkSource>(&mut self, key: &str, array: &Array<C>) -> Result<()> {
        let params = array.params()?.frame_params()?;
        let mut frame = FrameWriter::in_memory(params)?;
        copy_chunks(array.schunk(), &mut frame)?;
        let bytes = frame.into_bytes()?;
        let path = self.take_key(key, "b2nd", false)?;
        self.add_member(&path, &bytes)
    }

    /// Adds a super-chunk with its metalayers of both kinds.
    ///
    /// # Errors
    /// As [`add_array`](Self::add_array).
    pub fn add_schunk(&mut self, key: &str, schunk: &SChunk) -> Result<()> {
        let ending = ending_of(schunk);
        let bytes = schunk.to_cframe()?;
        let path = self.take_key(key, ending, false)?;
        self.add_member(&path, &bytes)
    }

    /// Adds a frame with everything in it. Its chunks are copied as they are; memory: all chunks,
    /// compressed.
    ///
    /// # Errors
    /// As [`add_array`](Self::add_array).
    pub fn add_frame<S: FrameStore>(&mut self, key: &str, frame: &FrameReader<S>) -> Result<()> {
        let ending = ending_of(frame);
        let mut copy = FrameWriter::in_memory(frame.params()?)?;
        copy_chunks(frame, &mut copy)?;
        let bytes = copy.into_bytes()?;
        let path = self.take_key(key, ending, false)?;
        self.add_member(&path, &bytes)
    }

    /// Adds a frame as it lies in a file, byte for byte: the way without memory for the chunks,
    /// when the frame is first written to a temporary file. Memory: 1 MB.
    ///
    /// ```
    /// use oxiblosc::frame::{Contiguous, FrameReader, FrameWriter};
    /// use oxiblosc::storage::DiskFile;
    /// use oxiblosc::store::B2zWriter;
    /// use oxiblosc::{CParams, DParams, FrameParams};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let file = Contiguous::new(DiskFile::from(tempfile::tempfile()?));
    /// let mut frame = FrameWriter::create_in(file, FrameParams::new(CParams::new(1), 1000))?;
    /// frame.append(&[7; 5000])?;
    /// let frame = FrameReader::open_in(frame.finish()?, DParams::new())?;
    /// let mut writer = B2zWriter::new(Vec::new());
    /// writer.add_stored_frame("/sevens", &frame)?;
    /// # writer.finish()?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`add_array`](Self::add_array).
    pub fn add_stored_frame<S: ReadAt>(
        &mut self,
        key: &str,
        frame: &FrameReader<Contiguous<S>>,
    ) -> Result<()> {
        let path = self.take_key(key, ending_of(frame), false)?;
        self.add_bytes(&path, frame.store().storage(), frame.header().frame_len)
    }

    /// Sets the metadata of a group, by name; once per group.
    ///
    /// # Errors
    /// [`Error::Refused`] when the group has metadata already; as
    /// [`FrameParams::vlmetalayer`], and the errors of the writer.
    pub fn set_metadata(&mut self, group: &str, metadata: &[(&str, Value)]) -> Result<()> {
        // The parameters that python-blosc2 takes.
        let mut params = FrameParams::new(CParams::new(1), 16 << 20);
        for (name, value) in metadata {
            params = params.vlmetalayer(name, &value.encode())?;
        }
        let bytes = FrameWriter::in_memory(params)?.into_bytes()?;
        let key = format!("{}/__vlmeta__", group.trim_end_matches('/'));
        let path = self.take_key(&key, "b2f", true)?;
        self.add_member(&path, &bytes)
    }

    /// Adds the embedded store and the directory of the archive, and returns the writer.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn finish(mut self) -> Result<W> {
        let (name, _) = STORES[2];
        let version = Value::Map(vec![("version".into(), 1.into())]);
        let map = Value::Map(vec![
            ("embed_map".into(), Value::Map(Vec::new())),
            ("current_offset".into(), 0.into()),
        ]);
        let params = FrameParams::new(CParams::new(1), 8192)
            .metalayer(name, &version.encode())?
            .vlmetalayer(MAP, &map.encode())?;
        let bytes = FrameWriter::in_memory(params)?.into_bytes()?;
        self.add_member("embed.b2e", &bytes)?;
        let mut writer = self.zip.finish().map_err(failed)?;
        let flushed = writer.flush();
        flushed.map_err(|error| Error::io(Part::Archive, None, error))?;
        Ok(writer)
    }

    /// The path of a new object, whose key is taken from now on.
    fn take_key(&mut self, key: &str, ending: &str, reserved: bool) -> Result<String> {
        let refused = |why| Error::refused("add to the store", why);
        let path = key.strip_prefix('/').unwrap_or(key);
        let names = path_names(path).map_err(|_| refused("the key would leave the store"))?;
        let Some((_, groups)) = names.split_last() else {
            return Err(refused("the key names no object"));
        };
        let checked = if reserved { groups } else { names.as_slice() };
        if checked.iter().any(|name| RESERVED.contains(name)) {
            return Err(refused("the store uses a name of the key itself"));
        }
        let key = format!("/{path}");
        if self.keys.contains_key(&key) {
            return Err(refused("the key is taken"));
        }
        let mut above = Vec::new();
        let mut group = String::new();
        for name in groups {
            group = format!("{group}/{name}");
            if self.keys.get(&group) == Some(&false) {
                return Err(refused("an object with a key of its group exists"));
            }
            above.push((group.clone(), true));
        }
        self.keys.extend(above);
        self.keys.insert(key, false);
        Ok(format!("{path}.{ending}"))
    }

    fn add_member(&mut self, path: &str, bytes: &[u8]) -> Result<()> {
        self.add_bytes(path, &Memory(bytes), to_u64(bytes.len()))
    }

    fn add_bytes(&mut self, path: &str, bytes: &dyn ReadAt, len: u64) -> Result<()> {
        let io = |error| Error::io(Part::Archive, None, error);
        let (mut entry, config) = self
            .zip
            .new_file(EntryPath::conformant(path))
            .compression_method(CompressionMethod::STORE)
            .start()
            .map_err(failed)?;
        let mut writer = config.wrap(&mut entry);
        let mut at = 0_u64;
        let mut piece = vec![0; saturating_usize(PIECE.min(len))];
        while at < len {
            let size = saturating_usize(PIECE.min(len - at));
            let piece = piece.get_mut(..size).unwrap_or_default();
            bytes.read_exact_at(piece, at).map_err(io)?;
            writer.write_all(piece).map_err(io)?;
            at = at.saturating_add(to_u64(size));
        }
        let (_, descriptor) = writer.finish().map_err(failed)?;
        entry.finish(descriptor).map_err(failed)?;
        Ok(())
    }
}

/// The ending of the file of an object, as python-blosc2 chooses it.
fn ending_of(source: &(impl ChunkSource + ?Sized)) -> &'static str {
    let metalayers = source.metalayers();
    if metalayers.get(METALAYER).is_some() {
        "b2nd"
    } else if metalayers.get(BATCHES).is_some() {
        "b2b"
    } else {
        "b2f"
    }
}

fn failed(error: rawzip::Error) -> Error {
    Error::io(Part::Archive, None, io::Error::other(error))
}
