//! The 16 or 32 bytes at the front of a chunk ([format §1](crate::format#1)).
//!
//! ```text
//!  0        1          2      3         4       8          12
//! | version | versionlz | flags | typesize | nbytes | blocksize | cbytes |          16 bytes
//! | filters x 6 | udcodec | codec meta | filter metas x 6 | flags2 | blosc2_flags |  16 more
//!  16             22        23           24                  30       31
//! ```
//!
//! The second half is there when bits 0 and 2 of `flags` are both set; without it, those bits
//! mean shuffle and bitshuffle, as in Blosc1. Integers are little-endian.
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use crate::codec::id::CodecId;
use crate::error::{Error, Part, Result};
use crate::filter::id::{FilterId, FilterSlot, MAX_FILTERS};
use crate::num::to_u64;

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

/// Bits of `flags` ([format §1.2](crate::format#1.2)).
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

/// Bits of `blosc2_flags` ([format §1.4](crate::format#1.4)).
pub(crate) mod flag_b2 {
    /// A dictionary section follows the block offsets.
    pub(crate) const DICT: u8 = 0x01;
    /// A lazy chunk, which exists in the memory of C programs only.
    pub(crate) const LAZY: u8 = 0x08;
    /// First bit of the special-value kind.
    pub(crate) const SPECIAL_SHIFT: u8 = 4;
    /// The special-value kind, shifted down.
    pub(crate) const SPECIAL_MASK: u8 = 0x07;
    /// The codec was instrumented and the payload is its report.
    pub(crate) const INSTRUMENTED: u8 = 0x80;
}

/// Bit of `flags2`: the blocks have individual lengths.
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
    /// The version of the chunk format, 1 to 6 ([format §1.3](crate::format#1.3)).
    #[doc(alias = "blosc2_cbuffer_versions")]
    pub version: u8,
    /// The version of the codec's stream format; readers ignore it.
    #[doc(alias = "blosc2_cbuffer_versions")]
    pub versionlz: u8,
    /// Flags ([format §1.2](crate::format#1.2)).
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
    /// Flags of the extended header ([format §1.4](crate::format#1.4)).
    pub blosc2_flags: u8,
}

impl ChunkHeader {
    /// Not parsed yet.
    pub(crate) const UNREAD: Self = Self {
        version: 0,
        versionlz: 0,
        flags: 0,
        typesize: 0,
        nbytes: 0,
        blocksize: 0,
        cbytes: 0,
        filters: [FilterSlot::NONE; MAX_FILTERS],
        udcodec: CodecId::BLOSCLZ,
        codec_meta: 0,
        flags2: 0,
        blosc2_flags: 0,
    };

    /// Reads the header at the front of `bytes` and checks every field on its own.
    /// [`ChunkView::parse`](super::ChunkView::parse) also checks the rest of the chunk
    /// ([format §1.1](crate::format#1.1)).
    ///
    /// # Errors
    /// [`Truncated`](crate::Error::Truncated) with less than 16 (or 32) bytes,
    /// [`Corrupt`](crate::Error::Corrupt) for a field outside its range,
    /// [`Unsupported`](crate::Error::Unsupported) for a version from the future.
    #[doc(alias = "blosc1_cbuffer_metainfo")]
    #[doc(alias = "blosc1_cbuffer_sizes")]
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        let mut header = Self::UNREAD;
        header.read(bytes)?;
        header.filters = header.stored_filters(bytes);
        Ok(header)
    }

    /// [`parse`](Self::parse) in place, which avoids a store-forwarding stall: see
    /// [`Parsed::unread`](super::parsed::Parsed::unread). Leaves `filters` as they are: only coded
    /// blocks need them, and their decoder takes them from
    /// [`stored_filters`](Self::stored_filters).
    #[inline(always)]
    pub(crate) fn read(&mut self, bytes: &[u8]) -> Result<()> {
        let Some(front) = bytes.first_chunk::<BLOSC1_HEADER_LEN>() else {
            return Err(truncated(bytes.len(), BLOSC1_HEADER_LEN));
        };
        // By words: the compiler put together numbers from single bytes, and went through a vector
        // on the stack to get at the flags.
        let &[version, versionlz, flags, typesize, ..] = front;
        let ([_, nbytes, blocksize, cbytes], []) = front.as_chunks::<4>() else {
            return Err(truncated(bytes.len(), BLOSC1_HEADER_LEN));
        };
        self.version = version;
        self.versionlz = versionlz;
        self.flags = flags;
        self.typesize = typesize;
        self.nbytes = u32::from_le_bytes(*nbytes);
        self.blocksize = u32::from_le_bytes(*blocksize);
        self.cbytes = u32::from_le_bytes(*cbytes);
        if self.is_extended() {
            let Some(
                &[
                    ..,
                    udcodec,
                    codec_meta,
                    _,
                    _,
                    _,
                    _,
                    _,
                    _,
                    flags2,
                    blosc2_flags,
                ],
            ) = bytes.first_chunk::<HEADER_LEN>()
            else {
                return Err(truncated(bytes.len(), HEADER_LEN));
            };
            self.udcodec = CodecId::new(udcodec);
            self.codec_meta = codec_meta;
            // In older versions this byte is no flag.
            self.flags2 = if version >= VERSION_VLBLOCKS {
                flags2
            } else {
                0
            };
            self.blosc2_flags = blosc2_flags;
        } else {
            self.udcodec = self.codec().unwrap_or_default();
        }
        if self.is_plain() {
            return Ok(());
        }
        self.check()
    }

    /// The filters of the header at the front of `bytes`, whose other fields these are.
    pub(crate) fn stored_filters(&self, bytes: &[u8]) -> [FilterSlot; MAX_FILTERS] {
        let mut filters = [FilterSlot::NONE; MAX_FILTERS];
        if !self.is_extended() {
            // The flags of a Blosc1 header as filters of the extended one.
            let [.., delta, shuffle] = &mut filters;
            if self.flags & flag::SHUFFLE != 0 {
                *shuffle = FilterSlot::SHUFFLE;
            } else if self.flags & flag::BITSHUFFLE != 0 {
                *shuffle = FilterSlot::BITSHUFFLE;
            }
            if self.flags & flag::DELTA != 0 {
                *delta = FilterSlot::DELTA;
            }
            return filters;
        }
        let Some((_, extension)) = bytes.split_first_chunk::<BLOSC1_HEADER_LEN>() else {
            return filters;
        };
        let Some(&[i0, i1, i2, i3, i4, i5, _, _, m0, m1, m2, m3, m4, m5]) = extension.first_chunk()
        else {
            return filters;
        };
        let mut filters = [(i0, m0), (i1, m1), (i2, m2), (i3, m3), (i4, m4), (i5, m5)]
            .map(|(id, meta)| FilterSlot::new(FilterId::new(id), meta));
        if self.version == VERSION_ALPHA {
            // The alphas had five slots; the byte of the sixth is no filter.
            let [.., last] = &mut filters;
            *last = FilterSlot::NONE;
        }
        filters
    }

    /// The only filter of the header at the front of `bytes`, whose other fields these are, when it
    /// is SHUFFLE or BITSHUFFLE without a meta byte; [`FilterId::NONE`] without any filter. `None`
    /// for other pipelines, and for headers before version 4: they have rules of their own.
    ///
    /// Most chunks have such a pipeline. Reading the slots takes 5 ns, a tenth of decoding 256
    /// bytes.
    #[inline(always)]
    pub(crate) fn only_shuffle(&self, bytes: &[u8]) -> Option<FilterId> {
        /// The six slots of eight bytes.
        const SLOTS: u64 = 0xFFFF_FFFF_FFFF;
        if self.version < VERSION_BETA || !self.is_extended() {
            return None;
        }
        let extension = bytes.get(BLOSC1_HEADER_LEN..)?.first_chunk::<16>()?;
        let ([ids, metas], []) = extension.as_chunks::<8>() else {
            return None;
        };
        let (ids, metas) = (u64::from_le_bytes(*ids), u64::from_le_bytes(*metas));
        let ids = ids & SLOTS;
        // The lowest slot in use, at the lowest byte.
        let used = ids >> (ids.trailing_zeros() & 0x38);
        let id = u8::try_from(used).ok().map(FilterId::new)?;
        let plain = matches!(
            id,
            FilterId::NONE | FilterId::SHUFFLE | FilterId::BITSHUFFLE
        );
        (plain && metas & SLOTS == 0).then_some(id)
    }

    /// The 32 bytes of this header ([format §1.1](crate::format#1.1)).
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

    /// The 16 bytes of this header in its Blosc1 form ([format §1.9](crate::format#1.9)).
    pub fn to_blosc1_bytes(&self) -> [u8; BLOSC1_HEADER_LEN] {
        let [n0, n1, n2, n3] = self.nbytes.to_le_bytes();
        let [b0, b1, b2, b3] = self.blocksize.to_le_bytes();
        let [c0, c1, c2, c3] = self.cbytes.to_le_bytes();
        let (v, l, f, t) = (self.version, self.versionlz, self.flags, self.typesize);
        [v, l, f, t, n0, n1, n2, n3, b0, b1, b2, b3, c0, c1, c2, c3]
    }

    /// Start of the data of a memcpyed chunk: after the header; alphas and betas left 32
    /// bytes for one of 16 ([format §1.3](crate::format#1.3)).
    pub(crate) fn memcpyed_at(&self) -> usize {
        let early = matches!(self.version, VERSION_ALPHA | VERSION_BETA)
            && !self.is_extended()
            && u64::from(self.cbytes) == u64::from(self.nbytes).saturating_add(32);
        if early { HEADER_LEN } else { self.len() }
    }

    /// The length of this header: 16 or 32 bytes.
    #[expect(
        clippy::len_without_is_empty,
        reason = "the length of the header itself, which is never 0"
    )]
    pub fn len(&self) -> usize {
        if self.is_extended() {
            HEADER_LEN
        } else {
            BLOSC1_HEADER_LEN
        }
    }

    /// Whether this is the 32-byte form.
    pub fn is_extended(&self) -> bool {
        self.flags & flag::EXTENDED == flag::EXTENDED
    }

    /// Whether the payload is a plain copy of the data ([format §2.6](crate::format#2.6)).
    pub fn is_memcpyed(&self) -> bool {
        self.flags & flag::MEMCPYED != 0
    }

    /// Whether the blocks have individual lengths ([format §8.1](crate::format#8.1)).
    pub fn is_vlblocks(&self) -> bool {
        self.flags2 & FLAG2_VLBLOCKS != 0
    }

    /// Whether a dictionary section follows the block offsets. The flag means nothing in
    /// memcpyed and special chunks ([format §14](crate::format#14)).
    pub fn has_dict(&self) -> bool {
        self.blosc2_flags & flag_b2::DICT != 0 && !self.is_memcpyed() && self.special_bits() == 0
    }

    /// Whether whole blocks are split into one stream per byte of the typesize, by the rule of
    /// the chunk's version ([format §2.4](crate::format#2.4)).
    pub fn is_split(&self) -> bool {
        if self.flags & flag::UNSPLIT != 0 || self.is_vlblocks() {
            return false;
        }
        // Blosc1 had this rule before it had the flag, and kept applying it.
        let typesize = u32::from(self.typesize);
        self.is_extended()
            || self.version > VERSION_BLOSC1
            || (typesize <= 16
                && self
                    .blocksize
                    .min(self.nbytes.max(1))
                    .checked_div(typesize)
                    .is_some_and(|nitems| nitems >= 128))
    }

    /// The stream format, the upper three bits of `flags` ([format §1.5](crate::format#1.5)).
    pub fn compformat(&self) -> u8 {
        self.flags >> 5
    }

    /// The codec that decodes the streams; `None` for an undefined stream format.
    #[doc(alias = "blosc2_cbuffer_complib")]
    pub fn codec(&self) -> Option<CodecId> {
        CodecId::from_compformat(self.compformat(), self.udcodec.get())
    }

    /// The special-value kind bits of `blosc2_flags`.
    pub(super) fn special_bits(&self) -> u8 {
        (self.blosc2_flags >> flag_b2::SPECIAL_SHIFT) & flag_b2::SPECIAL_MASK
    }

    /// Whether the payload is the report of an instrumented codec
    /// ([format §7.6](crate::format#7.6)).
    pub(crate) fn is_instrumented(&self) -> bool {
        self.blosc2_flags & flag_b2::INSTRUMENTED != 0
    }
}

#[cold]
fn truncated(available: usize, needed: usize) -> Error {
    Error::Truncated {
        part: Part::ChunkHeader,
        offset: 0,
        needed: to_u64(needed),
        available: to_u64(available),
    }
}
