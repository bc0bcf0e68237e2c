//! `oxiblosc convert`: arrays from one form to another, in pieces that fit in memory.
//!
//! ```text
//! .npy, .npz, HDF5, raw (--dtype --shape), .b2nd, a     ->   .npy, .npz, raw, .b2nd, a sparse
//! sparse folder, a Zarr array                                folder, a Zarr array
//! a frame or a chunk of bytes                           ->   a frame with other parameters, raw
//! ```

mod given;
mod plain;

use std::io::Seek;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use oxiblosc::DParams;
use oxiblosc::b2nd::ArrayParams;
use oxiblosc::schunk::ChunkSource;

use self::given::{Given, open};
use self::plain::write_given;
use crate::args::{CompressArgs, ConvertArgs, Kind};
use crate::boxes::BoxReader;
use crate::bundle;
use crate::compress::content::{Content, check_len, payload};
use crate::compress::{check_options, to_file, to_folder};
use crate::failure::{Failure, InFile};
use crate::npz::NpzWriter;
use crate::output::{Output, input_metadata, warn_binary};
use crate::progress::{Progress, say_compressed};
use crate::sniff;
use crate::threads::threads;
use crate::zarr::{self, ReadBox};

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
    say_compressed(input, &name, (nbytes, cbytes), time);
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
