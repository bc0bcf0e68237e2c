//! `oxiblosc convert … -o OUT.b2z`: arrays, or everything in a store, into a zip archive that
//! python-blosc2 opens as a `TreeStore`.

use std::io::Write;
use std::path::Path;

use oxiblosc::b2nd::{Array, ArrayParams};
use oxiblosc::frame::AnyFrame;
use oxiblosc::store::{B2zWriter, Kind, Leaf, Tree, Value};
use oxiblosc::{DParams, SChunk};

use crate::args::ConvertArgs;
use crate::failure::{Failure, InFile, shown};
use crate::output::Output;
use crate::progress::say;
use crate::tree::Address;

/// Writes the archive.
pub(crate) fn run(args: &ConvertArgs, output: &Path, dparams: &DParams) -> Result<(), Failure> {
    let options = &args.compress;
    let input = &options.input;
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
        add(&mut writer, key, leaf, dparams).in_file(&address.name())?;
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
            add(&mut writer, &name, leaf, dparams)
                .map_err(|error| Failure::in_file(input, format!("{key}: {error}")))?;
            copied += 1;
        }
    }
    let target = writer.finish().in_file(output)?;
    let name = target.name().to_owned();
    target.finish()?;
    say(&format!(
        "{} -> {}: {copied} objects",
        shown(input),
        name.display()
    ));
    Ok(())
}

/// The key of a single frame: the name of its file without the ending.
fn stem(input: &Path) -> String {
    let stem = input.file_stem().and_then(|stem| stem.to_str());
    format!("/{}", stem.unwrap_or("data"))
}

/// Copies an object. Zarr arrays are compressed again, because python-blosc2 wants other blocks.
fn add<W: Write>(
    writer: &mut B2zWriter<W>,
    key: &str,
    leaf: Leaf,
    dparams: &DParams,
) -> oxiblosc::Result<()> {
    if leaf.kind() != Kind::ZarrArray {
        return match leaf.into_frame() {
            Some(AnyFrame::Storage(frame)) => writer.add_frame(key, &frame),
            Some(AnyFrame::Sparse(frame)) => writer.add_frame(key, &frame),
            _ => Err(oxiblosc::Error::refused("copy", "it has no data")),
        };
    }
    let array = leaf.into_array(dparams.clone())?;
    let params = ArrayParams::with_dtype(array.dtype().clone(), array.shape());
    let copy: Array<SChunk> = array.copy(&params)?;
    writer.add_array(key, &copy)
}
