//! Storages through references, boxes and shared pointers.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::{ReadAt, WriteAt};

macro_rules! forward_reads {
    ($($pointer:ty),+) => {$(
        impl<T: ReadAt + ?Sized> ReadAt for $pointer {
            fn len(&self) -> io::Result<u64> {
                (**self).len()
            }

            fn is_empty(&self) -> io::Result<bool> {
                (**self).is_empty()
            }

            fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
                (**self).read_exact_at(buf, offset)
            }

            fn read_ranges(
                &self,
                ranges: &[Range<u64>],
                bufs: &mut [&mut [u8]],
            ) -> io::Result<()> {
                (**self).read_ranges(ranges, bufs)
            }

            fn as_slice(&self) -> Option<&[u8]> {
                (**self).as_slice()
            }
        }
    )+};
}

forward_reads!(&T, &mut T, Box<T>, Arc<T>);

macro_rules! forward_writes {
    ($($pointer:ty),+) => {$(
        impl<T: WriteAt + ?Sized> WriteAt for $pointer {
            fn write_all_at(&mut self, bytes: &[u8], offset: u64) -> io::Result<()> {
                (**self).write_all_at(bytes, offset)
            }

            fn set_len(&mut self, len: u64) -> io::Result<()> {
                (**self).set_len(len)
            }

            fn sync(&mut self) -> io::Result<()> {
                (**self).sync()
            }

            fn sync_data(&mut self) -> io::Result<()> {
                (**self).sync_data()
            }
        }
    )+};
}

forward_writes!(&mut T, Box<T>);
