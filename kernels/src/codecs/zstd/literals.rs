//! The literals of a block: their header, and the loops that decode them.

use super::bits::{Backward, Lane, low};
use super::huffman::{Huffman, PAIRS, ROOT_BITS, SINGLES};
use super::input::invalid;
use crate::codecs::DecodeError;
use crate::codecs::lz::{Lanes, Task, store};

/// A stream and the part of the output that it fills.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stream<'s> {
    pub(super) bits: Backward<'s>,
    /// The next byte of the output.
    pub(super) at: usize,
    /// The end of the part.
    pub(super) end: usize,
    /// Whether the stream has symbols beyond, which are not wanted.
    pub(super) is_cut: bool,
}

impl Stream<'_> {
    /// The rounds of `N` entries for which there is space.
    #[inline(always)]
    fn rounds<E: Symbols, const N: usize>(&self) -> usize {
        (self.end - self.at) / (N * E::MOST)
    }
}

/// Decodes the literals of up to four streams.
pub(super) struct DecodeLiterals<'w, 's> {
    pub(super) huffman: &'w mut Huffman,
    pub(super) streams: &'w mut [Stream<'s>],
    pub(super) dst: &'w mut [u8],
    /// Whether two symbols are looked up at once, where there are four streams.
    pub(super) in_pairs: bool,
}

impl Task for DecodeLiterals<'_, '_> {
    type Output = Result<(), DecodeError>;

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> Self::Output {
        let Self {
            huffman,
            streams,
            dst,
            in_pairs,
        } = self;
        let longest = huffman.longest();
        if streams.iter().any(|stream| stream.end > dst.len()) {
            unreachable!("the parts lie in the output");
        }
        if in_pairs && let Ok(four) = <&mut [Stream<'_>; 4]>::try_from(&mut *streams) {
            huffman.build_pairs();
            pairs_loop(huffman.pairs(), four, dst);
        }
        let singles = huffman.singles();
        match longest {
            1..=8 => finish::<ROOT_BITS, 6>(singles, streams, dst),
            9 => finish::<ROOT_BITS, 5>(singles, streams, dst),
            10..=11 => finish::<ROOT_BITS, 4>(singles, streams, dst),
            _ => finish::<12, 3>(singles, streams, dst),
        }
    }
}

/// Decodes streams symbol by symbol to their ends.
#[inline(always)]
fn finish<const LOG: u32, const N: usize>(
    singles: &[u16; SINGLES],
    streams: &mut [Stream<'_>],
    dst: &mut [u8],
) -> Result<(), DecodeError> {
    if let [a, b, c, d] = &mut *streams {
        fast_loop::<_, LOG, N, SINGLES, 4>(singles, [a, b, c, d], dst);
    }
    for stream in &mut *streams {
        single_loop::<LOG, N>(singles, stream, dst);
    }
    for stream in streams {
        careful_loop::<LOG>(singles, stream, dst)?;
    }
    Ok(())
}

/// An entry of a table: one symbol, or one or two.
trait Symbols: Copy {
    /// The most symbols.
    const MOST: usize;

    /// The length of the codes in the lowest six bits.
    fn raw(self) -> u64;

    /// Writes the symbols and moves on.
    ///
    /// # Safety
    /// `MOST` bytes follow `to`.
    unsafe fn put(self, dst: &mut [u8], to: &mut usize);
}

impl Symbols for u16 {
    const MOST: usize = 1;

    #[inline(always)]
    fn raw(self) -> u64 {
        self.into()
    }

    #[inline(always)]
    unsafe fn put(self, dst: &mut [u8], to: &mut usize) {
        debug_assert!(*to < dst.len());
        let at = dst.as_mut_ptr().wrapping_add(*to);
        // SAFETY: a byte follows by contract.
        unsafe { at.write(self.to_le_bytes()[1]) };
        *to += 1;
    }
}

impl Symbols for u32 {
    const MOST: usize = 2;

    #[inline(always)]
    fn raw(self) -> u64 {
        self.into()
    }

    #[inline(always)]
    unsafe fn put(self, dst: &mut [u8], to: &mut usize) {
        debug_assert!(*to + 2 <= dst.len());
        let at = dst.as_mut_ptr().wrapping_add(*to);
        let [_, count, first, second] = self.to_le_bytes();
        // SAFETY: two bytes follow by contract.
        unsafe { store(at, [first, second]) };
        *to += usize::from(count);
    }
}

/// Decodes streams with two symbols per entry as far as their space and input allow. Those whose
/// symbols have short codes end first.
#[inline(always)]
fn pairs_loop(table: &[u32; PAIRS], streams: &mut [Stream<'_>; 4], dst: &mut [u8]) {
    // Entries per word.
    const N: usize = 4;
    let [a, b, c, d] = streams;
    let mut left = [a, b, c, d];
    // Those that are not at their end are first.
    let mut count = 4;
    loop {
        let [a, b, c, d] = &mut left;
        match count {
            4 => fast_loop::<_, ROOT_BITS, N, PAIRS, 4>(table, [&mut **a, b, c, d], dst),
            3 => fast_loop::<_, ROOT_BITS, N, PAIRS, 3>(table, [&mut **a, b, c], dst),
            2 => fast_loop::<_, ROOT_BITS, N, PAIRS, 2>(table, [&mut **a, b], dst),
            1 => fast_loop::<_, ROOT_BITS, N, PAIRS, 1>(table, [&mut **a], dst),
            _ => return,
        }
        let before = count;
        for at in (0..before).rev() {
            if left
                .get(at)
                .is_none_or(|stream| stream.rounds::<u32, N>() == 0)
            {
                count -= 1;
                left.swap(at, count);
            }
        }
        if count == before {
            return;
        }
    }
}

/// Decodes `K` streams at once, each `N` entries per word, while all of them have space and input
/// for a round.
///
/// The bottleneck is the dependency chain from one entry to the next of a stream; those of several
/// overlap. A word is loaded from the position before the last entry of a round, so that the load
/// is not part of the chain: `N + 1` entries have at most 56 bits.
#[inline(always)]
fn fast_loop<E: Symbols, const LOG: u32, const N: usize, const LEN: usize, const K: usize>(
    table: &[E; LEN],
    streams: [&mut Stream<'_>; K],
    dst: &mut [u8],
) {
    const { assert!(LEN >= 1 << LOG) };
    let Some(first) = streams.first() else {
        return;
    };
    let mut src = first.bits.src();
    let Some(lane) = first.bits.lane() else {
        return;
    };
    let mut lanes = [lane; K];
    let mut to = [0; K];
    for ((stream, lane), to) in streams.iter().zip(&mut lanes).zip(&mut to) {
        let Some(own) = stream.bits.lane() else {
            return;
        };
        *lane = own;
        *to = stream.at;
        // The inputs of the other streams are the front of that of the last.
        if stream.bits.src().len() > src.len() {
            src = stream.bits.src();
        }
    }
    loop {
        let mut rounds = usize::MAX;
        for ((stream, lane), to) in streams.iter().zip(&lanes).zip(&to) {
            let space = (stream.end - to) / (N * E::MOST);
            rounds = rounds.min(space).min(lane.reloads());
        }
        if rounds == 0 {
            break;
        }
        for _ in 0..rounds {
            for _ in 1..N {
                for (lane, to) in lanes.iter_mut().zip(&mut to) {
                    // SAFETY: all rounds together write at most `N * MOST` bytes each.
                    unsafe { step::<E, LOG, LEN>(table, lane, dst, to) };
                }
            }
            for (lane, to) in lanes.iter_mut().zip(&mut to) {
                // SAFETY: as above; `rounds` is at most `reloads`, and `src` begins like that of
                // each stream.
                unsafe { last_step::<E, LOG, LEN>(table, lane, src, dst, to) };
            }
        }
    }
    for ((stream, lane), to) in streams.into_iter().zip(lanes).zip(to) {
        stream.bits.set_lane(lane);
        stream.at = to;
    }
}

/// One entry of one stream.
///
/// # Safety
/// The space after `to` is that of [`Symbols::put`].
#[inline(always)]
#[expect(clippy::indexing_slicing, reason = "`LOG` bits are below the length")]
unsafe fn step<E: Symbols, const LOG: u32, const LEN: usize>(
    table: &[E; LEN],
    lane: &mut Lane,
    dst: &mut [u8],
    to: &mut usize,
) {
    let entry = table[low(lane.bits >> (64 - LOG))];
    lane.skip(entry.raw());
    // SAFETY: the contract.
    unsafe { entry.put(dst, to) };
}

/// The last entry of a round, and the next word.
///
/// # Safety
/// The space after `to` is that of [`Symbols::put`], and the input that of [`Lane::reload`].
#[inline(always)]
#[expect(clippy::indexing_slicing, reason = "`LOG` bits are below the length")]
unsafe fn last_step<E: Symbols, const LOG: u32, const LEN: usize>(
    table: &[E; LEN],
    lane: &mut Lane,
    src: &[u8],
    dst: &mut [u8],
    to: &mut usize,
) {
    let entry = table[low(lane.bits >> (64 - LOG))];
    // SAFETY: the contract.
    unsafe { lane.reload(src, entry.raw()) };
    // SAFETY: the contract.
    unsafe { entry.put(dst, to) };
}

/// Decodes one stream symbol by symbol, as far as its input allows. No branch depends on symbols,
/// so that the dependency chains of several calls overlap.
#[inline(always)]
fn single_loop<const LOG: u32, const N: usize>(
    singles: &[u16; SINGLES],
    stream: &mut Stream<'_>,
    dst: &mut [u8],
) {
    let Some(mut lane) = stream.bits.lane() else {
        return;
    };
    let src = stream.bits.src();
    let rounds = ((stream.end - stream.at) / N).min(lane.reloads());
    for _ in 0..rounds {
        for _ in 1..N {
            // SAFETY: all rounds together write at most `end - at` bytes.
            unsafe { step::<_, LOG, SINGLES>(singles, &mut lane, dst, &mut stream.at) };
        }
        // SAFETY: as above, and `rounds` is at most `reloads`.
        unsafe { last_step::<_, LOG, SINGLES>(singles, &mut lane, src, dst, &mut stream.at) };
    }
    // What is left is part of the last word.
    let rest = stream.end - stream.at;
    if rest < N {
        for _ in 0..rest {
            // SAFETY: these bytes are before the end.
            unsafe { step::<_, LOG, SINGLES>(singles, &mut lane, dst, &mut stream.at) };
        }
    }
    stream.bits.set_lane(lane);
}

/// Decodes one stream symbol by symbol to its end.
#[inline(always)]
fn careful_loop<const LOG: u32>(
    singles: &[u16; SINGLES],
    stream: &mut Stream<'_>,
    dst: &mut [u8],
) -> Result<(), DecodeError> {
    let part = dst.get_mut(stream.at..stream.end).unwrap_or_default();
    let mut bits = stream.bits;
    // Four codes of at most 12 bits per refill.
    for four in part.chunks_mut(4) {
        bits.refill();
        for to in four {
            let entry = singles.get(bits.peek(LOG)).copied().unwrap_or(0);
            let [len, symbol] = entry.to_le_bytes();
            bits.skip(u32::from(len));
            *to = symbol;
        }
    }
    if bits.is_overrun() || !stream.is_cut && !bits.is_at_end() {
        return Err(invalid(
            bits.offset(),
            "literals: expected a stream that ends with its last symbol, found another length",
        ));
    }
    Ok(())
}
