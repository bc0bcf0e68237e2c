//! LZ4 against the reference library inside C-Blosc2, in both directions.
//!
//! Runs when `OXIBLOSC_LIBBLOSC2` names the library, which exports the LZ4 it contains; otherwise
//! it prints that it is skipped, or fails when `OXIBLOSC_REQUIRE` lists `c`.
#![expect(clippy::unwrap_used, reason = "a test stops on the first surprise")]
#![expect(clippy::print_stdout, reason = "a skipped test says so")]

use std::ffi::{c_int, c_void};
use std::mem::ManuallyDrop;

use crate::is_required;
use crate::lz4_common::contents;
use libloading::{Library, Symbol};
use oxiblosc_kernels::Kernels;
use oxiblosc_kernels::lz4;

/// The library; it stays loaded, since other tests may be inside it.
struct Reference(ManuallyDrop<Library>);

fn int(n: usize) -> c_int {
    c_int::try_from(n).unwrap()
}

/// The library, or `None` with a note.
fn reference() -> Option<Reference> {
    let Some(path) = std::env::var_os("OXIBLOSC_LIBBLOSC2") else {
        assert!(
            !is_required("c"),
            "OXIBLOSC_REQUIRE lists c, but OXIBLOSC_LIBBLOSC2 is not set"
        );
        println!("SKIPPED: OXIBLOSC_LIBBLOSC2 does not name the C library");
        return None;
    };
    // SAFETY: a library without initialisers of note.
    let library = unsafe { Library::new(path) }.unwrap();
    Some(Reference(ManuallyDrop::new(library)))
}

impl Reference {
    fn get<T>(&self, name: &str) -> Symbol<'_, T> {
        // SAFETY: each caller gives the public signature of `name`.
        unsafe { self.0.get(name.as_bytes()) }.unwrap()
    }

    fn decode(&self, src: &[u8], dict: &[u8], dst: &mut [u8]) -> Option<usize> {
        type F = unsafe extern "C" fn(*const u8, *mut u8, c_int, c_int, *const u8, c_int) -> c_int;
        let f: Symbol<'_, F> = self.get("LZ4_decompress_safe_usingDict");
        // SAFETY: three buffers with their lengths.
        let n = unsafe {
            f(
                src.as_ptr(),
                dst.as_mut_ptr(),
                int(src.len()),
                int(dst.len()),
                dict.as_ptr(),
                int(dict.len()),
            )
        };
        usize::try_from(n).ok()
    }

    fn encode(&self, name: &str, level: c_int, src: &[u8]) -> Vec<u8> {
        type F = unsafe extern "C" fn(*const u8, *mut u8, c_int, c_int, c_int) -> c_int;
        let f: Symbol<'_, F> = self.get(name);
        let mut dst = vec![0; lz4::max_stream_len(src.len())];
        // SAFETY: two buffers with their lengths.
        let n = unsafe {
            f(
                src.as_ptr(),
                dst.as_mut_ptr(),
                int(src.len()),
                int(dst.len()),
                level,
            )
        };
        dst.truncate(usize::try_from(n).unwrap());
        dst
    }

    fn encode_with_dict(&self, dict: &[u8], src: &[u8]) -> Vec<u8> {
        type Create = unsafe extern "C" fn() -> *mut c_void;
        type Free = unsafe extern "C" fn(*mut c_void) -> c_int;
        type Load = unsafe extern "C" fn(*mut c_void, *const u8, c_int) -> c_int;
        type Continue =
            unsafe extern "C" fn(*mut c_void, *const u8, *mut u8, c_int, c_int, c_int) -> c_int;
        let create: Symbol<'_, Create> = self.get("LZ4_createStream");
        let free: Symbol<'_, Free> = self.get("LZ4_freeStream");
        let load: Symbol<'_, Load> = self.get("LZ4_loadDict");
        let more: Symbol<'_, Continue> = self.get("LZ4_compress_fast_continue");
        let mut dst = vec![0; lz4::max_stream_len(src.len())];
        // SAFETY: makes an object.
        let stream = unsafe { create() };
        // SAFETY: a live stream, and a buffer with its length.
        unsafe { load(stream, dict.as_ptr(), int(dict.len())) };
        // SAFETY: a live stream, and two buffers with their lengths.
        let n = unsafe {
            more(
                stream,
                src.as_ptr(),
                dst.as_mut_ptr(),
                int(src.len()),
                int(dst.len()),
                1,
            )
        };
        // SAFETY: a live stream, not used again.
        unsafe { free(stream) };
        dst.truncate(usize::try_from(n).unwrap());
        dst
    }
}

const LENGTHS: [usize; 16] = [
    0, 1, 5, 12, 13, 14, 17, 40, 64, 100, 300, 4096, 65_535, 65_537, 131_072, 300_000,
];

#[test]
fn the_reference_decodes_ours() {
    let Some(c) = reference() else { return };
    let mut encoder = lz4::Encoder::new(Kernels::best());
    let mut hc = lz4::HcEncoder::new(Kernels::best());
    for len in LENGTHS {
        for (kind, src) in contents(len) {
            let mut dst = vec![0; lz4::max_stream_len(len)];
            let mut back = vec![0xEE; len];
            for level in [1, 2, 3, 5, 9, 12] {
                let n = hc.encode(level, &src, &mut dst).unwrap();
                assert_eq!(
                    c.decode(&dst[..n], &[], &mut back),
                    Some(len),
                    "{kind}, {len}"
                );
                assert!(back == src, "hc {level}, {kind}, {len}");
            }
            for acceleration in 1..=9 {
                let n = encoder.encode(acceleration, &src, &mut dst).unwrap();
                assert_eq!(
                    c.decode(&dst[..n], &[], &mut back),
                    Some(len),
                    "{kind}, {len}"
                );
                assert!(back == src, "fast {acceleration}, {kind}, {len}");
            }
        }
    }
}

#[test]
fn ours_decodes_the_reference() {
    let Some(c) = reference() else { return };
    for len in LENGTHS {
        for (kind, src) in contents(len) {
            let mut back = vec![0xEE; len];
            for (name, levels) in [
                ("LZ4_compress_fast", [1, 5, 9]),
                ("LZ4_compress_HC", [1, 4, 9]),
                ("LZ4_compress_HC", [2, 10, 12]),
            ] {
                // The reference's HC reads before it looks at the length.
                if src.is_empty() && name == "LZ4_compress_HC" {
                    continue;
                }
                for level in levels {
                    let stream = c.encode(name, level, &src);
                    back.fill(0xEE);
                    assert_eq!(
                        lz4::decode(Kernels::best(), &stream, &mut back),
                        Ok(len),
                        "{name} {level}, {kind}"
                    );
                    assert!(back == src, "{name} {level}, {kind}, {len}");
                }
            }
        }
    }
}

#[test]
fn dictionaries_both_ways() {
    let Some(c) = reference() else { return };
    let mut encoder = lz4::Encoder::new(Kernels::best());
    for (dict_len, len) in [(100, 500), (1000, 10), (32_768, 8192), (70_000, 90_000)] {
        for (kind, both) in contents(dict_len + len) {
            let (dict, src) = both.split_at(dict_len);
            let mut back = vec![0xEE; len];
            let mut dst = vec![0; lz4::max_stream_len(len)];
            let n = encoder.encode_with_dict(1, dict, src, &mut dst).unwrap();
            assert_eq!(
                c.decode(&dst[..n], dict, &mut back),
                Some(len),
                "{kind}, {len}"
            );
            assert!(back == src, "{kind}, {len}");
            let stream = c.encode_with_dict(dict, src);
            back.fill(0xEE);
            assert_eq!(
                lz4::decode_with_dict(Kernels::best(), &stream, dict, &mut back),
                Ok(len),
                "{kind}, {len}"
            );
            assert!(back == src, "{kind}, {len}");
        }
    }
}
