//! Time stamps.

use libc::timespec;

use crate::boundary::guard;

/// Stores the time of a clock that never goes back.
///
/// # Safety
/// `timestamp` is null or writable.
#[unsafe(export_name = symbol!("blosc_set_timestamp"))]
pub unsafe extern "C" fn blosc_set_timestamp(timestamp: *mut timespec) {
    guard((), || {
        if !timestamp.is_null() {
            // SAFETY: not null; writable by the caller's promise.
            let _ = unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, timestamp) };
        }
    });
}

/// The nanoseconds between two time stamps.
///
/// # Safety
/// None is needed.
#[unsafe(export_name = symbol!("blosc_elapsed_nsecs"))]
pub unsafe extern "C" fn blosc_elapsed_nsecs(start_time: timespec, end_time: timespec) -> f64 {
    guard(0.0, || {
        let seconds = end_time.tv_sec.wrapping_sub(start_time.tv_sec);
        let nanos = end_time.tv_nsec.wrapping_sub(start_time.tv_nsec);
        float(seconds) * 1e9 + float(nanos)
    })
}

/// The seconds between two time stamps.
///
/// # Safety
/// None is needed.
#[unsafe(export_name = symbol!("blosc_elapsed_secs"))]
pub unsafe extern "C" fn blosc_elapsed_secs(start_time: timespec, end_time: timespec) -> f64 {
    // SAFETY: needs nothing.
    unsafe { blosc_elapsed_nsecs(start_time, end_time) * 1e-9 }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "times apart by more than 100 days lose nanoseconds"
)]
fn float(number: i64) -> f64 {
    number as f64
}
