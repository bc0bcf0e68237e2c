//! Filling a new frame or array: with bytes, elements, or what is compressed already.

use std::io::{self, Read};
use std::path::Path;

use oxiblosc::b2nd::{Array, ArrayParams};
use oxiblosc::frame::{FrameParams, FrameStoreMut, FrameWriter};
use oxiblosc::schunk::VlMetalayers;
use oxiblosc::store::LeafArray;
use oxiblosc::{CParams, DParams};
use oxiblosc_npy as npy;

use crate::args::CompressArgs;
use crate::boxes::BoxReader;
use crate::copy;
use crate::failure::{Failure, InFile, OfParams};
use crate::parameters::{cparams, durability, to_usize};
use crate::progress::Progress;
use crate::sniff::{Chunk, Frame};
use crate::source::{Source, read_full};

/// The size of a chunk of raw bytes when none is asked for.
const CHUNK_SIZE: u64 = 4 << 20;

/// The most bytes of an array that are read at once in the order of the file. Above, the parts of
/// each chunk are gathered from the file.
const MAX_SLAB: u64 = 64 << 20;

/// The content of a frame.
pub(crate) enum Content {
    /// Bytes of no particular meaning.
    Bytes(Source),
    /// The elements of an array.
    Elements(Source, npy::Header),
    /// An array that is compressed already.
    Array(Box<LeafArray>, VlMetalayers),
    /// Bytes that are compressed already.
    Frame(Box<Frame>),
    /// The bytes of one chunk.
    Chunk(Chunk, DParams),
}

pub(super) fn compress<S: FrameStoreMut>(
    args: &CompressArgs,
    content: Content,
    store: S,
    progress: &Progress,
) -> Result<(u64, S), Failure> {
    let (nbytes, mut writer) = match content {
        Content::Elements(source, header) => {
            compress_array(args, source, &header, store, progress)?
        }
        Content::Bytes(source) => compress_bytes(args, source, store, progress)?,
        Content::Array(array, vlmetalayers) => {
            copy_array(args, &array, vlmetalayers, store, progress)?
        }
        Content::Frame(frame) => copy::frame(args, &frame, store, progress)?,
        Content::Chunk(chunk, dparams) => copy::chunk(args, &chunk, dparams, store, progress)?,
    };
    if args.seal {
        writer.seal().in_file(&args.input)?;
    }
    Ok((nbytes, writer.finish().in_file(&args.input)?))
}

/// Raw bytes into a frame.
fn compress_bytes<S: FrameStoreMut>(
    args: &CompressArgs,
    mut source: Source,
    store: S,
    progress: &Progress,
) -> Result<(u64, FrameWriter<S>), Failure> {
    let input = &args.input;
    let typesize = u64::from(args.typesize.unwrap_or(1));
    let wanted = args.chunk_size.unwrap_or(CHUNK_SIZE).max(typesize);
    let chunksize = to_usize(wanted - wanted % typesize)?;
    let mut cparams = cparams(args, CParams::new(to_usize(typesize)?))?;
    if let Some(blocksize) = args.block_size {
        cparams = cparams.blocksize(Some(to_usize(blocksize)?));
    }
    let params = FrameParams::new(cparams, chunksize)
        .in_place(true)
        .durability(durability(args));
    let mut writer = FrameWriter::create_in(store, params).of_params(input)?;
    let mut chunk = vec![0; chunksize];
    let mut nbytes = 0_u64;
    loop {
        let len = read_full(&mut source, &mut chunk).in_file(input)?;
        if len == 0 {
            break;
        }
        writer.append(&chunk[..len]).in_file(input)?;
        let len = u64::try_from(len).unwrap_or(u64::MAX);
        nbytes = nbytes.saturating_add(len);
        progress.add(len);
    }
    Ok((nbytes, writer))
}

/// The elements of an `.npy` file into an array.
fn compress_array<S: FrameStoreMut>(
    args: &CompressArgs,
    source: Source,
    header: &npy::Header,
    store: S,
    progress: &Progress,
) -> Result<(u64, FrameWriter<S>), Failure> {
    let input = &args.input;
    let params = ArrayParams::with_dtype(header.dtype.clone(), &header.shape);
    let params = partition(args, params)?;
    let typesize = params.typesize().in_file(input)?;
    let grid = params.grid().of_params(input)?;
    let nbytes = grid.nbytes();
    check_len(input, &source, header, nbytes)?;
    let frame_params = params.frame_params().of_params(input)?;
    let frame_params = frame_params.in_place(true).durability(durability(args));
    let writer = FrameWriter::create_in(store, frame_params).of_params(input)?;

    let rows = grid.chunkshape().first().copied().unwrap_or(1);
    let slab = match grid.shape().first() {
        Some(&len) if len > 0 => (nbytes / len).saturating_mul(rows.min(len)),
        _ => nbytes,
    };
    let array = match source {
        source if header.is_fortran() || slab > MAX_SLAB => {
            let file = source.into_file().in_file(input)?;
            let mut boxes = BoxReader::new(file, header, typesize);
            let mut failed = None;
            let array = Array::from_fn_in(writer, &params, |ranges, dst| {
                if failed.is_none() {
                    failed = boxes.read(ranges, dst).err();
                    progress.add(u64::try_from(dst.len()).unwrap_or(u64::MAX));
                }
                Ok(())
            });
            match failed {
                Some(error) => return Err(Failure::in_file(input, error)),
                None => array,
            }
        }
        mut source => {
            let mut start = (&mut source).take(header.data_at);
            io::copy(&mut start, &mut io::sink()).in_file(input)?;
            let counted = Counted {
                inner: source,
                progress,
            };
            Array::from_reader_in(writer, counted, &params)
        }
    }
    .of_params(input)?;
    Ok((nbytes, array.into_inner().of_params(input)?))
}

/// Refuses a file that is too short for its elements.
pub(crate) fn check_len(
    input: &Path,
    source: &Source,
    header: &npy::Header,
    nbytes: u64,
) -> Result<(), Failure> {
    let needed = nbytes.saturating_add(header.data_at);
    match source.len() {
        Some(len) if len < needed => {
            let what = format!("npy data: {needed} bytes needed, {len} are there");
            Err(Failure::in_file(input, what))
        }
        _ => Ok(()),
    }
}

/// Parameters with the partition and compression that the command line asks for.
pub(crate) fn partition(
    args: &CompressArgs,
    mut params: ArrayParams,
) -> Result<ArrayParams, Failure> {
    let axes = params.shape.len();
    for (name, lens) in [("--chunks", &args.chunks), ("--blocks", &args.blocks)] {
        let given = lens.as_ref().map_or(axes, Vec::len);
        if given != axes {
            return Err(Failure::usage(format!(
                "{name} has {given} lengths, the array {axes} axes"
            )));
        }
    }
    if args.chunks.is_some() || args.blocks.is_some() {
        (params.chunkshape, params.blockshape) = (None, None);
        if let Some(chunks) = &args.chunks {
            params = params.chunkshape(chunks);
        }
        if let Some(blocks) = &args.blocks {
            params = params.blockshape(blocks);
        }
    }
    let mut base = params.cparams.clone();
    // That of the blocks, which may be others.
    base.blocksize = None;
    Ok(params.cparams(cparams(args, base)?))
}

/// An array into another, in its own chunks and blocks where no others are asked for.
fn copy_array<S: FrameStoreMut>(
    args: &CompressArgs,
    array: &LeafArray,
    vlmetalayers: VlMetalayers,
    store: S,
    progress: &Progress,
) -> Result<(u64, FrameWriter<S>), Failure> {
    let input = &args.input;
    let params = partition(args, array.params().in_file(input)?)?;
    let frame_params = params.frame_params().of_params(input)?;
    let mut frame_params = frame_params.in_place(true).durability(durability(args));
    frame_params.vlmetalayers = vlmetalayers;
    let writer = FrameWriter::create_in(store, frame_params).of_params(input)?;
    let copy = array.copy_in_with(writer, &params, |nbytes| progress.add(nbytes));
    Ok((
        array.nbytes(),
        copy.and_then(Array::into_inner).of_params(input)?,
    ))
}

/// The size of the elements that a header announces.
pub(crate) fn payload(header: &npy::Header) -> Option<u64> {
    let itemsize = header.dtype.itemsize()?;
    header
        .shape
        .iter()
        .try_fold(itemsize, |nbytes, &len| nbytes.checked_mul(len))
}

/// A reader that advances the progress bar.
struct Counted<'a, R> {
    inner: R,
    progress: &'a Progress,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(dst)?;
        self.progress.add(u64::try_from(len).unwrap_or(u64::MAX));
        Ok(len)
    }
}
