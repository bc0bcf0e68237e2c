//! Detecting the kind of an input by its content, and opening it.

use std::fs;
use std::io::Read;
use std::path::Path;

use oxiblosc::b2nd::{Array, METALAYER, METALAYER_CATERVA};
use oxiblosc::chunk::{ChunkHeader, ChunkView};
use oxiblosc::frame::{AnyFrame, Contiguous, FileKind, FrameReader, Verified};
use oxiblosc::schunk::{ChunkSource, StoredChunk, VlMetalayers};
use oxiblosc::storage::{DiskFile, Memory};
use oxiblosc::store::{Kind, LeafArray, Value, check_data, description};
use oxiblosc::{ChunkDecoder, DParams, Limits};
use oxiblosc_npy as npy;

use crate::failure::{Failure, InFile, is_dash};
use crate::slabs::wide;
use crate::source::{Source, spool};

/// The file of a sparse frame that holds its header.
pub(crate) use oxiblosc::frame::SPARSE_FRAME_FILE as SPARSE_HEADER;

/// A compressed input.
pub(crate) enum Input {
    /// A contiguous or sparse frame.
    Frame(Box<Frame>),
    /// One chunk.
    Chunk(Chunk),
}

/// An open frame.
pub(crate) struct Frame {
    /// The frame, wherever its bytes are.
    pub(crate) source: AnyFrame,
    /// The kind of object, by its metalayers.
    pub(crate) kind: Kind,
    /// The result of checking structure and seal, if requested.
    pub(crate) check: Result<Verified, oxiblosc::Error>,
}

impl Frame {
    /// Whether the frame holds an n-dimensional array.
    pub(crate) fn is_array(&self) -> bool {
        array_metalayer(&self.source).is_some()
    }

    /// The recipe of a lazy expression, the target of a reference, the source of a proxy.
    pub(crate) fn recipe(&self) -> oxiblosc::Result<Option<Value>> {
        description(self.kind, &self.source)
    }

    /// The array that the frame holds, and its vlmetalayers.
    pub(crate) fn into_array(
        self,
        dparams: DParams,
    ) -> oxiblosc::Result<(LeafArray, VlMetalayers)> {
        let vlmetalayers = self.source.vlmetalayers().clone();
        let source: Box<dyn ChunkSource> = Box::new(self.source);
        Ok((Array::open_in_with(source, dparams)?, vlmetalayers))
    }
}

/// How chunks are decompressed one by one: some filters want to know the blockshape.
pub(crate) fn chunk_dparams(source: &dyn ChunkSource, dparams: &DParams) -> DParams {
    match array_metalayer(source) {
        Some(content) => dparams.clone().b2nd(content),
        None => dparams.clone(),
    }
}

fn array_metalayer(source: &dyn ChunkSource) -> Option<&[u8]> {
    let metalayers = source.metalayers();
    [METALAYER, METALAYER_CATERVA]
        .iter()
        .find_map(|name| metalayers.get(name))
}

/// A frame whose structure and seal are checked.
pub(crate) fn checked(source: AnyFrame) -> Frame {
    frame(source, true)
}

/// A bare chunk.
pub(crate) struct Chunk {
    /// Its bytes, without any that follow it.
    pub(crate) bytes: Vec<u8>,
    /// Its header.
    pub(crate) header: ChunkHeader,
}

/// Opens an input with data, and checks the structure of a frame if `check` is set. A frame that
/// states how to get its data, instead of holding it, is refused.
pub(crate) fn open(path: &Path, dparams: &DParams, check: bool) -> Result<Input, Failure> {
    with_data(path, describe(path, dparams, check)?)
}

/// Refuses a frame without data.
fn with_data(path: &Path, input: Input) -> Result<Input, Failure> {
    if let Input::Frame(frame) = &input {
        check_data(frame.kind, &frame.source).in_file(path)?;
    }
    Ok(input)
}

/// Opens an input, and checks the structure of a frame if `check` is set.
///
/// The first bytes decide, before more is read. A frame that comes through a pipe is copied to a
/// temporary file.
pub(crate) fn describe(path: &Path, dparams: &DParams, check: bool) -> Result<Input, Failure> {
    if !is_dash(path) && fs::metadata(path).in_file(path)?.is_dir() {
        if !path.join(SPARSE_HEADER).is_file() {
            let what = format!("a directory without {SPARSE_HEADER} is no sparse frame");
            return Err(Failure::in_file(path, what));
        }
        let source = AnyFrame::open(path, dparams.clone()).in_file(path)?;
        return Ok(Input::Frame(Box::new(frame(source, check))));
    }
    describe_source(path, Source::open(path)?, dparams, check)
}

/// Opens an input with data that is no directory, of which nothing is consumed yet.
pub(crate) fn open_source(
    path: &Path,
    source: Source,
    dparams: &DParams,
    check: bool,
) -> Result<Input, Failure> {
    with_data(path, describe_source(path, source, dparams, check)?)
}

fn describe_source(
    path: &Path,
    mut source: Source,
    dparams: &DParams,
    check: bool,
) -> Result<Input, Failure> {
    let is_file = source.len().is_some();
    let mut start = Vec::new();
    (&mut source)
        .take(START_LEN)
        .read_to_end(&mut start)
        .in_file(path)?;
    if is_frame(&start) {
        let reader = if is_file && !is_dash(path) {
            AnyFrame::open(path, dparams.clone())
        } else {
            let file = spool(start.chain(source)).in_file(path)?;
            let store = Contiguous::new(DiskFile::from(file));
            FrameReader::open_in(store, dparams.clone()).map(AnyFrame::Contiguous)
        };
        let frame = frame(reader.in_file(path)?, check);
        return Ok(Input::Frame(Box::new(frame)));
    }
    if start.starts_with(npy::MAGIC) {
        return Err(Failure::in_file(path, "an .npy file is not compressed"));
    }
    open_chunk(path, start, source, dparams)
}

/// Enough bytes for the magic of a frame and the sizes of a chunk.
pub(crate) const START_LEN: u64 = 32;

/// Reads the rest of a chunk, no more than its header says.
fn open_chunk(
    path: &Path,
    start: Vec<u8>,
    source: Source,
    dparams: &DParams,
) -> Result<Input, Failure> {
    let header = ChunkHeader::parse(&start)
        .map_err(|error| unknown(path, &format!("it is no frame, and as a chunk: {error}")))?;
    let cbytes = u64::from(header.cbytes);
    let mut bytes = start;
    let known = source.len();
    // One byte more shows whether the input goes on.
    let left = cbytes
        .saturating_add(1)
        .saturating_sub(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
    source.take(left).read_to_end(&mut bytes).in_file(path)?;
    let len = known.unwrap_or_else(|| u64::try_from(bytes.len()).unwrap_or(u64::MAX));
    if cbytes < len {
        let len = if known.is_some() {
            len.to_string()
        } else {
            format!("{len} or more")
        };
        let what = format!("it is no frame, and no chunk: {len} bytes, the header says {cbytes}");
        return Err(unknown(path, &what));
    }
    ChunkView::parse(&bytes, &dparams.limits).in_file(path)?;
    Ok(Input::Chunk(Chunk { bytes, header }))
}

/// A frame, checked if requested: the seal where there is one, and the structure otherwise.
fn frame(source: AnyFrame, check: bool) -> Frame {
    let check = if !check || source.fingerprint().kind == 0 {
        let checked = if check { source.check() } else { Ok(()) };
        checked.map(|()| Verified::Unsealed)
    } else {
        source.verify()
    };
    let kind = Kind::of(&source).unwrap_or(Kind::SChunk);
    Frame {
        source,
        kind,
        check,
    }
}

pub(crate) fn is_frame(start: &[u8]) -> bool {
    FileKind::sniff(&Memory(start)).is_ok_and(|kind| kind == FileKind::Frame)
}

fn unknown(path: &Path, why: &str) -> Failure {
    Failure::in_file(path, format!("not recognised: {why}"))
}

/// Limits for untrusted input.
pub(crate) fn limits(no_limits: bool) -> Limits {
    if no_limits {
        Limits::FORMAT
    } else {
        Limits::UNTRUSTED
    }
}

/// Refuses a chunk without stored bytes that claims more than the limits allow.
fn within(limits: &Limits, nbytes: usize) -> Result<usize, oxiblosc::Error> {
    let (value, max) = (wide(nbytes), limits.max_chunk_nbytes);
    if value > max {
        return Err(oxiblosc::Error::limit_exceeded(
            "max_chunk_nbytes",
            value,
            max,
        ));
    }
    Ok(nbytes)
}

/// Decodes a chunk into the front of a buffer that grows as needed, and returns its size.
pub(crate) fn decode(
    source: &dyn ChunkSource,
    decoder: &mut ChunkDecoder,
    limits: &Limits,
    nchunk: u64,
    bytes: &mut Vec<u8>,
) -> Result<usize, oxiblosc::Error> {
    let len = match source.chunk(nchunk)? {
        StoredChunk::Bytes(chunk) => ChunkView::parse(&chunk, limits)?.nbytes(),
        _ => within(limits, source.chunk_nbytes(nchunk)?)?,
    };
    if let Some(more) = len.checked_sub(bytes.len()) {
        let room = bytes.try_reserve_exact(more);
        room.map_err(|_| oxiblosc::Error::out_of_memory(wide(len)))?;
        bytes.resize(len, 0);
    }
    source.decode_chunk_into(decoder, nchunk, bytes)
}
