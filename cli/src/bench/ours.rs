//! This program's own library.

use std::path::Path;
use std::time::{Duration, Instant};

use oxiblosc::chunk::max_chunk_len;
use oxiblosc::{ChunkDecoder, ChunkEncoder, DParams, Threads};

use super::cells::{Cell, threads};
use super::data::Data;
use super::measure::{Engine, POISON};
use crate::failure::{Failure, InFile};

/// Encoder, decoder and buffers.
pub(super) struct Ours<'a> {
    data: &'a Data,
    name: String,
    encoder: Option<ChunkEncoder>,
    decoder: ChunkDecoder,
    /// The last pool of threads, and its size.
    threads: (usize, Threads),
    chunks: Vec<Vec<u8>>,
    lens: Vec<usize>,
    back: Vec<u8>,
}

impl<'a> Ours<'a> {
    pub(super) fn new(data: &'a Data) -> Self {
        let chunks = data
            .chunks()
            .map(|chunk| vec![0; max_chunk_len(chunk.len())]);
        Self {
            data,
            name: format!("oxiblosc {}", env!("CARGO_PKG_VERSION")),
            encoder: None,
            decoder: ChunkDecoder::default(),
            threads: (1, Threads::Serial),
            chunks: chunks.collect(),
            lens: vec![0; data.chunks().count()],
            back: vec![POISON; data.bytes.len()],
        }
    }
}

impl Engine for Ours<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    fn set(&mut self, cell: &Cell) -> Result<(), Failure> {
        if self.threads.0 != cell.threads {
            self.threads = (cell.threads, threads(cell.threads)?);
        }
        let cparams = cell
            .cparams(self.data.typesize)
            .threads(self.threads.1.clone());
        let refused = |error| Failure::usage(format!("{cell}: {error}"));
        self.encoder = Some(ChunkEncoder::new(cparams).map_err(refused)?);
        self.decoder = ChunkDecoder::new(DParams::new().threads(self.threads.1.clone()));
        self.back.fill(POISON);
        Ok(())
    }

    fn encode(&mut self) -> Result<(Duration, usize), Failure> {
        let Some(encoder) = &mut self.encoder else {
            return Err(Failure::usage("no parameters are set"));
        };
        let name = Path::new(&self.data.name);
        let places = self.chunks.iter_mut().zip(&mut self.lens);
        let start = Instant::now();
        for (data, (chunk, len)) in self.data.chunks().zip(places) {
            *len = encoder.encode_into(data, chunk).in_file(name)?;
        }
        Ok((start.elapsed(), self.lens.iter().sum()))
    }

    fn decode(&mut self) -> Result<Duration, Failure> {
        let name = Path::new(&self.data.name);
        let places = self.back.chunks_mut(self.data.chunksize.max(1));
        let chunks = self.chunks.iter().zip(&self.lens);
        let start = Instant::now();
        for ((chunk, &len), back) in chunks.zip(places) {
            let chunk = chunk.get(..len).unwrap_or_default();
            self.decoder.decode_into(chunk, back).in_file(name)?;
        }
        let time = start.elapsed();
        if self.back != self.data.bytes {
            return Err(Failure::in_file(name, "the decoded data differ"));
        }
        Ok(time)
    }
}
