//! `oxiblosc diff`: whether two files hold the same data.

use std::fs;
use std::io::Write;
use std::ops::Range;
use std::path::Path;

use oxiblosc::b2nd::Dtype;
use oxiblosc::schunk::ChunkSource;
use oxiblosc::store::LeafArray;
use oxiblosc::{ChunkDecoder, DParams};

use crate::address::Address;
use crate::args::{DiffArgs, Format, NpyInput};
use crate::boxes::BoxReader;
use crate::elements::Elements;
use crate::failure::{Failure, InFile, is_dash, shown};
use crate::output::stdout;
use crate::progress::Progress;
use crate::slabs::{Slabs, wide};
use crate::sniff::{self, Frame, Input};
use crate::source::Source;
use crate::text::Printer;
use crate::threads::threads;

/// Data to compare: elements of a shape, or items in a row.
struct Side {
    shape: Vec<u64>,
    dtype: Dtype,
    typesize: usize,
    chunkshape: Vec<u64>,
    data: Data,
}

enum Data {
    Array(Box<LeafArray>),
    File(BoxReader),
    Frame(Box<Frame>, ChunkDecoder),
    Bytes(Vec<u8>),
}

/// Runs the command: exit code 0 when the data are the same, 1 when they differ.
pub(crate) fn run(args: &DiffArgs) -> Result<(), Failure> {
    let dparams = DParams::new()
        .threads(threads(&args.threads)?)
        .limits(sniff::limits(args.limits.no_limits));
    let mut one = Side::open(&args.one, &dparams)?;
    let mut other = Side::open(&args.other, &dparams)?;
    let differ = |what: String| {
        let names = format!("{} and {}", shown(&args.one), shown(&args.other));
        Err(Failure::File { file: names, what })
    };
    if one.shape != other.shape {
        return differ(format!(
            "shapes differ: {:?} and {:?}",
            one.shape, other.shape
        ));
    }
    let (left, right) = (&one.dtype, &other.dtype);
    if one.typesize != other.typesize || !left.is_equivalent(right) && left != right {
        return differ(format!("dtypes differ: {left} and {right}"));
    }
    let size = one.typesize.max(1);
    let total: u64 = one.shape.iter().product();
    let progress = Progress::new(Some(total.saturating_mul(wide(size))));
    let (mut first, mut count) = (None, 0_u64);
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for slab in Slabs::of_two(&one.shape, &one.chunkshape, size) {
        let items = slab
            .iter()
            .map(|range| range.end - range.start)
            .product::<u64>();
        let len = usize::try_from(items)
            .ok()
            .and_then(|items| items.checked_mul(size))
            .ok_or_else(|| Failure::in_file(&args.one, "a row does not fit in memory"))?;
        left.resize(len, 0);
        right.resize(len, 0);
        one.read(&slab, &mut left)
            .map_err(|failure| failure.of_input(&args.one))?;
        other
            .read(&slab, &mut right)
            .map_err(|failure| failure.of_input(&args.other))?;
        progress.add(wide(len));
        if left == right {
            continue;
        }
        let pairs = left.chunks_exact(size).zip(right.chunks_exact(size));
        for (at, (a, b)) in (0_u64..).zip(pairs).filter(|(_, (a, b))| a != b) {
            count = count.saturating_add(1);
            if first.is_none() {
                let values = (value(&one.dtype, a), value(&other.dtype, b));
                first = Some((index(&slab, at), values));
            }
        }
    }
    progress.finish();
    let Some((at, (a, b))) = first else {
        let line = format!(
            "{} and {}: the same data\n",
            shown(&args.one),
            shown(&args.other)
        );
        return stdout()?
            .write_all(line.as_bytes())
            .in_file(Path::new("standard output"));
    };
    differ(format!(
        "{count} of {total} elements differ, first at {at:?}: {a} and {b}"
    ))
}

/// The index of an element of a slab, by its number in C order.
fn index(slab: &[Range<u64>], mut at: u64) -> Vec<u64> {
    let mut index: Vec<u64> = slab
        .iter()
        .rev()
        .map(|range| {
            let len = (range.end - range.start).max(1);
            let here = range.start + at % len;
            at /= len;
            here
        })
        .collect();
    index.reverse();
    index
}

fn value(dtype: &Dtype, element: &[u8]) -> String {
    let mut text = String::new();
    match Printer::new(dtype, &[], Format::Text) {
        Some(mut printer) => printer.print(element, &mut text),
        None => text = format!("{element:02x?}"),
    }
    text
}

impl Side {
    fn open(input: &Path, dparams: &DParams) -> Result<Self, Failure> {
        if let Some(address) = Address::of(input) {
            let name = address.name();
            return match Elements::of(address.open(dparams)?, &name, dparams)? {
                Elements::Array(array) => Ok(Self::of_array(array)),
                _ => Err(Failure::in_file(
                    &name,
                    "is no array, and cannot be compared",
                )),
            };
        }
        let is_folder = !is_dash(input) && fs::metadata(input).in_file(input)?.is_dir();
        let opened = if is_folder {
            sniff::open(input, dparams, false)?
        } else {
            let mut source = Source::open(input)?;
            if let Some(header) = source.npy_header(input, NpyInput::Auto)? {
                let typesize = header.dtype.itemsize().unwrap_or(0);
                let typesize = usize::try_from(typesize).unwrap_or(0);
                let file = source.into_file().in_file(input)?;
                return Ok(Self {
                    shape: header.shape.clone(),
                    dtype: header.dtype.clone(),
                    typesize,
                    chunkshape: vec![1; header.shape.len()],
                    data: Data::File(BoxReader::new(file, &header, typesize)),
                });
            }
            sniff::open_source(input, source, dparams, false)?
        };
        match opened {
            Input::Frame(frame) if frame.is_array() => {
                let (array, _) = frame.into_array(dparams.clone()).in_file(input)?;
                Ok(Self::of_array(Box::new(array)))
            }
            Input::Frame(frame) => {
                let layout = frame.source.layout();
                let decoder = ChunkDecoder::new(dparams.clone());
                let data = Data::Frame(frame, decoder);
                Ok(Self::of_bytes(layout.nbytes, data))
            }
            Input::Chunk(chunk) => {
                let mut decoder = ChunkDecoder::new(dparams.clone());
                let bytes = decoder.decode(&chunk.bytes).in_file(input)?;
                Ok(Self::of_bytes(wide(bytes.len()), Data::Bytes(bytes)))
            }
        }
    }

    fn of_array(array: Box<LeafArray>) -> Self {
        Self {
            shape: array.shape().to_vec(),
            dtype: array.dtype().clone(),
            typesize: array.typesize(),
            chunkshape: array.chunkshape().to_vec(),
            data: Data::Array(array),
        }
    }

    /// Bytes are compared as such: the size of an item is no part of the data.
    fn of_bytes(nbytes: u64, data: Data) -> Self {
        Self {
            shape: vec![nbytes],
            dtype: Dtype::of::<u8>(),
            typesize: 1,
            chunkshape: vec![1 << 20],
            data,
        }
    }

    fn read(&mut self, slab: &[Range<u64>], dst: &mut [u8]) -> Result<(), Unread> {
        match &mut self.data {
            Data::Array(array) => array.slice_bytes_into(slab, dst).map(drop)?,
            Data::File(file) => file.read(slab, dst)?,
            Data::Frame(frame, decoder) => {
                let range = slab.first().cloned().unwrap_or(0..0);
                frame
                    .source
                    .read_bytes_into(decoder, range, dst)
                    .map(drop)?;
            }
            Data::Bytes(bytes) => {
                let range = slab.first().cloned().unwrap_or(0..0);
                let start = usize::try_from(range.start).unwrap_or(usize::MAX);
                let part = bytes.get(start..).and_then(|rest| rest.get(..dst.len()));
                dst.copy_from_slice(part.unwrap_or_default());
            }
        }
        Ok(())
    }
}

/// Why data cannot be read.
enum Unread {
    Library(oxiblosc::Error),
    System(std::io::Error),
}

impl Unread {
    fn of_input(self, input: &Path) -> Failure {
        match self {
            Self::Library(error) => Failure::of(input, &error),
            Self::System(error) => Failure::in_file(input, error),
        }
    }
}

impl From<oxiblosc::Error> for Unread {
    fn from(error: oxiblosc::Error) -> Self {
        Self::Library(error)
    }
}

impl From<std::io::Error> for Unread {
    fn from(error: std::io::Error) -> Self {
        Self::System(error)
    }
}
