//! `oxiblosc convert … -o OUT.b2z`: arrays, or everything in a store, an `.npz` archive or an HDF5
//! file, into a zip archive that python-blosc2 opens as a `TreeStore`; and the arrays of a store
//! into `.npz`.

use std::io::Seek;
use std::path::Path;

use oxiblosc::DParams;
use oxiblosc::b2nd::{Array, ArrayParams};
use oxiblosc::frame::{AnyFrame, Contiguous, FrameParams, FrameReader, FrameWriter};
use oxiblosc::schunk::copy_chunks;
use oxiblosc::storage::DiskFile;
use oxiblosc::store::{B2zWriter, Kind, Leaf, Tree, Value};

use crate::address::Address;
use crate::args::{CompressArgs, ConvertArgs, NpyInput};
use crate::boxes::BoxReader;
use crate::compress::content::{check_len, partition};
use crate::decompress::write_elements;
use crate::elements::Elements;
use crate::failure::{Failure, InFile, shown};
use crate::members::Members;
use crate::npz::{NpzWriter, is_npz};
use crate::output::Output;
use crate::progress::say;

/// Writes the archive.
pub(crate) fn run(args: &ConvertArgs, output: &Path, dparams: &DParams) -> Result<(), Failure> {
    let options = &args.compress;
    let input = &options.input;
    if let Some(members) = Members::open(input) {
        return from_members(options, &members?, output);
    }
    let address = Address::parse(input);
    let path = address
        .as_ref()
        .map_or(input.as_path(), |address| &address.store);
    let store = Tree::open_with(path, dparams.clone()).in_file(path)?;
    let mut writer = B2zWriter::new(Output::create(output, options.force)?);
    let mut copied = 0_u64;
    if let Some(address) = &address {
        let leaf = address.open(dparams)?;
        let key = address.key.as_str();
        let copy = copied_frame(leaf, dparams, output, &address.name())?;
        add(&mut writer, key, copy, output)?;
        copied = 1;
    } else {
        for key in store.keys() {
            let kind = store.node_kind(key).in_file(input)?;
            if kind == Kind::Table {
                let what = format!("{key} is a table; its columns convert one by one");
                return Err(Failure::in_file(input, what));
            }
            if kind.is_group() {
                let metadata = store.metadata(key).in_file(input)?;
                let metadata: Vec<(&str, Value)> = metadata
                    .iter()
                    .map(|(name, value)| (name.as_str(), value.clone()))
                    .collect();
                if !metadata.is_empty() {
                    writer.set_metadata(key, &metadata).in_file(output)?;
                }
                continue;
            }
            let leaf = store.leaf(key).in_file(input)?;
            leaf.check_data()
                .map_err(|error| Failure::in_file(input, format!("{key}: {error}")))?;
            let name = match key {
                "/" => stem(input),
                key => key.to_owned(),
            };
            let within = Address {
                store: input.clone(),
                key: key.to_owned(),
            };
            let copy = copied_frame(leaf, dparams, output, &within.name())?;
            add(&mut writer, &name, copy, output)?;
            copied += 1;
        }
    }
    finish(input, writer.finish().in_file(output)?, copied)
}

/// The key of a single frame: the name of its file without the ending.
fn stem(input: &Path) -> String {
    format!("/{}", name_of(input))
}

/// The name of an array in an archive: that of its file without the ending.
pub(crate) fn name_of(input: &Path) -> String {
    let stem = input.file_stem().and_then(|stem| stem.to_str());
    stem.filter(|stem| *stem != "-")
        .unwrap_or("data")
        .to_owned()
}

/// Whether an input is a store with several objects, and not one of them.
pub(crate) fn is_group(input: &Path, dparams: &DParams) -> bool {
    if Address::of(input).is_some() || Address::of_store(input).is_none() || is_npz(input) {
        return false;
    }
    Tree::open_with(input, dparams.clone()).is_ok()
}

/// Every array of a store into an `.npz` archive.
pub(crate) fn to_npz(
    options: &CompressArgs,
    output: &Path,
    dparams: &DParams,
) -> Result<(), Failure> {
    let input = &options.input;
    let store = Tree::open_with(input, dparams.clone()).in_file(input)?;
    let mut writer = NpzWriter::new(Output::create(output, options.force)?);
    let mut copied = 0_u64;
    for key in store.keys() {
        let kind = store.node_kind(key).in_file(input)?;
        if kind.is_group() {
            continue;
        }
        let name = Address {
            store: input.clone(),
            key: key.to_owned(),
        };
        let name = name.name();
        let Elements::Array(array) = Elements::of(store.leaf(key).in_file(&name)?, &name, dparams)?
        else {
            say(&format!(
                "oxiblosc: {}: is a {kind}, left out",
                name.display()
            ));
            continue;
        };
        let (mut spooled, mut file) = Output::temporary(output)?;
        write_elements(&name, &array, true, &mut spooled)?;
        file.rewind().in_file(output)?;
        let member = key.trim_start_matches('/');
        writer.add(member, file).in_file(output)?;
        copied += 1;
    }
    finish(input, writer.finish().in_file(output)?, copied)
}

/// Every array of an `.npz` archive or an HDF5 file into a store.
fn from_members(options: &CompressArgs, members: &Members, output: &Path) -> Result<(), Failure> {
    let input = &options.input;
    let mut writer = B2zWriter::new(Output::create(output, options.force)?);
    let mut copied = 0_u64;
    for name in members.names() {
        if let Some(what) = members.refusal(name) {
            say(&format!(
                "oxiblosc: {}: {name}: {what}, left out",
                shown(input)
            ));
            continue;
        }
        let mut source = members.array(name)?;
        let Some(header) = source.npy_header(input, NpyInput::Always)? else {
            continue;
        };
        let what = |error| Failure::in_file(input, format!("{name}: {error}"));
        let params = ArrayParams::with_dtype(header.dtype.clone(), &header.shape);
        let params = partition(options, params)?;
        let nbytes = params.grid().map_err(what)?.nbytes();
        check_len(input, &source, &header, nbytes)?;
        let typesize = params.typesize().map_err(what)?;
        let file = source.into_file().in_file(input)?;
        let mut boxes = BoxReader::new(file, &header, typesize);
        let mut failed = None;
        let frame = spooled(params.frame_params().map_err(what)?, output)?;
        let array = Array::from_fn_in(frame, &params, |ranges, dst| {
            if failed.is_none() {
                failed = boxes.read(ranges, dst).err();
            }
            Ok(())
        })
        .map_err(what)?;
        if let Some(error) = failed {
            return Err(Failure::in_file(input, format!("{name}: {error}")));
        }
        add(
            &mut writer,
            &format!("/{name}"),
            array.into_inner().map_err(what)?,
            output,
        )?;
        copied += 1;
    }
    finish(input, writer.finish().in_file(output)?, copied)
}

/// Puts an archive under its name.
fn finish(input: &Path, target: Output, copied: u64) -> Result<(), Failure> {
    let name = target.name().to_owned();
    target.finish()?;
    say(&format!(
        "{} -> {}: {copied} objects",
        shown(input),
        name.display()
    ));
    Ok(())
}

/// A frame in a temporary file.
type Spooled = FrameWriter<Contiguous<DiskFile>>;

/// A new frame for a part of `target`, so that memory need not hold what is compressed.
fn spooled(params: FrameParams, target: &Path) -> Result<Spooled, Failure> {
    let file = DiskFile::from(tempfile::tempfile().in_file(target)?);
    FrameWriter::create_in(Contiguous::new(file), params).in_file(target)
}

/// A copy of an object. Zarr arrays are compressed again, because python-blosc2 wants other blocks.
fn copied_frame(
    leaf: Leaf,
    dparams: &DParams,
    target: &Path,
    name: &Path,
) -> Result<Spooled, Failure> {
    if leaf.kind() == Kind::ZarrArray {
        let array = leaf.into_array(dparams.clone()).in_file(name)?;
        let params = ArrayParams::with_dtype(array.dtype().clone(), array.shape());
        let copy = spooled(params.frame_params().in_file(name)?, target)?;
        let copy = array.copy_in(copy, &params).in_file(name)?;
        return copy.into_inner().in_file(name);
    }
    let Some(frame) = leaf.into_frame() else {
        return Err(Failure::in_file(name, "has no data to copy"));
    };
    let params = match &frame {
        AnyFrame::Contiguous(frame) => frame.params(),
        AnyFrame::Sparse(frame) => frame.params(),
        AnyFrame::Memory(frame) => frame.params(),
        AnyFrame::Storage(frame) => frame.params(),
        _ => Err(oxiblosc::Error::refused("copy", "it has no data")),
    };
    let mut copy = spooled(params.in_file(name)?, target)?;
    copy_chunks(&frame, &mut copy).in_file(name)?;
    Ok(copy)
}

/// Adds a frame to an archive.
fn add(
    writer: &mut B2zWriter<Output>,
    key: &str,
    frame: Spooled,
    target: &Path,
) -> Result<(), Failure> {
    let stored = frame.finish().in_file(target)?;
    let frame = FrameReader::open_in(stored, DParams::new()).in_file(target)?;
    writer.add_stored_frame(key, &frame).in_file(target)
}
