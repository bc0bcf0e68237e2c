//! The elements or bytes of an input, not compressed.

use std::io::{self, Read};
use std::path::Path;

use oxiblosc::DParams;
use oxiblosc_npy as npy;

use super::given::Given;
use crate::boxes::BoxReader;
use crate::compress::content::payload;
use crate::decompress::{self, write};
use crate::failure::{Failure, InFile};
use crate::output::Output;
use crate::progress::Progress;
use crate::slabs::{Slabs, wide};
use crate::source::Source;

/// How many bytes are copied at once.
const PIECE: u64 = 4 << 20;

/// Writes an input of any kind, with the header of an `.npy` file if asked.
pub(super) fn write_given(
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
