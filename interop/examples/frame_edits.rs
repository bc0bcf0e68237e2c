//! Changes a frame as the lines of the standard input say, and prints what it holds: the other half
//! of `interop/python/check_frames.py`.
//!
//! ```text
//! create sparse|contiguous CHUNKSIZE    begin a frame with metalayer "fixed"; first, if at all
//! append HEX                            bytes at the end
//! insert N HEX | update N HEX           a whole chunk
//! items START HEX                       items of 4 bytes, wherever they lie
//! delete N | reorder N,N,...
//! special zeros|nans|uninit NBYTES
//! meta NAME HEX | vlmeta NAME HEX | novlmeta NAME
//! commit | seal | compact | recover
//! show                                  commit and print everything
//! ```
//!
//! The environment variable `CHUNKSIZE` names the size of the chunks that `append` cuts.

use std::error::Error;
use std::io::{self, BufRead, Write};
use std::path::Path;

use oxiblosc::frame::{Contiguous, FrameStoreMut, Sparse};
use oxiblosc::storage::{DiskDir, DiskFile};
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkSink, ChunkSource, DParams, FrameParams, FrameWriter,
    Special,
};

type Done<T = ()> = Result<T, Box<dyn Error>>;

/// Compacts either kind.
trait Tidy {
    fn tidy(&mut self) -> oxiblosc::Result<()>;
    fn drop_tail(&mut self) -> oxiblosc::Result<()>;
}

impl Tidy for FrameWriter<Contiguous<DiskFile>> {
    fn tidy(&mut self) -> oxiblosc::Result<()> {
        self.compact().map(drop)
    }

    fn drop_tail(&mut self) -> oxiblosc::Result<()> {
        self.recover().map(drop)
    }
}

impl Tidy for FrameWriter<Sparse<DiskDir>> {
    fn tidy(&mut self) -> oxiblosc::Result<()> {
        self.compact().map(drop)
    }

    fn drop_tail(&mut self) -> oxiblosc::Result<()> {
        self.recover().map(drop)
    }
}

fn main() -> Done {
    let path = std::env::args().nth(1).ok_or("frame_edits PATH < EDITS")?;
    let path = Path::new(&path);
    let mut lines = io::stdin().lock().lines().peekable();
    let mut sparse = path.is_dir();
    let mut params = None;
    if let Some(Ok(first)) = lines.peek()
        && let Some(rest) = first.strip_prefix("create ")
    {
        let (kind, chunksize) = rest.split_once(' ').ok_or("create KIND CHUNKSIZE")?;
        sparse = kind == "sparse";
        // Eight bytes in msgpack, so that Python reads it.
        let fixed = b"\xC4\x08original";
        let new = FrameParams::new(CParams::new(4), chunksize.parse()?);
        params = Some(new.metalayer("fixed", fixed)?);
        lines.next();
    }
    let edits: Vec<String> = lines.collect::<Result<_, _>>()?;
    if sparse {
        edit_all(
            match params {
                Some(params) => FrameWriter::create_sparse(path, params)?,
                None => FrameWriter::open_sparse(path, DParams::new())?,
            },
            &edits,
        )
    } else {
        edit_all(
            match params {
                Some(params) => FrameWriter::create(path, params.overwrite(true))?,
                None => FrameWriter::open(path, DParams::new())?,
            },
            &edits,
        )
    }
}

fn edit_all<S: FrameStoreMut>(mut writer: FrameWriter<S>, edits: &[String]) -> Done
where
    FrameWriter<S>: Tidy,
{
    let mut encoder = ChunkEncoder::new(writer.cparams().clone())?;
    if let Ok(chunksize) = std::env::var("CHUNKSIZE") {
        // A frame without chunks, or with chunks of many sizes, does not state it.
        writer.set_chunksize(chunksize.parse()?)?;
    }
    for line in edits {
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            ["append", bytes] => writer.append(&unhex(bytes)?)?,
            ["insert", at, bytes] => {
                writer.insert_chunk(at.parse()?, &encoder.encode(&unhex(bytes)?)?)?;
            }
            ["update", at, bytes] => {
                writer.update_chunk(at.parse()?, &encoder.encode(&unhex(bytes)?)?)?;
            }
            ["items", start, bytes] => writer.set_items(start.parse()?, &unhex(bytes)?)?,
            ["delete", at] => writer.delete_chunk(at.parse()?)?,
            ["reorder", order] => {
                let order: Result<Vec<u64>, _> = order.split(',').map(str::parse).collect();
                writer.reorder_chunks(&order?)?;
            }
            ["special", kind, nbytes] => {
                let special = match *kind {
                    "zeros" => Special::Zeros,
                    "nans" => Special::Nans,
                    _ => Special::Uninit,
                };
                writer.append_special(special, nbytes.parse()?)?;
            }
            ["meta", name, bytes] => writer.update_metalayer(name, &unhex(bytes)?)?,
            ["vlmeta", name, bytes] => writer.set_vlmetalayer(name, &unhex(bytes)?)?,
            ["novlmeta", name] => {
                writer.remove_vlmetalayer(name)?;
            }
            ["commit"] => writer.commit()?,
            ["seal"] => writer.seal()?,
            ["compact"] => writer.tidy()?,
            ["recover"] => writer.drop_tail()?,
            ["show"] => show(&mut writer)?,
            _ => return Err(format!("{line:?}?").into()),
        }
    }
    writer.finish()?;
    Ok(())
}

fn show<S: FrameStoreMut>(writer: &mut FrameWriter<S>) -> Done {
    writer.commit()?;
    let reader = writer.reader();
    let mut out = io::stdout().lock();
    let verified = format!("{:?}", reader.verify()?).to_lowercase();
    writeln!(out, "{verified}")?;
    let mut decoder = ChunkDecoder::new(DParams::new());
    for nchunk in 0..reader.layout().nchunks {
        let mut data = vec![0; reader.chunk_nbytes(nchunk)?];
        reader.decode_chunk_into(&mut decoder, nchunk, &mut data)?;
        writeln!(out, "chunk {}", hex(&data))?;
    }
    for (name, content) in reader.metalayers().iter() {
        writeln!(out, "meta {name} {}", hex(content))?;
    }
    for name in reader.vlmetalayers().names() {
        let content = reader.vlmetalayer(name)?.unwrap_or_default();
        writeln!(out, "vlmeta {name} {}", hex(&content))?;
    }
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Done<Vec<u8>> {
    let (pairs, _) = text.as_bytes().as_chunks::<2>();
    pairs
        .iter()
        .map(|pair| Ok(u8::from_str_radix(std::str::from_utf8(pair)?, 16)?))
        .collect()
}
