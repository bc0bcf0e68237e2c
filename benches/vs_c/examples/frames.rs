//! Frames beside C: written and read whole, in memory, in a file and in a folder; single items;
//! opening; super-chunks.
//!
//!     OXIBLOSC_LIBBLOSC2=... cargo run --release --manifest-path benches/vs_c/Cargo.toml \
//!         --example frames [ROUNDS] [MIB] [CLOCK] [ROW]
//!
//! Same data, codec, level, filter, chunk size and block size on both sides, one thread. C writes
//! as it does by default; ours with `Durability::None`, and commits once at the end. Both read the
//! frame that C wrote, chunk by chunk into one buffer; what is read, and what the other side makes
//! of what was written, is compared before anything is timed. Each round times one side after the
//! other: a figure is our median time and the median over rounds of how many times as long C takes.
//! `CLOCK` is `wall`, or `cpu` for the processor time of the calling thread, which is steadier on a
//! busy machine; C's own threads, which compress the index of a frame although one thread is asked
//! for, are not counted then. Files lie in the temporary directory: `TMPDIR` says where. `ROW`
//! keeps the rows whose name contains it.

use std::hint::black_box;
use std::path::Path;

use oxiblosc::frame::{Durability, FrameParams, FrameReader, FrameStoreMut, FrameWriter};
use oxiblosc::schunk::{ChunkSource, StoredChunk};
use oxiblosc::{CParams, ChunkDecoder, ChunkView, CodecId, DParams, Limits, SChunk};
use vs_c::capi::{self, Library, Params};
use vs_c::clocks::clock;
use vs_c::harness::{Content, Effort, Failure, Numbers, Pair, pair, ready};

const TYPESIZE: usize = 8;
const CODECS: [(CodecId, &str, u8); 3] = [
    (CodecId::BLOSCLZ, "blosclz", 5),
    (CodecId::LZ4, "lz4", 5),
    (CodecId::ZSTD, "zstd", 1),
];
const CHUNKSIZES: [usize; 3] = [64 << 10, 1 << 20, 4 << 20];

/// `nbytes` bytes of f64.
fn content(kind: Content, nbytes: usize) -> Vec<u8> {
    let count = u32::try_from(nbytes / TYPESIZE).unwrap_or(u32::MAX);
    kind.values(count, 4096)
        .flat_map(f64::to_le_bytes)
        .collect()
}

/// Numbers below `below`.
fn numbers(below: u64, count: usize) -> Vec<u64> {
    let mut numbers = Numbers::default();
    (0..count).map(|_| numbers.below(below)).collect()
}

/// One data set, cut and compressed in one way.
struct Case<'a> {
    library: &'a Library,
    data: &'a [u8],
    chunksize: usize,
    cparams: CParams,
    params: Params,
    folder: &'a Path,
    effort: Effort,
    /// The rows that are wanted.
    only: &'a str,
    /// Names of rows, bytes or 0 where a rate says nothing, and what came out.
    rows: Vec<(&'static str, usize, Pair)>,
}

/// Removes a file or a folder, if there is one.
fn clear(path: &Path) -> Result<(), Failure> {
    if path.is_dir() {
        std::fs::remove_dir_all(path)?;
    } else if path.exists() {
        std::fs::remove_file(path)?;
    }
    Ok(())
}

impl Case<'_> {
    fn frame_params(&self) -> FrameParams {
        FrameParams::new(self.cparams.clone(), self.chunksize).durability(Durability::None)
    }

    fn wanted(&self, what: &str) -> bool {
        what.contains(self.only)
    }

    fn fill<S: FrameStoreMut>(&self, mut writer: FrameWriter<S>) -> Result<S, Failure> {
        for chunk in self.data.chunks(self.chunksize) {
            writer.append(chunk)?;
        }
        Ok(writer.finish()?)
    }

    fn fill_c(
        &self,
        src: &mut [u8],
        path: Option<&Path>,
        contiguous: bool,
    ) -> Result<capi::SChunk<'_>, Failure> {
        let mut schunk = self.library.schunk_new(&self.params, path, contiguous)?;
        for chunk in src.chunks_mut(self.chunksize) {
            schunk.append_in_place(chunk)?;
        }
        Ok(schunk)
    }

    /// Compares all chunks of both with the data.
    fn compare(
        &self,
        ours: &impl ChunkSource,
        theirs: &mut capi::SChunk<'_>,
    ) -> Result<(), Failure> {
        let (mut decoder, mut dst) = (ChunkDecoder::default(), vec![0; self.chunksize]);
        for (at, chunk) in (0..).zip(self.data.chunks(self.chunksize)) {
            let len = ours.decode_chunk_into(&mut decoder, u64::try_from(at)?, &mut dst)?;
            if dst[..len] != *chunk {
                return Err(format!("chunk {at}: we read something else").into());
            }
            dst.fill(1);
            let len = theirs.decompress_chunk_into(at, &mut dst)?;
            if dst[..len] != *chunk {
                return Err(format!("chunk {at}: C reads something else").into());
            }
        }
        Ok(())
    }

    fn writes(&mut self) -> Result<(), Failure> {
        let mut src = self.data.to_vec();
        let path = self.folder.join("written");
        let frame = self.fill(FrameWriter::in_memory(self.frame_params())?)?;
        let frame = frame.into_inner().0;
        let reader = FrameReader::from_bytes(&frame, DParams::new())?;
        let mut theirs = self.library.schunk_from_bytes(&frame)?;
        self.compare(&reader, &mut theirs)?;
        let c_frame = self.fill_c(&mut src, None, true)?.to_bytes()?;
        let (ours, its) = (
            reader.chunk(0)?,
            FrameReader::from_bytes(&c_frame, DParams::new())?,
        );
        let blocksize = |chunk: StoredChunk<'_>| -> Result<u32, Failure> {
            let StoredChunk::Bytes(chunk) = chunk else {
                return Err("a special value".into());
            };
            Ok(ChunkView::parse(&chunk, &Limits::UNTRUSTED)?
                .header()
                .blocksize)
        };
        if blocksize(ours)? != blocksize(its.chunk(0)?)? {
            return Err("the block sizes differ".into());
        }
        drop((theirs, c_frame));
        let effort = self.effort;
        if self.wanted("write, memory") {
            let cell = pair(
                effort,
                &mut ready,
                &mut || {
                    let writer = FrameWriter::in_memory(self.frame_params())?;
                    black_box(self.fill(writer)?);
                    Ok(())
                },
                &mut || {
                    drop(black_box(self.fill_c(&mut src, None, true)?));
                    Ok(())
                },
            )?;
            self.rows.push(("write, memory", self.data.len(), cell));
        }
        if self.wanted("write, file") {
            let cell = pair(
                effort,
                &mut || clear(&path),
                &mut || {
                    drop(self.fill(FrameWriter::create(&path, self.frame_params())?)?);
                    Ok(())
                },
                &mut || {
                    drop(self.fill_c(&mut src, Some(&path), true)?);
                    Ok(())
                },
            )?;
            self.rows.push(("write, file", self.data.len(), cell));
        }
        if self.wanted("write, folder") {
            clear(&path)?;
            let cell = pair(
                effort,
                &mut || clear(&path),
                &mut || {
                    drop(self.fill(FrameWriter::create_sparse(&path, self.frame_params())?)?);
                    Ok(())
                },
                &mut || {
                    drop(self.fill_c(&mut src, Some(&path), false)?);
                    Ok(())
                },
            )?;
            self.rows.push(("write, folder", self.data.len(), cell));
        }
        clear(&path)
    }

    /// All chunks, then single items.
    fn reads(
        &mut self,
        names: [&'static str; 2],
        ours: &impl ChunkSource,
        mut theirs: capi::SChunk<'_>,
    ) -> Result<(), Failure> {
        self.compare(ours, &mut theirs)?;
        let (mut decoder, mut dst) = (ChunkDecoder::default(), vec![0; self.chunksize]);
        let mut c_dst = dst.clone();
        let nchunks = ours.layout().nchunks;
        if self.wanted(names[0]) {
            let cell = pair(
                self.effort,
                &mut ready,
                &mut || {
                    for at in 0..nchunks {
                        black_box(ours.decode_chunk_into(&mut decoder, at, &mut dst)?);
                    }
                    Ok(())
                },
                &mut || {
                    for at in 0..nchunks.cast_signed() {
                        black_box(theirs.decompress_chunk_into(at, &mut c_dst)?);
                    }
                    Ok(())
                },
            )?;
            self.rows.push((names[0], self.data.len(), cell));
        }
        self.slices(names[1], 1, ours, &mut theirs)
    }

    /// `len` items from many places.
    fn slices(
        &mut self,
        name: &'static str,
        len: usize,
        ours: &impl ChunkSource,
        theirs: &mut capi::SChunk<'_>,
    ) -> Result<(), Failure> {
        if !self.wanted(name) {
            return Ok(());
        }
        let count = if len == 1 { 500 } else { 100 };
        let nitems = self.data.len() / TYPESIZE;
        let wide = u64::try_from(len)?;
        let places = numbers(u64::try_from(nitems)? - wide, count);
        let mut decoder = ChunkDecoder::default();
        let (mut item, mut c_item) = (vec![0; len * TYPESIZE], vec![1; len * TYPESIZE]);
        for &place in &places {
            ours.read_items_into(&mut decoder, place..place + wide, &mut item)?;
            let signed = place.cast_signed();
            theirs.slice_into(signed, signed + wide.cast_signed(), &mut c_item)?;
            let at = usize::try_from(place)? * TYPESIZE;
            if item != self.data[at..at + item.len()] || item != c_item {
                return Err(format!("{name}: item {place} differs").into());
            }
        }
        let mut cell = pair(
            self.effort,
            &mut ready,
            &mut || {
                for &place in &places {
                    ours.read_items_into(&mut decoder, place..place + wide, &mut item)?;
                }
                Ok(())
            },
            &mut || {
                for place in &places {
                    let place = place.cast_signed();
                    theirs.slice_into(place, place + wide.cast_signed(), &mut c_item)?;
                }
                Ok(())
            },
        )?;
        cell.seconds /= f64::from(u32::try_from(count)?);
        self.rows.push((name, 0, cell));
        Ok(())
    }

    /// Opening and closing, with and without an item.
    fn opens(&mut self, path: &Path) -> Result<(), Failure> {
        const COUNT: u32 = 100;
        let nitems = self.data.len() / TYPESIZE;
        let places = numbers(u64::try_from(nitems)?, usize::try_from(COUNT)?);
        for (name, items) in [("open and close, file", 0), ("open, one item, file", 1)] {
            if !self.wanted(name) {
                continue;
            }
            let (mut item, mut c_item) = ([0; TYPESIZE], [0; TYPESIZE]);
            let mut cell = pair(
                self.effort,
                &mut ready,
                &mut || {
                    for &place in &places {
                        let reader = FrameReader::open(path, DParams::new())?;
                        if items > 0 {
                            let mut decoder = ChunkDecoder::default();
                            reader.read_items_into(&mut decoder, place..place + 1, &mut item)?;
                        }
                        drop(black_box(reader));
                    }
                    Ok(())
                },
                &mut || {
                    for place in &places {
                        let mut schunk = self.library.schunk_open(path, 0)?;
                        if items > 0 {
                            let place = place.cast_signed();
                            schunk.slice_into(place, place + 1, &mut c_item)?;
                        }
                        drop(black_box(schunk));
                    }
                    Ok(())
                },
            )?;
            if item != c_item {
                return Err(format!("{name}: the last item differs").into());
            }
            cell.seconds /= f64::from(COUNT);
            self.rows.push((name, 0, cell));
        }
        Ok(())
    }

    fn schunks(&mut self) -> Result<(), Failure> {
        let mut src = self.data.to_vec();
        let fill = |case: &Self| -> Result<SChunk, Failure> {
            let mut schunk = SChunk::new(case.cparams.clone(), case.chunksize)?;
            for chunk in case.data.chunks(case.chunksize) {
                schunk.append(chunk)?;
            }
            Ok(schunk)
        };
        if self.wanted("append, super-chunk") {
            let cell = pair(
                self.effort,
                &mut ready,
                &mut || {
                    drop(black_box(fill(self)?));
                    Ok(())
                },
                &mut || {
                    drop(black_box(self.fill_c(&mut src, None, false)?));
                    Ok(())
                },
            )?;
            self.rows
                .push(("append, super-chunk", self.data.len(), cell));
        }
        let ours = fill(self)?;
        let library = self.library;
        let mut filled = library.schunk_new(&self.params, None, false)?;
        for chunk in src.chunks_mut(self.chunksize) {
            filled.append_in_place(chunk)?;
        }
        let names = ["read, super-chunk", "item, super-chunk"];
        self.slices("1000 items, super-chunk", 1000, &ours, &mut filled)?;
        self.reads(names, &ours, filled)
    }

    fn measure(&mut self) -> Result<(), Failure> {
        self.writes()?;
        let (file, folder) = (self.folder.join("file"), self.folder.join("folder"));
        let mut src = self.data.to_vec();
        let frame = self.fill_c(&mut src, None, true)?.to_bytes()?;
        drop(self.fill_c(&mut src, Some(&file), true)?);
        drop(self.fill_c(&mut src, Some(&folder), false)?);
        drop(src);
        let library = self.library;
        let limits = DParams::new();
        let reader = FrameReader::from_bytes(&frame, limits.clone())?;
        let theirs = library.schunk_from_bytes(&frame)?;
        self.reads(["read, memory", "item, memory"], &reader, theirs)?;
        let reader = FrameReader::open(&file, limits.clone())?;
        let theirs = library.schunk_open(&file, 0)?;
        self.reads(["read, file", "item, file"], &reader, theirs)?;
        let reader = FrameReader::open_sparse(&folder, limits)?;
        let theirs = library.schunk_open(&folder, 0)?;
        self.reads(["read, folder", "item, folder"], &reader, theirs)?;
        self.opens(&file)?;
        self.schunks()?;
        clear(&file)?;
        clear(&folder)
    }
}

fn main() -> Result<(), Failure> {
    let library = Library::get().ok_or("OXIBLOSC_LIBBLOSC2 names no library")?;
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: usize| args.get(at).map_or(Ok(default), |text| text.parse());
    let (rounds, mib) = (number(0, 11)?, number(1, 64)?);
    let clock = clock(args.get(2).map(String::as_str))?;
    let effort = Effort {
        rounds,
        calls: 1,
        clock,
    };
    let only = args.get(3).map_or("", String::as_str);
    let folder = tempfile::tempdir()?;
    println!(
        "Medians of {rounds} rounds, {mib} MiB of f64; \
         us or GB/s / how many times as long C {} takes",
        library.version()
    );
    for kind in [Content::Measured, Content::Ramp] {
        let data = content(kind, mib << 20);
        for chunksize in CHUNKSIZES {
            let mut columns = Vec::new();
            for (codec, _, level) in CODECS {
                let cparams = CParams::new(TYPESIZE).codec(codec).clevel(level);
                let params = Params::from(&cparams);
                let mut case = Case {
                    library,
                    data: &data,
                    chunksize,
                    cparams,
                    params,
                    folder: folder.path(),
                    effort,
                    only,
                    rows: Vec::new(),
                };
                case.measure()?;
                columns.push(case.rows);
            }
            println!("\n{kind:?}, chunks of {} KiB\n", chunksize >> 10);
            print!("| what |");
            for (_, name, level) in CODECS {
                print!(" {name} {level} |");
            }
            println!("\n|---|---|---|---|");
            let rows = columns.first().map_or(0, Vec::len);
            for row in 0..rows {
                print!("| {} |", columns[0][row].0);
                for column in &columns {
                    let (_, nbytes, cell) = column[row];
                    if nbytes > 0 {
                        let nbytes = f64::from(u32::try_from(nbytes)?);
                        print!(
                            " {:.2} GB/s / {:.2} |",
                            nbytes / (cell.seconds * 1e6) / 1e3,
                            cell.ratio
                        );
                    } else {
                        print!(" {:.2} us / {:.2} |", (cell.seconds * 1e6), cell.ratio);
                    }
                }
                println!();
            }
        }
    }
    Ok(())
}
