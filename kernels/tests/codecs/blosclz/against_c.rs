//! Against the C library, when `OXIBLOSC_LIBBLOSC2` names its file.
//!
//! The library does not export its BloscLZ, so streams travel in chunks of one block and one
//! stream: a 32-byte header, one block start, the stream's length, the stream. The capacity of the
//! chunk is the stream's output limit.

use std::ffi::{c_int, c_void};
use std::sync::{Mutex, MutexGuard};

use libloading::{Library, Symbol};
use oxiblosc_kernels::Kernels;
use oxiblosc_kernels::blosclz::{Encoder, decode};

use super::data::{Rng, length, limit, stream};

/// Header, one block start, one stream length.
const OVERHEAD: usize = 40;

type Init = unsafe extern "C" fn();
type SetBlocksize = unsafe extern "C" fn(usize);
type SetCompressor = unsafe extern "C" fn(*const u8) -> c_int;
type Compress =
    unsafe extern "C" fn(c_int, c_int, i32, *const c_void, i32, *mut c_void, i32) -> c_int;
type Decompress = unsafe extern "C" fn(*const c_void, i32, *mut c_void, i32) -> c_int;

/// The library's one global context: used by one test at a time.
static TURN: Mutex<()> = Mutex::new(());

struct C {
    library: Library,
    _turn: MutexGuard<'static, ()>,
}

impl C {
    /// The library, or `None` when none is named.
    fn load() -> Option<Self> {
        let Ok(path) = std::env::var("OXIBLOSC_LIBBLOSC2") else {
            assert!(
                !crate::is_required("c"),
                "OXIBLOSC_REQUIRE lists c, but OXIBLOSC_LIBBLOSC2 is not set"
            );
            println!("SKIPPED: OXIBLOSC_LIBBLOSC2 not set");
            return None;
        };
        let turn = TURN
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        // SAFETY: the named file is C-Blosc2, whose initialisers have no preconditions.
        let library = unsafe { Library::new(path) }.unwrap();
        let c = Self {
            library,
            _turn: turn,
        };
        let init: Symbol<'_, Init> = c.symbol(b"blosc2_init");
        // SAFETY: takes nothing and may be called again.
        unsafe { init() };
        let set_compressor: Symbol<'_, SetCompressor> = c.symbol(b"blosc1_set_compressor");
        // SAFETY: a C string.
        let code = unsafe { set_compressor(c"blosclz".as_ptr().cast()) };
        assert_eq!(code, 0);
        Some(c)
    }

    fn symbol<T>(&self, name: &[u8]) -> Symbol<'_, T> {
        // SAFETY: every caller names the type the library's header declares.
        unsafe { self.library.get(name) }.unwrap()
    }

    /// The stream C makes of `src` within `limit < src.len()` bytes, or of any length below
    /// `src.len()`.
    fn encode(&self, clevel: u8, src: &[u8], limit: usize) -> Option<Vec<u8>> {
        let set_blocksize: Symbol<'_, SetBlocksize> = self.symbol(b"blosc1_set_blocksize");
        // SAFETY: takes a number.
        unsafe { set_blocksize(src.len()) };
        let mut chunk = vec![0; limit + OVERHEAD];
        let compress: Symbol<'_, Compress> = self.symbol(b"blosc2_compress");
        // SAFETY: pointers and lengths of two live buffers.
        let cbytes = unsafe {
            compress(
                c_int::from(clevel),
                0,
                1,
                src.as_ptr().cast(),
                i32::try_from(src.len()).unwrap(),
                chunk.as_mut_ptr().cast(),
                i32::try_from(chunk.len()).unwrap(),
            )
        };
        assert!(cbytes >= 0, "C failed with {cbytes}");
        let cbytes = usize::try_from(cbytes).unwrap();
        // Nothing, a raw copy of the chunk, or a raw copy of the stream: given up.
        if cbytes == 0 || chunk[2] & 2 != 0 {
            return None;
        }
        assert_eq!(
            i32::from_le_bytes(chunk[32..36].try_into().unwrap()),
            36,
            "one block"
        );
        let csize = i32::from_le_bytes(chunk[36..40].try_into().unwrap());
        let csize = usize::try_from(csize).unwrap();
        assert_eq!(OVERHEAD + csize, cbytes);
        (csize < src.len()).then(|| chunk[OVERHEAD..cbytes].to_vec())
    }

    /// The data to which C decodes `stream`, if it is exactly `len` bytes.
    fn decode(&self, stream: &[u8], len: usize) -> Option<Vec<u8>> {
        let (nbytes, cbytes) = (
            i32::try_from(len).unwrap(),
            i32::try_from(stream.len() + OVERHEAD).unwrap(),
        );
        let mut chunk = vec![5, 1, 0x15, 1];
        chunk.extend(nbytes.to_le_bytes());
        chunk.extend(nbytes.to_le_bytes());
        chunk.extend(cbytes.to_le_bytes());
        chunk.resize(32, 0);
        chunk.extend(36_i32.to_le_bytes());
        chunk.extend(i32::try_from(stream.len()).unwrap().to_le_bytes());
        chunk.extend(stream);
        let mut out = vec![0; len];
        let decompress: Symbol<'_, Decompress> = self.symbol(b"blosc2_decompress");
        // SAFETY: pointers and lengths of two live buffers.
        let nbytes = unsafe {
            decompress(
                chunk.as_ptr().cast(),
                cbytes,
                out.as_mut_ptr().cast(),
                nbytes,
            )
        };
        (usize::try_from(nbytes) == Ok(len)).then_some(out)
    }
}

/// Number of random streams; `OXIBLOSC_C_CASES` raises it.
fn cases() -> u64 {
    std::env::var("OXIBLOSC_C_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(1500)
}

#[test]
fn encoder_against_c() {
    let Some(c) = C::load() else { return };
    let mut encoder = Encoder::new(Kernels::best());
    let (mut compared, mut compressed) = (0, 0);
    for case in 0..cases() {
        let mut rng = Rng::new(2_000_000 + case);
        let len = length(&mut rng).max(32);
        let mut src = stream(&mut rng, len);
        // A stream of equal bytes never reaches the codec.
        src[len / 2] = src[0] ^ 1;
        for _ in 0..3 {
            let clevel = u8::try_from(1 + rng.below(9)).unwrap();
            let mut dst = vec![0; len];
            let cbytes = encoder.encode(clevel, &src, &mut dst);
            for limit in [
                len,
                limit(&mut rng, len, cbytes).clamp(1, len),
                limit(&mut rng, len, cbytes).clamp(1, len),
            ] {
                let expected = c.encode(clevel, &src, limit);
                let got = encoder
                    .encode(clevel, &src, &mut dst[..limit])
                    .filter(|&cbytes| cbytes < len);
                assert!(
                    got.map(|cbytes| &dst[..cbytes]) == expected.as_deref(),
                    "case {case}, {len} bytes, level {clevel}, limit {limit}: {got:?} for {:?}",
                    expected.map(|stream| stream.len())
                );
                compared += 1;
                compressed += usize::from(got.is_some());
            }
        }
    }
    println!("encoder: {compared} streams compared with C, {compressed} of them compressible");
    assert!(
        compressed > compared / 3,
        "{compressed} of {compared} compressible"
    );
}

#[test]
fn decoder_against_c() {
    let Some(c) = C::load() else { return };
    let mut encoder = Encoder::new(Kernels::best());
    let (mut compared, mut accepted) = (0, 0);
    for case in 0..cases() {
        let mut rng = Rng::new(3_000_000 + case);
        let len = length(&mut rng).max(66);
        let src = stream(&mut rng, len);
        let mut dst = vec![0; len];
        let Some(cbytes) = encoder.encode(9, &src, &mut dst) else {
            continue;
        };
        for mutations in [0, 1, 1, 1, 3] {
            let mut packed = dst[..cbytes].to_vec();
            for _ in 0..mutations {
                let at = rng.below(packed.len());
                match rng.below(4) {
                    0 => packed[at] = rng.byte(),
                    1 => packed[at] ^= 1 << rng.below(8),
                    2 => packed.truncate(at + 1),
                    _ => packed.insert(at, rng.pick(&[0, 31, 32, 255, 224, 1])),
                }
            }
            // A stream as long as its output is stored raw; a longer one C hands to the codec,
            // readers refuse it.
            if packed.len() >= len {
                continue;
            }
            let limit = if mutations == 3 {
                decode(Kernels::best(), &packed, &mut vec![0; 2 * len])
                    .unwrap_or(len)
                    .max(1)
            } else {
                len
            };
            if packed.len() >= limit {
                continue;
            }
            let expected = c.decode(&packed, limit);
            let mut out = vec![0; limit];
            let got = (decode(Kernels::best(), &packed, &mut out) == Ok(limit)).then_some(out);
            assert!(
                got == expected,
                "case {case}: accepted {} and by C {}",
                got.is_some(),
                expected.is_some()
            );
            compared += 1;
            accepted += usize::from(got.is_some());
        }
    }
    println!("decoder: {compared} streams compared with C, {accepted} of them accepted");
    assert!(
        accepted > compared / 5 && accepted < compared,
        "{accepted} of {compared} accepted"
    );
}
