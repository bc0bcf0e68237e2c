//! Ctrl-C: temporary files are removed, and the process ends.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The files and directories to remove. A signal reaches the process, so they are the process's.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The exit code of a program that ends by Ctrl-C, as shells have it.
const INTERRUPTED: i32 = 130;

/// Ends the process cleanly on Ctrl-C, and on the signals that ask programs to end.
pub(crate) fn watch() {
    // Without a handler the signal ends the process, and a temporary file stays.
    let _ = ctrlc::set_handler(|| {
        let paths = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
        for path in &*paths {
            // One of the two fits; nothing is left to do about a failure.
            let _ = fs::remove_file(path);
            let _ = fs::remove_dir_all(path);
        }
        std::process::exit(INTERRUPTED);
    });
}

/// A temporary file or directory that a signal removes.
#[derive(Debug)]
pub(crate) struct Temporary(PathBuf);

impl Temporary {
    pub(crate) fn new(path: &Path) -> Self {
        // Signals change no directory, but be independent of it.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let mut paths = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
        paths.push(path.clone());
        Self(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut paths = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
        paths.retain(|path| *path != self.0);
    }
}
