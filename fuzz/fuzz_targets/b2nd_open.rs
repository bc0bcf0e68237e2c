//! Intent: no array makes opening or slicing panic, hang, or take more memory than the limits
//! allow. Oracle: no crash, bounded memory. Seeds: the golden arrays.
#![no_main]

use libfuzzer_sys::fuzz_target;
use oxiblosc::b2nd::Array;
use oxiblosc::{DParams, FrameReader, Limits};

fuzz_target!(|frame: &[u8]| {
    let limits = Limits::UNTRUSTED.max_alloc(1 << 20).max_nchunks(1 << 12);
    let Ok(reader) = FrameReader::from_bytes(frame, DParams::new().limits(limits)) else {
        return;
    };
    let Ok(array) = Array::open(reader) else {
        return;
    };
    let slice: Vec<_> = array
        .shape()
        .iter()
        .map(|&len| len / 3..len - len / 4)
        .collect();
    let items = slice
        .iter()
        .try_fold(1_u64, |n, range| n.checked_mul(range.end - range.start));
    let typesize = u64::from(array.typesize());
    if let Some(nbytes) = items.and_then(|items| items.checked_mul(typesize))
        && nbytes <= 1 << 20
    {
        let mut dst = vec![0; nbytes as usize];
        let _ = array.slice_bytes_into(&slice, &mut dst);
    }
});
