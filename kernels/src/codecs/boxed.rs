//! Tables on the heap.

use alloc::boxed::Box;
use alloc::vec;

/// An array of zeros, allocated without passing through the stack.
pub(super) fn zeroed<T: Copy + Default, const N: usize>() -> Box<[T; N]> {
    filled(T::default())
}

/// An array of copies of `value`; of zeros, the allocator clears it.
pub(super) fn filled<T: Clone, const N: usize>(value: T) -> Box<[T; N]> {
    match vec![value; N].into_boxed_slice().try_into() {
        Ok(table) => table,
        Err(_) => unreachable!("the vector has N items"),
    }
}
