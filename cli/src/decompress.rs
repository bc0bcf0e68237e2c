//! `oxiblosc decompress`: frames, arrays and chunks to bytes or `.npy`.

use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use oxiblosc::b2nd::{Array, Dtype};
use oxiblosc::schunk::ChunkSource;
use oxiblosc::{ChunkDecoder, DParams};

use crate::args::DecompressArgs;
use crate::failure::{Failure, InFile, is_dash, shown};
use crate::npy;
use crate::output::Output;
use crate::progress::{Progress, say, size, speed};
use crate::sniff::{self, Chunk, Frame, Input};
use crate::threads::threads;

/// The most bytes of an array that are decoded before they are written.
const MAX_SLAB: u64 = 64 << 20;

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
        None => default_output(input, is_array)?,
    };
    let npy = target
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("npy"));
    let mut output = Output::create(&target, args.force)?;
    let (nbytes, progress) = match opened {
        Input::Chunk(chunk) => write_chunk(input, &chunk, dparams, npy, &mut output)?,
        Input::Frame(frame) if is_array => write_array(input, frame, dparams, npy, &mut output)?,
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
fn write_array(
    input: &Path,
    frame: Frame,
    dparams: DParams,
    npy: bool,
    output: &mut Output,
) -> Result<(u64, Progress), Failure> {
    let array = Array::open_with(frame.source, dparams).in_file(input)?;
    let progress = Progress::new(Some(array.nbytes()));
    if npy {
        // A dtype that does not fit the elements would make a file that NumPy cannot read.
        let typesize = array.typesize();
        let descr = if array.dtype().itemsize() == Some(typesize.into()) {
            array.dtype().to_npy_descr()
        } else {
            Dtype::void(typesize).to_npy_descr()
        };
        write(output, &npy::Header::to_bytes(&descr, array.shape()))?;
    }
    let mut bytes = Vec::new();
    for slab in Slabs::new(&array) {
        let len = slab
            .iter()
            .try_fold(u64::from(array.typesize()), |len, range| {
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

/// Slices of an array that follow each other in C order: rows of chunks, or parts of them when
/// they are large.
struct Slabs {
    shape: Vec<u64>,
    /// The axis that is cut; the ones before advance one by one.
    axis: usize,
    step: u64,
    next: Option<Vec<u64>>,
}

impl Slabs {
    fn new<C: ChunkSource>(array: &Array<C>) -> Self {
        let shape = array.shape().to_vec();
        let mut axis = 0;
        let mut step = 1;
        // The first axis of which one row of chunks is small enough, or even one element.
        for candidate in 0..shape.len() {
            axis = candidate;
            let behind = shape.get(candidate + 1..).unwrap_or_default();
            let row = behind
                .iter()
                .try_fold(u64::from(array.typesize()), |row, &len| {
                    row.checked_mul(len)
                })
                .unwrap_or(u64::MAX);
            let chunk = array
                .chunkshape()
                .get(candidate)
                .copied()
                .unwrap_or(1)
                .max(1)
                .into();
            step = if row.saturating_mul(chunk) <= MAX_SLAB {
                // Several rows of chunks when they are small: threads want work.
                chunk * (MAX_SLAB / 4 / row.saturating_mul(chunk).max(1)).max(1)
            } else {
                (MAX_SLAB / row.max(1)).max(1)
            };
            if row <= MAX_SLAB {
                break;
            }
        }
        let next = (!shape.contains(&0)).then(|| vec![0; shape.len()]);
        Self {
            shape,
            axis,
            step,
            next,
        }
    }
}

impl Iterator for Slabs {
    type Item = Vec<Range<u64>>;

    fn next(&mut self) -> Option<Self::Item> {
        let corner = self.next.take()?;
        let slab = (corner.iter().zip(&self.shape).enumerate())
            .map(|(axis, (&start, &len))| match axis.cmp(&self.axis) {
                std::cmp::Ordering::Less => start..start + 1,
                std::cmp::Ordering::Equal => start..start.saturating_add(self.step).min(len),
                std::cmp::Ordering::Greater => 0..len,
            })
            .collect();
        let mut following = corner;
        for axis in (0..=self.axis.min(self.shape.len().saturating_sub(1))).rev() {
            let (Some(start), Some(&len)) = (following.get_mut(axis), self.shape.get(axis)) else {
                break;
            };
            *start = start.saturating_add(if axis == self.axis { self.step } else { 1 });
            if *start < len {
                self.next = Some(following);
                break;
            }
            *start = 0;
        }
        Some(slab)
    }
}

/// Writes the data of a frame, chunk by chunk.
fn write_frame(
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
        let len = sniff::decode(source.as_ref(), &mut decoder, &limits, nchunk, &mut bytes)
            .in_file(input)?;
        write(output, bytes.get(..len).unwrap_or_default())?;
        let len = u64::try_from(len).unwrap_or(u64::MAX);
        nbytes = nbytes.saturating_add(len);
        progress.add(len);
    }
    if nbytes != layout.nbytes {
        let what = format!(
            "frame header: nbytes is {}, the chunks have {nbytes}",
            layout.nbytes
        );
        return Err(Failure::in_file(input, what));
    }
    Ok((nbytes, progress))
}

fn write_chunk(
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
fn npy_of_items(input: &Path, nbytes: u64, typesize: u32) -> Result<Vec<u8>, Failure> {
    let size = u64::from(typesize).max(1);
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

fn write(output: &mut Output, bytes: &[u8]) -> Result<(), Failure> {
    let result = output.write_all(bytes);
    result.in_file(output.name())
}
