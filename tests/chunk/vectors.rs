//! Chunks that the real library wrote, byte for byte (format §15).
#![expect(clippy::unwrap_used, reason = "what fails in a test fails the test")]

#[cfg(feature = "lz4")]
use oxiblosc::CodecId;
use oxiblosc::{CParams, ChunkEncoder, FilterSlot, Special, SplitMode, compress, decompress};

/// Bytes from hex; spaces are for reading.
fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text
        .bytes()
        .filter(u8::is_ascii_hexdigit)
        .map(|digit| u8::from_str_radix(&char::from(digit).to_string(), 16).unwrap())
        .collect();
    digits
        .chunks(2)
        .map(|pair| pair[0] << 4 | pair[1])
        .collect()
}

/// The 64 integers 0..63, 4 bytes each.
fn ramp() -> Vec<u8> {
    (0..64_u32).flat_map(u32::to_le_bytes).collect()
}

/// Our bytes are those, and those decode to the data.
fn same(src: &[u8], cparams: &CParams, expected: &str) {
    let expected = hex(expected);
    assert_eq!(compress(src, cparams).unwrap(), expected, "{cparams:?}");
    assert_eq!(decompress(&expected).unwrap(), src);
}

#[test]
fn blosclz_with_shuffle() {
    same(
        &ramp(),
        &CParams::new(4),
        "0501050400010000000100007400000000000000000100000000000000000000 24000000 40000000
         000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
         202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f
         00000000 00000000 00000000",
    );
}

#[test]
fn blosclz_with_bitshuffle() {
    same(
        &ramp(),
        &CParams::new(4).filters([FilterSlot::BITSHUFFLE]),
        "0501150400010000000100005800000000000000000200000000000000000000 24000000 30000000
         28aaaaaaaaaaaaaaaacc800001ccf0800002f000ff8001100000ffff0000
         ffff00000000ffffffff00e0c30002000000",
    );
}

#[test]
#[cfg(feature = "lz4")]
fn lz4_with_delta_and_shuffle() {
    // LZ4 bytes are up to each encoder: these must decode, and ours be no longer.
    let theirs = hex(
        "05012d04000100000001000057000000000000000301010000000000000000002400000023000000
         fb0200010301070103010f010301070103011f10001b3f1000161f100050
         0107010301000000000000000000000000",
    );
    assert_eq!(decompress(&theirs).unwrap(), ramp());
    let cparams = CParams::new(4)
        .codec(CodecId::LZ4)
        .filters([FilterSlot::DELTA, FilterSlot::SHUFFLE]);
    let ours = compress(&ramp(), &cparams).unwrap();
    assert_eq!(
        (&ours[..12], &ours[16..36]),
        (&theirs[..12], &theirs[16..36])
    );
    assert!(ours.len() <= theirs.len());
    assert_eq!(decompress(&ours).unwrap(), ramp());
}

#[test]
fn level_0_copies() {
    let mut expected = hex("0501070400010000000100002001000000000000000100000000000000000000");
    expected.extend(ramp());
    let chunk = compress(&ramp(), &CParams::new(4).clevel(0)).unwrap();
    assert_eq!(chunk, expected);
}

#[test]
fn next_to_nothing_is_copied() {
    let empty = "0501070800000000010000002000000000000000000100000000000000000000";
    same(&[], &CParams::new(8), empty);
    let abc = "0501070103000000030000002300000000000000000100000000000000000000616263";
    same(b"abc", &CParams::new(1), abc);
}

#[test]
fn special_values() {
    let mut encoder = ChunkEncoder::new(CParams::new(8)).unwrap();
    let zeros = encoder.encode_special(Special::Zeros, 40_000).unwrap();
    let expected = hex("05010508409c0000409c00002000000000000000000000000000000000000010");
    assert_eq!(zeros, expected);
    assert_eq!(decompress(&zeros).unwrap(), vec![0; 40_000]);
    let mut encoder = ChunkEncoder::new(CParams::new(4)).unwrap();
    let repeat = encoder.encode_special(Special::Repeat(b"ABCD"), 40_000);
    let expected = hex("05010504409c0000409c00002400000000000000000000000000000000000030 41424344");
    assert_eq!(repeat.unwrap(), expected);
    assert_eq!(decompress(&expected).unwrap(), b"ABCD".repeat(10_000));
}

#[test]
fn a_leftover_block_is_not_split() {
    let src: Vec<u8> = (0..1000_u16).flat_map(|i| (i % 7).to_le_bytes()).collect();
    same(
        &src[..1999],
        &CParams::new(2).blocksize(Some(512)),
        "0501050 2cf070000000200008e00000000000000000100000000000000
         00000030000000470000005e00000075000000
         0f0000002600010203040506e0ed0602010203000000000f000000260405
         0600010203e0ed0602050600000000000f00
         00002601020304050600e0ed060202030400000000150000002605060001
         020304e0d606010400e0db0002000005",
    );
}

#[test]
fn one_byte_runs_have_tokens() {
    // The content of a vlmetalayer: 100 times "x", with the parameters frames use for them.
    let chunk = "0501150864000000600000003200000000000000000100000000000000000000 28000000 2d000000
                 88ffffff01 88ffffff01";
    assert_eq!(decompress(&hex(chunk)).unwrap(), [b'x'; 100]);
    let cparams = CParams::new(8)
        .split_mode(SplitMode::Never)
        .blocksize(Some(96));
    same(&[b'x'; 100], &cparams, chunk);
}

#[test]
fn longer_chunks_have_the_lengths_of_the_library() {
    let mut sum = 0_u32;
    let src: Vec<u8> = (0..50_000_u32)
        .flat_map(|i| {
            sum += i % 13;
            sum.to_le_bytes()
        })
        .collect();
    for (clevel, cbytes, blocksize) in
        [(1, 10_299, 131_072), (5, 8362, 200_000), (9, 8370, 200_000)]
    {
        let chunk = compress(&src, &CParams::new(4).clevel(clevel)).unwrap();
        assert_eq!(chunk.len(), cbytes, "level {clevel}");
        assert_eq!(chunk[8..12], u32::to_le_bytes(blocksize));
        assert_eq!(decompress(&chunk).unwrap(), src);
    }
}
