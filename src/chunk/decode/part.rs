//! A part of one block, without the rest of it.
//!
//! ```text
//! planes of a shuffled block    . . a b c . . . d e f .     two rows of three items are wanted:
//!                               . . a b c . . . d e f .     only they are put together
//! ```

use std::ops::Range;

use oxiblosc_kernels::{Kernels, Plane};

use super::super::scratch::{Coders, Worker, grown};
use super::super::streams::{FEW_STREAMS, MAX_STREAMS};
use super::block::{BlockDecoder, SLACK};
use crate::error::Result;
use crate::filter::pipeline::Step;
use crate::stream::{Stream, StreamCursor};

/// The part wanted of a block.
#[derive(Clone, Debug)]
pub(super) struct Extent<'r> {
    /// The block.
    pub(super) block: usize,
    /// From the first byte to the last.
    pub(super) bytes: Range<usize>,
    /// The items needed in between, when they are few; the other ones may have any value.
    pub(super) rows: Option<&'r Rows>,
    /// The decoded first block, with DELTA.
    pub(super) reference: Option<&'r [u8]>,
}

/// Rows of items at fixed steps, from the first item of an [`Extent`] on.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    /// The size of an item in bytes.
    pub(crate) typesize: usize,
    /// The items of a row.
    pub(crate) row: usize,
    /// From the outermost to the innermost: the number of steps, and the items of a step.
    pub(crate) axes: Vec<(usize, usize)>,
}

impl Rows {
    /// Whether assembling the rows one by one is faster than all of `nitems` items at once.
    #[cfg(feature = "b2nd")]
    pub(crate) fn are_few(&self, nitems: usize) -> bool {
        // In units of items assembled together with others: a single one, whose bytes all come from
        // different cache lines, costs about 64, a call for some about 640 more than the items.
        let each = if self.row == 1 { 64 } else { self.row + 640 };
        let nrows = self.axes.iter().map(|(len, _)| len).product::<usize>();
        nrows.saturating_mul(each) < nitems / 2
    }

    /// Assembles the items of all rows, each at its offset in `dst`.
    fn unshuffle(&self, kernels: Kernels, planes: &[Plane<'_>], dst: &mut [u8]) {
        self.walk(&self.axes, 0, &mut |start| {
            let to = &mut dst[start * self.typesize..][..self.row * self.typesize];
            if let (1, true) = (self.row, planes.len() <= FEW_STREAMS) {
                put_item(planes, start, to);
                return;
            }
            let mut parts = [Plane::Constant(0); MAX_STREAMS];
            let parts = &mut parts[..planes.len()];
            for (part, plane) in parts.iter_mut().zip(planes) {
                *part = match plane {
                    Plane::Bytes(data) => Plane::Bytes(&data[start..start + self.row]),
                    Plane::Constant(value) => Plane::Constant(*value),
                };
            }
            kernels.unshuffle_planes(parts, &[], to);
        });
    }

    /// Calls `each` with the first item of every row.
    fn walk(&self, axes: &[(usize, usize)], start: usize, each: &mut impl FnMut(usize)) {
        let Some((&(len, step), inner)) = axes.split_first() else {
            return each(start);
        };
        for n in 0..len {
            let start = start + n * step;
            if inner.is_empty() {
                each(start);
            } else {
                self.walk(inner, start, each);
            }
        }
    }
}

/// Assembles item `at` from at most [`FEW_STREAMS`] planes, into all of `to`.
fn put_item(planes: &[Plane<'_>], at: usize, to: &mut [u8]) {
    // One store per item: with one per byte, loads of the next item wait for stores at the same
    // offset in another page.
    let mut item = [0; FEW_STREAMS];
    for (byte, plane) in item.iter_mut().zip(planes) {
        *byte = match plane {
            Plane::Bytes(data) => data[at],
            Plane::Constant(value) => *value,
        };
    }
    to.copy_from_slice(&item[..to.len()]);
}

/// Decodes some bytes of a block without the rest of it. False when the pipeline does not allow
/// it; nothing is written then.
pub(super) fn decode_some(
    decoder: &BlockDecoder<'_>,
    worker: &mut Worker,
    mut cursor: StreamCursor<'_>,
    Extent {
        block,
        bytes,
        rows,
        reference,
    }: Extent<'_>,
    dst: &mut [u8],
) -> Result<bool> {
    let len = decoder.layout().block_len(block);
    let nstreams = decoder.layout().nstreams(len);
    let Worker { x, y, coders, .. } = worker;
    let (group, delta) = match *decoder.steps() {
        // Without a filter a block is decoded to where rows are copied from.
        [] if nstreams == 1 && (rows.is_none() || bytes.len() < len - len / 4) => {
            let mut reach = Reach { decoder, coders };
            match cursor.next(len)? {
                Stream::Run(value) => dst.fill(value),
                Stream::Raw(data) => dst.copy_from_slice(&data[bytes]),
                stream @ Stream::Coded { .. } => {
                    let scratch = grown(x, len + SLACK);
                    reach.decode(&stream, (block, 0), (len, bytes.end), scratch)?;
                    dst.copy_from_slice(&scratch[bytes]);
                }
            }
            return Ok(true);
        }
        [Step::Shuffle { group }] => (group, false),
        [Step::Shuffle { group }, Step::Delta]
            if reference.is_some() && group == decoder.coding().cx.typesize =>
        {
            (group, true)
        }
        _ => return Ok(false),
    };
    let nitems = len / group;
    let items = bytes.start / group..bytes.end.div_ceil(group);
    if items.end > nitems || (nstreams > 1 && nstreams != group) {
        // Part of the tail, which is no item, or planes that are no streams.
        return Ok(false);
    }
    let (mut few, mut many) = ([Plane::Constant(0); FEW_STREAMS], None);
    let planes = match few.get_mut(..group) {
        Some(few) => few,
        None => &mut many.insert([Plane::Constant(0); MAX_STREAMS])[..group],
    };
    let scratch = grown(x, len + SLACK);
    let mut reach = Reach { decoder, coders };
    if nstreams == 1 {
        let end = (group - 1) * nitems + items.end;
        let data = match cursor.next(len)? {
            Stream::Run(value) => {
                planes.fill(Plane::Constant(value));
                None
            }
            Stream::Raw(data) => Some(data),
            stream @ Stream::Coded { .. } => {
                reach.decode(&stream, (block, 0), (len, end), scratch)?;
                Some(&*scratch)
            }
        };
        if let Some(data) = data {
            for (index, plane) in planes.iter_mut().enumerate() {
                let at = index * nitems;
                *plane = Plane::Bytes(&data[at + items.start..at + items.end]);
            }
        }
    } else {
        let mut rest = scratch;
        for (stream, plane) in planes.iter_mut().enumerate() {
            *plane = match cursor.next(nitems)? {
                Stream::Run(value) => Plane::Constant(value),
                Stream::Raw(data) => Plane::Bytes(&data[items.clone()]),
                coded @ Stream::Coded { .. } => {
                    // After the stream comes the next one, or the slack.
                    reach.decode(&coded, (block, stream), (nitems, items.end), rest)?;
                    let (to, behind) = std::mem::take(&mut rest).split_at_mut(nitems);
                    rest = behind;
                    Plane::Bytes(&to[items.clone()])
                }
            };
        }
    }
    let start = items.start * group;
    let kernels = decoder.coding().cx.kernels;
    let put = |to: &mut [u8]| {
        if let Some(rows) = rows.filter(|rows| rows.typesize == group && !delta) {
            rows.unshuffle(kernels, planes, to);
            return;
        }
        if items.len() == 1 && group <= FEW_STREAMS {
            put_item(planes, 0, to);
        } else {
            kernels.unshuffle_planes(planes, &[], to);
        }
        if let (true, Some(reference)) = (delta, reference) {
            kernels.delta_decode(group, Some(&reference[start..start + to.len()]), to);
        }
    };
    if dst.len() == items.len() * group {
        put(dst);
    } else {
        let whole = grown(y, items.len() * group);
        put(whole);
        dst.copy_from_slice(&whole[bytes.start - start..bytes.end - start]);
    }
    Ok(true)
}

/// Decodes the front of streams.
struct Reach<'r, 'a> {
    decoder: &'r BlockDecoder<'a>,
    coders: &'r mut Coders,
}

impl Reach<'_, '_> {
    /// Decodes a coded stream of `len` bytes into `scratch`, at least the first `end` bytes of it.
    /// `at` is the block and the stream, for errors.
    fn decode(
        &mut self,
        stream: &Stream<'_>,
        at: (usize, usize),
        (len, end): (usize, usize),
        scratch: &mut [u8],
    ) -> Result<()> {
        let Stream::Coded {
            within,
            csize,
            offset,
        } = *stream
        else {
            return Ok(());
        };
        let coder = self.coders.decoder(self.decoder.coding());
        let reached = coder.and_then(|coder| {
            // Near the end, decoding all of it is faster.
            if end < len - len / 8 && coder.decode_front(within, csize, scratch, (len, end))? {
                return Ok(());
            }
            coder.decode_within(within, csize, scratch, len)
        });
        reached.map_err(|source| self.decoder.failed(offset, at, source))
    }
}
