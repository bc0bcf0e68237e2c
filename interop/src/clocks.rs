//! Clocks: the wall's, and the processor time of a thread for machines that are busy with other
//! work.
//!
//! On a busy machine wall time depends on how often either side sleeps, because a thread that
//! slept is scheduled first. Thread time does not count helper threads.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// The time so far, by some clock.
pub type Clock = fn() -> Duration;

/// The clock of a name: `wall`, which is that of no name, too, or `cpu`, [`thread_time`] where
/// there is one.
///
/// # Errors
///
/// No clock has this name.
pub fn clock(name: Option<&str>) -> Result<Clock, String> {
    match name {
        None | Some("wall") => Ok(wall),
        Some("cpu") => Ok(|| thread_time().unwrap_or_else(wall)),
        Some(other) => Err(format!("no clock {other}")),
    }
}

fn wall() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// A time as the system keeps it.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[repr(C)]
struct Timespec {
    seconds: i64,
    nanos: i64,
}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
unsafe extern "C" {
    fn clock_gettime(clock: std::ffi::c_int, time: *mut Timespec) -> std::ffi::c_int;
}

/// How long the calling thread has run so far; `None` where the system does not tell (here: other
/// than Linux).
#[must_use]
pub fn thread_time() -> Option<Duration> {
    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    {
        /// `CLOCK_THREAD_CPUTIME_ID`.
        const CLOCK: std::ffi::c_int = 3;
        let mut time = Timespec {
            seconds: 0,
            nanos: 0,
        };
        // SAFETY: the struct is laid out as the system's on 64-bit Linux, and lives through the
        // call.
        let failed = unsafe { clock_gettime(CLOCK, &raw mut time) } != 0;
        let seconds = u64::try_from(time.seconds).ok()?;
        let nanos = u32::try_from(time.nanos).ok()?;
        (!failed).then(|| Duration::new(seconds, nanos))
    }
    #[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    fn work_takes_time_and_sleep_takes_none() {
        let now = || thread_time().unwrap_or_default();
        let start = now();
        std::thread::sleep(Duration::from_millis(50));
        let slept = now() - start;
        assert!(slept < Duration::from_millis(40), "{slept:?}");
        while now() - start < Duration::from_millis(60) {}
    }
}
