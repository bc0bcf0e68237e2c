//! `oxiblosc convert … -o OUT.zarr`: an array as a folder of Zarr, version 2 or 3, whose chunks are
//! Blosc chunks.

use std::fs;
use std::ops::Range;
use std::path::Path;

use oxiblosc::b2nd::{ArrayParams, Dtype};
use oxiblosc::{CParams, ChunkEncoder, FilterId};
use oxiblosc_kernels::StridedCopy;
use serde_json::{Value, json};

use crate::args::CompressArgs;
use crate::compress::content::partition;
use crate::failure::{Failure, InFile, OfParams};
use crate::folder::Folder;
use crate::parameters::to_usize;
use crate::progress::Progress;
use crate::slabs::wide;

/// Fills bytes with the elements of a box of the array.
pub(crate) type ReadBox<'a> = dyn FnMut(&[Range<u64>], &mut [u8]) -> Result<(), Failure> + 'a;

/// Writes the folder; returns the size of its files.
pub(crate) fn write(
    args: &CompressArgs,
    version: u8,
    params: ArrayParams,
    output: &Path,
    progress: &Progress,
    read: &mut ReadBox<'_>,
) -> Result<u64, Failure> {
    let input = &args.input;
    let (dtype, typesize) = (params.dtype.clone(), params.typesize().in_file(input)?);
    // The filters of an array that is compressed already may not be those of Blosc1.
    let params = partition(args, params.cparams(CParams::new(typesize)))?;
    let grid = params.grid().of_params(input)?;
    let cparams = params.cparams;
    let (shape, chunkshape) = (grid.shape().to_vec(), grid.chunkshape().to_vec());
    let shuffle = shuffle(&cparams).map_err(Failure::usage)?;
    let metadata = match version {
        2 => of_version_2(&dtype, &shape, &chunkshape, &cparams, shuffle),
        _ => of_version_3(&dtype, &shape, &chunkshape, &cparams, shuffle),
    };
    let metadata = metadata.map_err(|what| Failure::in_file(input, what))?;
    let folder = Folder::create(output, false)?;
    fs::create_dir(folder.path()).in_file(output)?;
    let lens = chunkshape.iter().map(|&len| to_usize(len));
    let lens = lens.collect::<Result<Vec<_>, _>>()?;
    let items = lens
        .iter()
        .try_fold(typesize, |nbytes, &len| nbytes.checked_mul(len));
    let nbytes = items.ok_or_else(|| Failure::usage("--chunks: a chunk is too large"))?;
    let mut encoder = ChunkEncoder::new(cparams).of_params(input)?;
    let (mut chunk, mut part, mut written) = (vec![0; nbytes], Vec::new(), 0_u64);
    for index in Chunks::new(&shape, &chunkshape) {
        let place = |((&at, &len), &end): ((&u64, &u64), &u64)| {
            let start = at * len;
            start..start.saturating_add(len).min(end)
        };
        let ranges: Vec<Range<u64>> = index
            .iter()
            .zip(&chunkshape)
            .zip(&shape)
            .map(place)
            .collect();
        let inner = ranges.iter().map(|range| to_usize(range.end - range.start));
        let inner = inner.collect::<Result<Vec<_>, _>>()?;
        let size = inner.iter().product::<usize>() * typesize;
        if size == nbytes {
            read(&ranges, &mut chunk)?;
        } else {
            // Chunks at an edge are as large as the others.
            part.resize(size, 0);
            read(&ranges, &mut part)?;
            chunk.fill(0);
            let (from, to) = (strides(typesize, &inner), strides(typesize, &lens));
            StridedCopy::new(typesize, &inner, &from, &to).copy(&part, &mut chunk);
        }
        let bytes = encoder.encode_blosc1(&chunk).map_err(|error| match error {
            oxiblosc::Error::Refused { .. } => Failure::usage(format!(
                "Zarr takes one filter, shuffle or bitshuffle: {error}"
            )),
            error => Failure::of(input, &error),
        })?;
        let path = folder.path().join(key(version, &index));
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).in_file(output)?;
        }
        fs::write(&path, &bytes).in_file(output)?;
        written = written.saturating_add(wide(bytes.len()));
        progress.add(wide(size));
    }
    let (name, text) = match version {
        2 => (".zarray", format!("{metadata:#}\n")),
        _ => ("zarr.json", format!("{metadata:#}\n")),
    };
    fs::write(folder.path().join(name), &text).in_file(output)?;
    folder.finish()?;
    Ok(written.saturating_add(wide(text.len())))
}

/// The path of a chunk in the folder.
fn key(version: u8, index: &[u64]) -> String {
    let names: Vec<String> = index.iter().map(u64::to_string).collect();
    match (version, names.is_empty()) {
        (2, true) => "0".to_owned(),
        (2, false) => names.join("."),
        (_, true) => "c".to_owned(),
        (_, false) => format!("c/{}", names.join("/")),
    }
}

/// The strides in bytes of a box without gaps, in C order.
fn strides(typesize: usize, lens: &[usize]) -> Vec<usize> {
    let mut strides = vec![typesize; lens.len()];
    for axis in (1..lens.len()).rev() {
        strides[axis - 1] = strides[axis] * lens[axis];
    }
    strides
}

/// The filter of Blosc1: none, shuffle or bitshuffle.
fn shuffle(cparams: &CParams) -> Result<usize, String> {
    let mut filters = cparams
        .filters
        .iter()
        .filter(|slot| slot.id != FilterId::NONE);
    match (filters.next().map(|slot| slot.id), filters.next()) {
        (None, _) => Ok(0),
        (Some(FilterId::SHUFFLE), None) => Ok(1),
        (Some(FilterId::BITSHUFFLE), None) => Ok(2),
        _ => Err("Zarr takes one filter, shuffle or bitshuffle".to_owned()),
    }
}

fn of_version_2(
    dtype: &Dtype,
    shape: &[u64],
    chunks: &[u64],
    cparams: &CParams,
    shuffle: usize,
) -> Result<Value, String> {
    let dtype = dtype.as_str();
    if dtype.starts_with('[') {
        return Err(format!(
            "dtype {dtype} is a record, which is not written to Zarr"
        ));
    }
    let zero = match dtype
        .trim_start_matches(['<', '>', '|', '='])
        .chars()
        .next()
    {
        Some('b') => json!(false),
        Some('i' | 'u') => json!(0),
        Some('f') => json!(0.0),
        _ => Value::Null,
    };
    Ok(json!({
        "zarr_format": 2,
        "shape": shape,
        "chunks": chunks,
        "dtype": dtype,
        "compressor": {
            "id": "blosc",
            "cname": cparams.codec.name(),
            "clevel": cparams.clevel,
            "shuffle": shuffle,
            "blocksize": 0,
        },
        "fill_value": zero,
        "order": "C",
        "filters": null,
        "dimension_separator": ".",
    }))
}

fn of_version_3(
    dtype: &Dtype,
    shape: &[u64],
    chunks: &[u64],
    cparams: &CParams,
    shuffle: usize,
) -> Result<Value, String> {
    let text = dtype.as_str();
    let (data_type, zero) = match text.trim_start_matches(['<', '>', '|', '=']) {
        "b1" => ("bool".to_owned(), json!(false)),
        kind => {
            let (letter, size) = kind.split_at_checked(1).unwrap_or((kind, ""));
            let size = size.parse::<u32>().ok();
            match (letter, size) {
                ("i", Some(size @ (1 | 2 | 4 | 8))) => (format!("int{}", size * 8), json!(0)),
                ("u", Some(size @ (1 | 2 | 4 | 8))) => (format!("uint{}", size * 8), json!(0)),
                ("f", Some(size @ (2 | 4 | 8))) => (format!("float{}", size * 8), json!(0.0)),
                ("c", Some(size @ (8 | 16))) => (format!("complex{}", size * 8), json!([0.0, 0.0])),
                _ => {
                    return Err(format!(
                        "dtype {text} has no name in Zarr version 3; --zarr-format 2 may take it"
                    ));
                }
            }
        }
    };
    let endian = if text.starts_with('>') {
        "big"
    } else {
        "little"
    };
    let mut bytes = json!({"name": "bytes"});
    if cparams.typesize > 1 {
        bytes["configuration"] = json!({"endian": endian});
    }
    let names = ["noshuffle", "shuffle", "bitshuffle"];
    Ok(json!({
        "zarr_format": 3,
        "node_type": "array",
        "shape": shape,
        "data_type": data_type,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunks}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": zero,
        "codecs": [bytes, {
            "name": "blosc",
            "configuration": {
                "typesize": cparams.typesize,
                "cname": cparams.codec.name(),
                "clevel": cparams.clevel,
                "shuffle": names.get(shuffle),
                "blocksize": 0,
            },
        }],
        "attributes": {},
    }))
}

/// The indices of all chunks, in C order.
struct Chunks {
    counts: Vec<u64>,
    next: Option<Vec<u64>>,
}

impl Chunks {
    fn new(shape: &[u64], chunkshape: &[u64]) -> Self {
        let lens = shape.iter().zip(chunkshape);
        let counts: Vec<u64> = lens
            .map(|(&len, &chunk)| len.div_ceil(chunk.max(1)))
            .collect();
        let next = (!counts.contains(&0)).then(|| vec![0; counts.len()]);
        Self { counts, next }
    }
}

impl Iterator for Chunks {
    type Item = Vec<u64>;

    fn next(&mut self) -> Option<Self::Item> {
        let index = self.next.take()?;
        let mut following = index.clone();
        for (at, &count) in following.iter_mut().zip(&self.counts).rev() {
            *at += 1;
            if *at < count {
                self.next = Some(following);
                break;
            }
            *at = 0;
        }
        Some(index)
    }
}
