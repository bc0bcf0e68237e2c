//! The functions that HDF5 calls: before a dataset is made, and for each chunk.

use std::ffi::{c_int, c_uint, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::TryLockError;

use super::Filter;
use super::buffer::Buffer;
use super::hdf5::{Hdf5, Hid};
use super::report::report;
use crate::error::{Error, Result};

/// `H5Z_can_apply_func_t`.
pub(super) type CanApply = unsafe extern "C" fn(Hid, Hid, Hid) -> c_int;

/// `H5Z_set_local_func_t`.
pub(super) type SetLocal = unsafe extern "C" fn(Hid, Hid, Hid) -> c_int;

/// `H5Z_func_t`.
pub(super) type Run = unsafe extern "C" fn(
    c_uint,
    usize,
    *const c_uint,
    usize,
    *mut usize,
    *mut *mut c_void,
) -> usize;

/// The dataset can do without the filter (`H5Z_FLAG_OPTIONAL`): a chunk that it leaves as it is
/// is stored uncompressed.
const OPTIONAL: c_uint = 0x0001;

/// The chunk is being read (`H5Z_FLAG_REVERSE`).
const REVERSE: c_uint = 0x0100;

/// The most filters that wait with their buffers.
const MOST_IDLE: usize = 16;

/// Stores typesize, chunk size and chunkshape with a dataset that is being made. Returns a negative
/// number when it cannot, with a message on HDF5's error stack.
///
/// # Safety
/// Called by HDF5 with valid identifiers of the list of properties, the type and the space.
pub(super) unsafe extern "C" fn set_local<F: Filter>(
    dcpl: Hid,
    datatype: Hid,
    _space: Hid,
) -> c_int {
    let done = catch_unwind(|| {
        let hdf5 = Hdf5::of_caller()?;
        let (given, chunk) = (hdf5.cd_values(dcpl, F::ID)?, hdf5.chunk(dcpl)?);
        let typesize = hdf5.typesize(datatype)?;
        let dataset = crate::Dataset {
            typesize,
            chunk: &chunk,
        };
        let values = F::cd_values(&given, &dataset).map_err(|error| error.to_string())?;
        hdf5.set_cd_values(dcpl, F::ID, &values)
    });
    match done.unwrap_or_else(|_| Err("internal error".to_owned())) {
        Ok(()) => 1,
        Err(message) => {
            report::<F>("set_local", &message);
            -1
        }
    }
}

/// Compresses or decompresses a chunk, and returns the length of the result in `*buf`; 0 when it
/// cannot, with a message on the error stack, or when an optional filter would lengthen the data.
///
/// # Safety
/// `cd_values` points to `cd_nelmts` numbers, `*buf` to `*buf_size` bytes from `malloc`, of which
/// `nbytes` are the chunk. They stay the caller's; a new `*buf` is the caller's to free.
pub(super) unsafe extern "C" fn run<F: Filter>(
    flags: c_uint,
    cd_nelmts: usize,
    cd_values: *const c_uint,
    nbytes: usize,
    buf_size: *mut usize,
    buf: *mut *mut c_void,
) -> usize {
    let done = catch_unwind(AssertUnwindSafe(|| {
        if buf.is_null() || buf_size.is_null() {
            return Err("no buffer".to_owned());
        }
        // SAFETY: not null, and the caller's to read.
        let start = unsafe { buf.read() };
        // SAFETY: as above.
        let capacity = unsafe { buf_size.read() };
        if start.is_null() || nbytes > capacity {
            return Err(format!(
                "a chunk of {nbytes} bytes in a buffer of {capacity}"
            ));
        }
        let values = match cd_values.is_null() {
            true => &[],
            // SAFETY: the caller states `cd_nelmts` numbers.
            false => unsafe { std::slice::from_raw_parts(cd_values, cd_nelmts) },
        };
        // SAFETY: the first `nbytes` of the buffer are the chunk.
        let input = unsafe { std::slice::from_raw_parts(start.cast::<u8>().cast_const(), nbytes) };
        let mut filter = take::<F>();
        let result = if flags & REVERSE == 0 {
            let mandatory = flags & OPTIONAL == 0;
            encode(&mut filter, input, values, F::ID, mandatory).map(Output::Bytes)
        } else {
            decode(&mut filter, input, values)
        };
        give_back(filter);
        Ok((result.map_err(|error| error.to_string())?, start, capacity))
    }));
    match done.unwrap_or_else(|_| Err("internal error".to_owned())) {
        Ok((output, start, capacity)) => {
            // SAFETY: `buf` and `buf_size` were checked above, `start` and `capacity` read there.
            unsafe { hand_over(output, start, capacity, buf_size, buf) }
        }
        Err(message) => {
            report::<F>(
                if flags & REVERSE == 0 {
                    "encode"
                } else {
                    "decode"
                },
                &message,
            );
            0
        }
    }
}

/// The result of a call.
enum Output {
    /// Compressed bytes; none when the chunk is to be stored as it is.
    Bytes(Vec<u8>),
    /// Decompressed bytes.
    Memory(Buffer, usize),
}

fn encode<F: Filter>(
    filter: &mut F,
    data: &[u8],
    values: &[u32],
    id: u32,
    mandatory: bool,
) -> Result<Vec<u8>> {
    let chunk = filter.encode(data, values)?;
    // What the original filters do: 32001 gives up, 32026 stores frames that are longer.
    let keep = chunk.len() <= data.len() || mandatory || id == crate::Blosc2::ID;
    Ok(if keep { chunk } else { Vec::new() })
}

fn decode<F: Filter>(filter: &mut F, chunk: &[u8], values: &[u32]) -> Result<Output> {
    let mut memory = None;
    let mut claim = |len: usize| {
        let buffer = Buffer::new(len).ok_or(Error::OutOfMemory { nbytes: len })?;
        // SAFETY: the buffer is kept in `memory` until the call is over, and claimed once.
        let bytes = unsafe { buffer.bytes() };
        memory = Some(buffer);
        Ok(bytes)
    };
    let len = filter.decode_with(chunk, values, &mut claim)?.len();
    match memory {
        Some(buffer) => Ok(Output::Memory(buffer, len)),
        None => Ok(Output::Bytes(Vec::new())),
    }
}

/// Puts the result where HDF5 expects it, and returns its length.
///
/// # Safety
/// `*buf` is `start`, of `capacity` bytes from `malloc`.
unsafe fn hand_over(
    output: Output,
    start: *mut c_void,
    capacity: usize,
    buf_size: *mut usize,
    buf: *mut *mut c_void,
) -> usize {
    let (memory, len) = match output {
        Output::Bytes(bytes) if bytes.len() <= capacity => {
            let to = start.cast::<u8>();
            // SAFETY: the buffer has room for them, and a `Vec` does not overlap it.
            unsafe { to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
            return bytes.len();
        }
        Output::Bytes(bytes) => {
            let Some(buffer) = Buffer::new(bytes.len()) else {
                return 0;
            };
            // SAFETY: the reference ends with this statement.
            let to = unsafe { buffer.bytes() };
            for (to, &from) in to.iter_mut().zip(&bytes) {
                to.write(from);
            }
            (buffer, bytes.len())
        }
        Output::Memory(buffer, len) => (buffer, len),
    };
    // SAFETY: the old buffer is HDF5's, from `malloc`, and is replaced below.
    unsafe { libc::free(start) };
    // SAFETY: checked by the caller.
    unsafe { buf.write(memory.into_raw()) };
    // SAFETY: checked by the caller.
    unsafe { buf_size.write(len) };
    len
}

/// A filter that has worked before, or a new one. Nothing waits for the lock: the child of a fork
/// may have it locked for ever.
fn take<F: Filter>() -> F {
    let idle = match F::idle().try_lock() {
        Ok(mut idle) => idle.pop(),
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner().pop(),
        Err(TryLockError::WouldBlock) => None,
    };
    idle.unwrap_or_default()
}

fn give_back<F: Filter>(filter: F) {
    if let Ok(mut idle) = F::idle().try_lock()
        && idle.len() < MOST_IDLE
    {
        idle.push(filter);
    }
}
