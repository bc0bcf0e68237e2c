//! Data of a compressed frame or chunk into a new frame, with other parameters.

use oxiblosc::frame::{FrameParams, FrameStoreMut, FrameWriter};
use oxiblosc::schunk::ChunkSource;
use oxiblosc::{CParams, ChunkDecoder, DParams};

use crate::args::CompressArgs;
use crate::decompress::check_sum;
use crate::failure::{Failure, InFile, OfParams};
use crate::parameters::{cparams, durability, to_usize};
use crate::progress::Progress;
use crate::sniff::{self, Chunk, Frame};

/// A frame into another, whose chunks are as large and compressed as in the first unless others are
/// asked for. Metalayers stay.
pub(crate) fn frame<S: FrameStoreMut>(
    args: &CompressArgs,
    frame: &Frame,
    store: S,
    progress: &Progress,
) -> Result<(u64, FrameWriter<S>), Failure> {
    let (input, source) = (&args.input, &frame.source);
    let layout = source.layout();
    let Some(chunksize) = layout.chunksize.filter(|_| !source.header().vlblocks) else {
        let what = "has chunks or blocks of variable length, which are not compressed again";
        return Err(Failure::in_file(input, what));
    };
    let stored = source.chunk_cparams();
    let mut base = stored.unwrap_or_else(|| CParams::new(1));
    // By the new codec and level.
    base.blocksize = None;
    let mut params = params(args, base, chunksize)?;
    params.metalayers = source.metalayers().clone();
    params.vlmetalayers = source.vlmetalayers().clone();
    let mut writer = FrameWriter::create_in(store, params).of_params(input)?;
    let dparams = source.dparams();
    let mut decoder = ChunkDecoder::new(dparams.clone());
    let (mut bytes, mut nbytes) = (Vec::new(), 0_u64);
    for nchunk in 0..layout.nchunks {
        let len = sniff::decode(source, &mut decoder, &dparams.limits, nchunk, &mut bytes);
        let len = len.in_file(input)?;
        let data = bytes.get(..len).unwrap_or_default();
        writer.append(data).in_file(input)?;
        let len = u64::try_from(len).unwrap_or(u64::MAX);
        nbytes = nbytes.saturating_add(len);
        progress.add(len);
    }
    check_sum(input, layout.nbytes, nbytes)?;
    Ok((nbytes, writer))
}

/// A chunk into a frame.
pub(crate) fn chunk<S: FrameStoreMut>(
    args: &CompressArgs,
    chunk: &Chunk,
    dparams: DParams,
    store: S,
    progress: &Progress,
) -> Result<(u64, FrameWriter<S>), Failure> {
    let (input, header) = (&args.input, &chunk.header);
    let mut base = CParams::new(to_usize(header.typesize.into())?);
    base.filters = header.filters;
    if let Some(codec) = header.codec() {
        base = base.codec(codec);
    }
    let params = params(args, base, to_usize(u64::from(header.nbytes).max(1))?)?;
    let data = ChunkDecoder::new(dparams)
        .decode(&chunk.bytes)
        .in_file(input)?;
    let mut writer = FrameWriter::create_in(store, params).of_params(input)?;
    writer.append(&data).in_file(input)?;
    progress.add(header.nbytes.into());
    Ok((header.nbytes.into(), writer))
}

/// Parameters of a new frame, with what the command line asks for.
fn params(args: &CompressArgs, base: CParams, chunksize: usize) -> Result<FrameParams, Failure> {
    let mut cparams = cparams(args, base)?;
    if let Some(typesize) = args.typesize {
        cparams.typesize = to_usize(typesize.into())?;
    }
    if let Some(blocksize) = args.block_size {
        cparams = cparams.blocksize(Some(to_usize(blocksize)?));
    }
    let item = cparams.typesize.max(1);
    let wanted = match args.chunk_size {
        Some(chunksize) => to_usize(chunksize)?,
        None => chunksize,
    };
    let wanted = wanted.max(item);
    let params = FrameParams::new(cparams, wanted - wanted % item);
    Ok(params.in_place(true).durability(durability(args)))
}
