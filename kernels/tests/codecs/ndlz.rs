//! NDLZ: streams of C-Blosc2 3.3.5 (`data/ndlz_*.bin`), and round trips.

use oxiblosc_kernels::DecodeErrorKind;
use oxiblosc_kernels::ndlz::{Encoder, Side, decode};

const SIDES: [(Side, usize); 2] = [(Side::Four, 4), (Side::Eight, 8)];

/// A generator of 15 bits at a time.
struct Lcg(u32);

impl Lcg {
    fn next(&mut self) -> usize {
        self.0 = self.0.wrapping_mul(1_103_515_245).wrapping_add(12_345) & 0x7FFF_FFFF;
        (self.0 >> 16) as usize
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }
}

/// Rows of cells that are one of `kinds`, or noise one time in five.
fn content(side: usize, [nrows, ncols]: [usize; 2], kinds: usize, lcg: &mut Lcg) -> Vec<u8> {
    let draw = |lcg: &mut Lcg| -> Vec<u8> { (0..side).map(|_| lcg.byte()).collect() };
    let base: Vec<_> = (0..kinds).map(|_| draw(lcg)).collect();
    let mut bytes = Vec::new();
    for _ in 0..nrows {
        for first in (0..ncols).step_by(side) {
            let kind = lcg.next();
            let row = if kind.is_multiple_of(5) {
                draw(lcg)
            } else {
                base[kind % kinds].clone()
            };
            bytes.extend(&row[..side.min(ncols - first)]);
        }
    }
    bytes
}

#[test]
fn streams_of_c_decode() {
    let streams: [&[u8]; 2] = [
        include_bytes!("data/ndlz_4.bin"),
        include_bytes!("data/ndlz_8.bin"),
    ];
    for ((side, len), stream) in SIDES.into_iter().zip(streams) {
        let [nrows, ncols] = [9 * len + 3, 7 * len + 2];
        let seed = u32::try_from(len).unwrap();
        let mut expected = content(len, [nrows, ncols], 6, &mut Lcg(seed));
        for row in len..2 * len {
            expected[row * ncols..row * ncols + len].fill(9);
        }
        let mut decoded = vec![0; expected.len()];
        assert_eq!(decode(side, stream, &mut decoded), Ok(expected.len()));
        assert!(decoded == expected);
        // With another side, or cut anywhere, it is refused.
        let (other, _) = SIDES[usize::from(side == Side::Four)];
        assert!(decode(other, stream, &mut decoded).is_err());
        for cut in 0..stream.len() {
            let error = decode(side, &stream[..cut], &mut decoded).unwrap_err();
            assert!(
                matches!(error.kind(), DecodeErrorKind::Truncated { .. }),
                "{error}"
            );
            assert!(error.offset() <= cut);
        }
        let longer = [stream, &[0]].concat();
        let error = decode(side, &longer, &mut decoded).unwrap_err();
        assert_eq!(error.offset(), stream.len());
        let error = decode(side, stream, &mut decoded[1..]).unwrap_err();
        assert!(
            matches!(error.kind(), DecodeErrorKind::Overflow { .. }),
            "{error}"
        );
    }
}

/// Matches reach what was written and no further.
#[test]
fn distances_are_checked() {
    let mut stream = vec![2, 4, 0, 0, 0, 8, 0, 0, 0, 0];
    stream.extend(0..16);
    let with = |token: u8, distance: u16, rest: &[u8]| {
        [&stream[..], &[token], &distance.to_le_bytes(), rest].concat()
    };
    let mut block = [0; 32];
    assert_eq!(decode(Side::Four, &with(0xC0, 16, &[]), &mut block), Ok(32));
    assert_eq!(block[4..8], [0, 1, 2, 3]);
    assert_eq!(block[28..], [12, 13, 14, 15]);
    // Rows 1 and 3, from the second and third row of the first cell.
    let rows = with(0xB8, 12, &[0xA; 8]);
    assert_eq!(decode(Side::Four, &rows, &mut block), Ok(32));
    assert_eq!(
        [block[4], block[12], block[20], block[28]],
        [0xA, 4, 0xA, 8]
    );
    for (token, distance, offset) in [
        (0xC0, 0, 27),
        (0xC0, 15, 27),
        (0xC0, 18, 27),
        (0x41, 16, 26),
    ] {
        let error = decode(Side::Four, &with(token, distance, &[]), &mut block).unwrap_err();
        assert_eq!(error.offset(), offset, "{error}");
    }
    let edge = [2, 3, 0, 0, 0, 4, 0, 0, 0, 0x40, 1];
    assert_eq!(
        decode(Side::Four, &edge, &mut block).unwrap_err().offset(),
        9
    );
    let negative = [2, 0xFF, 0xFF, 0xFF, 0xFF, 4, 0, 0, 0];
    assert_eq!(
        decode(Side::Four, &negative, &mut block)
            .unwrap_err()
            .offset(),
        1
    );
}

#[test]
fn blocks_come_back() {
    let mut encoder = Encoder::new();
    let mut lcg = Lcg(1);
    let mut shorter = 0;
    for round in 0..400 {
        let (side, len) = SIDES[round % 2];
        let shape = if round % 100 < 2 {
            [300 + lcg.next() % 100, 300 + lcg.next() % 100]
        } else {
            [1 + lcg.next() % 50, 1 + lcg.next() % 50]
        };
        let kinds = 1 + lcg.next() % 30;
        let src = content(len, shape, kinds, &mut lcg);
        // A literal takes a byte more than the cell.
        let cells = shape[0].div_ceil(len) * shape[1].div_ceil(len);
        let mut stream = vec![0; 9 + src.len() + cells];
        let csize = encoder.encode(side, shape, &src, &mut stream).unwrap();
        let mut again = vec![0; csize];
        assert_eq!(
            Encoder::new().encode(side, shape, &src, &mut again),
            Some(csize)
        );
        assert!(again == stream[..csize]);
        assert_eq!(encoder.encode(side, shape, &src, &mut again[1..]), None);
        let mut decoded = vec![0; src.len()];
        assert_eq!(decode(side, &stream[..csize], &mut decoded), Ok(src.len()));
        assert!(decoded == src, "{shape:?}");
        shorter += usize::from(csize < src.len());
    }
    assert!(shorter > 150, "{shorter}");
    assert_eq!(
        encoder.encode(Side::Four, [3, 4], &[0; 13], &mut [0; 90]),
        None
    );
}
