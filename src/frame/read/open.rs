//! Opening a frame: everything but its chunks is read and checked.

use std::ops::Range;

use crate::error::{Error, Part, Result};
use crate::frame::layout::contents::Contents;
use crate::frame::layout::header::{FRAME_HEADER_LEN, FrameHeader, FrameType};
use crate::frame::layout::trailer::{self, Fingerprint, MIN_TRAILER_LEN, TRAILER_END_LEN, Trailer};
use crate::frame::layout::{legacy, offsets};
use crate::frame::store::located::{bytes_at, io_error};
use crate::frame::store::traits::FrameStore;
use crate::limits;
use crate::params::DParams;
use crate::storage::ReadAt;

/// Reads and checks header, metalayers, trailer and index (format §12.2).
pub(crate) fn open<S: FrameStore>(store: &S, dparams: &DParams) -> Result<Contents> {
    let file = store.frame()?;
    let available = file
        .len()
        .map_err(|source| io_error(Part::FrameHeader, 0, source))?;
    let first = available.min(FRAME_HEADER_LEN as u64);
    let fixed = bytes_at(file, Part::FrameHeader, 0, first)?;
    if S::FRAME_TYPE == FrameType::Contiguous && legacy::is_legacy(&fixed) {
        return open_legacy(file, available, dparams);
    }
    let header = FrameHeader::parse(&fixed, &dparams.limits)?;
    if header.frame_type != S::FRAME_TYPE {
        return Err(Error::Mismatch {
            what: "frame type",
            stored: format!("{:?}", header.frame_type).into(),
            asked: format!("{:?}", S::FRAME_TYPE).into(),
        });
    }
    let trailer = find_trailer(
        file,
        header.header_len,
        header.frame_len,
        available,
        dparams,
    )?;
    let bytes = bytes_at(file, Part::FrameHeader, 0, u64::from(header.header_len))?;
    let metalayers = FrameHeader::parse_metalayers(&bytes)?;
    let bytes = bytes_at(
        file,
        Part::FrameTrailer,
        trailer.start,
        trailer.end - trailer.start,
    )?;
    let Trailer {
        vlmetalayers,
        fingerprint,
    } = Trailer::parse(&bytes, trailer.start)?;
    let index = match header.nbytes {
        0 => Vec::new(),
        _ => read_index(file, &header, trailer.start, dparams)?,
    };
    Ok(Contents {
        header,
        metalayers,
        vlmetalayers,
        fingerprint,
        index,
    })
}

/// Reads everything but the chunks of an old frame.
fn open_legacy(file: &dyn ReadAt, available: u64, dparams: &DParams) -> Result<Contents> {
    let first = available.min(legacy::METALAYERS_AT as u64);
    let fixed = bytes_at(file, Part::FrameHeader, 0, first)?;
    let header = legacy::parse_header(&fixed)?;
    limits::check(
        "max_frame_header_len",
        u64::from(header.header_len),
        u64::from(dparams.limits.max_frame_header_len),
        Some(0x0B),
    )?;
    let FrameHeader {
        header_len,
        frame_len,
        ..
    } = header;
    let Range { start, end } = find_trailer(file, header_len, frame_len, available, dparams)?;
    let bytes = bytes_at(file, Part::FrameHeader, 0, u64::from(header_len))?;
    let metalayers = FrameHeader::parse_metalayers_at(&bytes, legacy::METALAYERS_AT)?;
    let bytes = bytes_at(file, Part::FrameTrailer, start, end.saturating_sub(start))?;
    let vlmetalayers = legacy::parse_trailer(&bytes, start)?;
    let index = match header.nbytes {
        0 => Vec::new(),
        _ => read_index(file, &header, start, dparams)?,
    };
    let fingerprint = Fingerprint::default();
    Ok(Contents {
        header,
        metalayers,
        vlmetalayers,
        fingerprint,
        index,
    })
}

/// Finds the trailer of a frame with these lengths.
pub(crate) fn find_trailer(
    file: &dyn ReadAt,
    header_len: u32,
    frame_len: u64,
    available: u64,
    dparams: &DParams,
) -> Result<Range<u64>> {
    let part = Part::FrameTrailer;
    let header_len = u64::from(header_len);
    let min = header_len.saturating_add(u64::from(MIN_TRAILER_LEN));
    if frame_len < min {
        let part = Part::FrameHeader;
        return Err(Error::out_of_range(
            part,
            0x10,
            "frame length",
            frame_len,
            min,
            i64::MAX,
        ));
    }
    let end_len = TRAILER_END_LEN as u64;
    let end_start = frame_len.saturating_sub(end_len);
    if frame_len > available {
        return Err(Error::Truncated {
            part,
            offset: end_start,
            needed: end_len,
            available: available.saturating_sub(end_start),
        });
    }
    let bytes = bytes_at(file, part, end_start, end_len)?;
    let (trailer_len, _) = trailer::parse_end(&bytes, frame_len)?;
    let max = frame_len.saturating_sub(header_len);
    if trailer_len < MIN_TRAILER_LEN || u64::from(trailer_len) > max {
        return Err(Error::out_of_range(
            part,
            end_start.saturating_add(1),
            "trailer length",
            trailer_len,
            MIN_TRAILER_LEN,
            max.min(0x7FFF_FFFF),
        ));
    }
    limits::check(
        "max_frame_trailer_len",
        u64::from(trailer_len),
        u64::from(dparams.limits.max_frame_trailer_len),
        Some(end_start.saturating_add(1)),
    )?;
    Ok(frame_len.saturating_sub(u64::from(trailer_len))..frame_len)
}

/// Reads the index, which ends where the trailer begins.
fn read_index(
    file: &dyn ReadAt,
    header: &FrameHeader,
    end: u64,
    dparams: &DParams,
) -> Result<Vec<i64>> {
    let section = match header.frame_type {
        FrameType::Contiguous => header.cbytes,
        FrameType::Sparse => 0,
    };
    let nchunks = header.nchunks();
    if let Some(nchunks) = nchunks {
        offsets::check_nchunks(nchunks, &dparams.limits, 0x1E)?;
    }
    let header_len = u64::from(header.header_len);
    let room = end.saturating_sub(header_len);
    let len = room
        .checked_sub(section)
        .filter(|&len| len > 0)
        .ok_or_else(|| {
            let max = room.saturating_sub(1);
            Error::out_of_range(Part::FrameHeader, 0x27, "cbytes", section, 0, max)
        })?;
    let start = header_len.saturating_add(section);
    let chunk = bytes_at(file, Part::Index, start, len)?;
    let index = offsets::decode(&chunk, nchunks, dparams).map_err(|error| error.rebase(start))?;
    if index.is_empty() {
        let part = Part::FrameHeader;
        return Err(Error::broken(
            part,
            0x1E,
            "nbytes is not 0, but there are no chunks",
        ));
    }
    let section = (header.frame_type == FrameType::Contiguous).then_some(section);
    offsets::validate(&index, section, start)?;
    Ok(index)
}
