//! The 16 or 32 bytes at the front of a chunk (format §1).
//!
//! ```text
//!  0        1          2      3         4       8          12
//! | version | versionlz | flags | typesize | nbytes | blocksize | cbytes |          16 bytes
//! | filters x 6 | udcodec | codec meta | filter metas x 6 | flags2 | blosc2_flags |  16 more
//!  16             22        23           24                  30       31
//! ```
//!
//! The second half is there when bits 0 and 2 of `flags` are both set; without it, those bits
//! speak of shuffle and bitshuffle, as in Blosc1. Integers are little-endian.
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use crate::codec::CodecId;
use crate::error::Result;
use crate::filter::{FilterSlot, MAX_FILTERS};

use super::fields::Fields;
#[cfg(feature = "frame")]
use super::special::SpecialKind;

/// The length of the header that this crate writes, in bytes.
#[doc(alias = "BLOSC_EXTENDED_HEADER_LENGTH")]
pub const HEADER_LEN: usize = 32;
/// The length of a Blosc1 header, in bytes.
#[doc(alias = "BLOSC_MIN_HEADER_LENGTH")]
pub const BLOSC1_HEADER_LEN: usize = 16;

/// The version byte of a Blosc1 chunk.
pub(crate) const VERSION_BLOSC1: u8 = 2;
/// The version byte of the Blosc2 alphas, which knew five filter slots.
pub(crate) const VERSION_ALPHA: u8 = 3;
/// The version byte of the Blosc2 betas and first stable releases.
pub(crate) const VERSION_BETA: u8 = 4;
/// The version byte of a regular chunk as written today.
pub(crate) const VERSION: u8 = 5;
/// The version byte of a chunk with variable-length blocks, the newest there is.
pub(crate) const VERSION_VLBLOCKS: u8 = 6;

/// Bits of `flags` (format §1.2).
pub(crate) mod flag {
    /// Byte shuffle; together with [`BITSHUFFLE`], the extended header.
    pub(crate) const SHUFFLE: u8 = 0x01;
    /// The payload is a plain copy of the data.
    pub(crate) const MEMCPYED: u8 = 0x02;
    /// Bit shuffle; together with [`SHUFFLE`], the extended header.
    pub(crate) const BITSHUFFLE: u8 = 0x04;
    /// The extended header.
    pub(crate) const EXTENDED: u8 = SHUFFLE | BITSHUFFLE;
    /// A DELTA filter is in the pipeline.
    pub(crate) const DELTA: u8 = 0x08;
    /// Blocks are not split into streams.
    pub(crate) const UNSPLIT: u8 = 0x10;
}

/// Bits of `blosc2_flags` (format §1.4).
pub(crate) mod flag_b2 {
    /// A dictionary section follows the block offsets.
    pub(crate) const DICT: u8 = 0x01;
    /// A lazy chunk, which exists in the memory of C programs only.
    pub(crate) const LAZY: u8 = 0x08;
    /// Where the special-value kind begins.
    pub(crate) const SPECIAL_SHIFT: u8 = 4;
    /// The special-value kind, shifted down.
    pub(crate) const SPECIAL_MASK: u8 = 0x07;
    /// The codec was instrumented and the payload is its report.
    pub(crate) const INSTRUMENTED: u8 = 0x80;
}

/// Bit of `flags2`: the blocks have lengths of their own.
pub(crate) const FLAG2_VLBLOCKS: u8 = 0x01;

/// The header of a chunk, with every field as stored.
///
/// ```
/// use oxiblosc::{compress, CParams, ChunkHeader};
/// let chunk = compress(&[7; 1000], &CParams::new(4))?;
/// let header = ChunkHeader::parse(&chunk)?;
/// assert_eq!((header.nbytes, header.typesize), (1000, 4));
/// # Ok::<(), oxiblosc::Error>(())
/// ```
#[doc(alias = "blosc2_cbuffer_sizes")]
#[doc(alias = "blosc_cbuffer_metainfo")]
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkHeader {
    /// The version of the chunk format, 1 to 6 (format §1.3).
    #[doc(alias = "blosc2_cbuffer_versions")]
    pub version: u8,
    /// The version of the codec's stream format; readers ignore it.
    #[doc(alias = "blosc2_cbuffer_versions")]
    pub versionlz: u8,
    /// Flags (format §1.2).
    pub flags: u8,
    /// The size of an item in bytes, 1 to 255; 1 for larger items.
    pub typesize: u8,
    /// The uncompressed size in bytes.
    pub nbytes: u32,
    /// The size of a block in bytes; with variable-length blocks, their number.
    pub blocksize: u32,
    /// The compressed size in bytes, this header included.
    pub cbytes: u32,
    /// The filters, applied from slot 0 to slot 5 when compressing. Derived from `flags` when
    /// the header has 16 bytes.
    pub filters: [FilterSlot; MAX_FILTERS],
    /// The compressor as stored; derived from `flags` when the header has 16 bytes.
    pub udcodec: CodecId,
    /// The meta byte of the codec.
    pub codec_meta: u8,
    /// More flags; 0 in versions that do not define them.
    pub flags2: u8,
    /// Flags of the extended header (format §1.4).
    pub blosc2_flags: u8,
}

impl ChunkHeader {
    /// Reads the header at the front of `bytes` and checks every field on its own. Whether the rest
    /// of the chunk is there is not looked at: [`ChunkView::parse`](super::ChunkView::parse) does
    /// (format §1.1).
    ///
    /// # Errors
    /// [`Truncated`](crate::Error::Truncated) with less than 16 (or 32) bytes,
    /// [`Corrupt`](crate::Error::Corrupt) for a field outside its range,
    /// [`Unsupported`](crate::Error::Unsupported) for a version from the future.
    #[doc(alias = "blosc1_cbuffer_metainfo")]
    #[doc(alias = "blosc1_cbuffer_sizes")]
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        Ok(Self::of(&Fields::parse(bytes)?, bytes))
    }

    /// The whole header of `bytes`, whose fields are read already.
    pub(crate) fn of(fields: &Fields, bytes: &[u8]) -> Self {
        Self {
            version: fields.version,
            versionlz: bytes.get(1).copied().unwrap_or(0),
            flags: fields.flags,
            typesize: fields.typesize,
            nbytes: fields.nbytes,
            blocksize: fields.blocksize,
            cbytes: fields.cbytes,
            filters: fields.filters(bytes),
            udcodec: fields.udcodec,
            codec_meta: fields.codec_meta,
            flags2: fields.flags2,
            blosc2_flags: fields.blosc2_flags,
        }
    }

    /// The fields that decide where the parts of the chunk lie.
    fn fields(&self) -> Fields {
        Fields {
            version: self.version,
            flags: self.flags,
            typesize: self.typesize,
            udcodec: self.udcodec,
            codec_meta: self.codec_meta,
            flags2: self.flags2,
            blosc2_flags: self.blosc2_flags,
            nbytes: self.nbytes,
            blocksize: self.blocksize,
            cbytes: self.cbytes,
        }
    }

    /// The 32 bytes of this header (format §1.1).
    pub fn to_bytes(&self) -> [u8; HEADER_LEN] {
        let [v, l, f, t, n0, n1, n2, n3, b0, b1, b2, b3, c0, c1, c2, c3] = self.to_blosc1_bytes();
        let [i0, i1, i2, i3, i4, i5] = self.filters.map(|slot| slot.id.get());
        let [m0, m1, m2, m3, m4, m5] = self.filters.map(|slot| slot.meta);
        let (codec, meta) = (self.udcodec.get(), self.codec_meta);
        let (flags2, flags_b2) = (self.flags2, self.blosc2_flags);
        [
            v, l, f, t, n0, n1, n2, n3, b0, b1, b2, b3, c0, c1, c2, c3, //
            i0, i1, i2, i3, i4, i5, codec, meta, m0, m1, m2, m3, m4, m5, flags2, flags_b2,
        ]
    }

    /// The 16 bytes of this header in its Blosc1 form (format §1.9).
    pub fn to_blosc1_bytes(&self) -> [u8; BLOSC1_HEADER_LEN] {
        let [n0, n1, n2, n3] = self.nbytes.to_le_bytes();
        let [b0, b1, b2, b3] = self.blocksize.to_le_bytes();
        let [c0, c1, c2, c3] = self.cbytes.to_le_bytes();
        let (v, l, f, t) = (self.version, self.versionlz, self.flags, self.typesize);
        [v, l, f, t, n0, n1, n2, n3, b0, b1, b2, b3, c0, c1, c2, c3]
    }

    /// The length of this header: 16 or 32 bytes.
    #[expect(
        clippy::len_without_is_empty,
        reason = "the length of the header itself, which is never 0"
    )]
    pub fn len(&self) -> usize {
        self.fields().len()
    }

    /// Whether this is the 32-byte form.
    pub fn is_extended(&self) -> bool {
        self.fields().is_extended()
    }

    /// Whether the payload is a plain copy of the data (format §2.6).
    pub fn is_memcpyed(&self) -> bool {
        self.fields().is_memcpyed()
    }

    /// Where the data of a memcpyed chunk begins.
    #[cfg(feature = "frame")]
    pub(crate) fn memcpyed_at(&self) -> usize {
        self.fields().memcpyed_at()
    }

    /// Whether the blocks have lengths of their own (format §8.1).
    pub fn is_vlblocks(&self) -> bool {
        self.fields().is_vlblocks()
    }

    /// Whether a dictionary section follows the block offsets. The flag means nothing in
    /// memcpyed and special chunks (format §14).
    pub fn has_dict(&self) -> bool {
        self.fields().has_dict()
    }

    /// Whether whole blocks are split into one stream per byte of the typesize, by the rule of
    /// the chunk's version (format §2.4).
    pub fn is_split(&self) -> bool {
        self.fields().is_split()
    }

    /// The stream format, the upper three bits of `flags` (format §1.5).
    pub fn compformat(&self) -> u8 {
        self.fields().compformat()
    }

    /// The codec that decodes the streams; `None` when nobody defines the stream format.
    #[doc(alias = "blosc2_cbuffer_complib")]
    pub fn codec(&self) -> Option<CodecId> {
        self.fields().codec()
    }

    /// The kind of special value, when this is a special-value chunk.
    #[cfg(feature = "frame")]
    pub(crate) fn special_kind(&self) -> Result<Option<SpecialKind>> {
        self.fields().special_kind()
    }
}
