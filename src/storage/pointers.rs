//! Storages through references, boxes and shared pointers.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::{ReadAt, Shareable, WriteAt};

macro_rules! forward_reads {
    ($pointer:ty { $($more:item)* }) => {
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

            fn is_far(&self) -> bool {
                (**self).is_far()
            }

            fn shareable(&self) -> Option<&dyn Shareable> {
                (**self).shareable()
            }

            $($more)*
        }
    };
}

// What is shared cannot be opened again.
forward_reads!(&T {});
forward_reads!(Arc<T> {});
forward_reads!(&mut T {
    fn reopen(&mut self) -> io::Result<()> {
        (**self).reopen()
    }
});
forward_reads!(Box<T> {
    fn reopen(&mut self) -> io::Result<()> {
        (**self).reopen()
    }
});

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

            fn second_handle(&self) -> io::Result<Option<Box<dyn WriteAt>>> {
                (**self).second_handle()
            }

            fn publish(&mut self, sync: bool) -> io::Result<()> {
                (**self).publish(sync)
            }
        }
    )+};
}

forward_writes!(&mut T, Box<T>);
