//! The codecs of arrays: streams as they come, and valid ones that are damaged.

use oxiblosc_kernels::ndlz::{self, Side};
use oxiblosc_kernels::zfp::{self, Float, Precision};

use crate::codecs::{damaged, twice};
use crate::dice::Dice;
use crate::make::data_of;

/// See `fuzz_targets/ndlz_decode.rs`.
pub fn ndlz_decode(input: &[u8]) {
    let dice = &mut Dice::new(input);
    let (side, len) = dice.pick(&[(Side::Four, 4), (Side::Eight, 8)]);
    let mut nbytes = usize::from(dice.u16()) % 5000;
    let stream = if dice.flag() {
        let shape = [dice.below(70), dice.below(70)];
        nbytes = shape[0] * shape[1];
        let mut src = data_of(dice, len, nbytes);
        src.resize(nbytes, 7);
        let mut stream = vec![0; 2 * nbytes + 100];
        let csize = ndlz::Encoder::new().encode(side, shape, &src, &mut stream);
        stream.truncate(csize.expect("capacity enough"));
        let decoded = twice(nbytes, |dst| ndlz::decode(side, &stream, dst));
        assert_eq!(decoded, Ok(src));
        damaged(dice, stream)
    } else {
        dice.rest().to_vec()
    };
    let decoded = twice(nbytes, |dst| ndlz::decode(side, &stream, dst));
    let Ok(block) = decoded else {
        return;
    };
    // What decodes has a shape, and codes to no more than its literals take.
    let [rows, columns] = [1, 5].map(|at| {
        let len = stream[at..at + 4].try_into().expect("four bytes");
        usize::try_from(i32::from_le_bytes(len)).expect("a length")
    });
    let mut again = vec![0; 9 + block.len() + rows.div_ceil(len) * columns.div_ceil(len)];
    let csize = ndlz::Encoder::new().encode(side, [rows, columns], &block, &mut again);
    let again = &again[..csize.expect("capacity enough")];
    assert_eq!(
        twice(nbytes, |dst| ndlz::decode(side, again, dst)),
        Ok(block)
    );
}

/// See `fuzz_targets/zfp_decode.rs`.
pub fn zfp_decode(input: &[u8]) {
    let dice = &mut Dice::new(input);
    let (float, size) = dice.pick(&[(Float::F32, 4), (Float::F64, 8)]);
    let ndim = 1 + dice.below(4);
    let most = [200, 16, 10, 7][ndim - 1];
    let shape: Vec<usize> = (0..ndim).map(|_| dice.below(most)).collect();
    let precision = match dice.below(3) {
        0 => Precision::accuracy(dice.byte().cast_signed()),
        1 => Precision::planes(dice.byte().into()),
        _ => Precision::rate(dice.byte(), float, ndim),
    };
    let nbytes = size * shape.iter().product::<usize>();
    let decode = |stream: &[u8]| {
        twice(nbytes, |dst| {
            zfp::decode(&precision, float, &shape, stream, dst).map(|()| nbytes)
        })
    };
    let stream = if dice.flag() {
        let mut src = data_of(dice, size, nbytes);
        src.resize(nbytes, 7);
        // A value takes 3 bits per plane at most.
        let cells: usize = shape.iter().map(|len| len.div_ceil(4)).product();
        let mut stream = vec![0; cells * (24 << (2 * ndim)) + 100];
        let Some(csize) = zfp::encode(&precision, float, &shape, &src, &mut stream) else {
            return;
        };
        stream.truncate(csize);
        decode(&stream).expect("our own stream");
        damaged(dice, stream)
    } else {
        dice.rest().to_vec()
    };
    let Ok(floats) = decode(&stream) else {
        return;
    };
    // A stream ends with its last word.
    assert!(stream.len().is_multiple_of(8));
    if let Some(shorter) = stream.len().checked_sub(8) {
        assert!(decode(&stream[..shorter]).is_err());
    }
    assert_eq!(floats.len(), nbytes);
}
