//! Sources and sinks through references, boxes and shared pointers, so that readers and writers of
//! several kinds can share a type, and an array can borrow a frame.

use super::sink::ChunkSink;
use super::source::ChunkSource;
use crate::error::Result;

/// The methods of a [`ChunkSource`] that forwards all of them to another one.
macro_rules! forward_chunk_source {
    ($self:ident => $source:expr) => {
        fn layout(&$self) -> $crate::schunk::ChunkLayout {
            $source.layout()
        }

        fn chunk(&$self, nchunk: u64) -> $crate::error::Result<$crate::schunk::StoredChunk<'_>> {
            $source.chunk(nchunk)
        }

        fn dparams(&$self) -> &$crate::params::DParams {
            $source.dparams()
        }

        fn chunk_cparams(&$self) -> Option<$crate::params::CParams> {
            $source.chunk_cparams()
        }

        fn metalayers(&$self) -> &$crate::schunk::Metalayers {
            $source.metalayers()
        }

        fn vlmetalayer(&$self, name: &str) -> $crate::error::Result<Option<Vec<u8>>> {
            $source.vlmetalayer(name)
        }

        fn vlmetalayer_names(&$self) -> Vec<String> {
            $source.vlmetalayer_names()
        }

        fn decode_chunk_into(
            &$self,
            decoder: &mut $crate::chunk::ChunkDecoder,
            nchunk: u64,
            dst: &mut [u8],
        ) -> $crate::error::Result<usize> {
            $source.decode_chunk_into(decoder, nchunk, dst)
        }

        fn special_value(&$self, nchunk: u64) -> Option<$crate::chunk::Special<'static>> {
            $source.special_value(nchunk)
        }

        fn chunk_is_in_memory(&$self, nchunk: u64) -> bool {
            $source.chunk_is_in_memory(nchunk)
        }

        fn chunks_are_far(&$self) -> bool {
            $source.chunks_are_far()
        }

        fn chunk_nbytes(&$self, nchunk: u64) -> $crate::error::Result<usize> {
            $source.chunk_nbytes(nchunk)
        }

        fn find_chunk(&$self, byte: u64) -> $crate::error::Result<(u64, u64)> {
            $source.find_chunk(byte)
        }

        fn decode_chunk_bytes_into(
            &$self,
            decoder: &mut $crate::chunk::ChunkDecoder,
            nchunk: u64,
            bytes: std::ops::Range<usize>,
            dst: &mut [u8],
        ) -> $crate::error::Result<usize> {
            $source.decode_chunk_bytes_into(decoder, nchunk, bytes, dst)
        }

        fn decode_chunk_ranges_into(
            &$self,
            decoder: &mut $crate::chunk::ChunkDecoder,
            nchunk: u64,
            ranges: &[std::ops::Range<usize>],
            dst: &mut [u8],
        ) -> $crate::error::Result<usize> {
            $source.decode_chunk_ranges_into(decoder, nchunk, ranges, dst)
        }

        fn read_bytes_into(
            &$self,
            decoder: &mut $crate::chunk::ChunkDecoder,
            bytes: std::ops::Range<u64>,
            dst: &mut [u8],
        ) -> $crate::error::Result<usize> {
            $source.read_bytes_into(decoder, bytes, dst)
        }
    };
}
pub(crate) use forward_chunk_source;

macro_rules! forward {
    ($pointer:ty $(, $more:item)?) => {
        impl<C: ChunkSource + ?Sized> ChunkSource for $pointer {
            forward_chunk_source!(self => (**self));
            $($more)?
        }
    };
}

forward!(&C);
forward!(std::sync::Arc<C>);
forward!(
    &mut C,
    fn refresh(&mut self) -> Result<bool> {
        (**self).refresh()
    }
);
forward!(
    Box<C>,
    fn refresh(&mut self) -> Result<bool> {
        (**self).refresh()
    }
);

/// The methods of a [`ChunkSink`] that forwards all of them to another one.
macro_rules! forward_chunk_sink {
    ($self:ident => $sink:expr) => {
        fn begin_change(&mut $self) -> $crate::error::Result<bool> {
            $sink.begin_change()
        }

        fn end_unchanged(&mut $self) -> $crate::error::Result<()> {
            $sink.end_unchanged()
        }

        fn append_chunk(&mut $self, chunk: &[u8]) -> $crate::error::Result<u64> {
            $sink.append_chunk(chunk)
        }

        fn append_owned_chunk(&mut $self, chunk: Vec<u8>) -> $crate::error::Result<u64> {
            $sink.append_owned_chunk(chunk)
        }

        fn update_chunk(&mut $self, nchunk: u64, chunk: &[u8]) -> $crate::error::Result<()> {
            $sink.update_chunk(nchunk, chunk)
        }

        fn update_owned_chunk(
            &mut $self,
            nchunk: u64,
            chunk: Vec<u8>,
        ) -> $crate::error::Result<()> {
            $sink.update_owned_chunk(nchunk, chunk)
        }

        fn append_encoded_chunk(
            &mut $self,
            chunk: $crate::schunk::EncodedChunk,
        ) -> $crate::error::Result<u64> {
            $sink.append_encoded_chunk(chunk)
        }

        fn update_encoded_chunk(
            &mut $self,
            nchunk: u64,
            chunk: $crate::schunk::EncodedChunk,
        ) -> $crate::error::Result<()> {
            $sink.update_encoded_chunk(nchunk, chunk)
        }

        fn other_changes(&mut $self) -> Option<&mut bool> {
            $sink.other_changes()
        }

        fn note_failure(&mut $self, lost: bool) {
            $sink.note_failure(lost);
        }

        fn insert_chunk(&mut $self, nchunk: u64, chunk: &[u8]) -> $crate::error::Result<()> {
            $sink.insert_chunk(nchunk, chunk)
        }

        fn delete_chunk(&mut $self, nchunk: u64) -> $crate::error::Result<()> {
            $sink.delete_chunk(nchunk)
        }

        fn update_metalayer(&mut $self, name: &str, content: &[u8]) -> $crate::error::Result<()> {
            $sink.update_metalayer(name, content)
        }

        fn set_vlmetalayer(&mut $self, name: &str, content: &[u8]) -> $crate::error::Result<()> {
            $sink.set_vlmetalayer(name, content)
        }

        fn remove_vlmetalayer(&mut $self, name: &str) -> $crate::error::Result<bool> {
            $sink.remove_vlmetalayer(name)
        }
    };
}
pub(crate) use forward_chunk_sink;

impl<C: ChunkSink + ?Sized> ChunkSink for &mut C {
    forward_chunk_sink!(self => (**self));
}

impl<C: ChunkSink + ?Sized> ChunkSink for Box<C> {
    forward_chunk_sink!(self => (**self));
}
