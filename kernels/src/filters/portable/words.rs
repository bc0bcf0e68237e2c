//! Transpositions inside a few words of 64 bits.
//!
//! Eight words are a square of 8 by 8 bytes, or of 8 by 8 bits in every byte column. Both are
//! transposed by rounds in which halves of pairs of words change places:
//!
//! ```text
//! bytes   high 4 bytes of word i  <-->  low 4 bytes of word i + 4    (then 2 and 1)
//! bits    high 4 bits of each byte of word i  <-->  low 4 bits of those of word i + 4
//! ```
//!
//! A word has its first byte in its lowest bits, on every machine.

/// The word of the 8 bytes from `at` on.
#[inline(always)]
pub(super) fn load(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..].as_chunks().0[0])
}

/// Writes a word to the 8 bytes from `at` on.
#[inline(always)]
pub(super) fn store(word: u64, bytes: &mut [u8], at: usize) {
    bytes[at..].as_chunks_mut().0[0] = word.to_le_bytes();
}

/// Bits of `low` under `mask << SHIFT` change places with those of `high` under `mask`.
#[inline(always)]
fn swap<const SHIFT: u32>(low: &mut u64, high: &mut u64, mask: u64) {
    let differ = ((*low >> SHIFT) ^ *high) & mask;
    *high ^= differ;
    *low ^= differ << SHIFT;
}

/// The upper and the lower 4 bytes.
#[inline(always)]
fn fours(low: &mut u64, high: &mut u64) {
    swap::<32>(low, high, 0x0000_0000_FFFF_FFFF);
}

/// Pairs of bytes.
#[inline(always)]
fn pairs(low: &mut u64, high: &mut u64) {
    swap::<16>(low, high, 0x0000_FFFF_0000_FFFF);
}

/// Single bytes.
#[inline(always)]
fn ones(low: &mut u64, high: &mut u64) {
    swap::<8>(low, high, 0x00FF_00FF_00FF_00FF);
}

/// Runs a round on the pairs of eight words that are 4, 2 or 1 words apart.
macro_rules! round {
    (4, $swap:expr, $a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident) => {
        $swap($a, $e);
        $swap($b, $f);
        $swap($c, $g);
        $swap($d, $h);
    };
    (2, $swap:expr, $a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident) => {
        $swap($a, $c);
        $swap($b, $d);
        $swap($e, $g);
        $swap($f, $h);
    };
    (1, $swap:expr, $a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident) => {
        $swap($a, $b);
        $swap($c, $d);
        $swap($e, $f);
        $swap($g, $h);
    };
}

/// Byte `k` of word `i` becomes byte `i` of word `k`.
#[inline(always)]
pub(super) fn transpose_bytes(mut words: [u64; 8]) -> [u64; 8] {
    let [a, b, c, d, e, f, g, h] = &mut words;
    round!(4, fours, a b c d e f g h);
    round!(2, pairs, a b c d e f g h);
    round!(1, ones, a b c d e f g h);
    words
}

/// Bit `k` of word `i` becomes bit `i` of word `k`, in every byte.
#[inline(always)]
pub(super) fn transpose_bits(mut words: [u64; 8]) -> [u64; 8] {
    let nibbles = |low: &mut u64, high: &mut u64| swap::<4>(low, high, 0x0F0F_0F0F_0F0F_0F0F);
    let pairs = |low: &mut u64, high: &mut u64| swap::<2>(low, high, 0x3333_3333_3333_3333);
    let ones = |low: &mut u64, high: &mut u64| swap::<1>(low, high, 0x5555_5555_5555_5555);
    let [a, b, c, d, e, f, g, h] = &mut words;
    round!(4, nibbles, a b c d e f g h);
    round!(2, pairs, a b c d e f g h);
    round!(1, ones, a b c d e f g h);
    words
}

/// Eight items of 2 bytes to their two planes.
///
/// With `w` for the number of the word and `b2 b1 b0` for that of the byte in it, an item is
/// `w b2 b1` and its byte `b0`. Three exchanges of `w` with a bit of the byte make the byte of the
/// item the number of the word, and the item that of the byte.
#[inline(always)]
pub(super) fn planes_of_2([mut a, mut b]: [u64; 2]) -> [u64; 2] {
    fours(&mut a, &mut b);
    pairs(&mut a, &mut b);
    ones(&mut a, &mut b);
    [a, b]
}

/// The inverse of [`planes_of_2`].
#[inline(always)]
pub(super) fn items_of_2([mut a, mut b]: [u64; 2]) -> [u64; 2] {
    ones(&mut a, &mut b);
    pairs(&mut a, &mut b);
    fours(&mut a, &mut b);
    [a, b]
}

/// Eight items of 4 bytes to their four planes, as [`planes_of_2`].
#[inline(always)]
pub(super) fn planes_of_4([mut a, mut b, mut c, mut d]: [u64; 4]) -> [u64; 4] {
    fours(&mut a, &mut c);
    fours(&mut b, &mut d);
    ones(&mut a, &mut c);
    ones(&mut b, &mut d);
    pairs(&mut a, &mut b);
    pairs(&mut c, &mut d);
    // The bits of the word are the two bits of the byte in the other order.
    [a, c, b, d]
}

/// The inverse of [`planes_of_4`].
#[inline(always)]
pub(super) fn items_of_4([mut a, mut c, mut b, mut d]: [u64; 4]) -> [u64; 4] {
    pairs(&mut a, &mut b);
    pairs(&mut c, &mut d);
    ones(&mut a, &mut c);
    ones(&mut b, &mut d);
    fours(&mut a, &mut c);
    fours(&mut b, &mut d);
    [a, b, c, d]
}
