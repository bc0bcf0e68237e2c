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
use crate::error::{Error, Missing, Part, Result};
use crate::filter::{FilterId, FilterSlot, MAX_FILTERS};
use crate::params::MAX_BLOCKSIZE;

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
const VERSION_ALPHA: u8 = 3;
/// The version byte of the Blosc2 betas and first stable releases.
const VERSION_BETA: u8 = 4;
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

/// The largest size that a header holds: sizes are signed.
const MAX_SIZE: u32 = i32::MAX.unsigned_abs();
/// [`MAX_BLOCKSIZE`] as headers hold it.
const MAX_BLOCKSIZE_U32: u32 = 536_866_816;
const _: () = assert!(MAX_BLOCKSIZE_U32 as usize == MAX_BLOCKSIZE);

/// Where the fields lie, for error messages.
mod at {
    pub(super) const VERSION: u64 = 0;
    pub(super) const TYPESIZE: u64 = 3;
    pub(super) const NBYTES: u64 = 4;
    pub(super) const BLOCKSIZE: u64 = 8;
    pub(super) const CBYTES: u64 = 12;
    pub(super) const FLAGS2: u64 = 30;
    pub(super) const BLOSC2_FLAGS: u64 = 31;
}

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
    pub version: u8,
    /// The version of the codec's stream format; readers ignore it.
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
    /// Reads the header at the front of `bytes` and checks every field on its own. Whether the
    /// rest of the chunk is there is not looked at: [`ChunkView::parse`](super::ChunkView::parse)
    /// does.
    ///
    /// # Errors
    /// [`Error::Truncated`] with less than 16 (or 32) bytes, [`Error::Corrupt`] for a field
    /// outside its range, [`Error::Unsupported`] for a version from the future.
    #[inline]
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        let header = Self::read(bytes)?;
        if !header.is_plain() {
            header.check()?;
        }
        Ok(header)
    }

    /// The fields as they are.
    #[inline]
    fn read(bytes: &[u8]) -> Result<Self> {
        let Some(&[version, versionlz, flags, typesize, ref sizes @ ..]) =
            bytes.first_chunk::<BLOSC1_HEADER_LEN>()
        else {
            return Err(truncated(bytes.len(), BLOSC1_HEADER_LEN));
        };
        let &[n0, n1, n2, n3, b0, b1, b2, b3, c0, c1, c2, c3] = sizes;
        let mut header = Self {
            version,
            versionlz,
            flags,
            typesize,
            nbytes: u32::from_le_bytes([n0, n1, n2, n3]),
            blocksize: u32::from_le_bytes([b0, b1, b2, b3]),
            cbytes: u32::from_le_bytes([c0, c1, c2, c3]),
            filters: [FilterSlot::NONE; MAX_FILTERS],
            udcodec: CodecId::BLOSCLZ,
            codec_meta: 0,
            flags2: 0,
            blosc2_flags: 0,
        };
        if !header.is_extended() {
            header.derive_extension();
            return Ok(header);
        }
        let Some(
            &[
                ..,
                f0,
                f1,
                f2,
                f3,
                f4,
                f5,
                c,
                cm,
                m0,
                m1,
                m2,
                m3,
                m4,
                m5,
                flags2,
                flags_b2,
            ],
        ) = bytes.first_chunk::<HEADER_LEN>()
        else {
            return Err(truncated(bytes.len(), HEADER_LEN));
        };
        let slot = |id, meta| FilterSlot::new(FilterId::new(id), meta);
        header.filters = [
            slot(f0, m0),
            slot(f1, m1),
            slot(f2, m2),
            slot(f3, m3),
            slot(f4, m4),
            // The alphas had five slots; what lies in the sixth is no filter.
            if version == VERSION_ALPHA {
                FilterSlot::NONE
            } else {
                slot(f5, m5)
            },
        ];
        header.udcodec = CodecId::new(c);
        header.codec_meta = cm;
        header.flags2 = if version >= VERSION_VLBLOCKS {
            flags2
        } else {
            0
        };
        header.blosc2_flags = flags_b2;
        Ok(header)
    }

    /// Whether this is the header of a regular chunk with every field inside its range: the
    /// common case, told with few comparisons.
    #[inline]
    fn is_plain(&self) -> bool {
        let special = self.blosc2_flags >> flag_b2::SPECIAL_SHIFT;
        self.version > 0
            && self.version <= VERSION_VLBLOCKS
            && self.typesize > 0
            && self.nbytes <= MAX_SIZE
            && self.blocksize.wrapping_sub(1) < MAX_BLOCKSIZE_U32
            && self.cbytes >= 32
            && self.cbytes <= MAX_SIZE
            && (special | (self.blosc2_flags & flag_b2::LAZY) | self.flags2) == 0
            && !self.is_memcpyed()
    }

    /// What the flags of a Blosc1 header say in the words of the extended one.
    fn derive_extension(&mut self) {
        let [.., delta, shuffle] = &mut self.filters;
        if self.flags & flag::SHUFFLE != 0 {
            *shuffle = FilterSlot::SHUFFLE;
        } else if self.flags & flag::BITSHUFFLE != 0 {
            *shuffle = FilterSlot::BITSHUFFLE;
        }
        if self.flags & flag::DELTA != 0 {
            *delta = FilterSlot::DELTA;
        }
        self.udcodec = self.codec().unwrap_or_default();
    }

    /// Every rule about the fields, one by one.
    fn check(&self) -> Result<()> {
        let part = Part::ChunkHeader;
        let head = u32::try_from(self.len()).unwrap_or(0);
        size(at::NBYTES, "nbytes", self.nbytes, 0)?;
        // The upper bound of the block size is checked once its meaning is known.
        size(at::BLOCKSIZE, "blocksize", self.blocksize, 1)?;
        size(at::CBYTES, "cbytes", self.cbytes, head)?;
        if self.version == 0 || self.version > VERSION_VLBLOCKS {
            let what = Missing::Version(self.version);
            return Err(Error::Unsupported {
                part,
                offset: at::VERSION,
                what,
            });
        }
        if self.typesize == 0 {
            return Err(Error::out_of_range(
                part,
                at::TYPESIZE,
                "typesize",
                0,
                1,
                255,
            ));
        }
        if self.flags2 & !FLAG2_VLBLOCKS != 0 {
            let what = Missing::Feature("a flag2 bit other than variable-length blocks");
            return Err(Error::Unsupported {
                part,
                offset: at::FLAGS2,
                what,
            });
        }
        if self.blosc2_flags & flag_b2::LAZY != 0 {
            let rule = "a lazy chunk exists in memory only";
            return Err(Error::broken(part, at::BLOSC2_FLAGS, rule));
        }
        let special = self.special_kind()?;
        if self.is_vlblocks() {
            if special.is_some() {
                let rule = "a chunk with variable-length blocks holds no special value";
                return Err(Error::broken(part, at::BLOSC2_FLAGS, rule));
            }
            if self.is_memcpyed() {
                let rule = "a chunk with variable-length blocks is not memcpyed";
                return Err(Error::broken(part, 2, rule));
            }
        } else if self.blocksize > MAX_BLOCKSIZE_U32 {
            return Err(Error::out_of_range(
                part,
                at::BLOCKSIZE,
                "blocksize",
                self.blocksize,
                1,
                MAX_BLOCKSIZE,
            ));
        }
        match special {
            Some(kind) => self.check_special(kind),
            None if self.is_memcpyed() => self.check_memcpyed(),
            None => Ok(()),
        }
    }

    /// The sizes of a special-value chunk (format §4).
    fn check_special(&self, kind: SpecialKind) -> Result<()> {
        let part = Part::ChunkHeader;
        let typesize = u32::from(self.typesize);
        if kind != SpecialKind::Repeat && u64::from(self.cbytes) != HEADER_LEN as u64 {
            return Err(Error::unequal(
                part,
                at::CBYTES,
                "cbytes",
                self.cbytes,
                HEADER_LEN,
            ));
        }
        match kind {
            SpecialKind::Zeros => Ok(()),
            SpecialKind::Nans if typesize != 4 && typesize != 8 => {
                let rule = "NaN needs a typesize of 4 or 8";
                Err(Error::broken(part, at::TYPESIZE, rule))
            }
            SpecialKind::Nans | SpecialKind::Uninit => {
                if self.nbytes.checked_rem(typesize) == Some(0) {
                    return Ok(());
                }
                let rule = "a special value fills whole items, and nbytes is no multiple of them";
                Err(Error::broken(part, at::NBYTES, rule))
            }
            SpecialKind::Repeat => {
                let width = self.cbytes.saturating_sub(32);
                let max = self.nbytes.min(u32::try_from(MAX_BLOCKSIZE).unwrap_or(0));
                if width == 0 || width > max {
                    return Err(Error::out_of_range(
                        part,
                        at::CBYTES,
                        "the width of the repeated value (cbytes - 32)",
                        width,
                        1,
                        max,
                    ));
                }
                if self.nbytes.checked_rem(width) == Some(0) {
                    return Ok(());
                }
                let rule = "nbytes is no multiple of the repeated value's width (cbytes - 32)";
                Err(Error::broken(part, at::NBYTES, rule))
            }
        }
    }

    /// The sizes of a memcpyed chunk (format §2.6).
    fn check_memcpyed(&self) -> Result<()> {
        let expected = u64::from(self.nbytes).saturating_add(self.memcpyed_at() as u64);
        if u64::from(self.cbytes) == expected {
            return Ok(());
        }
        let part = Part::ChunkHeader;
        Err(Error::unequal(
            part,
            at::CBYTES,
            "cbytes of a memcpyed chunk",
            self.cbytes,
            expected,
        ))
    }

    /// Where the data of a memcpyed chunk begins: behind the header, but the alphas and betas left
    /// 32 bytes for one of 16 (format §1.3).
    pub(crate) fn memcpyed_at(&self) -> usize {
        let early = matches!(self.version, VERSION_ALPHA | VERSION_BETA)
            && !self.is_extended()
            && u64::from(self.cbytes) == u64::from(self.nbytes).saturating_add(32);
        if early { HEADER_LEN } else { self.len() }
    }

    /// The 32 bytes of this header.
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

    /// The 16 bytes of this header in its Blosc1 form.
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

    /// Whether the payload is a plain copy of the data (format §2.6).
    pub fn is_memcpyed(&self) -> bool {
        self.flags & flag::MEMCPYED != 0
    }

    /// Whether the blocks have lengths of their own (format §8.1).
    pub fn is_vlblocks(&self) -> bool {
        self.flags2 & FLAG2_VLBLOCKS != 0
    }

    /// Whether a dictionary section follows the block offsets. The flag means nothing in
    /// memcpyed and special chunks (format §14).
    pub fn has_dict(&self) -> bool {
        self.blosc2_flags & flag_b2::DICT != 0 && !self.is_memcpyed() && self.special_bits() == 0
    }

    /// Whether whole blocks are split into one stream per byte of the typesize, by the rule of
    /// the chunk's version (format §2.4).
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

    /// The stream format, the upper three bits of `flags` (format §1.5).
    pub fn compformat(&self) -> u8 {
        self.flags >> 5
    }

    /// The codec that decodes the streams; `None` when nobody defines the stream format.
    pub fn codec(&self) -> Option<CodecId> {
        CodecId::from_compformat(self.compformat(), self.udcodec.get())
    }

    /// The special-value kind bits of `blosc2_flags`.
    fn special_bits(&self) -> u8 {
        (self.blosc2_flags >> flag_b2::SPECIAL_SHIFT) & flag_b2::SPECIAL_MASK
    }

    /// The kind of special value, when this is a special-value chunk.
    pub(crate) fn special_kind(&self) -> Result<Option<SpecialKind>> {
        Ok(match self.special_bits() {
            0 => None,
            1 => Some(SpecialKind::Zeros),
            2 => Some(SpecialKind::Nans),
            3 => Some(SpecialKind::Repeat),
            4 => Some(SpecialKind::Uninit),
            kind => {
                return Err(Error::out_of_range(
                    Part::ChunkHeader,
                    at::BLOSC2_FLAGS,
                    "special value kind",
                    kind,
                    0,
                    4,
                ));
            }
        })
    }

    /// Whether the payload is the report of an instrumented codec (format §7.6).
    pub(crate) fn is_instrumented(&self) -> bool {
        self.blosc2_flags & flag_b2::INSTRUMENTED != 0
    }
}

/// Refuses a size below `min`, or one that is negative as stored.
fn size(offset: u64, field: &'static str, value: u32, min: u32) -> Result<()> {
    if value < min || value > MAX_SIZE {
        let part = Part::ChunkHeader;
        let value = value.cast_signed();
        return Err(Error::out_of_range(
            part, offset, field, value, min, MAX_SIZE,
        ));
    }
    Ok(())
}

#[cold]
fn truncated(available: usize, needed: usize) -> Error {
    Error::Truncated {
        part: Part::ChunkHeader,
        offset: 0,
        needed: needed as u64,
        available: available as u64,
    }
}
