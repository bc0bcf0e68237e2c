//! Measures a cell: both libraries get the same bytes and parameters, are checked, then timed.

use std::cell::RefCell;
use std::error::Error;

use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, CodecId, DParams, FilterId, FilterSlot, Threads,
    max_chunk_len,
};

use super::buffer::Buffer;
use super::cell::Cell;
use super::data::{DataSet, Origin};
use super::pairs::{self, Effort, in_turn};
use super::peer::Peer;
use crate::capi::{Library, Params};

/// One direction of a cell.
#[derive(Clone, Copy, Debug)]
pub struct Direction {
    /// Our speed in GB/s of uncompressed bytes.
    pub ours: f64,
    /// The real library's.
    pub theirs: f64,
    /// The median of the paired ratios, above 1 when ours is faster.
    pub over_c: f64,
    /// Our speed over memcpy of the uncompressed bytes.
    pub over_memcpy: f64,
    /// The median of the paired ratios of C against itself, by a second context: the noise.
    pub c_over_c: Option<f64>,
    /// Our speed over a third: our own on one thread where the cell has several, else
    /// blosc2-pure-rs.
    pub over_third: Option<f64>,
}

/// The measurements of a cell.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The cell.
    pub cell: Cell,
    /// The origin of its data.
    pub origin: Origin,
    /// Uncompressed bytes.
    pub nbytes: usize,
    /// Bytes of our chunk.
    pub cbytes: usize,
    /// Bytes of the real library's chunk.
    pub cbytes_c: usize,
    /// Compression.
    pub compress: Direction,
    /// Decompression: each library decodes its own chunk.
    pub decompress: Direction,
}

fn params(cell: &Cell) -> Result<Params, Box<dyn Error>> {
    let mut filters = [0; 6];
    let first = filters.len() - cell.pipeline.1.len();
    filters[first..].copy_from_slice(cell.pipeline.1);
    // Bytedelta is told the width of its planes; a lone chunk of C has no other place for it.
    let mut filters_meta = [0; 6];
    for (meta, filter) in filters_meta.iter_mut().zip(filters) {
        if filter == 35 {
            *meta = u8::try_from(cell.typesize)?;
        }
    }
    Ok(Params {
        codec: cell.codec.1,
        clevel: cell.clevel,
        typesize: i32::try_from(cell.typesize)?,
        filters,
        filters_meta,
        nthreads: i16::try_from(cell.threads)?,
        ..Params::default()
    })
}

fn cparams(cell: &Cell, blocksize: usize) -> Result<CParams, Box<dyn Error>> {
    let codec = CodecId::from_name(cell.codec.0).ok_or("an unknown codec")?;
    let width = u8::try_from(cell.typesize)?;
    let filters = cell.pipeline.1.iter().map(|id| match id {
        1 => FilterSlot::SHUFFLE,
        2 => FilterSlot::BITSHUFFLE,
        3 => FilterSlot::DELTA,
        _ => FilterSlot::new(FilterId::BYTEDELTA, width),
    });
    Ok(CParams::new(cell.typesize)
        .codec(codec)
        .clevel(cell.clevel)
        .filters(filters)
        .blocksize(Some(blocksize)))
}

type Work<'a> = pairs::Work<'a, Box<dyn Error>>;

/// Times one direction: ours, the real library, memcpy, the real library once more if that is
/// wanted, and a third if there is one.
fn direction(
    effort: Effort,
    (src, dst): (&RefCell<Buffer>, &mut [u8]),
    ours: Work<'_>,
    theirs: Work<'_>,
    (again, third): (Option<Work<'_>>, Option<Work<'_>>),
) -> Result<Direction, Box<dyn Error>> {
    let mut memcpy = |dst: &mut [u8]| {
        let src = src.borrow();
        let bytes = std::hint::black_box(src.bytes());
        dst[..bytes.len()].copy_from_slice(bytes);
        std::hint::black_box(dst);
        Ok(())
    };
    let mut contestants: Vec<Work<'_>> = vec![&mut *ours, &mut *theirs, &mut memcpy];
    let (has_again, has_third) = (again.is_some(), third.is_some());
    if let Some(again) = again {
        contestants.push(&mut *again);
    }
    let last = contestants.len();
    if let Some(third) = third {
        contestants.push(&mut *third);
    }
    let rounds = in_turn(effort, dst, &mut contestants)?;
    #[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^53")]
    let gigabytes = src.borrow().bytes().len() as f64 * 1e-9;
    Ok(Direction {
        ours: gigabytes / rounds.median(0),
        theirs: gigabytes / rounds.median(1),
        over_c: rounds.ratio(0, 1),
        over_memcpy: rounds.ratio(0, 2),
        c_over_c: has_again.then(|| rounds.ratio(3, 1)),
        over_third: has_third.then(|| rounds.ratio(0, last)),
    })
}

/// State that the cells of a run share.
#[derive(Clone, Debug)]
pub struct Bench<'l> {
    /// The real library.
    pub library: &'l Library,
    /// Our threads in cells with several.
    pub pool: Threads,
    /// Whether to time blosc2-pure-rs too, in cells with one thread.
    pub peer: bool,
    /// Whether to time C against itself.
    pub noise: bool,
    /// The distance of buffers from a multiple of 64 bytes.
    pub offset: usize,
    /// How long to measure.
    pub effort: Effort,
}

impl Bench<'_> {
    /// Checks and times one cell.
    ///
    /// # Errors
    /// Either library fails, or the content does not come back.
    pub fn run(&self, data: &DataSet, cell: &Cell) -> Result<Outcome, Box<dyn Error>> {
        let bytes = &data.bytes[..];
        let mut params = params(cell)?;
        // C's automatic block size, for both.
        let chunk_c = self.library.compress(bytes, &params)?;
        let blocksize: [u8; 4] = chunk_c.get(8..12).ok_or("no header")?.try_into()?;
        params.blocksize = i32::from_le_bytes(blocksize);
        let blocksize = usize::try_from(params.blocksize)?;

        let serial = cparams(cell, blocksize)?;
        let mut one_encoder = ChunkEncoder::new(serial.clone())?;
        let mut one_decoder = ChunkDecoder::new(DParams::default());
        let several = cell.threads > 1;
        let threads = if several {
            self.pool.clone()
        } else {
            Threads::Serial
        };
        let mut encoder = ChunkEncoder::new(serial.threads(threads.clone()))?;
        let mut decoder = ChunkDecoder::new(DParams::default().threads(threads));
        let mut compressor = self.library.compressor(&params)?;
        let mut decompressor = self.library.decompressor(params.nthreads)?;
        let mut compressor_again = self.library.compressor(&params)?;
        let mut decompressor_again = self.library.decompressor(params.nthreads)?;

        // Before anything is timed: each library reads the other's chunk.
        let chunk = encoder.encode(bytes)?;
        if self.library.decompress(&chunk, bytes.len())? != bytes
            || decoder.decode(&chunk)? != bytes
            || decoder.decode(&chunk_c)? != bytes
        {
            return Err(format!("{cell}: the content does not come back").into());
        }
        let peer = (self.peer && !several).then(|| Peer::new(cell, blocksize, bytes));
        let peer = RefCell::new(peer.flatten());

        let capacity = max_chunk_len(bytes.len()).max(bytes.len());
        let mut dst = Buffer::zeros(capacity, self.offset);
        // Both chunks in buffers of the same kind; the same buffer if they are the same.
        let ours = Buffer::of(&chunk, self.offset);
        let theirs = (chunk != chunk_c).then(|| Buffer::of(&chunk_c, self.offset));
        let chunk = ours.bytes();
        let chunk_c = theirs.as_ref().map_or(chunk, Buffer::bytes);
        // All read one buffer: memory is not equally fast at any distance from `dst`. It is a copy,
        // as C takes it to be writable.
        let src = RefCell::new(Buffer::of(bytes, self.offset));
        let mut one = |dst: &mut [u8]| {
            let src = src.borrow();
            match &mut *peer.borrow_mut() {
                Some(peer) => peer.compress(src.bytes(), dst),
                None => Ok(one_encoder.encode_into(src.bytes(), dst).map(drop)?),
            }
        };
        let has_third = several || peer.borrow().is_some();
        let mut again = |dst: &mut [u8]| {
            let mut src = src.borrow_mut();
            Ok(compressor_again.compress(src.bytes_mut(), dst).map(drop)?)
        };
        let compress = direction(
            self.effort,
            (&src, dst.bytes_mut()),
            &mut |dst| {
                let src = src.borrow();
                Ok(encoder.encode_into(src.bytes(), dst).map(drop)?)
            },
            &mut |dst| {
                let mut src = src.borrow_mut();
                Ok(compressor.compress(src.bytes_mut(), dst).map(drop)?)
            },
            (
                self.noise.then_some(&mut again as Work<'_>),
                has_third.then_some(&mut one as Work<'_>),
            ),
        )?;
        if src.borrow().bytes() != bytes {
            return Err(format!("{cell}: the source has been written to").into());
        }
        let mut one = |dst: &mut [u8]| match &mut *peer.borrow_mut() {
            Some(peer) => peer.decompress(dst),
            None => Ok(one_decoder.decode_into(chunk, dst).map(drop)?),
        };
        let mut again =
            |dst: &mut [u8]| Ok(decompressor_again.decompress(chunk_c, dst).map(drop)?);
        let decompress = direction(
            self.effort,
            (&src, dst.bytes_mut()),
            &mut |dst| Ok(decoder.decode_into(chunk, dst).map(drop)?),
            &mut |dst| Ok(decompressor.decompress(chunk_c, dst).map(drop)?),
            (
                self.noise.then_some(&mut again as Work<'_>),
                has_third.then_some(&mut one as Work<'_>),
            ),
        )?;
        Ok(Outcome {
            cell: cell.clone(),
            origin: data.origin,
            nbytes: bytes.len(),
            cbytes: chunk.len(),
            cbytes_c: chunk_c.len(),
            compress,
            decompress,
        })
    }
}
