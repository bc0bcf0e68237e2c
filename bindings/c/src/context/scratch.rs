//! Scratch memory of a thread, which prefilters and postfilters may use.

use std::cell::RefCell;

/// Blocks that fit into the scratch memory.
const BLOCKS: usize = 4;

thread_local! {
    static MEMORY: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Calls `work` with scratch memory for several blocks of `len` bytes. A call within a call gets
/// memory of its own.
pub(super) fn with<R>(len: usize, work: impl FnOnce(&mut [u8]) -> R) -> R {
    let wanted = len.saturating_mul(BLOCKS);
    MEMORY.with(|memory| {
        let mut kept = memory
            .try_borrow_mut()
            .map(|mut memory| std::mem::take(&mut *memory))
            .unwrap_or_default();
        if kept.len() < wanted {
            kept.resize(wanted, 0);
        }
        let done = work(&mut kept);
        if let Ok(mut memory) = memory.try_borrow_mut() {
            *memory = kept;
        }
        done
    })
}
