//! The variables `BLOSC_*`, which override parameters.

use std::ffi::{CStr, CString, c_char};

use oxiblosc::SplitMode;

use crate::abi::blosc2_cparams;
use crate::boundary::{Answer, Code};
use crate::registry;

unsafe extern "C" {
    /// The variables of the process, as POSIX names them.
    static environ: *const *const c_char;
}

/// The variables `BLOSC_*` of a moment.
#[derive(Debug, Default)]
pub(crate) struct Environment {
    found: Vec<(CString, CString)>,
}

impl Environment {
    /// Reads them in one pass over the environment: a call of `getenv` for each of nine names
    /// would cost more than compressing a small buffer.
    pub(crate) fn read() -> Self {
        let mut found = Vec::new();
        // SAFETY: a pointer that libc keeps; programs may set it to null.
        let mut at = unsafe { environ };
        if at.is_null() {
            return Self { found };
        }
        loop {
            // SAFETY: `at` is within the list, which ends with a null that stops the loop.
            let entry = unsafe { *at };
            if entry.is_null() {
                return Self { found };
            }
            // SAFETY: every entry is a C string of at least a NUL.
            let first = unsafe { *entry };
            if first == b'B'.cast_signed() {
                // SAFETY: an entry is a C string, which lives as long as no one sets variables;
                // it is copied before this function returns.
                let entry = unsafe { CStr::from_ptr(entry) };
                found.extend(split(entry));
            }
            // SAFETY: the null at the end has not been reached, so the next entry is in the list.
            at = unsafe { at.add(1) };
        }
    }

    /// The value of a variable.
    pub(crate) fn get(&self, name: &str) -> Option<&CStr> {
        let mut found = self.found.iter();
        let (_, value) = found.find(|(key, _)| key.to_bytes() == name.as_bytes())?;
        Some(value)
    }

    /// Whether there are none, as nearly always.
    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The number in a variable; none for text that is no number, as in C.
    pub(crate) fn number(&self, name: &str) -> Option<i64> {
        self.get(name)?.to_str().ok()?.trim().parse().ok()
    }

    /// Overrides the parameters that variables name.
    ///
    /// # Errors
    /// For numbers that no parameter can have and names that nothing has.
    pub(crate) fn apply(&self, cparams: &mut blosc2_cparams) -> Answer<()> {
        if self.is_empty() {
            return Ok(());
        }
        if let Some(level) = self.number("BLOSC_CLEVEL") {
            cparams.clevel = u8::try_from(level)?;
        }
        if let Some(shuffle) = self.get("BLOSC_SHUFFLE") {
            let last = match shuffle.to_bytes() {
                b"NOSHUFFLE" => Some(0),
                b"SHUFFLE" => Some(1),
                b"BITSHUFFLE" => Some(2),
                _ => None,
            };
            cparams.filters[5] = last.unwrap_or(cparams.filters[5]);
        }
        if let Some(delta) = self.number("BLOSC_DELTA") {
            set_delta(&mut cparams.filters, delta > 0);
        }
        if let Some(typesize) = self.number("BLOSC_TYPESIZE") {
            cparams.typesize = i32::try_from(typesize)?;
        }
        if let Some(name) = self.get("BLOSC_COMPRESSOR") {
            cparams.compcode = registry::code_of(name).ok_or(Code::FAILURE)?;
        }
        if let Some(size) = self.number("BLOSC_BLOCKSIZE") {
            cparams.blocksize = i32::try_from(size)?;
        }
        if let Some(count) = self.threads()? {
            cparams.nthreads = count;
        }
        if let Some(mode) = self.get("BLOSC_SPLITMODE") {
            let mode = match mode.to_bytes() {
                b"ALWAYS" => SplitMode::Always,
                b"NEVER" => SplitMode::Never,
                b"AUTO" => SplitMode::Auto,
                b"FORWARD_COMPAT" => SplitMode::ForwardCompat,
                _ => return Err(Code::FAILURE),
            };
            cparams.splitmode = mode.get().into();
        }
        Ok(())
    }

    /// The number of threads in `BLOSC_NTHREADS`.
    ///
    /// # Errors
    /// For numbers that are no number of threads.
    pub(crate) fn threads(&self) -> Answer<Option<i16>> {
        let Some(count) = self.number("BLOSC_NTHREADS") else {
            return Ok(None);
        };
        match i16::try_from(count) {
            Ok(count) if count > 0 => Ok(Some(count)),
            _ => Err(Code::INVALID),
        }
    }
}

/// Puts the filter delta before the last one, or takes it away.
pub(super) fn set_delta(filters: &mut [u8; 6], wanted: bool) {
    filters[4] = match (wanted, filters[4]) {
        (true, _) => crate::abi::BLOSC_FILTER_DELTA,
        (false, crate::abi::BLOSC_FILTER_DELTA) => 0,
        (false, other) => other,
    };
}

/// The name and value of an entry that is one of ours.
fn split(entry: &CStr) -> Option<(CString, CString)> {
    let bytes = entry.to_bytes();
    if !bytes.starts_with(b"BLOSC_") {
        return None;
    }
    let at = bytes.iter().position(|byte| *byte == b'=')?;
    let key = CString::new(bytes.get(..at)?).ok()?;
    let value = CString::new(bytes.get(at + 1..)?).ok()?;
    Some((key, value))
}
