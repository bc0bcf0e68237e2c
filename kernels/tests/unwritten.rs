//! Memory that is not zeroed: the same bytes as in memory that is, and nothing half done.

use std::mem::MaybeUninit;
use std::thread;

use oxiblosc_kernels::unwritten::{Unwritten, append, write_all};
use oxiblosc_kernels::{Isa, Kernels, Plane};

fn noise(len: usize) -> Vec<u8> {
    let mut seed = 9_u32;
    let mut next = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        seed.to_be_bytes()[0]
    };
    (0..len).map(|_| next()).collect()
}

/// Whatever the memory held: the kernels write all of it and show none of it.
#[test]
fn kernels_write_all_and_read_none() {
    for kernels in Isa::ALL.iter().filter_map(|&isa| Kernels::with_isa(isa)) {
        for typesize in [1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 33] {
            for nitems in [0, 1, 2, 7, 8, 15, 16, 31, 33, 64, 100, 127, 300, 1000] {
                let src = noise(nitems * typesize + typesize / 2);
                let mut expected = vec![0; src.len()];
                kernels.unshuffle(typesize, &src, &mut expected);
                let mut of_bits = vec![0; src.len()];
                kernels.bitunshuffle(typesize, &src, &mut of_bits);
                let whole = &src[..nitems * typesize];
                let mut planes: Vec<Plane<'_>> = (0..typesize)
                    .map(|i| Plane::Bytes(&whole[i * nitems..][..nitems]))
                    .collect();
                planes[typesize / 2] = Plane::Constant(7);
                let mut from_planes = vec![0; whole.len()];
                kernels.unshuffle_planes(&planes, &[], &mut from_planes);
                for junk in [0x00, 0xA5, 0xFF] {
                    let mut dst = vec![MaybeUninit::new(junk); src.len()];
                    let write = |dst: Unwritten<'_>| {
                        dst.unshuffle(kernels, typesize, &src);
                        Ok::<(), ()>(())
                    };
                    assert_eq!(write_all(&mut dst, write), Ok(&mut expected[..]));
                    let mut dst = vec![MaybeUninit::new(junk); src.len()];
                    let write = |dst: Unwritten<'_>| {
                        dst.bitunshuffle(kernels, typesize, &src);
                        Ok::<(), ()>(())
                    };
                    assert_eq!(write_all(&mut dst, write), Ok(&mut of_bits[..]));
                    let mut dst = vec![MaybeUninit::new(junk); whole.len()];
                    let write = |dst: Unwritten<'_>| {
                        dst.unshuffle_planes(kernels, &planes);
                        Ok::<(), ()>(())
                    };
                    assert_eq!(write_all(&mut dst, write), Ok(&mut from_planes[..]));
                }
            }
        }
    }
}

#[test]
fn parts_are_written_in_any_order_by_any_thread() {
    let data = noise(10_000);
    let mut bytes = vec![1, 2, 3];
    let done = append(&mut bytes, data.len(), |mut rest| {
        thread::scope(|scope| {
            let mut at = 0;
            while !rest.is_empty() {
                let len = rest.len().min(1 + at % 777);
                let (part, later) = rest.split_at(len);
                let src = &data[at..at + len];
                scope.spawn(move || match at % 3 {
                    0 => {
                        part.copy_from(src);
                    }
                    _ => part.zeroed().copy_from_slice(src),
                });
                (rest, at) = (later, at + len);
            }
            Ok::<(), ()>(())
        })
    });
    assert_eq!(done, Ok(()));
    assert_eq!((&bytes[..3], &bytes[3..]), (&[1, 2, 3][..], &data[..]));
}

#[test]
fn a_failure_leaves_the_vector() {
    let mut bytes = vec![1, 2, 3];
    let failed = append(&mut bytes, 100, |rest| {
        let (front, _) = rest.split_at(50);
        front.fill(9);
        Err("late")
    });
    assert_eq!((failed, &bytes[..]), (Err("late"), &[1, 2, 3][..]));
    assert_eq!(append(&mut bytes, 0, |_| Ok::<(), ()>(())), Ok(()));
    assert_eq!(bytes, [1, 2, 3]);
}

#[test]
#[should_panic = "bytes written, and bytes to write"]
fn less_than_all_is_refused() {
    let _ = append(&mut Vec::new(), 10, |rest| {
        let (front, _) = rest.split_at(9);
        front.zeroed();
        Ok::<(), ()>(())
    });
}
