//! The real library under the clock, for `oxiblosc bench --against`: a request per line on standard
//! input, an answer per line, `ok …` or `error …`, on standard output.
//!
//! ```text
//! bench_c LIBRARY DATA CHUNKSIZE
//! > ok C-Blosc2 3.3.5
//! < set CODEC LEVEL TYPESIZE SPLIT THREADS ID*6 META*6
//! > ok 0
//! < encode
//! > ok NANOSECONDS CBYTES
//! < decode
//! > ok NANOSECONDS                 after comparing with the data
//! ```

use std::fmt;
use std::io::{BufRead, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use oxiblosc_interop::{Decompressor, Library, Params};

/// A failure in words.
type Outcome<T> = Result<T, String>;

fn text(error: impl fmt::Display) -> String {
    error.to_string()
}

/// Data, contexts and buffers.
struct Bench<'l> {
    library: &'l Library,
    data: Vec<u8>,
    /// The data as they are handed to C, which writes into its input (format §14 item 3).
    input: Vec<u8>,
    chunksize: usize,
    set: Option<(Params, Decompressor<'l>)>,
    chunks: Vec<Vec<u8>>,
    lens: Vec<usize>,
    back: Vec<u8>,
}

impl<'l> Bench<'l> {
    fn new(library: &'l Library, data: Vec<u8>, chunksize: usize) -> Self {
        let chunks = data
            .chunks(chunksize)
            .map(|chunk| vec![0; chunk.len() + 64]);
        let chunks: Vec<_> = chunks.collect();
        Self {
            library,
            input: data.clone(),
            back: vec![0xA5; data.len()],
            lens: vec![0; chunks.len()],
            chunks,
            data,
            chunksize,
            set: None,
        }
    }

    fn set(&mut self, numbers: &[&str]) -> Outcome<String> {
        let parsed = numbers.iter().map(|number| number.parse::<i32>());
        let parsed = parsed.collect::<Result<Vec<_>, _>>().map_err(text)?;
        let &[codec, level, typesize, split, threads, ref slots @ ..] = parsed.as_slice() else {
            return Err("set has too few numbers".to_owned());
        };
        let bytes = slots.iter().map(|&number| u8::try_from(number));
        let bytes = bytes.collect::<Result<Vec<_>, _>>().map_err(text)?;
        let (ids, metas) = bytes.split_at_checked(6).ok_or("set has too few numbers")?;
        let params = Params {
            codec: u8::try_from(codec).map_err(text)?,
            clevel: u8::try_from(level).map_err(text)?,
            typesize,
            splitmode: split,
            nthreads: i16::try_from(threads).map_err(text)?,
            filters: ids.try_into().map_err(text)?,
            filters_meta: metas.try_into().map_err(text)?,
            ..Params::default()
        };
        let decompressor = self.library.decompressor(params.nthreads).map_err(text)?;
        self.set = Some((params, decompressor));
        self.back.fill(0xA5);
        Ok("0".to_owned())
    }

    fn encode(&mut self) -> Outcome<String> {
        let (params, _) = self.set.as_ref().ok_or("nothing is set")?;
        // A context keeps the block size of a short last chunk for the chunks of the next pass, so
        // that every pass has its own.
        let mut compressor = self.library.compressor(params).map_err(text)?;
        self.input.copy_from_slice(&self.data);
        let places = self.chunks.iter_mut().zip(&mut self.lens);
        let start = Instant::now();
        for (input, (chunk, len)) in self.input.chunks_mut(self.chunksize).zip(places) {
            *len = compressor.compress(input, chunk).map_err(text)?;
        }
        let time = start.elapsed();
        let cbytes: usize = self.lens.iter().sum();
        Ok(format!("{} {cbytes}", time.as_nanos()))
    }

    fn decode(&mut self) -> Outcome<String> {
        let (_, decompressor) = self.set.as_mut().ok_or("nothing is set")?;
        let chunks = self.chunks.iter().zip(&self.lens);
        let start = Instant::now();
        for ((chunk, &len), back) in chunks.zip(self.back.chunks_mut(self.chunksize)) {
            let chunk = chunk
                .get(..len)
                .ok_or("a chunk is longer than its buffer")?;
            decompressor.decompress(chunk, back).map_err(text)?;
        }
        let time = start.elapsed();
        if self.back != self.data {
            return Err("the decoded data differ".to_owned());
        }
        Ok(time.as_nanos().to_string())
    }

    fn answer(&mut self, request: &str) -> Outcome<String> {
        let mut words = request.split_whitespace();
        match words.next() {
            Some("set") => self.set(&words.collect::<Vec<_>>()),
            Some("encode") => self.encode(),
            Some("decode") => self.decode(),
            _ => Err(format!("{request} is no request")),
        }
    }
}

fn run() -> Outcome<()> {
    let mut say = std::io::stdout();
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [library, data, chunksize] = args.as_slice() else {
        return Err("bench_c LIBRARY DATA CHUNKSIZE".to_owned());
    };
    let chunksize: usize = chunksize.parse().map_err(text)?;
    let data = std::fs::read(data).map_err(text)?;
    // SAFETY: the caller names the library of C-Blosc2.
    let library = unsafe { Library::load(Path::new(library)) }.map_err(text)?;
    let mut bench = Bench::new(&library, data, chunksize.max(1));
    writeln!(say, "ok C-Blosc2 {}", library.version()).map_err(text)?;
    for request in std::io::stdin().lock().lines() {
        match bench.answer(&request.map_err(text)?) {
            Ok(answer) => writeln!(say, "ok {answer}"),
            Err(what) => writeln!(say, "error {what}"),
        }
        .map_err(text)?;
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(what) => {
            let _ = writeln!(std::io::stdout(), "error {what}");
            ExitCode::FAILURE
        }
    }
}
