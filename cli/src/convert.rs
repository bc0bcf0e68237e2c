//! `oxiblosc convert`: arrays from one form to another, in pieces that fit in memory.
//!
//! ```text
//! .npy, .npz, HDF5, raw (--dtype --shape), .b2nd, a     ->   .npy, .npz, raw, .b2nd, a sparse
//! sparse folder, a Zarr array                                folder, a Zarr array
//! a frame or a chunk of bytes                           ->   a frame with other parameters, raw
//! ```

use std::fs;
use std::io::{self, Read, Seek};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use oxiblosc::DParams;
use oxiblosc::b2nd::{ArrayParams, Dtype};
use oxiblosc::schunk::{ChunkSource, VlMetalayers};
use oxiblosc::store::LeafArray;
use oxiblosc_npy as npy;

use crate::args::{CompressArgs, ConvertArgs, Kind, NpyInput};
use crate::boxes::BoxReader;
use crate::bundle;
use crate::compress::{Content, check_len, check_options, payload, to_file, to_folder};
use crate::decompress::{self, write};
use crate::failure::{Failure, InFile, is_dash, shown};
use crate::members;
use crate::npz::NpzWriter;
use crate::output::{Output, input_metadata, warn_binary};
use crate::progress::{Progress, ratio, say, size, speed};
use crate::slabs::{Slabs, wide};
use crate::sniff::{self, Chunk, Frame, Input};
use crate::source::Source;
use crate::threads::threads;
use crate::tree::{Address, Elements};
use crate::zarr::{self, ReadBox};

/// How many bytes are copied at once.
const PIECE: u64 = 4 << 20;

/// The input of a conversion.
enum Given {
    /// Elements in a file or a pipe.
    Elements(Source, npy::Header),
    /// A compressed array.
    Array(Box<LeafArray>, VlMetalayers),
    /// A compressed frame of bytes.
    Frame(Box<Frame>),
    /// A chunk.
    Chunk(Chunk),
}

impl Given {
    fn is_array(&self) -> bool {
        matches!(self, Self::Elements(..) | Self::Array(..))
    }
}

/// Runs the command.
pub(crate) fn run(args: &ConvertArgs) -> Result<(), Failure> {
    let options = &args.compress;
    let input = &options.input;
    let output = match (&options.output, args.to, &options.place.folder) {
        (Some(output), ..) => output.clone(),
        (None, Some(to), Some(_)) => options.place.put(input.with_extension(to.ending())),
        (None, None, Some(_)) => return Err(Failure::usage("-o DIR/ wants a format: --to KIND")),
        (None, _, None) => return Err(Failure::usage("convert wants an output: -o OUT")),
    };
    let output = output.as_path();
    let is_bundle = output.extension().is_some_and(|ending| ending == "b2z");
    let to = match args.to {
        Some(to) => Some(to),
        None if is_bundle => None,
        None => Some(kind_of(output)?),
    };
    let is_zarr = to == Some(Kind::Zarr);
    if is_zarr || matches!(to, Some(Kind::Npy | Kind::Npz | Kind::Raw)) {
        for (name, given) in [
            ("--chunks", options.chunks.is_some() && !is_zarr),
            ("--blocks", options.blocks.is_some()),
            ("--sparse", options.sparse),
            ("--seal", options.seal),
        ] {
            if given {
                return Err(Failure::usage(format!("{name} is for compressed output")));
            }
        }
    }
    let dparams = DParams::new()
        .threads(threads(&options.threads)?)
        .limits(sniff::limits(args.limits.no_limits));
    let Some(to) = to else {
        check_options(options, true)?;
        return bundle::run(args, output, &dparams);
    };
    if to == Kind::Npz && bundle::is_group(input, &dparams) {
        return bundle::to_npz(options, output, &dparams);
    }
    let given = open(args, &dparams)?;
    check_options(options, given.is_array())?;
    if matches!(to, Kind::B2nd | Kind::Zarr) && !given.is_array() {
        let what = "holds no array; .b2frame or --to b2frame keeps it a frame of bytes";
        return Err(Failure::in_file(input, what));
    }
    let (nbytes, cbytes, name, time) = match to {
        Kind::B2nd | Kind::B2frame => compressed(options, given, dparams, output)?,
        Kind::Npy | Kind::Raw => plain(options, given, dparams, output, to == Kind::Npy)?,
        Kind::Npz => archive(options, given, dparams, output)?,
        Kind::Zarr => to_zarr(args, given, output)?,
    };
    say(&format!(
        "{} -> {}: {} -> {}, ratio {}, {}",
        shown(input),
        name.display(),
        size(nbytes),
        size(cbytes),
        ratio(nbytes, cbytes),
        speed(nbytes, time),
    ));
    Ok(())
}

/// The sizes of input and output, the name of the output, and the time.
type Done = (u64, u64, PathBuf, Duration);

/// Writes a frame or an array.
fn compressed(
    options: &CompressArgs,
    given: Given,
    dparams: DParams,
    output: &Path,
) -> Result<Done, Failure> {
    let (content, total) = match given {
        Given::Elements(source, header) => {
            let total = payload(&header);
            (Content::Elements(source, header), total)
        }
        Given::Array(array, vlmetalayers) => {
            let total = Some(array.nbytes());
            (Content::Array(array, vlmetalayers), total)
        }
        Given::Frame(frame) => {
            let total = Some(frame.source.layout().nbytes);
            (Content::Frame(frame), total)
        }
        Given::Chunk(chunk) => {
            let total = Some(chunk.header.nbytes.into());
            (Content::Chunk(chunk, dparams), total)
        }
    };
    let progress = Progress::new(total);
    let (nbytes, cbytes, name) = if options.sparse {
        to_folder(options, content, output, &progress)?
    } else {
        to_file(options, content, output, &progress)?
    };
    Ok((nbytes, cbytes, name, progress.finish()))
}

/// Writes elements or bytes as they are.
fn plain(
    options: &CompressArgs,
    given: Given,
    dparams: DParams,
    output: &Path,
    npy: bool,
) -> Result<Done, Failure> {
    let input = &options.input;
    warn_binary(output);
    let mut target = Output::create(output, options.force)?;
    target.take_mode(input_metadata(input));
    let (nbytes, progress) = write_given(input, given, dparams, npy, &mut target)?;
    let name = target.name().to_owned();
    target.finish()?;
    Ok((nbytes, nbytes, name, progress.finish()))
}

fn write_given(
    input: &Path,
    given: Given,
    dparams: DParams,
    npy: bool,
    target: &mut Output,
) -> Result<(u64, Progress), Failure> {
    match given {
        Given::Array(array, _) => decompress::write_elements(input, &array, npy, target),
        Given::Elements(source, header) => write_elements(input, source, &header, npy, target),
        Given::Frame(frame) => decompress::write_frame(input, &frame, dparams, npy, target),
        Given::Chunk(chunk) => decompress::write_chunk(input, &chunk, dparams, npy, target),
    }
}

/// Writes an archive with one `.npy` file, which has the name of the input.
fn archive(
    options: &CompressArgs,
    given: Given,
    dparams: DParams,
    output: &Path,
) -> Result<Done, Failure> {
    let input = &options.input;
    let target = Output::create(output, options.force)?;
    target.take_mode(input_metadata(input));
    let (mut spooled, mut file) = Output::temporary(output)?;
    let (nbytes, progress) = write_given(input, given, dparams, true, &mut spooled)?;
    file.rewind().in_file(output)?;
    let mut writer = NpzWriter::new(target);
    writer.add(&bundle::name_of(input), file).in_file(output)?;
    let target = writer.finish().in_file(output)?;
    let name = target.name().to_owned();
    target.finish()?;
    Ok((nbytes, nbytes, name, progress.finish()))
}

/// Writes the folder of a Zarr array.
fn to_zarr(args: &ConvertArgs, given: Given, output: &Path) -> Result<Done, Failure> {
    let options = &args.compress;
    let input = &options.input;
    let (params, nbytes, mut read): (ArrayParams, u64, Box<ReadBox<'_>>) = match given {
        Given::Array(array, _) => {
            let params = array.params().in_file(input)?;
            let nbytes = array.nbytes();
            let read = move |ranges: &[Range<u64>], dst: &mut [u8]| {
                let read = array.slice_bytes_into(ranges, dst);
                read.map(drop).in_file(input)
            };
            (params, nbytes, Box::new(read))
        }
        Given::Elements(source, header) => {
            let params = ArrayParams::with_dtype(header.dtype.clone(), &header.shape);
            let typesize = params.typesize().in_file(input)?;
            let nbytes = payload(&header).unwrap_or(u64::MAX);
            check_len(input, &source, &header, nbytes)?;
            let file = source.into_file().in_file(input)?;
            let mut boxes = BoxReader::new(file, &header, typesize);
            let read =
                move |ranges: &[Range<u64>], dst: &mut [u8]| boxes.read(ranges, dst).in_file(input);
            (params, nbytes, Box::new(read))
        }
        _ => return Err(Failure::in_file(input, "holds no array")),
    };
    let progress = Progress::new(Some(nbytes));
    let version = args.zarr_format;
    let cbytes = zarr::write(options, version, params, output, &progress, &mut read)?;
    Ok((nbytes, cbytes, output.to_owned(), progress.finish()))
}

impl Kind {
    /// The ending of its files.
    fn ending(self) -> &'static str {
        match self {
            Self::Npy => "npy",
            Self::Npz => "npz",
            Self::Zarr => "zarr",
            Self::Raw => "raw",
            Self::B2nd => "b2nd",
            Self::B2frame => "b2frame",
        }
    }
}

/// The format that a file name implies.
fn kind_of(output: &Path) -> Result<Kind, Failure> {
    let ending = output.extension().unwrap_or_default().to_ascii_lowercase();
    match ending.to_str() {
        Some("npy") => Ok(Kind::Npy),
        Some("npz") => Ok(Kind::Npz),
        Some("zarr") => Ok(Kind::Zarr),
        Some("b2nd") => Ok(Kind::B2nd),
        Some("b2frame") => Ok(Kind::B2frame),
        Some("raw" | "bin") => Ok(Kind::Raw),
        _ => Err(Failure::usage(format!(
            "{}: the name says no format; --to npy, npz, zarr, raw, b2nd or b2frame \
             does",
            output.display()
        ))),
    }
}

/// The shape of `nbytes` bytes of raw elements; -1 stands for the one length that is left open.
fn shape_of(wanted: &[i64], itemsize: u64, nbytes: Option<u64>) -> Result<Vec<u64>, Failure> {
    let known = wanted.iter().filter_map(|&len| u64::try_from(len).ok());
    let open = wanted.iter().filter(|len| **len < 0).count();
    let item = known.clone().try_fold(itemsize, u64::checked_mul);
    let rest = match (open, item, nbytes) {
        (0, ..) => 0,
        (1, Some(item), Some(nbytes)) if item > 0 && nbytes.is_multiple_of(item) => nbytes / item,
        (1, Some(item), Some(nbytes)) if item > 0 => {
            return Err(Failure::usage(format!(
                "--shape: {nbytes} bytes are no multiple of {item}, the product of the others"
            )));
        }
        (1, ..) => {
            let what = "--shape: -1 wants a file whose length is known, and no length of 0";
            return Err(Failure::usage(what));
        }
        _ => return Err(Failure::usage("--shape: one length may be -1, not more")),
    };
    let lens = wanted.iter();
    Ok(lens
        .map(|&len| u64::try_from(len).unwrap_or(rest))
        .collect())
}

/// Opens the input: raw when its dtype is given, else by content.
fn open(args: &ConvertArgs, dparams: &DParams) -> Result<Given, Failure> {
    let input = &args.compress.input;
    if let (Some(dtype), Some(shape)) = (&args.dtype, &args.shape) {
        let dtype: Dtype = dtype
            .parse()
            .map_err(|error| Failure::usage(format!("--dtype: {error}")))?;
        let source = Source::open(input)?;
        let shape = shape_of(shape, dtype.itemsize().unwrap_or(0), source.len())?;
        let header = npy::Header::of_raw(dtype, shape);
        if let (Some(len), Some(needed)) = (source.len(), payload(&header))
            && len != needed
        {
            let what = format!("raw elements: {needed} bytes by the shape, {len} are there");
            return Err(Failure::in_file(input, what));
        }
        return Ok(Given::Elements(source, header));
    }
    if let Some(source) = members::open(input) {
        let mut source = source?;
        let header = source.npy_header(input, NpyInput::Always)?;
        let header = header.ok_or_else(|| Failure::in_file(input, "holds no .npy file"))?;
        return Ok(Given::Elements(source, header));
    }
    if let Some(address) = Address::of(input) {
        let name = address.name();
        let leaf = address.open(dparams)?;
        let kind = leaf.kind();
        let frame = leaf.frame();
        let vlmetalayers = frame.map(|frame| frame.vlmetalayers().clone());
        return match Elements::of(leaf, &name, dparams)? {
            Elements::Array(array) => Ok(Given::Array(array, vlmetalayers.unwrap_or_default())),
            _ => Err(Failure::in_file(
                &name,
                format!("is a {kind}, no array; cat writes it"),
            )),
        };
    }
    let is_folder = !is_dash(input) && fs::metadata(input).in_file(input)?.is_dir();
    let mut is_file = false;
    let opened = if is_folder {
        sniff::open(input, dparams, false)
    } else {
        let mut source = Source::open(input)?;
        if let Some(header) = source.npy_header(input, args.compress.npy)? {
            return Ok(Given::Elements(source, header));
        }
        is_file = source.len().is_some();
        sniff::open_source(input, source, dparams, false)
    };
    match opened {
        Ok(Input::Frame(frame)) if frame.is_array() => {
            let (array, vlmetalayers) = frame.into_array(dparams.clone()).in_file(input)?;
            Ok(Given::Array(Box::new(array), vlmetalayers))
        }
        Ok(Input::Frame(frame)) => Ok(Given::Frame(frame)),
        Ok(Input::Chunk(chunk)) => Ok(Given::Chunk(chunk)),
        Err(Failure::File { file, what }) if is_file => Err(Failure::File {
            file,
            what: format!("{what}; raw elements want --dtype and --shape"),
        }),
        Err(failure) => Err(failure),
    }
}

/// Copies elements that are not compressed, in C order.
fn write_elements(
    input: &Path,
    mut source: Source,
    header: &npy::Header,
    npy: bool,
    output: &mut Output,
) -> Result<(u64, Progress), Failure> {
    let nbytes =
        payload(header).ok_or_else(|| Failure::in_file(input, "the shape is too large"))?;
    let typesize = header
        .dtype
        .itemsize()
        .and_then(|size| usize::try_from(size).ok());
    let typesize = typesize.ok_or_else(|| Failure::in_file(input, "the dtype has no size"))?;
    let progress = Progress::new(Some(nbytes));
    if npy {
        let descr = header.dtype.to_npy_descr();
        write(output, &npy::Header::to_bytes(&descr, &header.shape))?;
    }
    let mut bytes = Vec::new();
    if header.is_fortran() {
        let file = source.into_file().in_file(input)?;
        let mut boxes = BoxReader::new(file, header, typesize);
        let ones = vec![1; header.shape.len()];
        for slab in Slabs::new(&header.shape, &ones, typesize) {
            let items = slab
                .iter()
                .map(|range| range.end - range.start)
                .product::<u64>();
            let len = items.saturating_mul(wide(typesize));
            bytes.resize(usize::try_from(len).unwrap_or(usize::MAX), 0);
            boxes.read(&slab, &mut bytes).in_file(input)?;
            write(output, &bytes)?;
            progress.add(len);
        }
        return Ok((nbytes, progress));
    }
    let mut start = (&mut source).take(header.data_at);
    io::copy(&mut start, &mut io::sink()).in_file(input)?;
    let mut left = nbytes;
    while left > 0 {
        let len = left.min(PIECE);
        bytes.resize(usize::try_from(len).unwrap_or(usize::MAX), 0);
        source.read_exact(&mut bytes).map_err(|error| {
            let at = nbytes - left;
            let what = match error.kind() {
                io::ErrorKind::UnexpectedEof => {
                    format!("elements: {nbytes} bytes needed, the input ends after byte {at}")
                }
                _ => error.to_string(),
            };
            Failure::in_file(input, what)
        })?;
        write(output, &bytes)?;
        left -= len;
        progress.add(len);
    }
    Ok((nbytes, progress))
}
