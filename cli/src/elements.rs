//! The content of objects in stores, written as elements, bytes or text.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use oxiblosc::b2nd::METALAYER;
use oxiblosc::schunk::ChunkSource;
use oxiblosc::store::bloscpack::Bloscpack;
use oxiblosc::store::{Kind, Leaf, LeafArray, Tensor};
use oxiblosc::{ChunkDecoder, DParams};
use oxiblosc_npy as npy;

use crate::address::Address;
use crate::args::{CatArgs, DecompressArgs, Format};
use crate::decompress::{write, write_elements};
use crate::failure::{Failure, InFile, is_dash};
use crate::output::Output;
use crate::progress::{Progress, say, size, speed};
use crate::sniff;
use crate::text::Printer;
use crate::threads::threads;

/// The content of a leaf, by how it is written.
pub(crate) enum Elements {
    /// An array.
    Array(Box<LeafArray>),
    /// The chunks of a packed tensor, with its dtype and shape.
    Tensor(Tensor, Box<Leaf>),
    /// Objects of variable length.
    Objects(Box<Leaf>),
    /// A super-chunk.
    Bytes(Box<Leaf>),
    /// A bloscpack file.
    Pack(Box<Bloscpack>),
}

impl Elements {
    pub(crate) fn of(leaf: Leaf, name: &Path, dparams: &DParams) -> Result<Self, Failure> {
        if let Some(tensor) = leaf.tensor().in_file(name)? {
            return Ok(Self::Tensor(tensor, Box::new(leaf)));
        }
        let has_shape = |leaf: &Leaf| {
            let metalayers = leaf.chunks().map(ChunkSource::metalayers);
            metalayers.is_some_and(|metalayers| metalayers.get(METALAYER).is_some())
        };
        match leaf.kind() {
            Kind::Proxy if !has_shape(&leaf) => Ok(Self::Bytes(Box::new(leaf))),
            Kind::Array | Kind::ZarrArray | Kind::Proxy => {
                let array = leaf.into_array(dparams.clone()).in_file(name)?;
                Ok(Self::Array(Box::new(array)))
            }
            Kind::ObjectArray | Kind::BatchArray | Kind::ListArray => {
                Ok(Self::Objects(Box::new(leaf)))
            }
            Kind::SChunk => Ok(Self::Bytes(Box::new(leaf))),
            kind => Err(Failure::in_file(
                name,
                format!("is a {kind}, which has no elements to write"),
            )),
        }
    }
}

/// An input of `decompress` that is no frame and no chunk.
pub(crate) enum Decoded {
    /// An object of a store.
    Leaf(Address),
    /// A bloscpack file.
    Bloscpack,
}

impl Decoded {
    pub(crate) fn of(path: &Path) -> Option<Self> {
        if let Some(address) = Address::of(path) {
            return Some(Self::Leaf(address));
        }
        if is_dash(path) {
            return None;
        }
        let mut start = [0; 4];
        let is_file = path.is_file() && File::open(path).ok()?.read_exact(&mut start).is_ok();
        (is_file && Bloscpack::is_one(&start)).then_some(Self::Bloscpack)
    }

    /// Writes everything in it.
    pub(crate) fn decompress(&self, args: &DecompressArgs) -> Result<(), Failure> {
        let dparams = DParams::new()
            .threads(threads(&args.threads)?)
            .limits(sniff::limits(args.limits.no_limits));
        let name = match self {
            Self::Leaf(address) => address.name(),
            Self::Bloscpack => args.input.clone(),
        };
        let Some(target) = &args.output else {
            let what = format!("{} needs an output: -o OUT", name.display());
            return Err(Failure::usage(what));
        };
        let npy = is_npy(target);
        let content = match self {
            Self::Leaf(address) => Elements::of(address.open(&dparams)?, &name, &dparams)?,
            Self::Bloscpack => {
                let pack = Bloscpack::open(&args.input, dparams.clone()).in_file(&name)?;
                Elements::Pack(Box::new(pack))
            }
        };
        let mut output = Output::create(target, args.force)?;
        let format = if npy { Format::Npy } else { Format::Raw };
        let (nbytes, progress) = content.write(&name, &dparams, format, &mut output)?;
        let time = progress.finish();
        let written = output.name().to_owned();
        output.finish()?;
        say(&format!(
            "{} -> {}: {}, {}",
            name.display(),
            written.display(),
            size(nbytes),
            speed(nbytes, time)
        ));
        Ok(())
    }
}

fn is_npy(target: &Path) -> bool {
    let ending = target.extension();
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("npy"))
}

impl Elements {
    /// `cat` of an object that is no array.
    pub(crate) fn cat(self, args: &CatArgs, name: &Path, dparams: &DParams) -> Result<(), Failure> {
        if args.slice.is_some() {
            return Err(Failure::usage("--slice is for arrays"));
        }
        let format = match (&self, args.format) {
            (Self::Objects(_), None) => Format::Text,
            _ => args.format(),
        };
        let mut output = Output::create(&args.output, args.force)?;
        self.write(name, dparams, format, &mut output)?;
        output.finish()
    }

    /// Writes everything: elements, bytes, or objects with one line of text each.
    fn write(
        self,
        name: &Path,
        dparams: &DParams,
        format: Format,
        output: &mut Output,
    ) -> Result<(u64, Progress), Failure> {
        match self {
            Self::Array(array) => write_elements(name, &array, format == Format::Npy, output),
            Self::Objects(leaf) if format == Format::Text => write_objects(name, &leaf, output),
            Self::Objects(leaf) => {
                let what = format!("a {} is written as text only", leaf.kind());
                Err(Failure::in_file(name, what))
            }
            Self::Tensor(tensor, leaf) => {
                let source = leaf.chunks();
                let source = source.ok_or_else(|| Failure::in_file(name, "has no data"))?;
                write_bytes(name, source, Some(&tensor), dparams, format, output)
            }
            Self::Pack(pack) => write_bytes(name, &*pack, pack.tensor(), dparams, format, output),
            Self::Bytes(leaf) => {
                let source = leaf.chunks();
                let source = source.ok_or_else(|| Failure::in_file(name, "has no data"))?;
                write_bytes(name, source, None, dparams, format, output)
            }
        }
    }
}

/// Writes the objects of an object array, one line of text each.
fn write_objects(
    name: &Path,
    leaf: &Leaf,
    output: &mut Output,
) -> Result<(u64, Progress), Failure> {
    let progress = Progress::new(None);
    let mut nbytes = 0;
    for object in leaf.objects().in_file(name)? {
        let line = format!("{}\n", object.in_file(name)?);
        write(output, line.as_bytes())?;
        nbytes += u64::try_from(line.len()).unwrap_or(0);
    }
    Ok((nbytes, progress))
}

/// Writes the bytes of all chunks, which are the elements of a tensor, if they are.
fn write_bytes(
    name: &Path,
    source: &dyn ChunkSource,
    tensor: Option<&Tensor>,
    dparams: &DParams,
    format: Format,
    output: &mut Output,
) -> Result<(u64, Progress), Failure> {
    let mut printer = match (format, tensor) {
        (Format::Raw, _) => None,
        (Format::Npy, Some(tensor)) => {
            let descr = tensor.dtype.to_npy_descr();
            write(output, &npy::Header::to_bytes(&descr, &tensor.shape))?;
            None
        }
        (Format::Text | Format::Csv | Format::Json, Some(tensor)) => {
            let printer = Printer::new(&tensor.dtype, &tensor.shape, format);
            let what = || format!("there is no text for the dtype {}", tensor.dtype);
            Some(printer.ok_or_else(|| Failure::in_file(name, what()))?)
        }
        (_, None) => {
            let what = "holds bytes without a dtype: --format raw writes them";
            return Err(Failure::in_file(name, what));
        }
    };
    let layout = source.layout();
    let progress = Progress::new(Some(layout.nbytes));
    let mut decoder = ChunkDecoder::new(dparams.clone());
    let (mut bytes, mut lines, mut nbytes) = (Vec::new(), String::new(), 0_u64);
    if let Some(printer) = &printer {
        printer.begin(&mut lines);
    }
    for nchunk in 0..layout.nchunks {
        let len = sniff::decode(source, &mut decoder, &dparams.limits, nchunk, &mut bytes)
            .in_file(name)?;
        let part = bytes.get(..len).unwrap_or_default();
        match &mut printer {
            Some(printer) => {
                printer.print(part, &mut lines);
                write(output, lines.as_bytes())?;
                lines.clear();
            }
            None => write(output, part)?,
        }
        let len = u64::try_from(len).unwrap_or(u64::MAX);
        nbytes = nbytes.saturating_add(len);
        progress.add(len);
    }
    if let Some(printer) = &printer {
        printer.end(&mut lines);
        write(output, lines.as_bytes())?;
    }
    Ok((nbytes, progress))
}
