//! Metalayers: small named pieces of data that travel with a super-chunk
//! ([format §9.4](crate::format#9.4)).
//!
//! Fixed ones ([`Metalayers`]) are stored uncompressed in the frame header and never change their
//! length, so that nothing after them moves. Variable-length ones ([`VlMetalayers`]) are stored
//! compressed in the trailer and can be added and removed at any time.

#[cfg(feature = "serde")]
mod stored;

use std::fmt;

use crate::chunk::{ChunkDecoder, ChunkEncoder, ChunkHeader, ChunkView};
use crate::error::{Error, Part, Result};
use crate::limits::{self, Limits};
use crate::num::saturating_usize;
use crate::params::{CParams, DParams};

/// The most fixed metalayers of a super-chunk.
pub const MAX_METALAYERS: usize = 16;
/// The most variable-length metalayers of a super-chunk.
pub const MAX_VLMETALAYERS: usize = 8192;
/// The longest name of a metalayer, in bytes.
pub const MAX_METALAYER_NAME: usize = 31;

/// The fixed metalayers of a super-chunk, in the order in which they were added.
///
/// ```
/// use oxiblosc::schunk::Metalayers;
/// # fn main() -> oxiblosc::Result<()> {
/// let mut metalayers = Metalayers::new();
/// metalayers.insert("units", b"kelvin")?;
/// assert_eq!(metalayers.get("units"), Some(&b"kelvin"[..]));
/// # Ok(())
/// # }
/// ```
#[doc(alias = "blosc2_meta_add")]
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Metalayers {
    entries: Vec<(Box<str>, Vec<u8>)>,
}

impl fmt::Debug for Metalayers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print(&self.entries, f)
    }
}

impl Metalayers {
    /// No metalayers.
    pub const fn new() -> Self {
        Self {
            entries: Vec::new(),
        }
    }

    /// The content of a metalayer.
    #[doc(alias = "blosc2_meta_get")]
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.iter()
            .find(|&(other, _)| other == name)
            .map(|(_, content)| content)
    }

    /// Adds a metalayer after the others.
    ///
    /// # Errors
    /// [`Error::Refused`] when there are [`MAX_METALAYERS`] already, when the name is taken,
    /// longer than [`MAX_METALAYER_NAME`] bytes, or has a NUL byte.
    pub fn insert(&mut self, name: &str, content: &[u8]) -> Result<()> {
        check_name("add the metalayer", name)?;
        if self.get(name).is_some() {
            return Err(Error::Refused {
                what: "add the metalayer",
                why: "the name is taken",
            });
        }
        if self.entries.len() >= MAX_METALAYERS {
            return Err(Error::Refused {
                what: "add the metalayer",
                why: "there are 16 already",
            });
        }
        self.entries.push((name.into(), content.to_vec()));
        Ok(())
    }

    /// Overwrites the front of a metalayer; the bytes after `content` and the length stay.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] when `content` is longer than the metalayer; [`Error::Refused`]
    /// when there is none with this name.
    #[doc(alias = "blosc2_meta_update")]
    pub fn update(&mut self, name: &str, content: &[u8]) -> Result<()> {
        let entry = self.entries.iter_mut().find(|(other, _)| &**other == name);
        let Some((_, old)) = entry else {
            return Err(Error::Refused {
                what: "update the metalayer",
                why: "there is no such name",
            });
        };
        let len = old.len();
        match old.get_mut(..content.len()) {
            Some(front) => {
                front.copy_from_slice(content);
                Ok(())
            }
            None => Err(Error::OutOfBounds {
                what: "byte of the metalayer",
                index: content.len() as u64,
                len: len as u64,
            }),
        }
    }

    /// Names and contents, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &[u8])> + Clone {
        self.entries
            .iter()
            .map(|(name, content)| (&**name, content.as_slice()))
    }

    /// The number of metalayers.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// The variable-length metalayers of a super-chunk, in the order in which they were added. Each
/// is stored as a chunk and decompressed on demand.
///
/// ```
/// use oxiblosc::schunk::VlMetalayers;
/// use oxiblosc::DParams;
/// # fn main() -> oxiblosc::Result<()> {
/// let mut vlmetalayers = VlMetalayers::new();
/// vlmetalayers.set("history", b"made by hand")?;
/// let content = vlmetalayers.get("history", &DParams::new())?;
/// assert_eq!(content.as_deref(), Some(&b"made by hand"[..]));
/// # Ok(())
/// # }
/// ```
#[doc(alias = "blosc2_vlmeta_add")]
#[derive(Clone, Default, PartialEq, Eq)]
pub struct VlMetalayers {
    entries: Vec<(Box<str>, Vec<u8>)>,
}

impl fmt::Debug for VlMetalayers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print(&self.entries, f)
    }
}

impl VlMetalayers {
    /// No metalayers.
    pub const fn new() -> Self {
        Self {
            entries: Vec::new(),
        }
    }

    /// The content of a metalayer, decompressed; `None` when there is none with this name.
    ///
    /// # Errors
    /// When its chunk is damaged, or decompresses to more than
    /// [`Limits::max_vlmetalayer_nbytes`]. Offsets count from the start of the chunk.
    #[doc(alias = "blosc2_vlmeta_get")]
    pub fn get(&self, name: &str, dparams: &DParams) -> Result<Option<Vec<u8>>> {
        let Some(chunk) = self.chunk(name) else {
            return Ok(None);
        };
        let limits = &dparams.limits;
        let nbytes = ChunkView::parse(chunk, limits)?.header().nbytes;
        let max = limits.max_vlmetalayer_nbytes;
        limits::check("max_vlmetalayer_nbytes", u64::from(nbytes), max, Some(4))?;
        metadata_decoder(dparams, *limits).decode(chunk).map(Some)
    }

    /// The size of the content of a metalayer in bytes, decompressed, as the header of its chunk
    /// states it; `None` when there is none with this name. Nothing is decompressed.
    ///
    /// # Errors
    /// When the header of the chunk is damaged.
    pub fn nbytes(&self, name: &str) -> Result<Option<usize>> {
        let header = self.chunk(name).map(ChunkHeader::parse).transpose()?;
        Ok(header.map(|header| saturating_usize(header.nbytes)))
    }

    /// The chunk of a metalayer, as it is stored.
    #[doc(alias = "blosc2_vlmeta_exists")]
    pub fn chunk(&self, name: &str) -> Option<&[u8]> {
        self.iter()
            .find(|&(other, _)| other == name)
            .map(|(_, chunk)| chunk)
    }

    /// Adds a metalayer after the others, or replaces the content of the one with this name.
    ///
    /// # Errors
    /// [`Error::Refused`] when there are [`MAX_VLMETALAYERS`] already, or the name is longer than
    /// [`MAX_METALAYER_NAME`] bytes or has a NUL byte; [`Error::InvalidParam`] when the content is
    /// too large for a chunk.
    #[doc(alias = "blosc2_vlmeta_update")]
    pub fn set(&mut self, name: &str, content: &[u8]) -> Result<()> {
        // The parameters that C takes for all of them: 8-byte items, shuffled.
        self.set_with(name, content, &CParams::new(8))
    }

    /// [`set`](Self::set) with other parameters for compressing the content.
    ///
    /// ```
    /// use oxiblosc::schunk::VlMetalayers;
    /// use oxiblosc::{CParams, CodecId, DParams};
    /// # fn main() -> oxiblosc::Result<()> {
    /// let mut vlmetalayers = VlMetalayers::new();
    /// let text = "a long text ".repeat(100);
    /// let cparams = CParams::new(1).codec(CodecId::LZ4).clevel(9);
    /// vlmetalayers.set_with("notes", text.as_bytes(), &cparams)?;
    /// let content = vlmetalayers.get("notes", &DParams::new())?;
    /// assert_eq!(content.as_deref(), Some(text.as_bytes()));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`set`](Self::set), and when a parameter is outside its range.
    pub fn set_with(&mut self, name: &str, content: &[u8], cparams: &CParams) -> Result<()> {
        check_name("set the vlmetalayer", name)?;
        let chunk = ChunkEncoder::new(cparams.clone())?.encode(content)?;
        self.set_chunk(name, chunk)
    }

    /// Like [`set`](Self::set), with the content compressed already.
    pub(crate) fn set_chunk(&mut self, name: &str, chunk: Vec<u8>) -> Result<()> {
        check_name("set the vlmetalayer", name)?;
        if let Some((_, old)) = self.entries.iter_mut().find(|(other, _)| &**other == name) {
            *old = chunk;
            return Ok(());
        }
        if self.entries.len() >= MAX_VLMETALAYERS {
            return Err(Error::Refused {
                what: "set the vlmetalayer",
                why: "there are 8192 already",
            });
        }
        self.entries.push((name.into(), chunk));
        Ok(())
    }

    /// Takes the entries of a trailer, whose names are checked already, at once.
    pub(crate) fn from_entries(entries: Vec<(Box<str>, Vec<u8>)>) -> Self {
        Self { entries }
    }

    /// Removes a metalayer; false when there is none with this name.
    #[doc(alias = "blosc2_vlmeta_delete")]
    pub fn remove(&mut self, name: &str) -> bool {
        let before = self.entries.len();
        self.entries.retain(|(other, _)| &**other != name);
        self.entries.len() < before
    }

    /// Names and chunks, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &[u8])> + Clone {
        self.entries
            .iter()
            .map(|(name, chunk)| (&**name, chunk.as_slice()))
    }

    /// The names, in order.
    #[doc(alias = "blosc2_vlmeta_get_names")]
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.entries.iter().map(|(name, _)| &**name)
    }

    /// The number of metalayers.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// A decoder for chunks that hold no items: of `dparams`, only what does not depend on the data.
pub(crate) fn metadata_decoder(dparams: &DParams, limits: Limits) -> ChunkDecoder {
    let mut own = DParams::new().limits(limits);
    own.registry.clone_from(&dparams.registry);
    own.isa = dparams.isa;
    ChunkDecoder::new(own)
}

fn check_name(what: &'static str, name: &str) -> Result<()> {
    if name.len() > MAX_METALAYER_NAME {
        return Err(Error::Refused {
            what,
            why: "the name is longer than 31 bytes",
        });
    }
    // C-Blosc2 takes names as C strings and cuts them there.
    if name.contains('\0') {
        return Err(Error::Refused {
            what,
            why: "the name has a NUL byte",
        });
    }
    Ok(())
}

/// The chunk of a vlmetalayer fills its content exactly.
pub(crate) fn check_vlmetalayer_chunk(chunk: &[u8], offset: u64) -> Result<()> {
    let stored = chunk
        .get(12..16)
        .and_then(|bytes| bytes.try_into().ok())
        .map(u32::from_le_bytes);
    let Some(cbytes) = stored else {
        return Err(Error::Truncated {
            part: Part::VlMetalayers,
            offset,
            needed: 16,
            available: chunk.len() as u64,
        });
    };
    if u64::from(cbytes) != chunk.len() as u64 {
        let part = Part::VlMetalayers;
        return Err(Error::unequal(
            part,
            offset.saturating_add(12),
            "cbytes",
            cbytes,
            chunk.len(),
        ));
    }
    Ok(())
}

/// Prints names and lengths.
fn print(entries: &[(Box<str>, Vec<u8>)], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut map = f.debug_map();
    for (name, content) in entries {
        map.entry(name, &format_args!("{} bytes", content.len()));
    }
    map.finish()
}
