//! The literals of a block: their header, and the loops that decode them.

use super::bits::{Backward, Lane, low};
use super::huffman::{Huffman, MULTIS, ROOT_BITS, SINGLES};
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

/// Decodes the literals of up to four streams.
pub(super) struct DecodeLiterals<'w, 's> {
    pub(super) huffman: &'w mut Huffman,
    pub(super) streams: &'w mut [Stream<'s>],
    pub(super) dst: &'w mut [u8],
    /// Whether several symbols are looked up at once.
    pub(super) multi: bool,
}

impl Task for DecodeLiterals<'_, '_> {
    type Output = Result<(), DecodeError>;

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> Self::Output {
        let Self {
            huffman,
            streams,
            dst,
            multi,
        } = self;
        let longest = huffman.longest();
        if streams.iter().any(|stream| stream.end > dst.len()) {
            unreachable!("the parts lie in the output");
        }
        if let Ok(four) = <&mut [Stream<'_>; 4]>::try_from(&mut *streams) {
            if multi {
                huffman.build_multis();
                fast_loop::<_, ROOT_BITS, 4, MULTIS>(huffman.multis(), four, dst);
            }
            match longest {
                0..=8 => fast_loop::<_, ROOT_BITS, 6, SINGLES>(huffman.singles(), four, dst),
                9 => fast_loop::<_, ROOT_BITS, 5, SINGLES>(huffman.singles(), four, dst),
                10..=11 => fast_loop::<_, ROOT_BITS, 4, SINGLES>(huffman.singles(), four, dst),
                _ => fast_loop::<_, 12, 3, SINGLES>(huffman.singles(), four, dst),
            }
        }
        let width = longest.max(ROOT_BITS);
        for stream in streams {
            careful_loop(huffman.singles(), width, stream, dst)?;
        }
        Ok(())
    }
}

/// An entry of a table: one symbol, or several.
trait Symbols: Copy {
    /// The most symbols.
    const MOST: usize;
    /// Bytes that `put` writes after the last of the most symbols.
    const MORE: usize;

    /// The length of the codes in the lowest six bits.
    fn raw(self) -> u64;

    /// Writes the symbols and moves on.
    ///
    /// # Safety
    /// `MOST + MORE` bytes follow `to`.
    unsafe fn put(self, dst: &mut [u8], to: &mut usize);
}

impl Symbols for u16 {
    const MOST: usize = 1;
    const MORE: usize = 0;

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

impl Symbols for u64 {
    const MOST: usize = 6;
    const MORE: usize = 2;

    #[inline(always)]
    fn raw(self) -> u64 {
        self
    }

    #[inline(always)]
    unsafe fn put(self, dst: &mut [u8], to: &mut usize) {
        debug_assert!(*to + 8 <= dst.len());
        let at = dst.as_mut_ptr().wrapping_add(*to);
        // SAFETY: eight bytes follow by contract.
        unsafe { store(at, (self >> 16).to_le_bytes()) };
        *to += usize::from(self.to_le_bytes()[1]);
    }
}

/// Decodes four streams at once, each `N` entries per word, while all of them have space and input
/// for a round.
///
/// The bottleneck is the dependency chain from one entry to the next of a stream; four of them
/// overlap. A word is loaded from the position before the last entry of a round, so that the load
/// is not part of the chain: `N + 1` entries have at most 56 bits.
#[inline(always)]
fn fast_loop<E: Symbols, const LOG: u32, const N: usize, const LEN: usize>(
    table: &[E; LEN],
    streams: &mut [Stream<'_>; 4],
    dst: &mut [u8],
) {
    const { assert!(LEN >= 1 << LOG) };
    let src = longest_of(streams);
    let [a, b, c, d] = &mut *streams;
    let (Some(mut la), Some(mut lb), Some(mut lc), Some(mut ld)) =
        (a.bits.lane(), b.bits.lane(), c.bits.lane(), d.bits.lane())
    else {
        return;
    };
    let (mut ta, mut tb, mut tc, mut td) = (a.at, b.at, c.at, d.at);
    loop {
        let space = |end: usize, at: usize| (end - at).saturating_sub(E::MORE) / (N * E::MOST);
        let rounds = space(a.end, ta)
            .min(space(b.end, tb))
            .min(space(c.end, tc))
            .min(space(d.end, td))
            .min(la.reloads())
            .min(lb.reloads())
            .min(lc.reloads())
            .min(ld.reloads());
        if rounds == 0 {
            break;
        }
        for _ in 0..rounds {
            for _ in 1..N {
                // SAFETY: all rounds together write at most `N * MOST` bytes each, and `MORE`
                // after.
                unsafe { step::<E, LOG, LEN>(table, &mut la, dst, &mut ta) };
                // SAFETY: as above.
                unsafe { step::<E, LOG, LEN>(table, &mut lb, dst, &mut tb) };
                // SAFETY: as above.
                unsafe { step::<E, LOG, LEN>(table, &mut lc, dst, &mut tc) };
                // SAFETY: as above.
                unsafe { step::<E, LOG, LEN>(table, &mut ld, dst, &mut td) };
            }
            // SAFETY: as above; `rounds` is at most `reloads`, and `src` begins like that of each
            // stream.
            unsafe { last_step::<E, LOG, LEN>(table, &mut la, src, dst, &mut ta) };
            // SAFETY: as above.
            unsafe { last_step::<E, LOG, LEN>(table, &mut lb, src, dst, &mut tb) };
            // SAFETY: as above.
            unsafe { last_step::<E, LOG, LEN>(table, &mut lc, src, dst, &mut tc) };
            // SAFETY: as above.
            unsafe { last_step::<E, LOG, LEN>(table, &mut ld, src, dst, &mut td) };
        }
    }
    a.bits.set_lane(la);
    b.bits.set_lane(lb);
    c.bits.set_lane(lc);
    d.bits.set_lane(ld);
    (a.at, b.at, c.at, d.at) = (ta, tb, tc, td);
}

/// The input of the stream that ends last; those of the others are its front.
fn longest_of<'s>(streams: &[Stream<'s>; 4]) -> &'s [u8] {
    let inputs = streams.iter().map(|stream| stream.bits.src());
    inputs.max_by_key(|src| src.len()).unwrap_or_default()
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

/// Decodes one stream symbol by symbol to its end.
#[inline(always)]
fn careful_loop(
    singles: &[u16; SINGLES],
    width: u32,
    stream: &mut Stream<'_>,
    dst: &mut [u8],
) -> Result<(), DecodeError> {
    let part = dst.get_mut(stream.at..stream.end).unwrap_or_default();
    let mut bits = stream.bits;
    // Four codes of at most 12 bits per refill.
    for four in part.chunks_mut(4) {
        bits.refill();
        for to in four {
            let entry = singles.get(bits.peek(width)).copied().unwrap_or(0);
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
