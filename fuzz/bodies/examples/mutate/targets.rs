//! The parsers: their seeds, and the oracle of each.

use std::io;

use oxiblosc::frame::{Contiguous, Sparse};
use oxiblosc::storage::{Directory, Memory, MemoryDir, ReadAt};
use oxiblosc::{ChunkDecoder, ChunkView};
use oxiblosc_fuzz_bodies::make::{MOST, dparams, limits};
use oxiblosc_fuzz_bodies::{TARGETS, read_all};

use crate::change::{Input, Numbers, Part};
use crate::seeds;

/// Bytes after an output, which must not change.
const GUARD: usize = 64;

/// Buffers and a decoder, kept from input to input: an earlier one may show in a later one.
pub(crate) struct State {
    decoder: ChunkDecoder,
    first: Vec<u8>,
    second: Vec<u8>,
}

impl State {
    pub(crate) fn new() -> Self {
        Self {
            decoder: ChunkDecoder::new(dparams()),
            first: vec![0; MOST + GUARD],
            second: vec![0; MOST + GUARD],
        }
    }
}

/// Panics when a promise is broken; returns whether the input was accepted.
type Check = fn(&mut State, &Input, &mut Numbers) -> bool;

/// A parser with its seeds.
pub(crate) struct Target {
    pub(crate) name: &'static str,
    pub(crate) seeds: fn() -> Vec<Vec<Part>>,
    pub(crate) check: Check,
    /// The most bytes that one input may allocate, all allocations together: its peak is less.
    pub(crate) most: usize,
}

const fn target(
    name: &'static str,
    seeds: fn() -> Vec<Vec<Part>>,
    check: Check,
    most: usize,
) -> Target {
    Target {
        name,
        seeds,
        check,
        most,
    }
}

/// All parsers. A result is at most [`MOST`] bytes; the bounds are multiples of it where several
/// results, or the buffers of the oracle, are part of what is counted.
pub(crate) const PARSERS: [Target; 13] = [
    target("chunks", seeds::chunks, chunks, 6 * MOST),
    target("streams", seeds::streams, chunks, 6 * MOST),
    target("parts", seeds::chunks, parts, 64 * MOST),
    target("frames", seeds::frames, frames, 64 * MOST),
    target("trailers", seeds::trailers, frames, 64 * MOST),
    target("sparse", seeds::sparse, sparse, 64 * MOST),
    target("arrays", seeds::arrays, arrays, 64 * MOST),
    target("metalayers", seeds::metalayers, metalayers, 4 * MOST),
    target("npy", seeds::npy, npy, 4 * MOST),
    target("blosclz", || seeds::streams_of(0), blosclz, 4 * MOST),
    target("lz4", || seeds::streams_of(1), lz4, 4 * MOST),
    target("inflate", || seeds::streams_of(3), inflate, 4 * MOST),
    target("zstd", || seeds::streams_of(4), zstd, 8 * MOST),
];

/// Decodes a chunk: into outputs that held different bytes, by a used decoder and now and then by
/// a new one.
fn chunks(state: &mut State, input: &Input, numbers: &mut Numbers) -> bool {
    let chunk = input.bytes();
    let limits = limits();
    let view = ChunkView::parse(chunk, &limits);
    let claimed = view.as_ref().map_or(0, ChunkView::nbytes);
    assert!(claimed <= MOST, "{claimed} bytes pass a limit of {MOST}");
    let walked = view.and_then(|view| view.check_streams());
    let mut run = |decoder: &mut ChunkDecoder, second: bool, fill: u8| {
        let dst = if second {
            &mut state.second
        } else {
            &mut state.first
        };
        let dst = &mut dst[..claimed + GUARD];
        dst.fill(fill);
        let found = decoder.decode_into(chunk, dst);
        if let Ok(n) = found {
            assert_eq!(n, claimed, "as many bytes as the header says");
            let trailing = &dst[n..];
            assert!(trailing.iter().all(|&byte| byte == fill), "beyond the data");
        }
        found
    };
    let fill = numbers.byte();
    let found = run(&mut state.decoder, false, fill);
    let Ok(n) = found else {
        if numbers.once_in(16) {
            let fresh = run(&mut ChunkDecoder::new(dparams()), true, !fill);
            let kind = |result: &oxiblosc::Result<usize>| {
                let error = result.as_ref().err();
                error.map(|error| (error.kind(), error.part(), error.offset()))
            };
            assert_eq!(
                kind(&found),
                kind(&fresh),
                "of a used decoder and a new one"
            );
        }
        return false;
    };
    assert!(walked.is_ok(), "decoded, and not walked: {walked:?}");
    let again = if numbers.once_in(16) {
        run(&mut ChunkDecoder::new(dparams()), true, !fill)
    } else {
        run(&mut state.decoder, true, !fill)
    };
    assert!(again.is_ok(), "decoded, and then {again:?}");
    assert!(
        state.first[..n] == state.second[..n],
        "the output's old content shows"
    );
    true
}

/// Items, ranges and blocks against the whole.
fn parts(_: &mut State, input: &Input, numbers: &mut Numbers) -> bool {
    let picks: Vec<u8> = (0..16).map(|_| numbers.byte()).collect();
    body("chunk_items", &[&picks[..], &[0], input.bytes()].concat())
}

/// Bytes that are read as those of a file are.
#[derive(Debug)]
struct Plain<'a>(Memory<&'a [u8]>);

impl ReadAt for Plain<'_> {
    fn len(&self) -> io::Result<u64> {
        self.0.len()
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        self.0.read_exact_at(buf, offset)
    }
}

/// Everything in a frame, borrowed from memory and read like a file.
fn frames(_: &mut State, input: &Input, _: &mut Numbers) -> bool {
    let frame = input.bytes();
    let memory = read_all(Contiguous::new(Memory(frame)));
    let copied = read_all(Contiguous::new(Plain(Memory(frame))));
    assert_eq!(memory, copied, "borrowed and read");
    memory.is_ok()
}

/// Everything in a frame of a directory.
fn sparse(_: &mut State, input: &Input, _: &mut Numbers) -> bool {
    let mut dir = MemoryDir::new();
    for (name, bytes) in &input.0 {
        dir.replace(name, bytes, false)
            .expect("memory takes everything");
    }
    let open = |dir: &MemoryDir| {
        let store = Sparse::open(dir.clone()).map_err(|error| error.to_string())?;
        read_all(store)
    };
    let first = open(&dir);
    assert_eq!(first, open(&dir), "two readings differ");
    first.is_ok()
}

fn arrays(_: &mut State, input: &Input, _: &mut Numbers) -> bool {
    body("b2nd_open", &[&[0], input.bytes()].concat())
}

fn metalayers(_: &mut State, input: &Input, _: &mut Numbers) -> bool {
    body("metalayers", &[&[1], input.bytes()].concat())
}

fn npy(_: &mut State, input: &Input, _: &mut Numbers) -> bool {
    body("npy", input.bytes())
}

/// A stream after the length of the output, that of the wanted part, and "as it is".
fn stream(name: &str, more: &[u8], input: &Input, numbers: &mut Numbers) -> bool {
    let (len, wanted) = (numbers.below(4200), numbers.below(4200));
    let low = |number: usize| u16::try_from(number).unwrap_or(0).to_le_bytes();
    let prefix = [low(len), low(wanted)].concat();
    body(name, &[&prefix, more, input.bytes()].concat())
}

fn blosclz(_: &mut State, input: &Input, numbers: &mut Numbers) -> bool {
    stream("blosclz_decode", &[0], input, numbers)
}

fn lz4(_: &mut State, input: &Input, numbers: &mut Numbers) -> bool {
    stream("lz4_decode", &[0; 5], input, numbers)
}

fn inflate(_: &mut State, input: &Input, numbers: &mut Numbers) -> bool {
    stream("inflate", &[0], input, numbers)
}

fn zstd(_: &mut State, input: &Input, numbers: &mut Numbers) -> bool {
    stream("zstd_decode", &[0], input, numbers)
}

/// Does what a fuzz target does; which inputs it accepts is not known here.
fn body(name: &str, input: &[u8]) -> bool {
    let target = TARGETS.iter().find(|(target, _)| *target == name);
    target.expect("a target of that name").1(input);
    false
}
