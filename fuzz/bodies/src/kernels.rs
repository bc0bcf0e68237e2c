//! The kernels of every level against the scalar ones, between canaries.

use oxiblosc_kernels::{Isa, Kernels, Plane, int_trunc_zeroed_bits, trunc_prec_zeroed_bits};

use crate::dice::Dice;
use crate::make::data_of;

const GUARD: usize = 128;

/// Runs a kernel on a destination at an offset into a larger buffer; nothing around it changes.
fn guarded(len: usize, offset: usize, fill: &[u8], kernel: impl FnOnce(&mut [u8])) -> Vec<u8> {
    let canary = |at: usize| (at * 13 + 0x5A).to_le_bytes()[0];
    let before = GUARD + offset;
    let mut buffer: Vec<u8> = (0..before + len + GUARD).map(canary).collect();
    buffer[before..before + fill.len()].copy_from_slice(fill);
    kernel(&mut buffer[before..before + len]);
    for (at, &byte) in buffer.iter().enumerate() {
        let inside = (before..before + len).contains(&at);
        assert!(
            inside || byte == canary(at),
            "byte {at} outside was written"
        );
    }
    buffer[before..before + len].to_vec()
}

/// See `fuzz_targets/kernels.rs`.
pub fn kernels(input: &[u8]) {
    let dice = &mut Dice::new(input);
    let typesize = 1 + dice.below(256);
    let (offset, from) = (dice.below(64), dice.below(64));
    let len = usize::from(dice.u16()) % 20_000;
    let which = dice.below(17);
    let bits = i8::from_le_bytes([dice.byte()]);
    let with_reference = dice.flag();
    let mask = dice.u16();
    // The source begins at any offset, too.
    let source = data_of(dice, 1, from + len);
    let src = &source[from..];
    let reference: Vec<u8> = src.iter().rev().copied().collect();
    let reference = with_reference.then_some(reference.as_slice());
    let n = len / typesize;
    let planes: Vec<Plane<'_>> = (0..typesize)
        .map(|j| match mask >> (j % 16) & 1 {
            1 => Plane::Constant(j.to_le_bytes()[0]),
            _ => Plane::Bytes(&src[j * n..(j + 1) * n]),
        })
        .collect();
    let tail = &src[typesize * n..];
    let bits = bits % 53;
    let wide = typesize.next_power_of_two().min(8);
    let floats = if typesize.is_multiple_of(2) { 4 } else { 8 };
    let run = |kernels: Kernels| -> (Vec<u8>, Vec<Option<u8>>) {
        let mut constants = Vec::new();
        let call = |fill: &[u8], kernel: &mut dyn FnMut(&mut [u8])| {
            guarded(len, offset, fill, |dst| kernel(dst))
        };
        let dst = match which {
            0 => call(&[], &mut |dst| kernels.shuffle(typesize, src, dst)),
            1 => call(&[], &mut |dst| {
                constants = vec![Some(0xAA); typesize];
                kernels.shuffle_report(typesize, src, dst, &mut constants);
            }),
            2 => call(&[], &mut |dst| kernels.unshuffle(typesize, src, dst)),
            3 => call(&[], &mut |dst| kernels.unshuffle_planes(&planes, tail, dst)),
            4 => call(&[], &mut |dst| kernels.bitshuffle(typesize, src, dst)),
            5 => call(&[], &mut |dst| kernels.bitunshuffle(typesize, src, dst)),
            6 => call(&[], &mut |dst| {
                kernels.bitunshuffle_planes(&planes, tail, dst);
            }),
            7 => call(&[], &mut |dst| {
                kernels.delta_encode(typesize, reference, src, dst);
            }),
            8 => call(src, &mut |dst| {
                kernels.delta_decode(typesize, reference, dst);
            }),
            9 => call(&[], &mut |dst| kernels.bytedelta_encode(typesize, src, dst)),
            10 => call(&[], &mut |dst| kernels.bytedelta_decode(typesize, src, dst)),
            11 => call(&[], &mut |dst| {
                kernels.bytedelta_decode_buggy(typesize, src, dst);
            }),
            12 => call(&[], &mut |dst| {
                kernels.shuffle_bytedelta(typesize, src, dst);
            }),
            13 => call(&[], &mut |dst| {
                kernels.unshuffle_bytedelta(typesize, src, dst);
            }),
            14 => call(&[], &mut |dst| {
                kernels.unshuffle_bytedelta_planes(&planes, tail, dst);
            }),
            15 => call(&[], &mut |dst| {
                if trunc_prec_zeroed_bits(floats, bits).is_some() {
                    kernels.trunc_prec(floats, bits, src, dst);
                }
                let half = dst.len() / 2;
                if int_trunc_zeroed_bits(wide, bits).is_some() {
                    kernels.int_trunc(wide, bits, &src[..half], &mut dst[..half]);
                }
            }),
            _ => {
                let item = &src[..typesize.min(len)];
                constants = vec![kernels.repeated_byte(src)];
                if !item.is_empty() {
                    let whole = &src[..len / item.len() * item.len()];
                    constants.push(Some(u8::from(kernels.is_repeat_of(item, whole))));
                }
                Vec::new()
            }
        };
        (dst, constants)
    };
    let scalar = Kernels::with_isa(Isa::Scalar).expect("the scalar level");
    let expected = run(scalar);
    for kernels in Kernels::available() {
        assert!(run(kernels) == expected, "{} differs", kernels.isa());
    }
    inverses(scalar, typesize, src, reference);
}

/// Each inverse kernel undoes its kernel.
fn inverses(kernels: Kernels, typesize: usize, src: &[u8], reference: Option<&[u8]>) {
    let mut there = vec![0; src.len()];
    let mut back = vec![0; src.len()];
    kernels.shuffle(typesize, src, &mut there);
    kernels.unshuffle(typesize, &there, &mut back);
    assert_eq!(back, src);
    kernels.bitshuffle(typesize, src, &mut there);
    kernels.bitunshuffle(typesize, &there, &mut back);
    assert_eq!(back, src);
    kernels.bytedelta_encode(typesize, src, &mut there);
    kernels.bytedelta_decode(typesize, &there, &mut back);
    assert_eq!(back, src);
    let mut planes = vec![0; src.len()];
    kernels.shuffle(typesize, src, &mut planes);
    kernels.bytedelta_encode(typesize, &planes, &mut there);
    kernels.shuffle_bytedelta(typesize, src, &mut back);
    assert_eq!(back, there);
    kernels.unshuffle_bytedelta(typesize, &there, &mut back);
    assert_eq!(back, src);
    kernels.delta_encode(typesize, reference, src, &mut there);
    kernels.delta_decode(typesize, reference, &mut there);
    assert_eq!(there, src);
}
