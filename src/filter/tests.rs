//! Filters against bytes of C-Blosc2, against their definitions, and on hostile parameters.

use oxiblosc_kernels::Kernels;
use proptest::prelude::*;

use super::find::find;
use super::*;
use crate::registry::Registry;

#[cfg(feature = "bytedelta")]
mod steps;

/// A context as the pipeline makes it for a block in the middle of nothing.
fn context(slot: FilterSlot, typesize: usize) -> FilterContext<'static> {
    FilterContext {
        meta: slot.meta,
        typesize,
        version: 5,
        block: 0,
        offset: 0,
        reference: None,
        b2nd: None,
        kernels: Kernels::best(),
    }
}

fn forward(id: FilterId, cx: &FilterContext<'_>, src: &[u8]) -> Result<Vec<u8>, BoxError> {
    let mut dst = vec![0xA5; src.len()];
    find(None, id).unwrap().forward(cx, src, &mut dst)?;
    Ok(dst)
}

fn backward(id: FilterId, cx: &FilterContext<'_>, src: &[u8]) -> Result<Vec<u8>, BoxError> {
    let mut dst = vec![0x5A; src.len()];
    find(None, id).unwrap().backward(cx, src, &mut dst)?;
    Ok(dst)
}

/// Twelve bytes of the generator of [format §15](crate::format#15) with seed 42, repeated.
fn bytes(len: usize) -> Vec<u8> {
    let mut state = 42_u64;
    let period: Vec<u8> = std::iter::repeat_with(|| {
        state = (1_103_515_245 * state + 12345) % (1 << 31);
        (state >> 16).to_le_bytes()[0]
    })
    .take(12)
    .collect();
    period.into_iter().cycle().take(len).collect()
}

/// Eight times the bytes 0 to 15, then zeros.
fn count(len: usize) -> Vec<u8> {
    let counted = (0..8).flat_map(|_| 0_u8..16);
    counted.chain(std::iter::repeat(0)).take(len).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The content of a `b2nd` metalayer with this blockshape (and the same shape and chunkshape).
fn metalayer(blockshape: &[i32]) -> Vec<u8> {
    let ndim = u8::try_from(blockshape.len()).unwrap();
    let mut bytes = vec![0x97, 0, ndim, 0x90 + ndim];
    for n in blockshape {
        bytes.push(0xD3);
        bytes.extend(i64::from(*n).to_be_bytes());
    }
    for _ in 0..2 {
        bytes.push(0x90 + ndim);
        for n in blockshape {
            bytes.push(0xD2);
            bytes.extend(n.to_be_bytes());
        }
    }
    bytes.extend([0, 0xDB, 0, 0, 0, 3]);
    bytes.extend(b"<f4");
    bytes
}

/// Filter outputs of C-Blosc2 3.3.5, from the Python below. The block is compressed, the
/// pipeline in the chunk is then set to zeros, so that decompressing leaves the filter's output.
///
/// ```python
/// def filtered(data, typesize, filter, meta):
///     cparams = dict(codec=blosc2.Codec.ZSTD, clevel=9, typesize=typesize, filters=[filter],
///                    filters_meta=[meta], nthreads=1)
///     chunk = blosc2.SChunk(chunksize=len(data), data=data, cparams=cparams).get_chunk(0)
///     return blosc2.decompress2(chunk[:16] + bytes(6) + chunk[22:24] + bytes(6) + chunk[30:])
/// ```
type Vector = (fn(usize) -> Vec<u8>, usize, FilterSlot, usize, &'static str);

#[rustfmt::skip]
const VECTORS: &[Vector] = &[
    (bytes, 90, FilterSlot::new(FilterId::SHUFFLE, 0), 2, "89a5206d615489a5206d615489a5206d615489a5206d615489a5206d615489a5206d615489a5206d615489a520897545848112897545848112897545848112897545848112897545848112897545848112897545848112897545"),
    (bytes, 90, FilterSlot::new(FilterId::SHUFFLE, 0), 3, "89756d8189756d8189756d8189756d8189756d8189756d8189756d818975892084548920845489208454892084548920845489208454892084548920a5456112a5456112a5456112a5456112a5456112a5456112a5456112a545"),
    (bytes, 90, FilterSlot::new(FilterId::SHUFFLE, 0), 4, "8920618920618920618920618920618920618920618989458189458189458189458189458189458189458189a56d54a56d54a56d54a56d54a56d54a56d54a56d54a5758412758412758412758412758412758412758412752045"),
    (bytes, 90, FilterSlot::new(FilterId::SHUFFLE, 0), 12, "8989898989898989898989898989a5a5a5a5a5a5a57575757575757520202020202020454545454545456d6d6d6d6d6d6d84848484848484616161616161618181818181818154545454545454121212121212128989a5752045"),
    (bytes, 88, FilterSlot::new(FilterId::SHUFFLE, 2), 4, "89a5206d615489a5206d615489a5206d615489a5206d615489a5206d615489a5206d615489a5206d615489a58975458481128975458481128975458481128975458481128975458481128975458481128975458481128975"),
    (bytes, 88, FilterSlot::new(FilterId::SHUFFLE, 5), 4, "8945547561896d122081a5848945547561896d122081a5848945547561896d122081a5848945547561896d122081a5848945547561896d122081a5848945547561896d122081a5848945547561896d122081a5848989a575"),
    (count, 133, FilterSlot::new(FilterId::BITSHUFFLE, 0), 1, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaccccccccccccccccccccccccccccccccf0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f000ff00ff00ff00ff00ff00ff00ff00ff000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"),
    (count, 133, FilterSlot::new(FilterId::BITSHUFFLE, 0), 2, "0000000000000000aaaaaaaaaaaaaaaaccccccccccccccccf0f0f0f0f0f0f0f00000000000000000000000000000000000000000000000000000000000000000ffffffffffffffffaaaaaaaaaaaaaaaaccccccccccccccccf0f0f0f0f0f0f0f000000000000000000000000000000000000000000000000000000000000000000000000000"),
    (count, 133, FilterSlot::new(FilterId::BITSHUFFLE, 0), 3, "aaaaaaaaaa6666666666b4b4b4b4b438c738c73800000000000000000000000000000000000000005555555555cccccccccc969696969618e718e7180000000000000000000000000000000000000000aaaaaaaaaa9999999999d2d2d2d2d21ce31ce31c000000000000000000000000000000000000000008090a0b0c0d0e0f0000000000"),
    (count, 133, FilterSlot::new(FilterId::BITSHUFFLE, 0), 4, "0000000000000000aaaaaaaacccccccc00000000000000000000000000000000ffffffff00000000aaaaaaaacccccccc0000000000000000000000000000000000000000ffffffffaaaaaaaacccccccc00000000000000000000000000000000ffffffffffffffffaaaaaaaacccccccc000000000000000000000000000000000000000000"),
    (count, 133, FilterSlot::new(FilterId::BITSHUFFLE, 0), 8, "000000000000aaaa0000000000000000ffff00000000aaaa00000000000000000000ffff0000aaaa0000000000000000ffffffff0000aaaa000000000000000000000000ffffaaaa0000000000000000ffff0000ffffaaaa00000000000000000000ffffffffaaaa0000000000000000ffffffffffffaaaa00000000000000000000000000"),
    (bytes, 96, FilterSlot::new(FilterId::DELTA, 0), 1, "89002cd0556528e9e5e0d5469b002cd0556528e9e5e0d5469b002cd0556528e9e5e0d5469b002cd0556528e9e5e0d5469b002cd0556528e9e5e0d5469b002cd0556528e9e5e0d5469b002cd0556528e9e5e0d5469b002cd0556528e9e5e0d546"),
    (bytes, 96, FilterSlot::new(FilterId::DELTA, 0), 2, "89892cfc85304dc10c053593dd9b2cfc85304dc10c053593dd9b2cfc85304dc10c053593dd9b2cfc85304dc10c053593dd9b2cfc85304dc10c053593dd9b2cfc85304dc10c053593dd9b2cfc85304dc10c053593dd9b2cfc85304dc10c053593"),
    (bytes, 96, FilterSlot::new(FilterId::DELTA, 0), 4, "8989a575a9ccc8f141c43996e808f167a9ccc8f141c43996e808f167a9ccc8f141c43996e808f167a9ccc8f141c43996e808f167a9ccc8f141c43996e808f167a9ccc8f141c43996e808f167a9ccc8f141c43996e808f167a9ccc8f141c43996"),
    (bytes, 96, FilterSlot::new(FilterId::DELTA, 0), 8, "8989a57520456d84e808f167a9ccc8f141c43996e808f167a9ccc8f141c43996e808f167a9ccc8f141c43996e808f167a9ccc8f141c43996e808f167a9ccc8f141c43996e808f167a9ccc8f141c43996e808f167a9ccc8f141c43996e808f167"),
    (bytes, 96, FilterSlot::new(FilterId::DELTA, 0), 12, "89002cd0556528e9e5e0d5469b002cd0556528e9e5e0d5469b002cd0556528e9e5e0d5469b002cd0556528e9e5e0d5469b002cd0556528e9e5e0d5469b002cd0556528e9e5e0d5469b002cd0556528e9e5e0d5469b002cd0556528e9e5e0d546"),
    (bytes, 96, FilterSlot::new(FilterId::DELTA, 0), 16, "8989a57520456d84e808f167a9ccc8f141c43996e808f167a9ccc8f141c43996e808f167a9ccc8f141c43996e808f167a9ccc8f141c43996e808f167a9ccc8f141c43996e808f167a9ccc8f141c43996e808f167a9ccc8f141c43996e808f167"),
    (bytes, 96, FilterSlot::new(FilterId::TRUNC_PREC, 10), 4, "0080a57500406d84008054120080a57500406d84008054120080a57500406d84008054120080a57500406d84008054120080a57500406d84008054120080a57500406d84008054120080a57500406d84008054120080a57500406d8400805412"),
    (bytes, 96, FilterSlot::new(FilterId::TRUNC_PREC, 246), 4, "0088a57500446d84008054120088a57500446d84008054120088a57500446d84008054120088a57500446d84008054120088a57500446d84008054120088a57500446d84008054120088a57500446d84008054120088a57500446d8400805412"),
    (bytes, 96, FilterSlot::new(FilterId::TRUNC_PREC, 234), 4, "000080750000408400004012000080750000408400004012000080750000408400004012000080750000408400004012000080750000408400004012000080750000408400004012000080750000408400004012000080750000408400004012"),
    (bytes, 96, FilterSlot::new(FilterId::TRUNC_PREC, 20), 8, "0000000020456d84000000008989a57500000000618154120000000020456d84000000008989a57500000000618154120000000020456d84000000008989a57500000000618154120000000020456d84000000008989a5750000000061815412"),
    (bytes, 96, FilterSlot::new(FilterId::TRUNC_PREC, 226), 8, "0000004020456d84000000008989a57500000080618154120000004020456d84000000008989a57500000080618154120000004020456d84000000008989a57500000080618154120000004020456d84000000008989a5750000008061815412"),
    (bytes, 96, FilterSlot::new(FilterId::INT_TRUNC, 3), 1, "8080a06020406080608040008080a06020406080608040008080a06020406080608040008080a06020406080608040008080a06020406080608040008080a06020406080608040008080a06020406080608040008080a0602040608060804000"),
    (bytes, 96, FilterSlot::new(FilterId::INT_TRUNC, 253), 1, "8888a07020406880608050108888a07020406880608050108888a07020406880608050108888a07020406880608050108888a07020406880608050108888a07020406880608050108888a07020406880608050108888a0702040688060805010"),
    (bytes, 96, FilterSlot::new(FilterId::INT_TRUNC, 5), 2, "008800700040008000800010008800700040008000800010008800700040008000800010008800700040008000800010008800700040008000800010008800700040008000800010008800700040008000800010008800700040008000800010"),
    (bytes, 96, FilterSlot::new(FilterId::INT_TRUNC, 247), 2, "008800740044008400800012008800740044008400800012008800740044008400800012008800740044008400800012008800740044008400800012008800740044008400800012008800740044008400800012008800740044008400800012"),
    (bytes, 96, FilterSlot::new(FilterId::INT_TRUNC, 20), 4, "0080a57500406d84008054120080a57500406d84008054120080a57500406d84008054120080a57500406d84008054120080a57500406d84008054120080a57500406d84008054120080a57500406d84008054120080a57500406d8400805412"),
    (bytes, 96, FilterSlot::new(FilterId::INT_TRUNC, 216), 8, "0000000000456d84000000000089a57500000000008154120000000000456d84000000000089a57500000000008154120000000000456d84000000000089a57500000000008154120000000000456d84000000000089a5750000000000815412"),
    (bytes, 88, FilterSlot::new(FilterId::BYTEDELTA, 4), 4, "89001cd0ab252817dd20d3be77001cd0ab252817dd2054be77001cd0ab252817dd20d3be77001cd0ab2528176120d3be77001cd0ab252817dd20d3be77001cd0ab256d17dd20d3be77001cd0ab252817dd20d3be77001cd0"),
    (bytes, 88, FilterSlot::new(FilterId::BYTEDELTA, 5), 4, "89001cd0ab252817dd20d3be77001cd0ab452817dd20d3be77001cd0ab252817dd2054be77001cd0ab252817dd20d3be77001c75ab252817dd20d3be77001cd0ab2528176120d3be77001cd0ab252817dd20d3be7789a575"),
];

#[test]
fn forward_gives_the_bytes_of_c() {
    for (input, len, slot, typesize, expected) in VECTORS {
        if !cfg!(feature = "bytedelta") && slot.id == FilterId::BYTEDELTA {
            continue;
        }
        let src = input(*len);
        for kernels in Kernels::available() {
            let cx = FilterContext {
                kernels,
                ..context(*slot, *typesize)
            };
            let dst = forward(slot.id, &cx, &src).unwrap();
            assert_eq!(
                hex(&dst),
                *expected,
                "{slot:?}, typesize {typesize}, {kernels:?}"
            );
            let back = backward(slot.id, &cx, &dst).unwrap();
            let lossless = find(None, slot.id).unwrap().is_lossless();
            assert_eq!(
                back,
                if lossless { src.clone() } else { dst },
                "{slot:?} backward"
            );
        }
    }
}

/// Blocks of `i % 7` as floats, and the output of C-Blosc2 3.3.5: shape, side, typesize,
/// filter, floats. Made as above from `blosc2.asarray(a, chunks=a.shape, blocks=a.shape)`.
type NdVector = (&'static [i32], u8, usize, FilterId, &'static str);

#[rustfmt::skip]
const ND_VECTORS: &[NdVector] = &[
    (&[6, 7], 3, 4, FilterId::NDCELL, "0 1 2 0 1 2 0 1 2 3 4 5 3 4 5 3 4 5 6 6 6 0 1 2 0 1 2 0 1 2 3 4 5 3 4 5 3 4 5 6 6 6"),
    (&[6, 7], 3, 4, FilterId::NDMEAN, "1 1 1 1 1 1 1 1 1 4 4 4 4 4 4 4 4 4 6 6 6 1 1 1 1 1 1 1 1 1 4 4 4 4 4 4 4 4 4 6 6 6"),
    (&[5, 4, 3], 2, 4, FilterId::NDCELL, "0 1 3 4 5 6 1 2 2 5 0 3 6 0 2 3 4 5 0 1 1 4 6 2 3 4 6 0 1 2 4 5 5 1 3 6 2 3 5 6 0 1 3 4 4 0 2 5 6 0 2 3 1 4 5 6 1 2 0 3"),
    (&[5, 4, 3], 2, 4, FilterId::NDMEAN, "2.75 2.75 2.75 2.75 2.75 2.75 2.75 2.75 2.5 2.5 2.5 2.5 2.625 2.625 2.625 2.625 2.625 2.625 2.625 2.625 3.25 3.25 3.25 3.25 3.125 3.125 3.125 3.125 3.125 3.125 3.125 3.125 3.75 3.75 3.75 3.75 3 3 3 3 3 3 3 3 2.75 2.75 2.75 2.75 2.75 2.75 2.75 2.75 2.5 2.5 3.5 3.5 3.5 3.5 1.5 1.5"),
    (&[2, 3, 2, 3], 2, 4, FilterId::NDCELL, "0 1 3 4 6 0 2 3 4 5 0 1 3 4 6 0 2 5 1 4 6 2 5 1 5 6 1 2 2 3 5 6 0 3 4 0"),
    (&[2, 3, 2, 3], 2, 4, FilterId::NDMEAN, "2.625 2.625 2.625 2.625 2.625 2.625 2.625 2.625 2.625 2.625 2.625 2.625 2.625 2.625 2.625 2.625 3.25 3.25 3.25 3.25 3.25 3.25 3.25 3.25 3.75 3.75 3.75 3.75 3.75 3.75 3.75 3.75 1.75 1.75 1.75 1.75"),
    (&[4, 5], 2, 8, FilterId::NDCELL, "0 1 5 6 2 3 0 1 4 2 3 4 1 2 5 6 3 4 0 5"),
    (&[4, 5], 2, 8, FilterId::NDMEAN, "3 3 3 3 1.5 1.5 1.5 1.5 3 3 2.5 2.5 2.5 2.5 4.5 4.5 4.5 4.5 2.5 2.5"),
];

fn floats(typesize: usize, values: impl Iterator<Item = f64>) -> Vec<u8> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "small numbers, exact in f32"
    )]
    let single = |value: f64| (value as f32).to_le_bytes();
    if typesize == 4 {
        values.flat_map(single).collect()
    } else {
        values.flat_map(f64::to_le_bytes).collect()
    }
}

#[test]
fn cells_are_those_of_c() {
    for (shape, side, typesize, id, expected) in ND_VECTORS {
        let nitems: i32 = shape.iter().product();
        let src = floats(*typesize, (0..nitems).map(|i| f64::from(i % 7)));
        let expected = floats(
            *typesize,
            expected.split(' ').map(|value| value.parse().unwrap()),
        );
        let b2nd = metalayer(shape);
        let slot = FilterSlot::new(*id, *side);
        let cx = FilterContext {
            b2nd: Some(&b2nd),
            ..context(slot, *typesize)
        };
        let dst = forward(*id, &cx, &src).unwrap();
        assert_eq!(dst, expected, "{id} of {shape:?}, side {side}");
        let back = backward(*id, &cx, &dst).unwrap();
        if *id == FilterId::NDCELL {
            assert_eq!(back, src, "{shape:?}");
        } else {
            let again = forward(FilterId::NDCELL, &cx, &back).unwrap();
            assert_eq!(again, dst, "{shape:?}");
        }
    }
}

/// Cells by their definition: sort the positions by cell, then by place within the cell.
fn cell_order(shape: &[usize], side: usize) -> Vec<usize> {
    let nitems: usize = shape.iter().product();
    let mut order: Vec<(Vec<usize>, Vec<usize>, usize)> = (0..nitems)
        .map(|flat| {
            let mut rest = flat;
            let mut index: Vec<usize> = shape
                .iter()
                .rev()
                .map(|n| {
                    let i = rest % n;
                    rest /= n;
                    i
                })
                .collect();
            index.reverse();
            (index.iter().map(|i| i / side).collect(), index, flat)
        })
        .collect();
    order.sort();
    order.into_iter().map(|(_, _, flat)| flat).collect()
}

/// A shape of 1 to 4 dimensions, a side, a typesize.
fn cells() -> impl Strategy<Value = (Vec<usize>, usize, usize)> {
    (
        prop::collection::vec(1_usize..7, 1..5),
        1_usize..6,
        1_usize..10,
    )
}

proptest! {
    #[test]
    fn ndcell_is_the_order_of_cells((shape, side, typesize) in cells()) {
        let nitems: usize = shape.iter().product();
        let src: Vec<u8> = (0..nitems * typesize).map(|i| (i % 251).to_le_bytes()[0]).collect();
        let blockshape: Vec<i32> = shape.iter().map(|&n| i32::try_from(n).unwrap()).collect();
        let b2nd = metalayer(&blockshape);
        let slot = FilterSlot::new(FilterId::NDCELL, u8::try_from(side).unwrap());
        let cx = FilterContext { b2nd: Some(&b2nd), ..context(slot, typesize) };
        let dst = forward(slot.id, &cx, &src);
        if side.pow(u32::try_from(shape.len()).unwrap()) > nitems {
            prop_assert!(dst.is_err());
        } else {
            let items: Vec<&[u8]> = src.chunks_exact(typesize).collect();
            let expected: Vec<u8> =
                cell_order(&shape, side).into_iter().flat_map(|at| items[at].to_vec()).collect();
            let dst = dst.unwrap();
            prop_assert_eq!(&dst, &expected);
            prop_assert_eq!(backward(slot.id, &cx, &dst).unwrap(), src);
        }
    }

    /// Whatever the parameters, a filter ends with an error or fills its whole output, the same
    /// whatever was there before.
    #[test]
    fn hostile_parameters_never_panic(
        id in prop::sample::select(vec![1_u8, 2, 3, 4, 32, 33, 34, 35, 36]),
        meta: u8,
        typesize in prop_oneof![0_usize..20, 250_usize..300],
        version in 0_u8..7,
        src in prop::collection::vec(any::<u8>(), 0..400),
        short in -3_isize..3,
        reference in prop::option::of(prop::collection::vec(any::<u8>(), 0..500)),
        shape in prop::collection::vec(
            prop_oneof![0_i32..9, Just(i32::MAX), Just(i32::MIN), any::<i32>()], 1..10),
        cut in 0_usize..200,
        has_b2nd: bool,
    ) {
        let mut b2nd = metalayer(&shape);
        b2nd.truncate(cut.max(3));
        let id = FilterId::new(id);
        let cx = FilterContext {
            version,
            reference: reference.as_deref(),
            b2nd: has_b2nd.then_some(&b2nd),
            ..context(FilterSlot::new(id, meta), typesize)
        };
        let Some(filter) = find(None, id) else { return Ok(()) };
        let len = src.len().saturating_add_signed(short.min(0)).max(short.unsigned_abs());
        let (mut a, mut b) = (vec![0; len], vec![0xFF; len]);
        for (first, second) in [
            (filter.forward(&cx, &src, &mut a), filter.forward(&cx, &src, &mut b)),
            (filter.backward(&cx, &src, &mut a), filter.backward(&cx, &src, &mut b)),
        ] {
            prop_assert_eq!(first.is_ok(), second.is_ok());
            if first.is_ok() {
                prop_assert_eq!(&a, &b);
                prop_assert_eq!(len, src.len());
            }
        }
    }
}

#[test]
fn ndmean_refuses_what_c_would_misplace() {
    let slot = FilterSlot::new(FilterId::NDMEAN, 3);
    for (shape, refused) in [
        ([2, 4], true),
        ([2, 3], false),
        ([3, 9], false),
        ([4, 2], false),
    ] {
        let b2nd = metalayer(&shape);
        let cx = FilterContext {
            b2nd: Some(&b2nd),
            ..context(slot, 4)
        };
        let src = vec![0; usize::try_from(shape[0] * shape[1] * 4).unwrap()];
        assert_eq!(forward(slot.id, &cx, &src).is_err(), refused, "{shape:?}");
        assert!(backward(slot.id, &cx, &src).is_ok(), "{shape:?}");
    }
}

#[test]
fn a_blockshape_of_another_length_is_named_in_the_error() {
    let b2nd = metalayer(&[6, 7]);
    let slot = FilterSlot::new(FilterId::NDCELL, 3);
    let cx = FilterContext {
        b2nd: Some(&b2nd),
        ..context(slot, 4)
    };
    let text = forward(slot.id, &cx, &[0; 100]).unwrap_err().to_string();
    assert!(
        text.contains("100 bytes") && text.contains("[6, 7]"),
        "{text}"
    );
    let missing = forward(slot.id, &context(slot, 4), &[0; 168])
        .unwrap_err()
        .to_string();
    assert!(missing.contains("b2nd metalayer"), "{missing}");
}

#[test]
fn blosc1_bitshuffles_all_items_or_none() {
    let slot = FilterSlot::BITSHUFFLE;
    for (len, untouched) in [(64, false), (67, false), (68, true), (12, true)] {
        let src = bytes(len);
        let cx = FilterContext {
            version: 2,
            ..context(slot, 4)
        };
        let dst = forward(slot.id, &cx, &src).unwrap();
        assert_eq!(dst == src, untouched, "{len} bytes");
        assert_eq!(backward(slot.id, &cx, &dst).unwrap(), src, "{len} bytes");
    }
}

#[test]
fn delta_against_a_reference_is_an_xor_up_to_the_last_element() {
    let reference = bytes(67);
    let src = count(61);
    for (typesize, width) in [(1, 1), (2, 2), (3, 1), (4, 4), (8, 8), (12, 1), (24, 8)] {
        let covered = src.len() / width * width;
        let expected: Vec<u8> = src
            .iter()
            .enumerate()
            .map(|(i, byte)| {
                if i < covered {
                    byte ^ reference[i]
                } else {
                    *byte
                }
            })
            .collect();
        let cx = FilterContext {
            reference: Some(&reference),
            ..context(FilterSlot::DELTA, typesize)
        };
        let dst = forward(FilterId::DELTA, &cx, &src).unwrap();
        assert_eq!(dst, expected, "typesize {typesize}");
        assert_eq!(
            backward(FilterId::DELTA, &cx, &dst).unwrap(),
            src,
            "typesize {typesize}"
        );
    }
    let cx = FilterContext {
        reference: Some(&src),
        ..context(FilterSlot::DELTA, 4)
    };
    assert!(forward(FilterId::DELTA, &cx, &reference).is_err());
}

#[test]
fn truncations_refuse_what_the_format_forbids() {
    for (id, typesize, bits, allowed) in [
        (FilterId::TRUNC_PREC, 4, 23_i8, true),
        (FilterId::TRUNC_PREC, 4, 24, false),
        (FilterId::TRUNC_PREC, 4, 0, false),
        (FilterId::TRUNC_PREC, 4, -22, true),
        (FilterId::TRUNC_PREC, 4, -23, false),
        (FilterId::TRUNC_PREC, 8, -51, true),
        (FilterId::TRUNC_PREC, 2, 1, false),
        (FilterId::INT_TRUNC, 1, 8, true),
        (FilterId::INT_TRUNC, 1, 0, false),
        (FilterId::INT_TRUNC, 1, -8, false),
        (FilterId::INT_TRUNC, 8, -63, true),
        (FilterId::INT_TRUNC, 8, i8::MIN, false),
        (FilterId::INT_TRUNC, 3, 1, false),
    ] {
        let cx = context(FilterSlot::new(id, bits.cast_unsigned()), typesize);
        assert_eq!(
            forward(id, &cx, &bytes(48)).is_ok(),
            allowed,
            "{id} {typesize} {bits}"
        );
    }
}

#[cfg(feature = "bytedelta")]
#[test]
fn the_faulty_bytedelta_is_read_and_not_written() {
    let slot = FilterSlot::new(FilterId::BYTEDELTA_BUGGY, 4);
    let src = bytes(4 * 37 + 3);
    let mut stored = src.clone();
    for plane in 0..4 {
        for i in (plane * 37..(plane + 1) * 37).rev() {
            // The state is 0 at the start of a plane and again at its last multiple of 16.
            if i % 37 != 0 && i % 37 != 32 {
                stored[i] = src[i].wrapping_sub(src[i - 1]);
            }
        }
    }
    let cx = context(slot, 4);
    assert_eq!(backward(slot.id, &cx, &stored).unwrap(), src);
    assert!(forward(slot.id, &cx, &src).is_err());
}

#[test]
fn a_registered_filter_comes_before_a_built_in_one() {
    #[derive(Debug)]
    struct Mine(FilterId);
    impl Filter for Mine {
        fn id(&self) -> FilterId {
            self.0
        }
        fn name(&self) -> &str {
            "mine"
        }
        fn forward(&self, _: &FilterContext<'_>, _: &[u8], _: &mut [u8]) -> Result<(), BoxError> {
            Ok(())
        }
        fn backward(&self, _: &FilterContext<'_>, _: &[u8], _: &mut [u8]) -> Result<(), BoxError> {
            Ok(())
        }
    }
    let registry = Registry::new()
        .with_filter(Mine(FilterId::NDCELL))
        .unwrap()
        .with_filter(Mine(FilterId::new(200)))
        .unwrap();
    let name = |id| find(Some(&registry), id).map(Filter::name);
    assert_eq!(name(FilterId::NDCELL), Some("mine"));
    assert_eq!(name(FilterId::new(200)), Some("mine"));
    assert_eq!(name(FilterId::SHUFFLE), Some("shuffle"));
    assert_eq!(name(FilterId::new(201)), None);
    assert_eq!(name(FilterId::new(7)), None);
    assert_eq!(name(FilterId::NONE), None);
    assert!(Registry::new().with_filter(Mine(FilterId::DELTA)).is_err());
}
