//! A part that a type with a destructor gives away.

use std::ops::{Deref, DerefMut};

/// A value that is there until its owner, which has a destructor, is consumed and gives it away.
#[derive(Debug)]
pub(crate) struct Held<T>(Option<T>);

impl<T> Held<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Some(value))
    }

    /// Gives the value away. The owner is not used after that, except by its destructor, which
    /// finds that there is [`nothing`](Self::is_gone).
    pub(crate) fn give(&mut self) -> T {
        match self.0.take() {
            Some(value) => value,
            None => unreachable!("a consumed value is not used"),
        }
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.0.is_none()
    }
}

impl<T> Deref for Held<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match &self.0 {
            Some(value) => value,
            None => unreachable!("a consumed value is not used"),
        }
    }
}

impl<T> DerefMut for Held<T> {
    fn deref_mut(&mut self) -> &mut T {
        match &mut self.0 {
            Some(value) => value,
            None => unreachable!("a consumed value is not used"),
        }
    }
}
