//! Frames of the 2.0.0 betas ([format §9.9](crate::format#9.9)), which C releases of today cannot
//! open.
//!
//! ```text
//! 9d | a8 "b2frame\0" | d2 header_len | cf frame_len | a4 21 00 codec 00
//!    | d3 nbytes | d3 cbytes | d2 typesize | d2 chunksize | d1 | d1 | c2      no blocksize
//!    | d8 n, 8 filters, 8 metas | metalayers at 0x52                         only active filters
//! chunks | index | 94 01 | c6 usermeta | ce trailer_len | d8 00 00...         one usermeta
//! ```
//!
//! Chunks and index have today's layout. The usermeta becomes the variable-length metalayer
//! [`LEGACY_USERMETA`].

use rmp::Marker;

use super::header::{FrameHeader, FrameType, parse_size, parse_start};
use super::msgpack::Fields;
use super::trailer::TRAILER_END_LEN;
use crate::codec::CodecId;
use crate::error::{Error, Part, Result};
use crate::filter::{FilterId, FilterSlot, MAX_FILTERS};
use crate::num::saturating_usize;
use crate::params::SplitMode;
use crate::schunk::{VlMetalayers, check_vlmetalayer_chunk};

/// The name under which the one usermeta of an old frame is found among the vlmetalayers.
pub const LEGACY_USERMETA: &str = "usermeta";

/// The offset of the metalayers.
pub(crate) const METALAYERS_AT: usize = 0x52;
/// Filter slots in the header; chunks of the time had six.
const SLOTS: usize = 8;

/// Whether these are the first bytes of an old frame: 13 elements instead of 14, version 1.
pub(crate) fn is_legacy(bytes: &[u8]) -> bool {
    bytes.first() == Some(&0x9D) && bytes.get(0x19).is_some_and(|flags| flags & 0x0F == 1)
}

/// Parses the header of an old frame, without metalayers.
pub(crate) fn parse_header(bytes: &[u8]) -> Result<FrameHeader> {
    let part = Part::FrameHeader;
    let mut fields = Fields::new(part, bytes, 0);
    let (header_len, frame_len) = parse_start(&mut fields, 13)?;
    fields.marker("flags marker", Marker::FixStr(4))?;
    fields.bytes(2)?;
    let codec = fields.u8()?;
    fields.u8()?;
    let nbytes = parse_size(&mut fields, "nbytes")?;
    let cbytes = parse_size(&mut fields, "cbytes")?;
    let offset = fields.offset().saturating_add(1);
    let typesize = fields.i32("typesize")?;
    let typesize = usize::try_from(typesize)
        .ok()
        .filter(|&size| size > 0)
        .ok_or_else(|| Error::out_of_range(part, offset, "typesize", typesize, 1, i32::MAX))?;
    let offset = fields.offset().saturating_add(1);
    let chunksize = fields.i32("chunksize")?;
    // Chunks of different sizes did not exist yet; 0 says that there is none.
    let chunksize = usize::try_from(chunksize)
        .ok()
        .filter(|&size| size > 0 || nbytes == 0)
        .ok_or_else(|| Error::out_of_range(part, offset, "chunksize", chunksize, 1, i32::MAX))?;
    let compress_threads = fields.i16("compression threads")?;
    let decompress_threads = fields.i16("decompression threads")?;
    let has_vlmetalayers = fields.bool("usermeta flag")?;
    fields.marker("filters marker", Marker::FixExt16)?;
    let offset = fields.offset();
    let used = fields.u8()?;
    if usize::from(used) > MAX_FILTERS {
        return Err(Error::out_of_range(
            part,
            offset,
            "number of filters",
            used,
            0,
            MAX_FILTERS,
        ));
    }
    let ids = fields.bytes(SLOTS)?;
    let metas = fields.bytes(SLOTS)?;
    let mut filters = [FilterSlot::NONE; MAX_FILTERS];
    let empty = MAX_FILTERS.saturating_sub(usize::from(used));
    for (slot, (&id, &meta)) in filters.iter_mut().skip(empty).zip(ids.iter().zip(metas)) {
        *slot = FilterSlot::new(FilterId::new(id), meta);
    }
    Ok(FrameHeader {
        version: 1,
        frame_type: FrameType::Contiguous,
        header_len,
        frame_len,
        vlblocks: false,
        codec: CodecId::new(codec & 0x0F),
        codec_meta: 0,
        clevel: codec >> 4,
        split_mode: SplitMode::default(),
        filters,
        use_dict: false,
        nbytes,
        cbytes,
        typesize,
        blocksize: 0,
        chunksize: Some(chunksize),
        compress_threads,
        decompress_threads,
        has_vlmetalayers,
    })
}

/// Parses the trailer of an old frame, which begins at `base`.
pub(crate) fn parse_trailer(bytes: &[u8], base: u64) -> Result<VlMetalayers> {
    let part = Part::FrameTrailer;
    let mut fields = Fields::new(part, bytes, base);
    // 94 01, or 0d 00 in beta.2.
    fields.bytes(2)?;
    let len = saturating_usize(fields.bin32("usermeta marker")?);
    let offset = fields.offset();
    let chunk = fields.bytes(len)?;
    if fields.position() > bytes.len().saturating_sub(TRAILER_END_LEN) {
        return Err(Error::broken(
            part,
            offset,
            "the usermeta reaches into the trailer's end",
        ));
    }
    let mut vlmetalayers = VlMetalayers::new();
    if !chunk.is_empty() {
        check_vlmetalayer_chunk(chunk, offset)?;
        vlmetalayers.set_chunk(LEGACY_USERMETA, chunk.to_vec())?;
    }
    Ok(vlmetalayers)
}
