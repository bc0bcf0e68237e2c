//! A frame as a source of chunks.

use std::ops::Range;

use super::partial_read::Front;
use super::reader::FrameReader;
use crate::chunk::{ChunkDecoder, ChunkHeader, Special, front_len};
use crate::error::Result;
use crate::frame::layout::header::FrameType;
use crate::frame::layout::offsets::Entry;
use crate::frame::store::traits::FrameStore;
use crate::num::{saturating_usize, to_u64};
use crate::params::{CParams, DParams};
use crate::schunk::{
    ChunkLayout, ChunkSource, Metalayers, StoredChunk, decode_bytes_into, decode_ranges_into,
    decode_special,
};
use crate::storage::ReadAt;

impl<S: FrameStore> ChunkSource for FrameReader<S> {
    fn layout(&self) -> ChunkLayout {
        self.contents.layout()
    }

    fn chunk(&self, nchunk: u64) -> Result<StoredChunk<'_>> {
        let place = match self.entry(nchunk)? {
            Entry::Special(special) => {
                return Ok(StoredChunk::Special {
                    special,
                    nbytes: self.special_nbytes(nchunk)?,
                });
            }
            Entry::Stored(place) => place,
        };
        let located = self.locate(nchunk, place)?;
        let bytes = located.bytes(self.guess(nchunk, place)).and_then(|chunk| {
            let header =
                ChunkHeader::parse(&chunk).map_err(|error| error.rebase(located.base()))?;
            self.check_nbytes(nchunk, &header, located.base())?;
            Ok(StoredChunk::Bytes(chunk))
        });
        bytes.map_err(|error| located.in_chunk(nchunk, error))
    }

    fn refresh(&mut self) -> Result<bool> {
        FrameReader::refresh(self)
    }

    fn dparams(&self) -> &DParams {
        &self.dparams
    }

    fn chunk_cparams(&self) -> Option<CParams> {
        let mut cparams = self.contents.header.stated_cparams();
        cparams.registry = self.dparams.registry.clone();
        cparams.isa = self.dparams.isa;
        Some(cparams)
    }

    fn metalayers(&self) -> &Metalayers {
        &self.contents.metalayers
    }

    fn vlmetalayer(&self, name: &str) -> Result<Option<Vec<u8>>> {
        self.contents.vlmetalayers.get(name, &self.dparams)
    }

    fn vlmetalayer_names(&self) -> Vec<String> {
        self.contents
            .vlmetalayers
            .names()
            .map(str::to_owned)
            .collect()
    }

    fn decode_chunk_into(
        &self,
        decoder: &mut ChunkDecoder,
        nchunk: u64,
        dst: &mut [u8],
    ) -> Result<usize> {
        match self.entry(nchunk)? {
            Entry::Special(special) => {
                let nbytes = self.special_nbytes(nchunk)?;
                let header = &self.contents.header;
                let sizes = (header.typesize, header.blocksize);
                let bytes = (0, nbytes);
                decoder
                    .in_chunk(nchunk, |decoder| {
                        decode_special(decoder, special, sizes, nbytes, bytes, dst)
                    })
                    .map_err(|error| error.in_chunk(nchunk))
            }
            Entry::Stored(place) => decoder.with_stored(|decoder, buf| {
                self.with_chunk(nchunk, place, buf, |chunk| {
                    decoder.in_chunk(nchunk, |decoder| decoder.decode_into(chunk, dst))
                })
            }),
        }
    }

    fn special_value(&self, nchunk: u64) -> Option<Special<'static>> {
        match self.entry(nchunk) {
            Ok(Entry::Special(special)) => Some(special),
            _ => None,
        }
    }

    fn chunk_is_in_memory(&self, nchunk: u64) -> bool {
        // The file of a chunk would have to be opened twice: here and again by the reader.
        S::FRAME_TYPE == FrameType::Contiguous
            && matches!(self.entry(nchunk), Ok(Entry::Stored(place))
                if self.locate(nchunk, place).is_ok_and(|located| located.borrow().is_some()))
    }

    fn chunks_are_far(&self) -> bool {
        self.store.frame().is_ok_and(ReadAt::is_far)
    }

    fn chunk_nbytes(&self, nchunk: u64) -> Result<usize> {
        let entry = self.entry(nchunk)?;
        match (self.contents.sizes().chunk_nbytes(nchunk), entry) {
            (Some(nbytes), _) => Ok(nbytes),
            (None, Entry::Special(_)) => self.special_nbytes(nchunk),
            (None, Entry::Stored(place)) => {
                Ok(saturating_usize(self.stored_header(nchunk, place)?.nbytes))
            }
        }
    }

    fn find_chunk(&self, byte: u64) -> Result<(u64, u64)> {
        if let Some(chunksize) = self.contents.header.chunksize.filter(|&size| size > 0) {
            let chunksize = to_u64(chunksize);
            let nchunk = byte.min(self.contents.header.nbytes) / chunksize;
            return Ok((nchunk, nchunk.saturating_mul(chunksize)));
        }
        let starts = self.starts()?;
        let nchunk = starts
            .partition_point(|&start| start <= byte)
            .saturating_sub(1);
        Ok((nchunk as u64, starts.get(nchunk).copied().unwrap_or(0)))
    }

    fn decode_chunk_bytes_into(
        &self,
        decoder: &mut ChunkDecoder,
        nchunk: u64,
        bytes: Range<usize>,
        dst: &mut [u8],
    ) -> Result<usize> {
        let Entry::Stored(place) = self.entry(nchunk)? else {
            return self
                .lazy_chunk(nchunk)?
                .decode_bytes_into(decoder, bytes, dst);
        };
        let located = self.locate(nchunk, place)?;
        let done = self.borrowed(nchunk, &located, |chunk| {
            decoder.in_chunk(nchunk, |decoder| {
                decode_bytes_into(decoder, chunk, bytes.clone(), dst)
            })
        });
        if let Some(done) = done {
            return done;
        }
        let nbytes = self.contents.sizes().chunk_nbytes(nchunk);
        let cbytes = self.guess(nchunk, place).min(located.room());
        let front = Front {
            located: &located,
            len: front_len(cbytes, nbytes, self.contents.header.blocksize),
        };
        let check = |header: &ChunkHeader| self.check_nbytes(nchunk, header, located.base());
        let done = decoder.in_chunk(nchunk, |decoder| front.decode(decoder, &bytes, dst, check));
        if let Some(len) = done.map_err(|error| located.in_chunk(nchunk, error))? {
            return Ok(len);
        }
        // What was read is still in the buffer.
        let read = front.len.min(saturating_usize(located.room()));
        let read =
            decoder.with_stored(|_, buf| Ok(buf.get(..read).unwrap_or_default().to_vec()))?;
        self.lazy_with_front(nchunk, located, &read)?
            .decode_bytes_into(decoder, bytes, dst)
    }

    fn decode_chunk_ranges_into(
        &self,
        decoder: &mut ChunkDecoder,
        nchunk: u64,
        ranges: &[Range<usize>],
        dst: &mut [u8],
    ) -> Result<usize> {
        let Entry::Stored(place) = self.entry(nchunk)? else {
            return self
                .lazy_chunk(nchunk)?
                .decode_ranges_into(decoder, ranges, dst);
        };
        let located = self.locate(nchunk, place)?;
        let done = self.borrowed(nchunk, &located, |chunk| {
            decoder.in_chunk(nchunk, |decoder| {
                decode_ranges_into(decoder, chunk, ranges, dst)
            })
        });
        match done {
            Some(done) => done,
            None => self
                .lazy_stored(nchunk, located)?
                .decode_ranges_into(decoder, ranges, dst),
        }
    }
}
