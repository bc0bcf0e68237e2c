//! `oxiblosc decompress`: frames, arrays and chunks to bytes or `.npy`.

use std::io::Write;
use std::path::{Path, PathBuf};

use oxiblosc::b2nd::{Array, Dtype};
use oxiblosc::schunk::ChunkSource;
use oxiblosc::{ChunkDecoder, DParams};
use oxiblosc_npy as npy;

use crate::args::DecompressArgs;
use crate::failure::{Failure, InFile, is_dash, shown};
use crate::output::{Output, input_metadata, warn_binary};
use crate::progress::{Progress, say, size, speed};
use crate::slabs::{Slabs, wide};
use crate::sniff::{self, Chunk, Frame, Input};
use crate::threads::threads;

/// Runs the command.
pub(crate) fn run(args: &DecompressArgs) -> Result<(), Failure> {
    let input = &args.input;
    let limits = sniff::limits(args.limits.no_limits);
    let dparams = DParams::new()
        .threads(threads(&args.threads)?)
        .limits(limits);
    let opened = sniff::open(input, &dparams, false)?;
    let is_array = matches!(&opened, Input::Frame(frame) if frame.is_array());
    let target = match &args.output {
        Some(output) => output.clone(),
        None => args.place.put(default_output(input, is_array)?),
    };
    let npy = target
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("npy"));
    warn_binary(&target);
    let mut output = Output::create(&target, args.force)?;
    output.take_mode(input_metadata(input));
    let (nbytes, progress) = match opened {
        Input::Chunk(chunk) => write_chunk(input, &chunk, dparams, npy, &mut output)?,
        Input::Frame(frame) if is_array => write_array(input, *frame, dparams, npy, &mut output)?,
        Input::Frame(frame) => write_frame(input, &frame, dparams, npy, &mut output)?,
    };
    let time = progress.finish();
    let name = output.name().to_owned();
    output.finish()?;
    say(&format!(
        "{} -> {}: {}, {}",
        shown(input),
        name.display(),
        size(nbytes),
        speed(nbytes, time)
    ));
    Ok(())
}

fn default_output(input: &Path, is_array: bool) -> Result<PathBuf, Failure> {
    if is_dash(input) {
        return Err(Failure::usage(
            "standard input needs an output: -o OUT or -o -",
        ));
    }
    if is_array {
        return Ok(input.with_extension("npy"));
    }
    if input
        .extension()
        .is_some_and(|extension| extension == "b2frame")
    {
        return Ok(input.with_extension(""));
    }
    let mut name = input.as_os_str().to_owned();
    name.push(".out");
    Ok(name.into())
}

/// Writes the elements of an array, slab by slab.
pub(crate) fn write_array(
    input: &Path,
    frame: Frame,
    dparams: DParams,
    npy: bool,
    output: &mut Output,
) -> Result<(u64, Progress), Failure> {
    let array = Array::open_in_with(frame.source, dparams).in_file(input)?;
    write_elements(input, &array, npy, output)
}

/// Writes the elements of an open array, slab by slab.
pub(crate) fn write_elements<C: ChunkSource>(
    input: &Path,
    array: &Array<C>,
    npy: bool,
    output: &mut Output,
) -> Result<(u64, Progress), Failure> {
    let progress = Progress::new(Some(array.nbytes()));
    if npy {
        let descr = descr_of(array);
        write(output, &npy::Header::to_bytes(&descr, array.shape()))?;
    }
    let mut bytes = Vec::new();
    for slab in Slabs::new(array.shape(), array.chunkshape(), array.typesize()) {
        let len = slab
            .iter()
            .try_fold(wide(array.typesize()), |len, range| {
                len.checked_mul(range.end - range.start)
            })
            .and_then(|len| usize::try_from(len).ok())
            .ok_or_else(|| Failure::in_file(input, "a row of the array does not fit in memory"))?;
        bytes.resize(len, 0);
        array.slice_bytes_into(&slab, &mut bytes).in_file(input)?;
        write(output, &bytes)?;
        progress.add(u64::try_from(len).unwrap_or(u64::MAX));
    }
    Ok((array.nbytes(), progress))
}

/// The dtype of an array for an `.npy` header. One that does not fit the elements would make a file
/// that NumPy cannot read.
pub(crate) fn descr_of<C: ChunkSource>(array: &Array<C>) -> String {
    let typesize = array.typesize();
    if array.dtype().itemsize() == Some(wide(typesize)) {
        array.dtype().to_npy_descr()
    } else {
        Dtype::void(typesize).to_npy_descr()
    }
}

/// Writes the data of a frame, chunk by chunk.
pub(crate) fn write_frame(
    input: &Path,
    frame: &Frame,
    dparams: DParams,
    npy: bool,
    output: &mut Output,
) -> Result<(u64, Progress), Failure> {
    let source = &frame.source;
    let layout = source.layout();
    let progress = Progress::new(Some(layout.nbytes));
    if npy {
        write(
            output,
            &npy_of_items(input, layout.nbytes, layout.typesize)?,
        )?;
    }
    let limits = dparams.limits;
    let mut decoder = ChunkDecoder::new(dparams);
    let mut bytes = Vec::new();
    let mut nbytes = 0_u64;
    for nchunk in 0..layout.nchunks {
        let len =
            sniff::decode(source, &mut decoder, &limits, nchunk, &mut bytes).in_file(input)?;
        write(output, bytes.get(..len).unwrap_or_default())?;
        let len = u64::try_from(len).unwrap_or(u64::MAX);
        nbytes = nbytes.saturating_add(len);
        progress.add(len);
    }
    check_sum(input, layout.nbytes, nbytes)?;
    Ok((nbytes, progress))
}

/// Compares the size that a frame declares with that of its chunks.
pub(crate) fn check_sum(input: &Path, declared: u64, nbytes: u64) -> Result<(), Failure> {
    if nbytes == declared {
        return Ok(());
    }
    let what = format!("frame header: nbytes is {declared}, the chunks have {nbytes}");
    Err(Failure::in_file(input, what))
}

/// Writes the data of a chunk.
pub(crate) fn write_chunk(
    input: &Path,
    chunk: &Chunk,
    dparams: DParams,
    npy: bool,
    output: &mut Output,
) -> Result<(u64, Progress), Failure> {
    let nbytes = u64::from(chunk.header.nbytes);
    let progress = Progress::new(Some(nbytes));
    let bytes = ChunkDecoder::new(dparams)
        .decode(&chunk.bytes)
        .in_file(input)?;
    if npy {
        write(
            output,
            &npy_of_items(input, nbytes, chunk.header.typesize.into())?,
        )?;
    }
    write(output, &bytes)?;
    Ok((nbytes, progress))
}

/// The header of an `.npy` file of items: bytes are `u1`, anything larger is raw `V`.
fn npy_of_items(input: &Path, nbytes: u64, typesize: usize) -> Result<Vec<u8>, Failure> {
    let size = wide(typesize).max(1);
    if !nbytes.is_multiple_of(size) {
        let what = format!("{nbytes} bytes are no whole number of items of {size} bytes");
        return Err(Failure::in_file(input, what));
    }
    let dtype = if size == 1 {
        Dtype::of::<u8>()
    } else {
        Dtype::void(typesize)
    };
    Ok(npy::Header::to_bytes(
        &dtype.to_npy_descr(),
        &[nbytes / size],
    ))
}

pub(crate) fn write(output: &mut Output, bytes: &[u8]) -> Result<(), Failure> {
    let result = output.write_all(bytes);
    result.in_file(output.name())
}
