//! Constants of deflate streams (RFC 1951), shared by [`deflate`](super::deflate) and
//! [`inflate`](super::inflate).

/// Number of literal and length symbols: literals 0 to 255, end of block 256, lengths 257 to 285;
/// the fixed code has two more, which are reserved.
pub(super) const LITLENS: usize = 288;
/// Number of distance symbols: 0 to 29; the fixed code has two more, which are reserved.
pub(super) const DISTS: usize = 32;
/// Number of symbols of the code that describes code lengths.
pub(super) const CODE_LENGTHS: usize = 19;
/// The symbol that ends a block; the literals are the symbols below it.
pub(super) const END_OF_BLOCK: usize = 256;
/// The longest code of a literal, length or distance, in bits.
pub(super) const MAX_CODE_BITS: usize = 15;
/// The longest match, in bytes.
pub(super) const MAX_MATCH: usize = 258;
/// The largest distance, in bytes.
pub(super) const MAX_DISTANCE: usize = 32 << 10;
/// The most bytes of one stored block.
pub(super) const MAX_STORED: usize = 65535;

/// The order in which a block header stores the lengths of the code-length codes.
pub(super) const CODE_LENGTH_ORDER: [usize; CODE_LENGTHS] = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
];

/// Code lengths of the fixed distance code.
pub(super) const FIXED_DISTS: [u8; DISTS] = [5; DISTS];
/// Code lengths of the fixed literal and length code.
pub(super) const FIXED_LITLENS: [u8; LITLENS] = {
    let mut lens = [8; LITLENS];
    let mut symbol = 144;
    while symbol < 280 {
        lens[symbol] = if symbol < END_OF_BLOCK { 9 } else { 7 };
        symbol += 1;
    }
    lens
};

/// Number of extra bits that follow a literal or length symbol.
pub(super) static LITLEN_EXTRA_BITS: [u8; LITLENS] = {
    let mut extra = [0; LITLENS];
    let mut symbol = 265;
    while symbol < 285 {
        extra[symbol] = ((symbol - 257) / 4 - 1).to_le_bytes()[0];
        symbol += 1;
    }
    extra
};

/// Number of extra bits that follow a distance symbol.
pub(super) static DIST_EXTRA_BITS: [u8; DISTS] = {
    let mut extra = [0; DISTS];
    let mut symbol = 4;
    while symbol < DISTS {
        extra[symbol] = (symbol / 2 - 1).to_le_bytes()[0];
        symbol += 1;
    }
    extra
};
