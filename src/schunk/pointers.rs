//! Chunks behind a reference or a box, so that readers and writers of many kinds can share a type,
//! and an array can work on a frame for a while.

use std::ops::Range;

use super::{ChunkLayout, ChunkSink, ChunkSource, Metalayers, StoredChunk};
use crate::chunk::{ChunkDecoder, Special};
use crate::error::Result;

macro_rules! forward {
    ($($pointer:ty),+) => {$(
        impl<C: ChunkSource + ?Sized> ChunkSource for $pointer {
            fn layout(&self) -> ChunkLayout {
                (**self).layout()
            }

            fn chunk(&self, nchunk: u64) -> Result<StoredChunk<'_>> {
                (**self).chunk(nchunk)
            }

            fn metalayers(&self) -> &Metalayers {
                (**self).metalayers()
            }

            fn vlmetalayer(&self, name: &str) -> Result<Option<Vec<u8>>> {
                (**self).vlmetalayer(name)
            }

            fn decode_chunk_into(
                &self,
                decoder: &mut ChunkDecoder,
                nchunk: u64,
                dst: &mut [u8],
            ) -> Result<usize> {
                (**self).decode_chunk_into(decoder, nchunk, dst)
            }

            fn special_value(&self, nchunk: u64) -> Option<Special<'static>> {
                (**self).special_value(nchunk)
            }

            fn lends_chunk(&self, nchunk: u64) -> bool {
                (**self).lends_chunk(nchunk)
            }

            fn chunk_nbytes(&self, nchunk: u64) -> Result<u32> {
                (**self).chunk_nbytes(nchunk)
            }

            fn find_chunk(&self, byte: u64) -> Result<(u64, u64)> {
                (**self).find_chunk(byte)
            }

            fn decode_chunk_bytes_into(
                &self,
                decoder: &mut ChunkDecoder,
                nchunk: u64,
                bytes: Range<usize>,
                dst: &mut [u8],
            ) -> Result<usize> {
                (**self).decode_chunk_bytes_into(decoder, nchunk, bytes, dst)
            }

            fn decode_chunk_ranges_into(
                &self,
                decoder: &mut ChunkDecoder,
                nchunk: u64,
                ranges: &[Range<usize>],
                dst: &mut [u8],
            ) -> Result<usize> {
                (**self).decode_chunk_ranges_into(decoder, nchunk, ranges, dst)
            }

            fn read_bytes_into(
                &self,
                decoder: &mut ChunkDecoder,
                bytes: Range<u64>,
                dst: &mut [u8],
            ) -> Result<usize> {
                (**self).read_bytes_into(decoder, bytes, dst)
            }
        }
    )+};
}

forward!(&C, &mut C, Box<C>, std::sync::Arc<C>);

macro_rules! forward_sink {
    ($($pointer:ty),+) => {$(
        impl<C: ChunkSink + ?Sized> ChunkSink for $pointer {
            fn append_chunk(&mut self, chunk: &[u8]) -> Result<u64> {
                (**self).append_chunk(chunk)
            }

            fn update_chunk(&mut self, nchunk: u64, chunk: &[u8]) -> Result<()> {
                (**self).update_chunk(nchunk, chunk)
            }

            fn insert_chunk(&mut self, nchunk: u64, chunk: &[u8]) -> Result<()> {
                (**self).insert_chunk(nchunk, chunk)
            }

            fn delete_chunk(&mut self, nchunk: u64) -> Result<()> {
                (**self).delete_chunk(nchunk)
            }

            fn update_metalayer(&mut self, name: &str, content: &[u8]) -> Result<()> {
                (**self).update_metalayer(name, content)
            }

            fn set_vlmetalayer(&mut self, name: &str, content: &[u8]) -> Result<()> {
                (**self).set_vlmetalayer(name, content)
            }

            fn remove_vlmetalayer(&mut self, name: &str) -> Result<bool> {
                (**self).remove_vlmetalayer(name)
            }
        }
    )+};
}

forward_sink!(&mut C, Box<C>);
