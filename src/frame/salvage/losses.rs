//! The list of what could not be saved.

use crate::error::Error;

/// The most entries that are kept; hostile input could name millions.
const MOST: usize = 10_000;

/// Losses in the order in which they were noticed.
#[derive(Debug, Default)]
pub(super) struct Losses {
    pub(super) errors: Vec<Error>,
    /// How many more there are.
    pub(super) more: u64,
}

impl Losses {
    pub(super) fn add(&mut self, error: Error) {
        if self.errors.len() < MOST {
            self.errors.push(error);
        } else {
            self.more = self.more.saturating_add(1);
        }
    }
}
