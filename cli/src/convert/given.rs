//! The input of a conversion, recognised by its content.

use std::fs;

use oxiblosc::DParams;
use oxiblosc::b2nd::Dtype;
use oxiblosc::schunk::VlMetalayers;
use oxiblosc::store::LeafArray;
use oxiblosc_npy as npy;

use crate::address::Address;
use crate::args::{ConvertArgs, NpyInput};
use crate::compress::content::payload;
use crate::elements::Elements;
use crate::failure::{Failure, InFile, is_dash};
use crate::members;
use crate::sniff::{self, Chunk, Frame, Input};
use crate::source::Source;

/// The input of a conversion.
pub(super) enum Given {
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
    pub(super) fn is_array(&self) -> bool {
        matches!(self, Self::Elements(..) | Self::Array(..))
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
pub(super) fn open(args: &ConvertArgs, dparams: &DParams) -> Result<Given, Failure> {
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
