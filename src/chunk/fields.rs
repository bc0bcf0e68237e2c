//! The fields of a header that decide what a chunk is and where its parts lie, and the rules
//! about them.
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use super::header::{
    BLOSC1_HEADER_LEN, FLAG2_VLBLOCKS, HEADER_LEN, VERSION_ALPHA, VERSION_BETA, VERSION_BLOSC1,
    VERSION_VLBLOCKS, flag, flag_b2,
};
use super::special::SpecialKind;
use crate::codec::CodecId;
use crate::error::{Error, Missing, Part, Result};
use crate::filter::{FilterId, FilterSlot, MAX_FILTERS};
use crate::params::MAX_BLOCKSIZE;

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

/// A header without its filters.
///
/// It is read to where it stays: a copy of what was just written field by field waits for all of it, and
/// reading a short chunk takes no longer than a few such copies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields {
    pub(crate) version: u8,
    pub(crate) flags: u8,
    pub(crate) typesize: u8,
    pub(crate) udcodec: CodecId,
    pub(crate) codec_meta: u8,
    pub(crate) flags2: u8,
    pub(crate) blosc2_flags: u8,
    pub(crate) nbytes: u32,
    pub(crate) blocksize: u32,
    pub(crate) cbytes: u32,
}

impl Fields {
    /// No header yet.
    pub(crate) const UNREAD: Self = Self {
        version: 0,
        flags: 0,
        typesize: 0,
        udcodec: CodecId::BLOSCLZ,
        codec_meta: 0,
        flags2: 0,
        blosc2_flags: 0,
        nbytes: 0,
        blocksize: 0,
        cbytes: 0,
    };

    /// Reads and checks the header at the front of `bytes`.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self> {
        let mut fields = Self::UNREAD;
        fields.read(bytes)?;
        Ok(fields)
    }

    /// [`parse`](Self::parse) into its place.
    #[inline(always)]
    pub(crate) fn read(&mut self, bytes: &[u8]) -> Result<()> {
        let Some(&[version, _, flags, typesize, ref sizes @ ..]) =
            bytes.first_chunk::<BLOSC1_HEADER_LEN>()
        else {
            return Err(truncated(bytes.len(), BLOSC1_HEADER_LEN));
        };
        let &[n0, n1, n2, n3, b0, b1, b2, b3, c0, c1, c2, c3] = sizes;
        self.version = version;
        self.flags = flags;
        self.typesize = typesize;
        self.nbytes = u32::from_le_bytes([n0, n1, n2, n3]);
        self.blocksize = u32::from_le_bytes([b0, b1, b2, b3]);
        self.cbytes = u32::from_le_bytes([c0, c1, c2, c3]);
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
            // What lies there in older versions is no flag.
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

    /// The filters of the header at the front of `bytes`, whose fields these are.
    pub(crate) fn filters(&self, bytes: &[u8]) -> [FilterSlot; MAX_FILTERS] {
        let mut filters = [FilterSlot::NONE; MAX_FILTERS];
        if !self.is_extended() {
            // What the flags of a Blosc1 header say in the words of the extended one.
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
        // The alphas had five slots; what lies in the sixth is no filter.
        let known = if self.version == VERSION_ALPHA {
            MAX_FILTERS.saturating_sub(1)
        } else {
            MAX_FILTERS
        };
        let Some(
            &[
                ..,
                i0,
                i1,
                i2,
                i3,
                i4,
                i5,
                _,
                _,
                m0,
                m1,
                m2,
                m3,
                m4,
                m5,
                _,
                _,
            ],
        ) = bytes.first_chunk::<HEADER_LEN>()
        else {
            return filters;
        };
        let (ids, metas) = ([i0, i1, i2, i3, i4, i5], [m0, m1, m2, m3, m4, m5]);
        for ((slot, id), meta) in filters.iter_mut().zip(ids).zip(metas).take(known) {
            *slot = FilterSlot::new(FilterId::new(id), meta);
        }
        filters
    }

    /// Whether this is the header of a regular or memcpyed chunk with every field inside its range:
    /// the common case, told with few comparisons.
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
            && (!self.is_memcpyed()
                || (self.is_extended() && self.cbytes == self.nbytes.saturating_add(32)))
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

    /// Where the data of a memcpyed chunk begins: behind the header, but alphas and betas
    /// left 32 bytes for one of 16 (format §1.3).
    pub(crate) fn memcpyed_at(&self) -> usize {
        let early = matches!(self.version, VERSION_ALPHA | VERSION_BETA)
            && !self.is_extended()
            && u64::from(self.cbytes) == u64::from(self.nbytes).saturating_add(32);
        if early { HEADER_LEN } else { self.len() }
    }

    /// The length of this header: 16 or 32 bytes.
    pub(crate) fn len(&self) -> usize {
        if self.is_extended() {
            HEADER_LEN
        } else {
            BLOSC1_HEADER_LEN
        }
    }

    /// Whether this is the 32-byte form.
    pub(crate) fn is_extended(&self) -> bool {
        self.flags & flag::EXTENDED == flag::EXTENDED
    }

    /// Whether the payload is a plain copy of the data (format §2.6).
    pub(crate) fn is_memcpyed(&self) -> bool {
        self.flags & flag::MEMCPYED != 0
    }

    /// Whether the blocks have lengths of their own (format §8.1).
    pub(crate) fn is_vlblocks(&self) -> bool {
        self.flags2 & FLAG2_VLBLOCKS != 0
    }

    /// Whether a dictionary section follows the block offsets. The flag means nothing in
    /// memcpyed and special chunks (format §14).
    pub(crate) fn has_dict(&self) -> bool {
        self.blosc2_flags & flag_b2::DICT != 0 && !self.is_memcpyed() && self.special_bits() == 0
    }

    /// Whether whole blocks are split into one stream per byte of the typesize, by the rule of
    /// the chunk's version (format §2.4).
    pub(crate) fn is_split(&self) -> bool {
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
    pub(crate) fn compformat(&self) -> u8 {
        self.flags >> 5
    }

    /// The codec that decodes the streams; `None` when nobody defines the stream format.
    pub(crate) fn codec(&self) -> Option<CodecId> {
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
