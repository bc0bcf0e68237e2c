//! Chunks from and to slices of numbers and records.

use bytemuck::{CheckedBitPattern, NoUninit, checked};

use crate::chunk::{ChunkDecoder, ChunkEncoder, ChunkView};
use crate::error::{Error, Result};
use crate::num::saturating_usize;
use crate::params::CParams;

/// Compresses elements into a chunk ([format §2](crate::format#2)), with the bytes of this machine.
/// The typesize of `cparams` is the size of an element: [`CParams::of::<T>()`](CParams::of).
///
/// ```
/// use oxiblosc::{CParams, compress_slice, decompress_to_vec};
///
/// let numbers: Vec<f64> = (0..1000).map(f64::from).collect();
/// let chunk = compress_slice(&numbers, &CParams::of::<f64>())?;
/// assert!(chunk.len() * 4 < 8000);
/// assert_eq!(decompress_to_vec::<f64>(&chunk)?, numbers);
///
/// let error = decompress_to_vec::<f32>(&chunk).unwrap_err();
/// assert_eq!(error.to_string(), "typesize of the chunk is 8, requested 4");
/// # Ok::<(), oxiblosc::Error>(())
/// ```
///
/// # Errors
/// [`Error::Mismatch`] for another typesize; otherwise as [`ChunkEncoder::new`] and
/// [`ChunkEncoder::encode`].
#[doc(alias = "compress2")]
pub fn compress_slice<T: NoUninit>(src: &[T], cparams: &CParams) -> Result<Vec<u8>> {
    check_typesize::<T>("typesize of the parameters", cparams.typesize)?;
    ChunkEncoder::new(cparams.clone())?.encode(bytemuck::cast_slice(src))
}

/// Decompresses a chunk of at most 1 GiB ([`Limits::UNTRUSTED`](crate::Limits)) to elements, which
/// have the bytes of this machine ([format §2](crate::format#2)).
///
/// Types whose bytes are not all values, such as `bool`, are checked element by element.
///
/// ```
/// use oxiblosc::{CParams, compress, decompress_to_vec};
///
/// let chunk = compress(&[1, 0, 7], &CParams::new(1))?;
/// assert_eq!(decompress_to_vec::<u8>(&chunk)?, [1, 0, 7]);
/// let error = decompress_to_vec::<bool>(&chunk).unwrap_err();
/// assert_eq!(error.to_string(), "element 2: expected a value of type bool, found the bytes 07");
/// # Ok::<(), oxiblosc::Error>(())
/// ```
///
/// # Errors
/// [`Error::Mismatch`] when the chunk has another typesize (of elements larger than 255 bytes it
/// has 1), or no whole number of elements; [`Error::InvalidElement`]; otherwise as
/// [`ChunkDecoder::decode`].
#[doc(alias = "decompress2")]
pub fn decompress_to_vec<T>(chunk: &[u8]) -> Result<Vec<T>>
where
    T: NoUninit + CheckedBitPattern<Bits: NoUninit>,
{
    let mut decoder = ChunkDecoder::default();
    let limits = decoder.dparams().limits;
    let header = *ChunkView::parse(chunk, &limits)?.header();
    let size = size_of::<T>();
    let typesize = usize::from(header.typesize);
    if size <= usize::from(u8::MAX) || typesize != 1 {
        check_typesize::<T>("typesize of the chunk", typesize)?;
    }
    let nbytes = saturating_usize(header.nbytes);
    if nbytes.checked_rem(size) != Some(0) {
        return Err(Error::Mismatch {
            what: "size of the chunk in bytes",
            stored: nbytes.to_string().into(),
            asked: format!("a multiple of {size}").into(),
        });
    }
    limits.check_chunk(header.nbytes.into(), Some(4))?;
    limits.check_alloc(header.nbytes.into(), Some(4))?;
    let mut bits = bytemuck::zeroed_vec::<T::Bits>(nbytes / size);
    decoder.decode_into(chunk, bytemuck::cast_slice_mut(&mut bits))?;
    // For types without other bytes this is no work: the vector stays in place.
    let element = |(index, bits): (usize, T::Bits)| {
        checked::try_cast(bits)
            .map_err(|_| Error::invalid_element::<T>(index, bytemuck::bytes_of(&bits)))
    };
    bits.into_iter().enumerate().map(element).collect()
}

fn check_typesize<T>(what: &'static str, stored: usize) -> Result<()> {
    let size = size_of::<T>();
    if stored == size {
        return Ok(());
    }
    Err(Error::Mismatch {
        what,
        stored: stored.to_string().into(),
        asked: size.to_string().into(),
    })
}
