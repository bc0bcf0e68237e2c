//! Opening a frame: everything but its chunks is read and checked.

use std::io;
use std::ops::Range;

use crate::error::{Error, Part, Result};
use crate::frame::layout::contents::Contents;
use crate::frame::layout::header::{FRAME_HEADER_LEN, FrameHeader, FrameLens, FrameType};
use crate::frame::layout::trailer::{self, Fingerprint, MIN_TRAILER_LEN, TRAILER_END_LEN, Trailer};
use crate::frame::layout::{legacy, offsets};
use crate::frame::store::located::{bytes_at, io_error};
use crate::frame::store::traits::FrameStore;
use crate::limits::{self, Limits};
use crate::params::DParams;
use crate::storage::ReadAt;

/// The bytes read first.
const FRONT_LEN: u64 = 4096;
/// The most bytes of index and trailer that are read at once.
const MAX_TAIL_LEN: u64 = 64 << 20;

/// Both ends of a frame: the header with its metalayers, and the index with the trailer.
///
/// ```text
/// | header     | chunks, not read               | index | trailer |
/// | front | rest                               |       tail      |      one to three reads
/// ```
///
/// No byte is read twice. A failed read is left to the read of the part that needs these bytes,
/// which names it.
#[derive(Debug)]
struct Edges<'a> {
    file: &'a dyn ReadAt,
    len: u64,
    /// Parts of the file and where they begin.
    parts: [(u64, Vec<u8>); 3],
}

impl<'a> Edges<'a> {
    /// Reads the front of a file of `len` bytes, unless all of it is in memory.
    fn open(file: &'a dyn ReadAt, len: u64) -> io::Result<Self> {
        let mut front = Vec::new();
        if file.as_slice().is_none() {
            front = vec![0; usize::try_from(len.min(FRONT_LEN)).unwrap_or_default()];
            file.read_exact_at(&mut front, 0)?;
        }
        let parts = [(0, front), (0, Vec::new()), (0, Vec::new())];
        Ok(Self { file, len, parts })
    }

    /// The first bytes.
    fn front(&self) -> &[u8] {
        let [(_, front), ..] = &self.parts;
        front
    }

    /// Reads the rest of the header, the index and the trailer of a frame with these lengths, which
    /// nothing has checked yet.
    fn load(&mut self, lens: FrameLens, limits: &Limits) {
        let known = self.front().len() as u64;
        if known == 0 || lens.frame_len <= known || lens.frame_len > self.len {
            return;
        }
        let section_end = lens.header_len.saturating_add(lens.cbytes);
        let header = known..lens.header_len.min(lens.frame_len);
        let mut tail = section_end.max(known)..lens.frame_len;
        let most = limits.max_alloc.min(MAX_TAIL_LEN);
        if tail.is_empty() || tail.end.saturating_sub(tail.start) > most {
            // Too much at once, or damaged: the end says how long the trailer is.
            tail.start = lens.frame_len.saturating_sub(FRONT_LEN).max(known);
        }
        let max_header = limits.max_frame_header_len;
        let wanted = match lens.header_len {
            // One read for both, when nothing lies between them.
            len if len > known && len == tail.start => [known..tail.end, 0..0],
            len if len > max_header => [0..0, tail],
            _ => [header, tail],
        };
        let [_, rest @ ..] = &mut self.parts;
        for (range, part) in wanted.into_iter().zip(rest) {
            let len = range.end.saturating_sub(range.start);
            let mut bytes = vec![0; usize::try_from(len).unwrap_or_default()];
            if len > 0 && self.file.read_exact_at(&mut bytes, range.start).is_ok() {
                *part = (range.start, bytes);
            }
        }
    }

    /// Copies bytes that lie in two neighbouring parts, the first of which is the front.
    fn join(&self, buf: &mut [u8], offset: u64) -> Option<()> {
        let [(_, front), (start, rest), _] = &self.parts;
        let at = usize::try_from(offset).ok()?;
        let first = front.get(at..).filter(|_| *start == front.len() as u64)?;
        let (low, high) = buf.split_at_mut_checked(first.len())?;
        high.copy_from_slice(rest.get(..high.len())?);
        low.copy_from_slice(first);
        Some(())
    }
}

impl ReadAt for Edges<'_> {
    fn len(&self) -> io::Result<u64> {
        Ok(self.len)
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        for (start, bytes) in &self.parts {
            let at = offset.checked_sub(*start);
            let at = at.and_then(|at| usize::try_from(at).ok());
            let part = at.and_then(|at| bytes.get(at..)?.get(..buf.len()));
            if let Some(part) = part {
                buf.copy_from_slice(part);
                return Ok(());
            }
        }
        match self.join(buf, offset) {
            Some(()) => Ok(()),
            None => self.file.read_exact_at(buf, offset),
        }
    }

    fn as_slice(&self) -> Option<&[u8]> {
        self.file.as_slice()
    }
}

/// The first bytes of a frame.
pub(crate) type FrontBytes = [u8; FRAME_HEADER_LEN];

/// Reads and checks header, metalayers, trailer and index ([format §12.2](crate::format#12.2)).
pub(crate) fn open<S: FrameStore>(store: &S, dparams: &DParams) -> Result<(Contents, FrontBytes)> {
    open_file(store.frame()?, S::FRAME_TYPE, dparams)
}

/// [`open`] of the bytes that hold the header, the index and the trailer.
pub(crate) fn open_file(
    file: &dyn ReadAt,
    frame_type: FrameType,
    dparams: &DParams,
) -> Result<(Contents, FrontBytes)> {
    let io = |source| io_error(Part::FrameHeader, 0, source);
    let available = file.len().map_err(io)?;
    let mut edges = Edges::open(file, available).map_err(io)?;
    if let Some(lens) = FrameHeader::lens_of(edges.front(), frame_type) {
        edges.load(lens, &dparams.limits);
    }
    let contents = parse(&edges, frame_type, dparams)?;
    let mut front = [0; FRAME_HEADER_LEN];
    edges.read_exact_at(&mut front, 0).map_err(io)?;
    Ok((contents, front))
}

/// Checks the parts of a file, and reads those that it lacks.
fn parse(file: &Edges<'_>, frame_type: FrameType, dparams: &DParams) -> Result<Contents> {
    let available = file.len;
    let first = available.min(FRAME_HEADER_LEN as u64);
    let fixed = bytes_at(file, Part::FrameHeader, 0, first)?;
    if frame_type == FrameType::Contiguous && legacy::is_legacy(&fixed) {
        return open_legacy(file, available, dparams);
    }
    let header = FrameHeader::parse(&fixed, &dparams.limits)?;
    if header.frame_type != frame_type {
        return Err(Error::Mismatch {
            what: "frame type",
            stored: format!("{:?}", header.frame_type).into(),
            asked: format!("{frame_type:?}").into(),
        });
    }
    let trailer = find_trailer(
        file,
        header.header_len,
        header.frame_len,
        available,
        dparams,
    )?;
    let bytes = bytes_at(file, Part::FrameHeader, 0, header.header_len)?;
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
    let (index, filled) = match header.nbytes {
        0 => (Vec::new(), false),
        _ => read_index(file, &header, trailer.start, dparams)?,
    };
    Ok(Contents {
        header,
        metalayers,
        vlmetalayers,
        fingerprint,
        index,
        filled,
    })
}

/// Reads everything but the chunks of an old frame.
fn open_legacy(file: &dyn ReadAt, available: u64, dparams: &DParams) -> Result<Contents> {
    let first = available.min(legacy::METALAYERS_AT as u64);
    let fixed = bytes_at(file, Part::FrameHeader, 0, first)?;
    let header = legacy::parse_header(&fixed)?;
    limits::check(
        "max_frame_header_len",
        header.header_len,
        dparams.limits.max_frame_header_len,
        Some(0x0B),
    )?;
    let FrameHeader {
        header_len,
        frame_len,
        ..
    } = header;
    let Range { start, end } = find_trailer(file, header_len, frame_len, available, dparams)?;
    let bytes = bytes_at(file, Part::FrameHeader, 0, header_len)?;
    let metalayers = FrameHeader::parse_metalayers_at(&bytes, legacy::METALAYERS_AT)?;
    let bytes = bytes_at(file, Part::FrameTrailer, start, end.saturating_sub(start))?;
    let vlmetalayers = legacy::parse_trailer(&bytes, start)?;
    let (index, filled) = match header.nbytes {
        0 => (Vec::new(), false),
        _ => read_index(file, &header, start, dparams)?,
    };
    let fingerprint = Fingerprint::default();
    Ok(Contents {
        header,
        metalayers,
        vlmetalayers,
        fingerprint,
        index,
        filled,
    })
}

/// Finds the trailer of a frame with these lengths.
pub(crate) fn find_trailer(
    file: &dyn ReadAt,
    header_len: u64,
    frame_len: u64,
    available: u64,
    dparams: &DParams,
) -> Result<Range<u64>> {
    let part = Part::FrameTrailer;
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
        dparams.limits.max_frame_trailer_len,
        Some(end_start.saturating_add(1)),
    )?;
    Ok(frame_len.saturating_sub(u64::from(trailer_len))..frame_len)
}

/// Reads the index, which ends where the trailer begins, and says whether it is a filled one.
fn read_index(
    file: &dyn ReadAt,
    header: &FrameHeader,
    end: u64,
    dparams: &DParams,
) -> Result<(Vec<i64>, bool)> {
    let section = match header.frame_type {
        FrameType::Contiguous => header.cbytes,
        FrameType::Sparse => 0,
    };
    let nchunks = header.nchunks();
    if let Some(nchunks) = nchunks {
        offsets::check_nchunks(nchunks, &dparams.limits, 0x1E)?;
    }
    let header_len = header.header_len;
    let room = end.saturating_sub(header_len);
    let len = room
        .checked_sub(section)
        .filter(|&len| len > 0)
        .ok_or_else(|| {
            let max = room.saturating_sub(1);
            Error::out_of_range(Part::FrameHeader, 0x27, "cbytes", section, 0, max)
        })?;
    let start = header_len.saturating_add(section);
    if file.as_slice().is_none() {
        dparams.limits.check_alloc(len, Some(0x27))?;
    }
    let chunk = bytes_at(file, Part::Index, start, len)?;
    let rebase = |error: Error| error.rebase(start);
    let index = offsets::decode(&chunk, nchunks, dparams).map_err(rebase)?;
    let filled = offsets::is_filled(&chunk, dparams).map_err(rebase)?;
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
    Ok((index, filled))
}
