//! Archives of `.npy` files as NumPy's `savez` and `savez_compressed` write them.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use flate2::read::DeflateDecoder;
use rawzip::path::EntryPath;
use rawzip::{
    CompressionMethod, FileReader, RECOMMENDED_BUFFER_SIZE, ZipArchive, ZipArchiveWriter,
};

use crate::failure::{Failure, InFile};
use crate::source::{Source, spool};

/// The most bytes of names, which are in memory.
const MOST_NAMES: usize = 64 << 20;

/// An archive, and the arrays in it.
pub(crate) struct Npz {
    path: std::path::PathBuf,
    archive: ZipArchive<FileReader>,
    /// Names without `.npy`, and the places of their members.
    members: Vec<(String, Member)>,
}

struct Member {
    place: rawzip::ZipArchiveEntryWayfinder,
    method: CompressionMethod,
    len: u64,
}

/// Whether a path is that of an archive, by its ending.
pub(crate) fn is_npz(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("npz"))
}

impl Npz {
    /// Reads the directory of an archive.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let damaged = |error: rawzip::Error| Failure::in_file(path, format!("archive: {error}"));
        let file = File::open(path).in_file(path)?;
        let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
        let archive = ZipArchive::from_file(file, &mut buffer).map_err(damaged)?;
        let (mut members, mut taken) = (Vec::new(), 0_usize);
        let mut entries = archive.entries(&mut buffer);
        while let Some(entry) = entries.next_entry().map_err(damaged)? {
            let member_path = entry.file_path();
            let name: &[u8] = member_path.as_ref();
            taken = taken.saturating_add(name.len()).saturating_add(100);
            if taken > MOST_NAMES {
                let what = format!("archive: {taken} bytes of names, {MOST_NAMES} are read");
                return Err(Failure::in_file(path, what));
            }
            let name = std::str::from_utf8(name).ok();
            let Some(name) = name.and_then(|name| name.strip_suffix(".npy")) else {
                continue;
            };
            if entry.flags().is_encrypted() {
                return Err(Failure::in_file(
                    path,
                    format!("archive: {name} is encrypted"),
                ));
            }
            let member = Member {
                place: entry.wayfinder(),
                method: entry.compression_method(),
                len: entry.uncompressed_size_hint(),
            };
            members.push((name.to_owned(), member));
        }
        Ok(Self {
            path: path.to_owned(),
            archive,
            members,
        })
    }

    /// The names of the arrays, in the order of the archive.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.members.iter().map(|(name, _)| name.as_str())
    }

    /// An array as a file of its own, in which one can go back and forth.
    pub(crate) fn array(&self, name: &str) -> Result<Source, Failure> {
        let path = Path::new(&self.path);
        // Of several with one name the last one counts.
        let found = self.members.iter().rev().find(|(member, _)| member == name);
        let (_, member) =
            found.ok_or_else(|| Failure::in_file(path, format!("archive: there is no {name}")))?;
        let damaged = |error| Failure::in_file(path, format!("archive: {name}: {error}"));
        let entry = self.archive.get_entry(member.place);
        let entry = entry.map_err(|error| damaged(io::Error::other(error)))?;
        let file = match member.method {
            CompressionMethod::STORE => spool(entry.verifying_reader(entry.reader())),
            CompressionMethod::DEFLATE => {
                // One byte more than announced shows in the check of the length.
                let inflated =
                    DeflateDecoder::new(entry.reader()).take(member.len.saturating_add(1));
                spool(entry.verifying_reader(inflated))
            }
            method => Err(io::Error::other(format!(
                "compressed with {method:?}, expected DEFLATE"
            ))),
        };
        Ok(Source::of_file(file.map_err(damaged)?))
    }
}

/// An archive that is written, one array after the other, not compressed.
pub(crate) struct NpzWriter<W: Write>(ZipArchiveWriter<W>);

impl<W: Write> NpzWriter<W> {
    pub(crate) fn new(writer: W) -> Self {
        Self(ZipArchiveWriter::new(writer))
    }

    /// Adds the bytes of an `.npy` file.
    pub(crate) fn add(&mut self, name: &str, mut npy: impl Read) -> io::Result<()> {
        let path = format!("{name}.npy");
        let new = self.0.new_file(EntryPath::conformant(&path));
        let new = new.compression_method(CompressionMethod::STORE).start();
        let (mut entry, config) = new.map_err(io::Error::other)?;
        let mut writer = config.wrap(&mut entry);
        io::copy(&mut npy, &mut writer)?;
        let (_, descriptor) = writer.finish().map_err(io::Error::other)?;
        entry.finish(descriptor).map_err(io::Error::other)?;
        Ok(())
    }

    /// Writes the directory of the archive.
    pub(crate) fn finish(self) -> io::Result<W> {
        self.0.finish().map_err(io::Error::other)
    }
}
