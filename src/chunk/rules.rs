//! The rules about the fields of a chunk header ([format §1](crate::format#1)).
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

use super::header::{ChunkHeader, FLAG2_VLBLOCKS, HEADER_LEN, VERSION_VLBLOCKS, flag_b2};
use super::special::SpecialKind;
use crate::error::{Error, Missing, Part, Result};
use crate::num::to_u64;
use crate::params::MAX_BLOCKSIZE;

/// The largest size that a header holds: sizes are signed.
const MAX_SIZE: u32 = i32::MAX.unsigned_abs();
/// [`MAX_BLOCKSIZE`] as headers hold it.
const MAX_BLOCKSIZE_U32: u32 = 536_866_816;
const _: () = assert!(MAX_BLOCKSIZE_U32 as usize == MAX_BLOCKSIZE);

/// The offsets of the fields, for error messages.
mod at {
    pub(super) const VERSION: u64 = 0;
    pub(super) const TYPESIZE: u64 = 3;
    pub(super) const NBYTES: u64 = 4;
    pub(super) const BLOCKSIZE: u64 = 8;
    pub(super) const CBYTES: u64 = 12;
    pub(super) const FLAGS2: u64 = 30;
    pub(super) const BLOSC2_FLAGS: u64 = 31;
}

impl ChunkHeader {
    /// Whether this is the header of a regular or memcpyed chunk with every field inside its range:
    /// the common case, decided with few comparisons.
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
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
    pub(super) fn check(&self) -> Result<()> {
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

    /// The sizes of a special-value chunk ([format §4](crate::format#4)).
    fn check_special(&self, kind: SpecialKind) -> Result<()> {
        let part = Part::ChunkHeader;
        let typesize = u32::from(self.typesize);
        if kind != SpecialKind::Repeat && u64::from(self.cbytes) != to_u64(HEADER_LEN) {
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

    /// The sizes of a memcpyed chunk ([format §2.6](crate::format#2.6)).
    fn check_memcpyed(&self) -> Result<()> {
        let expected = u64::from(self.nbytes).saturating_add(to_u64(self.memcpyed_at()));
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
