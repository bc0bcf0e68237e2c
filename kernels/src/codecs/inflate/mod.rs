//! A decoder of zlib streams (RFC 1950 and 1951), for what libdeflate does slowly or not at all.
//!
//! ```text
//! zlib stream    CMF FLG | block | block | ... | last block | Adler-32, big-endian
//! block          last? kind | stored bytes, or code lengths and codes, bits from the lowest up
//! code           a literal byte, or a length and then a distance back, or the end of the block
//! ```
//!
//! Streams of shuffled numbers are often a hundred times shorter than their content, above all at
//! their ends, where the high bytes lie: long matches at distances of a few bytes, one after
//! another. libdeflate copies those in steps of the distance, and byte by byte for the last 32
//! bytes of a stream, which then stand for many kilobytes. Here they are copied in steps of 32
//! bytes to the end (`copy::copy_match`). And this decoder can stop at any byte, for readers that
//! want the front of a stream.
//!
//! Speed of decoding what zlib-ng wrote at level 5, as a multiple of zlib-ng's own (medians of
//! paired runs on one core of a Zen 5, streams of 32 KiB and 256 KiB):
//!
//! | content | this | libdeflate |
//! |---|---|---|
//! | ramps and grids, shuffled, 18 to 220 times smaller | 0.98–1.24 | 0.08–0.77 |
//! | timestamps and images, shuffled, 4 to 6 times smaller | 0.97–1.05 | 0.12–0.99 |
//! | records, text, categories, 2 to 9 times smaller | 0.92–1.13 | 1.10–1.45 |
//!
//! What the time goes into is the way from one table entry to the next, and wrong guesses of what kind it
//! is. So the next entry is looked up before its predecessor is written or copied and before the bits are
//! refilled, and kinds are bits to test: 0.91 of libdeflate's speed on literals and 0.88 on short
//! matches, where looking up afterwards gave 0.85 and 0.80 (medians over planes of real and made
//! arrays); from 64 times smaller streams on 2 to 20.
//!
//! Where literals have short codes, an entry holds two of them: 1.2 to 1.4 times as fast on bytes that
//! compress by their frequencies alone (deltas, images), 1.03 in the mean over the streams of the matrix.
#![deny(clippy::indexing_slicing)]

mod bits;
mod copy;
mod table;

use core::fmt;

use crate::Kernels;
#[cfg(target_arch = "x86_64")]
use crate::kernels::Proof;
use bits::Bits;
use table::{Entry, Kind, Table};

/// Why a zlib stream cannot be decoded, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InflateError {
    /// The byte of the stream at which the decoder stands.
    at: usize,
    /// What is wrong there.
    what: &'static str,
}

impl fmt::Display for InflateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "zlib stream, byte {}: {}", self.at, self.what)
    }
}

impl core::error::Error for InflateError {}

/// The order in which the lengths of the code-length codes are stored.
const CODE_LENGTH_ORDER: [usize; 19] = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
];
/// Literals, end of block and lengths.
const MAX_LITLENS: usize = 288;
/// Distances.
const MAX_DISTS: usize = 32;

/// The codes of literals and lengths.
type LitlenTable = Table<11, 8192>;
/// Entries of its root.
const LITLEN_ROOT: usize = 1 << 11;
/// Two literals are looked up at once where that many bytes of the stream are expected to be such pairs,
/// as it takes 2 µs to find out which entries are;
const PAIRED_BYTES: usize = 3000;
/// and where so many entries of the root are. The loop for single literals is 1.05 times as fast otherwise.
const LEAST_PAIRS: usize = LITLEN_ROOT / 4;

/// A decoder of zlib streams: its tables, made once and reused from stream to stream.
///
/// ```
/// use oxiblosc_kernels::{Kernels, inflate::Inflate};
///
/// // A stored block of three bytes.
/// let stream = *b"\x78\x01\x01\x03\x00\xfc\xffabc\x02\x4d\x01\x27";
/// let mut dst = [0; 3];
/// assert_eq!(Inflate::new(Kernels::best()).decode(&stream, &mut dst), Ok((3, 0x024D_0127)));
/// assert_eq!(dst, *b"abc");
/// ```
pub struct Inflate {
    kernels: Kernels,
    litlen: LitlenTable,
    dist: Table<8, 4096>,
    code_lengths: Table<7, 128>,
    /// Whether `litlen` and `dist` hold the fixed codes.
    fixed: bool,
    /// Whether entries of `litlen` may hold two literals.
    paired: bool,
}

impl fmt::Debug for Inflate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inflate").finish_non_exhaustive()
    }
}

impl Inflate {
    /// Makes a decoder; its tables (48 KiB) are the only memory it ever takes.
    #[must_use]
    pub fn new(kernels: Kernels) -> Self {
        Self {
            kernels,
            litlen: Table::new(),
            dist: Table::new(),
            code_lengths: Table::new(),
            fixed: false,
            paired: false,
        }
    }

    /// Decodes the whole stream into the front of `dst` and returns its length and the Adler-32
    /// checksum that the stream gives; the caller compares it. What follows is not looked at.
    ///
    /// The length of `dst` is the output limit; bytes behind those produced may be overwritten.
    ///
    /// # Errors
    /// When the stream is damaged or cut, wants a preset dictionary, or does not fit.
    pub fn decode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(usize, u32), InflateError> {
        let mut bits = Bits::new(src);
        let decoded = self.blocks(&mut bits, dst);
        let at = bits.offset();
        let (produced, ended) = decoded.map_err(|what| InflateError { at, what })?;
        if !ended {
            return Err(InflateError {
                at,
                what: "more content than its output has room for",
            });
        }
        let stored = src.get(at..).and_then(|rest| rest.first_chunk());
        let stored = stored.ok_or(InflateError {
            at,
            what: "cut inside the checksum",
        })?;
        Ok((produced, u32::from_be_bytes(*stored)))
    }

    /// Decodes the front of the stream, as far as `dst` reaches, and returns the length, which is
    /// less only when the stream is shorter. The checksum is not looked at.
    ///
    /// # Errors
    /// When the stream is damaged or cut before that point.
    pub fn decode_prefix(&mut self, src: &[u8], dst: &mut [u8]) -> Result<usize, InflateError> {
        let mut bits = Bits::new(src);
        let decoded = self.blocks(&mut bits, dst);
        decoded.map_or_else(
            |what| {
                Err(InflateError {
                    at: bits.offset(),
                    what,
                })
            },
            |(produced, _)| Ok(produced),
        )
    }

    /// Decodes until the last block ends (true) or `dst` is full and more follows (false).
    fn blocks(
        &mut self,
        bits: &mut Bits<'_>,
        dst: &mut [u8],
    ) -> Result<(usize, bool), &'static str> {
        header(bits)?;
        let mut produced = 0;
        loop {
            bits.refill();
            let last = bits.take(1)? == 1;
            let ended = match bits.take(2)? {
                0 => stored(bits, dst, &mut produced)?,
                1 => {
                    self.fixed_codes()?;
                    self.codes(bits, dst, &mut produced)?
                }
                2 => {
                    self.dynamic_codes(bits)?;
                    self.codes(bits, dst, &mut produced)?
                }
                _ => return Err("a block of kind 3, which does not exist"),
            };
            if !ended {
                return Ok((produced, false));
            }
            if last {
                bits.align();
                return Ok((produced, true));
            }
        }
    }

    /// Sets up the codes that are the same in every stream.
    fn fixed_codes(&mut self) -> Result<(), &'static str> {
        if self.fixed {
            return Ok(());
        }
        let mut lens = [8_u8; MAX_LITLENS];
        for (symbol, len) in lens.iter_mut().enumerate() {
            *len = match symbol {
                144..=255 => 9,
                256..=279 => 7,
                _ => 8,
            };
        }
        self.litlen.build(&lens, table::litlen)?;
        self.dist.build(&[5; MAX_DISTS], table::dist)?;
        self.fixed = true;
        self.paired = false;
        Ok(())
    }

    /// Reads the codes of a block.
    fn dynamic_codes(&mut self, bits: &mut Bits<'_>) -> Result<(), &'static str> {
        self.fixed = false;
        let nlitlens = bits.take(5)? + 257;
        let ndists = bits.take(5)? + 1;
        let ncodes = bits.take(4)? + 4;
        if nlitlens > 286 || ndists > 30 {
            return Err("more codes than there are symbols");
        }
        let mut lens = [0_u8; 19];
        for &symbol in CODE_LENGTH_ORDER.iter().take(ncodes) {
            bits.refill();
            let len = bits.take(3)?;
            if let Some(to) = lens.get_mut(symbol) {
                *to = len.to_le_bytes()[0];
            }
        }
        self.code_lengths.build(&lens, table::code_length)?;
        let mut lens = [0_u8; 286 + 30];
        let lens = lens
            .get_mut(..nlitlens + ndists)
            .ok_or("more codes than there are symbols")?;
        let mut at = 0;
        while at < lens.len() {
            bits.refill();
            let entry = self.code_lengths.look_up(bits);
            bits.skip(entry.len())?;
            let symbol = entry.value();
            let (byte, repeat) = match (entry.kind(), symbol) {
                (Kind::Literal, 0..=15) => (symbol.to_le_bytes()[0], 1),
                (Kind::Literal, 16) => {
                    let before = at.checked_sub(1).and_then(|at| lens.get(at));
                    (
                        *before.ok_or("a repeat of the code length before the first")?,
                        3 + bits.take(2)?,
                    )
                }
                (Kind::Literal, 17) => (0, 3 + bits.take(3)?),
                (Kind::Literal, 18) => (0, 11 + bits.take(7)?),
                _ => return Err("a code length that has no code"),
            };
            let run = lens
                .get_mut(at..at + repeat)
                .ok_or("more code lengths than codes")?;
            run.fill(byte);
            at += repeat;
        }
        let (litlens, dists) = lens.split_at(nlitlens);
        if litlens.get(256) == Some(&0) {
            return Err("a block without a code for its end");
        }
        self.litlen.build(litlens, table::litlen)?;
        let left = bits.left();
        self.paired = left > PAIRED_BYTES && {
            let pairs = LitlenTable::pairs(litlens);
            pairs > LEAST_PAIRS && pairs * left > LITLEN_ROOT * PAIRED_BYTES
        };
        if self.paired {
            self.litlen.pair();
        }
        self.dist.build(dists, table::dist)
    }

    /// Decodes the codes of a block: true at its end, false when `dst` is full before.
    fn codes(
        &self,
        bits: &mut Bits<'_>,
        dst: &mut [u8],
        produced: &mut usize,
    ) -> Result<bool, &'static str> {
        // Copies, which the compiler keeps in registers.
        let (mut at_bits, mut at) = (*bits, *produced);
        let ended = self.run_best(&mut at_bits, dst, &mut at);
        (*bits, *produced) = (at_bits, at);
        ended
    }

    /// [`run`](Self::run) with the bit and vector instructions of the CPU.
    fn run_best(
        &self,
        bits: &mut Bits<'_>,
        dst: &mut [u8],
        produced: &mut usize,
    ) -> Result<bool, &'static str> {
        #[cfg(target_arch = "x86_64")]
        if let Proof::Avx2(_) | Proof::Avx512(_) = self.kernels.proof() {
            // SAFETY: the token proves the instructions.
            return unsafe { self.run_avx2(bits, dst, produced) };
        }
        self.run(bits, dst, produced)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    fn run_avx2(
        &self,
        bits: &mut Bits<'_>,
        dst: &mut [u8],
        produced: &mut usize,
    ) -> Result<bool, &'static str> {
        let (mut at_bits, mut at) = (*bits, *produced);
        let ended = self.run(&mut at_bits, dst, &mut at);
        (*bits, *produced) = (at_bits, at);
        ended
    }

    #[inline(always)]
    fn run(
        &self,
        bits: &mut Bits<'_>,
        dst: &mut [u8],
        produced: &mut usize,
    ) -> Result<bool, &'static str> {
        let ended = if self.paired {
            self.fast_loop::<true>(bits, dst, produced)?
        } else {
            self.fast_loop::<false>(bits, dst, produced)?
        };
        if ended {
            return Ok(true);
        }
        self.careful_loop(bits, dst, produced)
    }

    /// Decodes while six literals and a match fit: true at the end of the block.
    #[inline(always)]
    fn fast_loop<const PAIRED: bool>(
        &self,
        bits: &mut Bits<'_>,
        dst: &mut [u8],
        produced: &mut usize,
    ) -> Result<bool, &'static str> {
        /// What one round can write.
        const ROUND: usize = 6 + 258 + copy::STEP;
        let Some(last) = dst.len().checked_sub(ROUND) else {
            return Ok(false);
        };
        let Some(last_words) = bits.last_words() else {
            return Ok(false);
        };
        let mut at = *produced;
        if at > last || bits.at() > last_words {
            return Ok(false);
        }
        // SAFETY: two words are there.
        unsafe { bits.refill_whole() };
        // Each entry is looked up before the bits are refilled: the way from one to the next is what the
        // time goes into.
        let mut entry = self.litlen.root(bits);
        loop {
            // 56 bits: three entries of at most 11 bits from the root, each one literal or two, and what follows.
            if entry.is_literal() {
                bits.skip_known(entry);
                let second = self.litlen.root(bits);
                // SAFETY: at most six literals behind `last`.
                unsafe { put::<PAIRED>(dst, &mut at, entry) };
                entry = second;
                if second.is_literal() {
                    bits.skip_known(second);
                    let third = self.litlen.root(bits);
                    // SAFETY: at most six literals behind `last`.
                    unsafe { put::<PAIRED>(dst, &mut at, second) };
                    entry = third;
                    if third.is_literal() {
                        bits.skip_known(third);
                        entry = self.litlen.root(bits);
                        // SAFETY: at most six literals behind `last`.
                        unsafe { put::<PAIRED>(dst, &mut at, third) };
                        if at > last || bits.at() > last_words {
                            break;
                        }
                        // SAFETY: two words are there.
                        unsafe { bits.refill_whole() };
                        continue;
                    }
                }
                // SAFETY: the first refill took at most one of two words.
                unsafe { bits.refill_whole() };
            }
            // 56 bits again: a length of at most 15 + 5, a distance of at most 15 + 13.
            let found = self.litlen.resolve(entry, bits);
            if found.is_base() {
                let len = found.with_extra(bits);
                bits.skip_known(found);
                let far = self.dist.look_up(bits);
                if !far.is_base() {
                    return Err(NO_DISTANCE);
                }
                let distance = far.with_extra(bits);
                bits.skip_known(far);
                if distance > at {
                    return Err(TOO_FAR);
                }
                debug_assert!(len <= 258);
                let target = at;
                at += len;
                let more = at <= last && bits.at() <= last_words;
                if more {
                    // What comes next is found before the copy, whose branches are hard to foresee.
                    // SAFETY: two words are there.
                    unsafe { bits.refill_whole() };
                    entry = self.litlen.root(bits);
                }
                // SAFETY: the distance is 1 to `target`; behind at most six literals there is room for
                // a match of 258 bytes and a step.
                unsafe { copy::copy_match(dst, target, distance, len) };
                if !more {
                    break;
                }
                continue;
            }
            bits.skip_known(found);
            match found.kind() {
                // SAFETY: at most six literals behind `last`.
                Kind::Literal => unsafe { put::<PAIRED>(dst, &mut at, found) },
                Kind::End => {
                    *produced = at;
                    return Ok(true);
                }
                _ => return Err(NO_LITLEN),
            }
            if at > last || bits.at() > last_words {
                break;
            }
            // SAFETY: two words are there.
            unsafe { bits.refill_whole() };
            entry = self.litlen.root(bits);
        }
        *produced = at;
        Ok(false)
    }

    /// Decodes symbol by symbol: true at the end of the block, false when `dst` is full before.
    #[inline(never)]
    fn careful_loop(
        &self,
        bits: &mut Bits<'_>,
        dst: &mut [u8],
        produced: &mut usize,
    ) -> Result<bool, &'static str> {
        loop {
            bits.refill();
            let entry = self.litlen.look_up(bits);
            match entry.kind() {
                Kind::Literal => {
                    bits.skip(entry.code_len())?;
                    let Some(to) = dst.get_mut(*produced) else {
                        return Ok(false);
                    };
                    *to = entry.byte();
                    *produced += 1;
                }
                Kind::Base => {
                    let len = entry.with_extra(bits);
                    bits.skip(entry.len())?;
                    let entry = self.dist.look_up(bits);
                    if entry.kind() != Kind::Base {
                        return Err(NO_DISTANCE);
                    }
                    let distance = entry.with_extra(bits);
                    bits.skip(entry.len())?;
                    if distance > *produced {
                        return Err(TOO_FAR);
                    }
                    let end = dst.len().min(*produced + len);
                    copy::copy_match_near_end(dst, *produced, distance, end - *produced);
                    let fits = end - *produced == len;
                    *produced = end;
                    if !fits {
                        return Ok(false);
                    }
                }
                Kind::End => {
                    bits.skip(entry.len())?;
                    return Ok(true);
                }
                Kind::Sub | Kind::None => return Err(NO_LITLEN),
            }
        }
    }
}

const NO_LITLEN: &str = "a literal or length that has no code";
const NO_DISTANCE: &str = "a distance that has no code";
const TOO_FAR: &str = "a match from before the content";

/// Writes one literal or two.
///
/// # Safety
///
/// There is room for two.
#[inline(always)]
unsafe fn put<const PAIRED: bool>(dst: &mut [u8], at: &mut usize, literals: Entry) {
    debug_assert!(*at + 2 <= dst.len());
    if !PAIRED {
        // SAFETY: the caller's promise.
        unsafe { *dst.get_unchecked_mut(*at) = literals.byte() };
        *at += 1;
        return;
    }
    let to = dst.as_mut_ptr().wrapping_add(*at).cast::<[u8; 2]>();
    // SAFETY: the caller's promise; arrays of bytes have no alignment.
    unsafe { to.write(literals.bytes()) };
    *at += literals.literals();
}

/// Reads the two bytes before the blocks.
fn header(bits: &mut Bits<'_>) -> Result<(), &'static str> {
    bits.refill();
    let method = bits.take(8)?;
    let flags = bits.take(8)?;
    if (method * 256 + flags) % 31 != 0 {
        return Err("the header's check bits are wrong");
    }
    if method & 15 != 8 || method >> 4 > 7 {
        return Err("another method than deflate with a window of at most 32 KiB");
    }
    if flags & 32 != 0 {
        return Err("a preset dictionary is asked for, and there is none");
    }
    Ok(())
}

/// Copies a stored block: true at its end, false when `dst` is full before.
fn stored(bits: &mut Bits<'_>, dst: &mut [u8], produced: &mut usize) -> Result<bool, &'static str> {
    bits.align();
    bits.refill();
    let len = bits.take(16)?;
    if len ^ bits.take(16)? != 0xFFFF {
        return Err("the two lengths of a stored block differ");
    }
    let from = bits.take_bytes(len).ok_or("cut inside a stored block")?;
    let to = dst.get_mut(*produced..).unwrap_or_default();
    let fits = len.min(to.len());
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
    *produced += fits;
    Ok(fits == len)
}
