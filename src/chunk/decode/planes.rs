//! Split streams of a shuffled block: one stream per byte plane.

use oxiblosc_kernels::{Plane, repeated};

use super::super::scratch::Coders;
use super::super::special::fill_repeat;
use super::super::streams::{FEW_STREAMS, MAX_STREAMS};
use super::block::BlockDecoder;
use super::target::Target;
use crate::codec::StreamDecoder;
use crate::error::Result;
use crate::filter::pipeline::Step;
use crate::stream::{Stream, StreamCursor};

/// The source of all short planes of zeros.
static ZEROS: [u8; 4096] = [0; 4096];

impl BlockDecoder<'_> {
    /// Unshuffles split streams into `dst`, and sums up differences if the first step says so.
    #[inline]
    pub(super) fn unshuffle<'d>(
        &self,
        coders: &mut Coders,
        cursor: StreamCursor<'_>,
        at: (usize, usize),
        scratch: &mut [u8],
        dst: Target<'d>,
    ) -> Result<&'d mut [u8]> {
        // Each element of a table is written twice, so small ones are worth their code.
        match at.1 {
            ..=8 => self.unshuffle_planes::<8>(coders, cursor, at, scratch, dst),
            9..=FEW_STREAMS => {
                self.unshuffle_planes::<FEW_STREAMS>(coders, cursor, at, scratch, dst)
            }
            _ => self.unshuffle_planes::<MAX_STREAMS>(coders, cursor, at, scratch, dst),
        }
    }

    /// Unshuffles streams, one per plane, into `dst`: raw ones directly from the chunk, runs from
    /// their value, coded ones through `scratch`.
    #[inline(never)]
    fn unshuffle_planes<'s, 'd, const MAX: usize>(
        &self,
        coders: &mut Coders,
        mut cursor: StreamCursor<'s>,
        (block, nstreams): (usize, usize),
        scratch: &'s mut [u8],
        dst: Target<'d>,
    ) -> Result<&'d mut [u8]> {
        let mut planes = [Plane::Constant(0); MAX];
        let planes = &mut planes[..nstreams];
        // A division takes as long as two streams; most numbers of streams are powers of two.
        let len = if nstreams.is_power_of_two() {
            dst.len() >> nstreams.trailing_zeros()
        } else {
            dst.len() / nstreams
        };
        let mut rest = scratch;
        let zeros = run(0, len, &mut rest);
        let mut runs = 0;
        let mut decoder: Option<&mut dyn StreamDecoder> = None;
        let mut coders = Some(coders);
        for (stream, plane) in planes.iter_mut().enumerate() {
            *plane = match cursor.next(len)? {
                Stream::Run(0) => {
                    runs += 1;
                    zeros
                }
                Stream::Run(value) => {
                    runs += 1;
                    run(value, len, &mut rest)
                }
                Stream::Raw(data) => Plane::Bytes(data),
                Stream::Coded {
                    within,
                    csize,
                    offset,
                } => {
                    if let Some(coders) = coders.take() {
                        let found = coders.decoder(self.coding());
                        let failed = |source| self.failed(offset, (block, stream), source);
                        decoder = Some(found.map_err(failed)?);
                    }
                    if let Some(decoder) = &mut decoder {
                        // The bytes after it are overwritten next: the next stream, or the slack.
                        let done = decoder.decode_within(within, csize, rest, len);
                        done.map_err(|source| self.failed(offset, (block, stream), source))?;
                    }
                    Plane::Bytes(take(&mut rest, len))
                }
            };
        }
        let differences = matches!(self.steps(), [Step::ShuffleBytedelta { .. }, ..]);
        if runs == planes.len() && !differences {
            let mut item = [0; MAX_STREAMS];
            for (byte, plane) in item.iter_mut().zip(planes.iter()) {
                *byte = match *plane {
                    Plane::Constant(value) => value,
                    Plane::Bytes(bytes) => bytes.first().copied().unwrap_or(0),
                };
            }
            let dst = dst.slice();
            fill_repeat(&item[..planes.len()], 0, dst);
            return Ok(dst);
        }
        let kernels = self.coding().cx.kernels;
        Ok(match dst {
            Target::Written(dst) if differences => {
                kernels.unshuffle_bytedelta_planes(planes, &[], dst);
                dst
            }
            Target::Unwritten(dst) if differences => {
                dst.unshuffle_bytedelta_planes(kernels, planes)
            }
            Target::Written(dst) => {
                kernels.unshuffle_planes(planes, &[], dst);
                dst
            }
            Target::Unwritten(dst) => dst.unshuffle_planes(kernels, planes),
        })
    }
}

/// A plane of `len` bytes of this value. A short one is bytes like the other planes: the kernel
/// takes 1.2 to 1.3 times as long when it has to look for constant planes.
#[inline(always)]
fn run<'s>(value: u8, len: usize, rest: &mut &'s mut [u8]) -> Plane<'s> {
    if let Some(bytes) = repeated(value).get(..len) {
        return Plane::Bytes(bytes);
    }
    match ZEROS.get(..len) {
        None => Plane::Constant(value),
        Some(zeros) if value == 0 => Plane::Bytes(zeros),
        Some(_) => {
            let to = take(rest, len);
            to.fill(value);
            Plane::Bytes(to)
        }
    }
}

/// Removes the first `len` bytes of `rest`.
#[inline(always)]
fn take<'s>(rest: &mut &'s mut [u8], len: usize) -> &'s mut [u8] {
    let (to, after) = std::mem::take(rest).split_at_mut(len);
    *rest = after;
    to
}
