//! The decoder of zlib streams against a naive writer of fixed Huffman codes, and on bad streams.
//!
//! The tests of the root crate compare it with libdeflate and with streams of zlib and zlib-ng.

use oxiblosc_kernels::inflate::Inflate;
use oxiblosc_kernels::{DecodeErrorKind, Kernels};
use proptest::prelude::*;

/// Bases and extra bits of the length codes 257 to 285 (RFC 1951, 3.2.5).
const LENGTHS: [(usize, u32); 29] = [
    (3, 0),
    (4, 0),
    (5, 0),
    (6, 0),
    (7, 0),
    (8, 0),
    (9, 0),
    (10, 0),
    (11, 1),
    (13, 1),
    (15, 1),
    (17, 1),
    (19, 2),
    (23, 2),
    (27, 2),
    (31, 2),
    (35, 3),
    (43, 3),
    (51, 3),
    (59, 3),
    (67, 4),
    (83, 4),
    (99, 4),
    (115, 4),
    (131, 5),
    (163, 5),
    (195, 5),
    (227, 5),
    (258, 0),
];
/// Bases and extra bits of the distance codes.
const DISTANCES: [(usize, u32); 30] = [
    (1, 0),
    (2, 0),
    (3, 0),
    (4, 0),
    (5, 1),
    (7, 1),
    (9, 2),
    (13, 2),
    (17, 3),
    (25, 3),
    (33, 4),
    (49, 4),
    (65, 5),
    (97, 5),
    (129, 6),
    (193, 6),
    (257, 7),
    (385, 7),
    (513, 8),
    (769, 8),
    (1025, 9),
    (1537, 9),
    (2049, 10),
    (3073, 10),
    (4097, 11),
    (6145, 11),
    (8193, 12),
    (12289, 12),
    (16385, 13),
    (24577, 13),
];

/// A stream of one block with the fixed codes, bit by bit.
struct Writer {
    bits: Vec<bool>,
    content: Vec<u8>,
}

impl Writer {
    fn new() -> Self {
        Self {
            bits: vec![true, true, false],
            content: Vec::new(),
        }
    }

    /// Codes go from the highest bit down, everything else from the lowest up.
    fn code(&mut self, code: usize, len: u32) {
        self.bits
            .extend((0..len).rev().map(|bit| code >> bit & 1 == 1));
    }

    fn number(&mut self, number: usize, len: u32) {
        self.bits.extend((0..len).map(|bit| number >> bit & 1 == 1));
    }

    fn symbol(&mut self, symbol: usize) {
        match symbol {
            0..=143 => self.code(0x30 + symbol, 8),
            144..=255 => self.code(0x190 + symbol - 144, 9),
            256..=279 => self.code(symbol - 256, 7),
            _ => self.code(0xC0 + symbol - 280, 8),
        }
    }

    fn literal(&mut self, byte: u8) {
        self.symbol(byte.into());
        self.content.push(byte);
    }

    fn copy(&mut self, distance: usize, len: usize) {
        let at = LENGTHS
            .iter()
            .rposition(|(base, _)| *base <= len)
            .unwrap_or(0);
        self.symbol(257 + at);
        self.number(len - LENGTHS[at].0, LENGTHS[at].1);
        let at = DISTANCES
            .iter()
            .rposition(|(base, _)| *base <= distance)
            .unwrap_or(0);
        self.code(at, 5);
        self.number(distance - DISTANCES[at].0, DISTANCES[at].1);
        for _ in 0..len {
            self.content
                .push(self.content[self.content.len() - distance]);
        }
    }

    /// The stream and its content.
    fn finish(mut self) -> (Vec<u8>, Vec<u8>) {
        self.symbol(256);
        let mut stream = vec![0x78, 0x01];
        stream.extend(self.bits.chunks(8).map(|bits| {
            bits.iter()
                .enumerate()
                .map(|(i, bit)| u8::from(*bit) << i)
                .sum::<u8>()
        }));
        let (mut a, mut b) = (1_u32, 0_u32);
        for byte in &self.content {
            a = (a + u32::from(*byte)) % 65521;
            b = (b + a) % 65521;
        }
        stream.extend((b << 16 | a).to_be_bytes());
        (stream, self.content)
    }
}

#[test]
fn every_distance_repeats_its_bytes() {
    for distance in (1..70).chain([100, 257, 258, 259, 5000]) {
        let mut writer = Writer::new();
        for i in 0_usize..distance {
            writer.literal((i * 7 % 251).to_le_bytes()[0]);
        }
        for len in (3..=258).rev().step_by(5).chain(3..40) {
            writer.copy(distance, len);
        }
        let (stream, content) = writer.finish();
        let mut decoder = Inflate::new(Kernels::best());
        // Capacity after the content changes which copies may write past their match.
        for capacity in [0, 1, 31, 32, 400] {
            let mut dst = vec![0xCC; content.len() + capacity];
            let (len, _) = decoder.decode(&stream, &mut dst).unwrap();
            assert_eq!(
                dst[..len],
                content,
                "distance {distance}, capacity {capacity}"
            );
        }
        assert!(
            decoder
                .decode(&stream, &mut vec![0; content.len() - 1])
                .is_err()
        );
        let mut front = vec![0; content.len() / 2];
        assert_eq!(decoder.decode_prefix(&stream, &mut front), Ok(front.len()));
        assert_eq!(front, content[..front.len()]);
    }
}

#[test]
fn bad_streams_are_named() {
    for (stream, text) in [
        (&b"\x78\x02\x03\x00"[..], "check bits"),
        (b"\x77\x09\x03\x00", "another method"),
        (b"\x78\x20\x03\x00", "preset dictionary"),
        (b"\x78\x01\x07\x00", "kind 3"),
        (b"\x78\x01\x01\x03\x00\xfd\xffabc", "two lengths"),
        (b"\x78\x01\xfd\xff\xff\xff\xff\xff", "286 and 30 codes"),
        (
            b"\x78\x01\x05\xc0\x93\x24\x49\x92\x24\x49\x92\x24\x49\x92",
            "more codes than lengths allow",
        ),
        (
            b"\x78\x01\x05\xc0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
            "fewer codes than lengths need",
        ),
        (
            b"\x78\x01\x05\x00\x00\x00\x00\x00\x00\x00\x00\x00",
            "found no code",
        ),
    ] {
        let error = Inflate::new(Kernels::best())
            .decode(stream, &mut [0; 100])
            .unwrap_err();
        let DecodeErrorKind::Invalid { reason, .. } = error.kind() else {
            panic!("{stream:02x?}: {error}");
        };
        assert!(reason.contains(text), "{stream:02x?}: {error}");
        assert!(error.to_string().contains(text), "{stream:02x?}: {error}");
    }
}

#[test]
fn errors_have_their_offset_and_numbers() {
    let truncated = |needed: usize, available: usize| {
        format!("Truncated {{ needed: {needed}, available: {available} }}")
    };
    let stored = b"\x78\x01\x01\x03\x00\xfc\xffabc\x02\x4d\x01\x27";
    // A match of 3 bytes at distance 1 in front of all content; the end of the block follows.
    let too_far = b"\x78\x01\x03\x02\x00\x00";
    let followed = [&too_far[..], &[0; 40]].concat();
    let distance = || "Distance { distance: 1, history: 0 }".to_owned();
    let overflow = "Overflow { needed: 1, available: 0 }".to_owned();
    let cases: &[(&[u8], usize, usize, String)] = &[
        (b"", 100, 0, truncated(1, 0)),
        (b"\x78", 100, 1, truncated(1, 0)),
        // Inside the two lengths of a stored block, its bytes, and the checksum.
        (&stored[..6], 100, 5, truncated(2, 1)),
        (&stored[..9], 100, 7, truncated(3, 2)),
        (&stored[..7], 100, 7, truncated(3, 0)),
        (&stored[..13], 100, 10, truncated(4, 3)),
        (&stored[..], 2, 10, overflow),
        // Symbol by symbol, and in the loop for large outputs.
        (too_far, 100, 4, distance()),
        (&followed, 1000, 4, distance()),
    ];
    for (stream, capacity, offset, kind) in cases {
        for kernels in Kernels::available() {
            let decoded = Inflate::new(kernels).decode(stream, &mut vec![0; *capacity]);
            let error = decoded.unwrap_err();
            let found = (error.offset(), format!("{:?}", error.kind()));
            let expected = (*offset, kind.clone());
            assert_eq!(found, expected, "{stream:02x?}, {capacity} bytes");
            assert!(error.to_string().starts_with("zlib stream: "), "{error}");
        }
    }
}

/// Literals, and copies as far back as there is something.
fn pieces() -> impl Strategy<Value = Vec<(u8, usize, usize)>> {
    prop::collection::vec((any::<u8>(), 0_usize..2000, 0_usize..=258), 1..300)
}

proptest! {
    #[test]
    fn fixed_codes_decode(pieces in pieces(), capacity in 0_usize..300, wanted in 0_usize..4000) {
        let mut writer = Writer::new();
        for (byte, distance, len) in pieces {
            if len < 3 || distance == 0 || distance > writer.content.len() {
                writer.literal(byte);
            } else {
                writer.copy(distance, len);
            }
        }
        let (stream, content) = writer.finish();
        let mut decoder = Inflate::new(Kernels::best());
        let mut dst = vec![0; content.len() + capacity];
        let (len, _) = decoder.decode(&stream, &mut dst).unwrap();
        prop_assert_eq!(&dst[..len], &content);
        let mut front = vec![0; wanted.min(content.len())];
        prop_assert_eq!(decoder.decode_prefix(&stream, &mut front), Ok(front.len()));
        prop_assert_eq!(&front[..], &content[..front.len()]);
        // Cut anywhere, the stream is refused.
        let cut = wanted % stream.len();
        prop_assert!(decoder.decode(&stream[..cut], &mut dst).is_err());
    }

    /// Random blocks after a good header: an error, or the same bytes for any old content.
    #[test]
    fn noise_never_panics(
        kind in 0_u8..4,
        noise in prop::collection::vec(any::<u8>(), 0..300),
        len in 0_usize..2000,
    ) {
        let mut stream = vec![0x78, 0x01, kind << 1];
        stream.extend(&noise);
        let mut decoder = Inflate::new(Kernels::best());
        let (mut a, mut b) = (vec![0; len], vec![0xFF; len]);
        let first = decoder.decode_prefix(&stream, &mut a);
        let second = decoder.decode_prefix(&stream, &mut b);
        prop_assert_eq!(first, second);
        if let Ok(produced) = first {
            prop_assert_eq!(&a[..produced], &b[..produced]);
        }
    }
}
