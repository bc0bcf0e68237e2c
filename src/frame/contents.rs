//! Everything of a frame but its chunks: what opening a frame reads and checks (format §12.2).

use super::header::{FRAME_HEADER_LEN, FrameHeader};
use super::offsets;
use super::seal::{SEAL, SEAL_KIND};
use super::store::{FrameStore, bytes_at, io_error};
use super::trailer::{self, Fingerprint, MIN_TRAILER_LEN, TRAILER_END_LEN, Trailer};
use super::{FrameType, legacy};
use crate::error::{Error, Part, Result};
use crate::limits;
use crate::params::DParams;
use crate::schunk::{ChunkLayout, Metalayers, Sizes, VlMetalayers};
use crate::storage::ReadAt;

/// The parsed header, trailer and index of a frame.
#[derive(Clone, Debug)]
pub(super) struct Contents {
    pub(super) header: FrameHeader,
    pub(super) metalayers: Metalayers,
    pub(super) vlmetalayers: VlMetalayers,
    pub(super) fingerprint: Fingerprint,
    /// One raw entry per chunk.
    pub(super) index: Vec<i64>,
}

/// Where the trailer begins and ends.
#[derive(Clone, Copy, Debug)]
struct TrailerPlace {
    start: u64,
    end: u64,
}

impl Contents {
    /// Reads and checks all of it.
    pub(super) fn read<S: FrameStore>(store: &S, dparams: &DParams) -> Result<Self> {
        let file = store.frame()?;
        let available = file
            .len()
            .map_err(|source| io_error(Part::FrameHeader, 0, source))?;
        let first = available.min(FRAME_HEADER_LEN as u64);
        let fixed = bytes_at(file, Part::FrameHeader, 0, first)?;
        if S::FRAME_TYPE == FrameType::Contiguous && legacy::is_legacy(&fixed) {
            return legacy::read(file, available, dparams);
        }
        let header = FrameHeader::parse(&fixed, &dparams.limits)?;
        if header.frame_type != S::FRAME_TYPE {
            return Err(Error::Mismatch {
                what: "frame type",
                stored: format!("{:?}", header.frame_type).into(),
                asked: format!("{:?}", S::FRAME_TYPE).into(),
            });
        }
        let place = find_trailer(file, &header, available, dparams)?;
        let bytes = bytes_at(file, Part::FrameHeader, 0, u64::from(header.header_len))?;
        let metalayers = FrameHeader::parse_metalayers(&bytes)?;
        let bytes = bytes_at(
            file,
            Part::FrameTrailer,
            place.start,
            place.end - place.start,
        )?;
        let Trailer {
            vlmetalayers,
            fingerprint,
        } = Trailer::parse(&bytes, place.start)?;
        let index = match header.nbytes {
            0 => Vec::new(),
            _ => read_index(file, &header, place.start, dparams)?,
        };
        Ok(Self {
            header,
            metalayers,
            vlmetalayers,
            fingerprint,
            index,
        })
    }

    /// Forgets the seal: what it vouches for is about to change.
    pub(super) fn unseal(&mut self) {
        if self.fingerprint.kind == SEAL_KIND {
            self.vlmetalayers.remove(SEAL);
        }
        self.fingerprint = Fingerprint::default();
    }

    /// The bytes of the trailer.
    pub(super) fn trailer(&self) -> Result<Vec<u8>> {
        let (vlmetalayers, fingerprint) = (self.vlmetalayers.clone(), self.fingerprint);
        Trailer {
            vlmetalayers,
            fingerprint,
        }
        .write()
    }

    /// How the data is cut.
    pub(super) fn layout(&self) -> ChunkLayout {
        ChunkLayout {
            typesize: self.header.typesize,
            chunksize: self.header.chunksize,
            blocksize: self.header.blocksize,
            nchunks: self.index.len() as u64,
            nbytes: self.header.nbytes,
            cbytes: self.header.cbytes,
        }
    }

    /// The sizes of the chunks.
    pub(super) fn sizes(&self) -> Sizes {
        Sizes::of(&self.layout())
    }

    /// The raw index entry of a chunk.
    pub(super) fn entry(&self, nchunk: u64) -> Result<i64> {
        let entry = usize::try_from(nchunk)
            .ok()
            .and_then(|nchunk| self.index.get(nchunk));
        entry.copied().ok_or(Error::OutOfBounds {
            what: "chunk",
            index: nchunk,
            len: self.index.len() as u64,
        })
    }
}

/// Finds the trailer from the end of the frame, wherever the storage ends.
fn find_trailer(
    file: &dyn ReadAt,
    header: &FrameHeader,
    available: u64,
    dparams: &DParams,
) -> Result<TrailerPlace> {
    let &FrameHeader {
        header_len,
        frame_len,
        ..
    } = header;
    let (start, end) = find_trailer_between(file, header_len, frame_len, available, dparams)?;
    Ok(TrailerPlace { start, end })
}

/// The start and the end of the trailer of a frame with these lengths.
pub(super) fn find_trailer_between(
    file: &dyn ReadAt,
    header_len: u32,
    frame_len: u64,
    available: u64,
    dparams: &DParams,
) -> Result<(u64, u64)> {
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
    Ok((frame_len.saturating_sub(u64::from(trailer_len)), frame_len))
}

/// Reads the index, which ends where the trailer begins.
pub(super) fn read_index(
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
