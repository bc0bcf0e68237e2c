//! The header of a frame ([format §9.1](crate::format#9.1)): 87 bytes at fixed places, then the
//! metalayers.
//!
//! The parameters in it are only what future chunks are to be compressed with; every stored chunk
//! describes itself.

use rmp::Marker;

use super::metadata;
use super::msgpack::{Fields, Put};
use crate::codec::CodecId;
use crate::error::{Error, Missing, Part, Result};
use crate::filter::{FilterId, FilterSlot, MAX_FILTERS};
use crate::limits::{self, Limits};
use crate::num::to_u64;
use crate::params::{CParams, SplitMode};
use crate::schunk::{MAX_METALAYERS, Metalayers};

/// The length of the fixed part, in bytes.
pub const FRAME_HEADER_LEN: usize = 87;

/// The first string of every frame.
pub(crate) const MAGIC: &[u8; 8] = b"b2frame\0";
const OFFSETS_64_BIT: u8 = 1 << 4;
/// The bits for the width of offsets; every writer fills them with [`OFFSETS_64_BIT`].
const OFFSET_WIDTH: u8 = 3 << 4;
const VARIABLE_CHUNKS: u8 = 1 << 6;
const VL_BLOCKS: u8 = 1 << 7;
/// The low nibble of the codec byte for codecs that have no nibble of their own.
const REGISTERED_CODEC: u8 = 6;

/// The kind of a frame.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FrameType {
    /// All in one piece ([format §9](crate::format#9)).
    #[default]
    Contiguous,
    /// A directory with a file per chunk ([format §10](crate::format#10)).
    Sparse,
}

impl FrameType {
    /// The number in the header.
    pub const fn get(self) -> u8 {
        match self {
            Self::Contiguous => 0,
            Self::Sparse => 1,
        }
    }

    /// The number of the file of a chunk in this place, for the cache.
    pub(crate) const fn file_of(self, place: u64) -> u64 {
        match self {
            Self::Contiguous => 0,
            Self::Sparse => place,
        }
    }
}

/// The fields of a frame header.
#[doc(alias = "blosc2_frame")]
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameHeader {
    /// The version of the format: 2, or 3 for variable-size chunks and variable-length blocks;
    /// 1 for the layout of the 2.0.0 betas ([format §9.9](crate::format#9.9)).
    pub version: u8,
    /// Contiguous or sparse.
    pub frame_type: FrameType,
    /// The length of the header with its metalayers, in bytes.
    pub header_len: u64,
    /// The length of the frame in bytes; of a sparse frame, that of its `chunks.b2frame`.
    #[doc(alias = "blosc2_schunk_frame_len")]
    pub frame_len: u64,
    /// Whether all chunks consist of variable-length blocks ([format §8.1](crate::format#8.1)).
    pub vlblocks: bool,
    /// The codec for new chunks.
    pub codec: CodecId,
    /// The meta byte of the codec for new chunks.
    pub codec_meta: u8,
    /// The compression level for new chunks.
    pub clevel: u8,
    /// The split mode for new chunks.
    pub split_mode: SplitMode,
    /// The filters for new chunks.
    pub filters: [FilterSlot; MAX_FILTERS],
    /// Whether new chunks are to use a dictionary.
    pub use_dict: bool,
    /// The uncompressed size of all chunks, in bytes.
    pub nbytes: u64,
    /// The size of the chunks section in bytes, with unused gaps; of a sparse frame, the size of
    /// all chunk files.
    pub cbytes: u64,
    /// The size of an item in bytes.
    pub typesize: usize,
    /// The requested block size, in bytes; 0 for automatic.
    pub blocksize: usize,
    /// The uncompressed size of every chunk but the last; `None` when they differ, `Some(0)` when
    /// nothing has been appended yet.
    pub chunksize: Option<usize>,
    /// The number of threads that compressed the frame; informational.
    pub compress_threads: i16,
    /// The number of threads that decompressed the frame; informational.
    pub decompress_threads: i16,
    /// Whether the trailer holds variable-length metalayers; informational.
    pub has_vlmetalayers: bool,
}

/// The lengths of the parts of a frame, as its first bytes claim.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameLens {
    pub(crate) header_len: u64,
    pub(crate) frame_len: u64,
    /// The length of the chunks in this file.
    pub(crate) cbytes: u64,
}

impl FrameHeader {
    /// The header of an empty frame with these parameters.
    pub(crate) fn new(frame_type: FrameType, cparams: &CParams) -> Result<Self> {
        cparams.validate()?;
        Ok(Self {
            version: 2,
            frame_type,
            header_len: 0,
            frame_len: 0,
            vlblocks: false,
            codec: cparams.codec,
            codec_meta: cparams.codec_meta,
            clevel: cparams.clevel,
            split_mode: cparams.split_mode,
            filters: cparams.stored_filters(),
            use_dict: cparams.use_dict,
            nbytes: 0,
            cbytes: 0,
            typesize: cparams.typesize,
            blocksize: cparams.blocksize.unwrap_or(0),
            chunksize: Some(0),
            compress_threads: 1,
            decompress_threads: 1,
            has_vlmetalayers: false,
        })
    }

    /// The lengths in the first bytes of a frame of any version, unchecked.
    pub(crate) fn lens_of(bytes: &[u8], frame_type: FrameType) -> Option<FrameLens> {
        let long = |at: usize| Some(u64::from_be_bytes(*bytes.get(at..)?.first_chunk()?));
        let header_len = u32::from_be_bytes(*bytes.get(0x0B..)?.first_chunk()?);
        Some(FrameLens {
            header_len: header_len.into(),
            frame_len: long(0x10)?,
            cbytes: match frame_type {
                FrameType::Contiguous => long(0x27)?,
                FrameType::Sparse => 0,
            },
        })
    }

    /// The frame length that the first bytes state.
    #[cfg(feature = "b2nd")]
    pub(crate) fn stated_len(bytes: &[u8]) -> Result<u64> {
        let mut fields = Fields::new(Part::FrameHeader, bytes, 0);
        parse_start(&mut fields, 14).map(|(_, frame_len)| frame_len)
    }

    /// Parses the fixed part, without metalayers ([format §9.1](crate::format#9.1)).
    ///
    /// # Errors
    /// [`Error::Truncated`] for less than [`FRAME_HEADER_LEN`] bytes, [`Error::Corrupt`] for
    /// contradictions, [`Error::Unsupported`] for unknown versions and widths of offsets,
    /// [`Error::LimitExceeded`] for a header longer than [`Limits::max_frame_header_len`].
    pub fn parse(bytes: &[u8], limits: &Limits) -> Result<Self> {
        let part = Part::FrameHeader;
        if bytes.len() < FRAME_HEADER_LEN {
            return Err(Error::Truncated {
                part,
                offset: 0,
                needed: FRAME_HEADER_LEN as u64,
                available: bytes.len() as u64,
            });
        }
        let mut fields = Fields::new(part, bytes, 0);
        let (header_len, frame_len) = parse_start(&mut fields, 14)?;
        limits::check(
            "max_frame_header_len",
            header_len,
            limits.max_frame_header_len,
            Some(0x0B),
        )?;
        fields.marker("flags marker", Marker::FixStr(4))?;
        let general = parse_general_flags(&mut fields)?;
        let version = general & 0x0F;
        let frame_type = match fields.u8()? {
            0 => FrameType::Contiguous,
            1 => FrameType::Sparse,
            other => return Err(Error::out_of_range(part, 0x1A, "frame type", other, 0, 1)),
        };
        let codec_byte = fields.u8()?;
        let split_mode = SplitMode::new((fields.u8()? & 3).saturating_add(1));
        let nbytes = parse_size(&mut fields, "nbytes")?;
        let cbytes = parse_size(&mut fields, "cbytes")?;
        let offset = fields.offset();
        let typesize = fields.i32("typesize")?;
        let typesize = usize::try_from(typesize)
            .ok()
            .filter(|&size| size > 0)
            .ok_or_else(|| {
                Error::out_of_range(
                    part,
                    offset.saturating_add(1),
                    "typesize",
                    typesize,
                    1,
                    i32::MAX,
                )
            })?;
        let offset = fields.offset();
        let blocksize = fields.i32("blocksize")?;
        let blocksize = usize::try_from(blocksize).map_err(|_| {
            Error::out_of_range(
                part,
                offset.saturating_add(1),
                "blocksize",
                blocksize,
                0,
                i32::MAX,
            )
        })?;
        let chunksize = parse_chunksize(&mut fields, nbytes)?;
        let compress_threads = fields.i16("compression threads")?;
        let decompress_threads = fields.i16("decompression threads")?;
        let has_vlmetalayers = fields.bool("vlmetalayers flag")?;
        let pipeline = parse_pipeline(&mut fields)?;
        let codec = match codec_byte & 0x0F {
            nibble if nibble < REGISTERED_CODEC => nibble,
            _ => pipeline.codec,
        };
        Ok(Self {
            version,
            frame_type,
            header_len,
            frame_len,
            vlblocks: general & VL_BLOCKS != 0,
            codec: CodecId::new(codec),
            codec_meta: pipeline.codec_meta,
            clevel: codec_byte >> 4,
            split_mode: split_mode.unwrap_or_default(),
            filters: pipeline.filters,
            use_dict: pipeline.use_dict,
            nbytes,
            cbytes,
            typesize,
            blocksize,
            chunksize,
            compress_threads,
            decompress_threads,
            has_vlmetalayers,
        })
    }

    /// Parses the metalayers out of a whole header.
    pub(crate) fn parse_metalayers(bytes: &[u8]) -> Result<Metalayers> {
        Self::parse_metalayers_at(bytes, FRAME_HEADER_LEN)
    }

    /// Parses the metalayers of a header whose fixed part has another length.
    pub(crate) fn parse_metalayers_at(bytes: &[u8], at: usize) -> Result<Metalayers> {
        let part = Part::Metalayers;
        let mut fields = Fields::new(part, bytes, 0).at(at);
        let max = u16::try_from(MAX_METALAYERS).unwrap_or(u16::MAX);
        let (entries, _) = metadata::parse(&mut fields, part, max)?;
        let mut metalayers = Metalayers::new();
        for (name, content) in entries {
            metalayers.insert(name, content)?;
        }
        Ok(metalayers)
    }

    /// The whole header as bytes; `header_len` is set to their number.
    pub(crate) fn write(&self, metalayers: &Metalayers) -> Result<Vec<u8>> {
        // Offsets count from the frame start, so a placeholder of the fixed part comes first.
        let mut section = vec![0; FRAME_HEADER_LEN];
        metadata::write_header(&mut section, 0, metalayers.iter())?;
        let header_len = section.len();
        let mut out = self.write_fixed(header_len)?;
        out.extend_from_slice(section.get(FRAME_HEADER_LEN..).unwrap_or_default());
        Ok(out)
    }

    fn write_fixed(&self, header_len: usize) -> Result<Vec<u8>> {
        let refused = |why| Error::Refused {
            what: "write the frame header",
            why,
        };
        let int32 = |value: usize| i32::try_from(value).map_err(|_| refused("a size passes 2 GiB"));
        let int64 = |value: u64| i64::try_from(value).map_err(|_| refused("a size passes 2^63"));
        let variable = self.chunksize.is_none();
        let mut general = if variable || self.vlblocks { 3 } else { 2 } | OFFSETS_64_BIT;
        if variable {
            general |= VARIABLE_CHUNKS;
        }
        if self.vlblocks {
            general |= VL_BLOCKS;
        }
        let mut out = Vec::with_capacity(header_len);
        out.put_marker(Marker::FixArray(14));
        out.put_marker(Marker::FixStr(8));
        out.put_bytes(MAGIC);
        out.put_i32(int32(header_len)?);
        out.put_u64(self.frame_len);
        out.put_marker(Marker::FixStr(4));
        out.put_u8(general);
        out.put_u8(self.frame_type.get());
        out.put_u8(self.codec.get().min(REGISTERED_CODEC) | (self.clevel << 4));
        out.put_u8(self.split_mode.get().saturating_sub(1));
        out.put_i64(int64(self.nbytes)?);
        out.put_i64(int64(self.cbytes)?);
        out.put_i32(int32(self.typesize)?);
        out.put_i32(int32(self.blocksize)?);
        out.put_i32(match self.chunksize {
            None => 0,
            Some(0) => -1,
            Some(chunksize) => int32(chunksize)?,
        });
        out.put_i16(self.compress_threads);
        out.put_i16(self.decompress_threads);
        out.put_bool(self.has_vlmetalayers);
        out.put_marker(Marker::FixExt16);
        out.put_u8(6);
        out.put_bytes(&self.filters.map(|slot| slot.id.get()));
        out.put_u8(self.codec.get());
        out.put_u8(self.codec_meta);
        out.put_bytes(&self.filters.map(|slot| slot.meta));
        out.put_u8(u8::from(self.use_dict));
        out.put_u8(0);
        Ok(out)
    }

    /// The parameters for new chunks. What the header does not say is at its default.
    ///
    /// # Errors
    /// [`Error::InvalidParam`] when a field is outside the range of [`CParams`].
    #[doc(alias = "blosc2_schunk_get_cparams")]
    pub fn cparams(&self) -> Result<CParams> {
        let cparams = self.stated_cparams();
        cparams.validate()?;
        Ok(cparams)
    }

    /// The same, of codecs and filters that are not there, too.
    pub(crate) fn stated_cparams(&self) -> CParams {
        CParams::new(self.typesize)
            .codec(self.codec)
            .codec_meta(self.codec_meta)
            .clevel(self.clevel)
            .split_mode(self.split_mode)
            .filter_slots(self.filters)
            .use_dict(self.use_dict)
            .blocksize(Some(self.blocksize).filter(|&blocksize| blocksize > 0))
    }

    /// The number of chunks that the sizes imply; `None` when only the index knows.
    pub(crate) fn nchunks(&self) -> Option<u64> {
        match self.chunksize {
            _ if self.nbytes == 0 => Some(0),
            None => None,
            Some(0) => Some(0),
            Some(chunksize) => Some(self.nbytes.div_ceil(to_u64(chunksize))),
        }
    }
}

/// Reads everything up to the frame length; the number of elements identifies the layout.
pub(crate) fn parse_start(fields: &mut Fields<'_>, elements: u8) -> Result<(u64, u64)> {
    let part = Part::FrameHeader;
    // First of all: other files have other bytes everywhere.
    let magic = fields.left().get(0x02..0x0A);
    if magic.is_some_and(|magic| magic != MAGIC) {
        return Err(Error::broken(
            part,
            0x02,
            "the magic string is not \"b2frame\": this is no Blosc2 frame",
        ));
    }
    fields.marker("number of header elements", Marker::FixArray(elements))?;
    fields.marker("magic marker", Marker::FixStr(8))?;
    fields.bytes(8)?;
    let header_len = fields.i32("header length")?;
    let frame_len = fields.u64("frame length")?;
    let min = FRAME_HEADER_LEN.min(if elements == 14 { usize::MAX } else { 0x52 });
    let max = i32::try_from(frame_len).unwrap_or(i32::MAX);
    let checked = u64::try_from(header_len)
        .ok()
        .filter(|&len| len >= to_u64(min) && header_len <= max);
    let header_len = checked
        .ok_or_else(|| Error::out_of_range(part, 0x0B, "header length", header_len, min, max))?;
    if i64::try_from(frame_len).is_err() {
        return Err(Error::out_of_range(
            part,
            0x10,
            "frame length",
            frame_len,
            0,
            i64::MAX,
        ));
    }
    Ok((header_len, frame_len))
}

/// Reads a size that C keeps signed.
pub(crate) fn parse_size(fields: &mut Fields<'_>, field: &'static str) -> Result<u64> {
    let offset = fields.offset().saturating_add(1);
    let value = fields.i64(field)?;
    u64::try_from(value)
        .map_err(|_| Error::out_of_range(Part::FrameHeader, offset, field, value, 0, i64::MAX))
}

fn parse_chunksize(fields: &mut Fields<'_>, nbytes: u64) -> Result<Option<usize>> {
    let offset = fields.offset().saturating_add(1);
    let chunksize = fields.i32("chunksize")?;
    match usize::try_from(chunksize) {
        Ok(0) => Ok(None),
        Ok(chunksize) => Ok(Some(chunksize)),
        Err(_) if nbytes == 0 => Ok(Some(0)),
        Err(_) => {
            let part = Part::FrameHeader;
            Err(Error::out_of_range(
                part,
                offset,
                "chunksize",
                chunksize,
                0,
                i32::MAX,
            ))
        }
    }
}

/// The content of the fixext 16 at 0x45.
struct Pipeline {
    filters: [FilterSlot; MAX_FILTERS],
    codec: u8,
    codec_meta: u8,
    use_dict: bool,
}

/// The general flags, with a version and a width of offsets that are known.
fn parse_general_flags(fields: &mut Fields<'_>) -> Result<u8> {
    let general = fields.u8()?;
    let version = general & 0x0F;
    let what = if !(2..=3).contains(&version) {
        Missing::Version(version)
    } else if general & OFFSET_WIDTH != OFFSETS_64_BIT {
        Missing::Feature("offsets of another width than 64 bits")
    } else {
        return Ok(general);
    };
    Err(Error::Unsupported {
        part: Part::FrameHeader,
        offset: 0x19,
        what,
    })
}

fn parse_pipeline(fields: &mut Fields<'_>) -> Result<Pipeline> {
    fields.marker("filters marker", Marker::FixExt16)?;
    let offset = fields.offset();
    let used = fields.u8()?;
    if usize::from(used) > MAX_FILTERS {
        let part = Part::FrameHeader;
        return Err(Error::out_of_range(
            part,
            offset,
            "number of filters",
            used,
            0,
            MAX_FILTERS,
        ));
    }
    let mut filters = [FilterSlot::NONE; MAX_FILTERS];
    let ids = fields.bytes(MAX_FILTERS)?;
    let codec = fields.u8()?;
    let codec_meta = fields.u8()?;
    let metas = fields.bytes(MAX_FILTERS)?;
    let slots = filters
        .iter_mut()
        .zip(ids.iter().zip(metas))
        .take(usize::from(used));
    for (slot, (&id, &meta)) in slots {
        *slot = FilterSlot::new(FilterId::new(id), meta);
    }
    let use_dict = fields.u8()? & 1 != 0;
    Ok(Pipeline {
        filters,
        codec,
        codec_meta,
        use_dict,
    })
}
