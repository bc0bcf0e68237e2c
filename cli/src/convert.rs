//! `oxiblosc convert`: arrays from one form to another, in pieces that fit in memory.
//!
//! ```text
//! .npy, raw (--dtype --shape), .b2nd, a sparse folder   ->   .npy, raw, .b2nd, a sparse folder
//! ```

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use oxiblosc::DParams;
use oxiblosc::schunk::VlMetalayers;
use oxiblosc::store::LeafArray;
use oxiblosc_npy as npy;

use crate::args::{ConvertArgs, Kind};
use crate::boxes::BoxReader;
use crate::bundle;
use crate::compress::{Content, check_options, payload, to_file, to_folder};
use crate::decompress::{self, write};
use crate::failure::{Failure, InFile, is_dash, shown};
use crate::output::{Output, input_metadata};
use crate::progress::{Progress, ratio, say, size, speed};
use crate::slabs::{Slabs, wide};
use crate::sniff::{self, Input};
use crate::source::Source;
use crate::threads::threads;
use crate::tree::{Address, Elements};

/// How many bytes are copied at once.
const PIECE: u64 = 4 << 20;

/// The input of a conversion.
enum Given {
    /// Elements in a file or a pipe.
    Elements(Source, npy::Header),
    /// A compressed array.
    Array(Box<LeafArray>, VlMetalayers),
}

/// Runs the command.
pub(crate) fn run(args: &ConvertArgs) -> Result<(), Failure> {
    let options = &args.compress;
    let input = &options.input;
    check_options(options, true)?;
    let Some(output) = &options.output else {
        return Err(Failure::usage("convert wants an output: -o OUT"));
    };
    let to = args.to.unwrap_or_else(|| kind_of(output));
    if to != Kind::B2nd {
        for (name, given) in [
            ("--chunks", options.chunks.is_some()),
            ("--blocks", options.blocks.is_some()),
            ("--sparse", options.sparse),
            ("--seal", options.seal),
        ] {
            if given {
                return Err(Failure::usage(format!("{name} is for compressed arrays")));
            }
        }
    }
    let dparams = DParams::new()
        .threads(threads(&options.threads)?)
        .limits(sniff::limits(args.limits.no_limits));
    let is_bundle = output.extension().is_some_and(|ending| ending == "b2z");
    if args.to.is_none() && is_bundle {
        return bundle::run(args, output, &dparams);
    }
    let given = open(args, &dparams)?;
    let (nbytes, cbytes, name, time) = match (given, to) {
        (given, Kind::B2nd) => {
            let (content, total) = match given {
                Given::Elements(source, header) => {
                    let total = payload(&header);
                    (Content::Elements(source, header), total)
                }
                Given::Array(array, vlmetalayers) => {
                    let total = Some(array.nbytes());
                    (Content::Array(array, vlmetalayers), total)
                }
            };
            let progress = Progress::new(total);
            let (nbytes, cbytes, name) = if options.sparse {
                to_folder(options, content, output, &progress)?
            } else {
                to_file(options, content, output, &progress)?
            };
            (nbytes, cbytes, name, progress.finish())
        }
        (given, to) => {
            let mut target = Output::create(output, options.force)?;
            target.take_mode(input_metadata(input));
            let npy = to == Kind::Npy;
            let (nbytes, progress) = match given {
                Given::Array(array, _) => {
                    decompress::write_elements(input, &array, npy, &mut target)?
                }
                Given::Elements(source, header) => {
                    write_elements(input, source, &header, npy, &mut target)?
                }
            };
            let name = target.name().to_owned();
            target.finish()?;
            (nbytes, nbytes, name, progress.finish())
        }
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

/// The format that a file name implies.
fn kind_of(output: &Path) -> Kind {
    let is = |ending: &str| {
        output
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case(ending))
    };
    if is("npy") {
        Kind::Npy
    } else if is("b2nd") || is("b2frame") {
        Kind::B2nd
    } else {
        Kind::Raw
    }
}

/// Opens the input: raw when its dtype is given, else by content.
fn open(args: &ConvertArgs, dparams: &DParams) -> Result<Given, Failure> {
    let input = &args.compress.input;
    if let (Some(dtype), Some(shape)) = (&args.dtype, &args.shape) {
        let dtype = dtype
            .parse()
            .map_err(|error| Failure::usage(format!("--dtype: {error}")))?;
        let header = npy::Header::of_raw(dtype, shape.clone());
        let source = Source::open(input)?;
        if let (Some(len), Some(needed)) = (source.len(), payload(&header))
            && len != needed
        {
            let what = format!("raw elements: {needed} bytes by the shape, {len} are there");
            return Err(Failure::in_file(input, what));
        }
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
        Ok(_) => Err(Failure::in_file(input, "is no array; decompress writes it")),
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
        let file = File::open(input).in_file(input)?;
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
