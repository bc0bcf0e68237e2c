//! Changes one frame at the same time as other processes: the other half of
//! `interop/python/check_locking.py`.
//!
//! ```text
//! open contiguous|sparse|array LOCKING PATH     exclusive, wait, shared or none
//! close
//! append SEED          update N SEED            insert N SEED         delete N
//! vlmeta SEED          compact                  read N                chunks
//! resize ROWS          setrow N SEED            grow SEED             rows
//! row N
//! ```
//!
//! Each line on standard input is one change and its commit, or one read. The answer is one line:
//! `ok`, a number, bytes in hex, `locked`, or `error` and the message. A read of a handle that is
//! out of date refreshes it first.

use std::io::{BufRead, Write};

use oxiblosc::b2nd::Array;
use oxiblosc::frame::{Access, Contiguous, FrameStoreMut, FrameWriter, Locking, Sparse};
use oxiblosc::schunk::{ChunkSink, ChunkSource};
use oxiblosc::storage::{DiskDir, DiskFile};
use oxiblosc::{ChunkDecoder, DParams, Error, ErrorKind};

type Failure = Box<dyn std::error::Error>;

/// The bytes of a chunk, and of a row.
const CHUNK: usize = 1000;

/// The bytes of a seed, which differ in size once compressed.
fn piece(seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2_654_435_761) % (1 << 32);
    let random = (seed % 7 + 1) * 100;
    let byte = |at: u64| {
        state = (state * 1_103_515_245 + 12_345) % (1 << 31);
        let value = if at < random { state >> 16 } else { seed + at };
        value.to_le_bytes()[0]
    };
    (0..CHUNK as u64).map(byte).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads, after `refresh` when others have changed the frame. Under the shared lock a refreshed
/// handle can be out of date again at once.
fn read<C, R>(
    source: &mut C,
    refresh: impl Fn(&mut C) -> oxiblosc::Result<bool>,
    read: impl Fn(&C) -> oxiblosc::Result<R>,
) -> oxiblosc::Result<R> {
    loop {
        match read(source) {
            Err(error) if error.kind() == ErrorKind::Stale => refresh(source)?,
            done => return done,
        };
    }
}

enum Open {
    Contiguous(FrameWriter<Contiguous<DiskFile>>),
    Sparse(FrameWriter<Sparse<DiskDir>>),
    Array(Box<Array<FrameWriter<Contiguous<DiskFile>>>>),
}

fn open(kind: &str, locking: &str, path: &str) -> oxiblosc::Result<Open> {
    let access: Access = match locking {
        "exclusive" => Locking::Exclusive.into(),
        "wait" => Locking::Exclusive.waiting(),
        "shared" => Locking::Shared.into(),
        _ => Locking::None.into(),
    };
    let dparams = DParams::new();
    Ok(match kind {
        "sparse" => Open::Sparse(FrameWriter::open_sparse_with(path, dparams, access)?),
        "array" => {
            let writer = FrameWriter::open_with(path, dparams, access)?;
            Open::Array(Box::new(Array::open_in(writer)?))
        }
        _ => Open::Contiguous(FrameWriter::open_with(path, dparams, access)?),
    })
}

/// A change or a read of a super-chunk.
fn frame<S: FrameStoreMut>(
    writer: &mut FrameWriter<S>,
    words: &[&str],
) -> Result<Option<String>, Failure> {
    let encode = |seed: &str| -> Result<Vec<u8>, Failure> {
        let mut encoder = oxiblosc::ChunkEncoder::new(oxiblosc::CParams::new(1))?;
        Ok(encoder.encode(&piece(seed.parse()?))?)
    };
    match words {
        ["append", seed] => {
            writer.append_chunk(&encode(seed)?)?;
        }
        ["update", n, seed] => writer.update_chunk(n.parse()?, &encode(seed)?)?,
        ["insert", n, seed] => writer.insert_chunk(n.parse()?, &encode(seed)?)?,
        ["delete", n] => writer.delete_chunk(n.parse()?)?,
        // As python-blosc2 stores bytes: in msgpack.
        ["vlmeta", seed] => {
            let content = [&[0xC4, 8][..], &piece(seed.parse()?)[..8]].concat();
            writer.set_vlmetalayer("note", &content)?;
        }
        ["read", n] => {
            let n = n.parse()?;
            let bytes = read(writer, FrameWriter::refresh, |writer| {
                let mut bytes = vec![0; CHUNK];
                writer.decode_chunk_into(&mut ChunkDecoder::default(), n, &mut bytes)?;
                Ok(bytes)
            })?;
            return Ok(Some(hex(&bytes)));
        }
        ["chunks"] => {
            writer.refresh()?;
            return Ok(Some(writer.layout().nchunks.to_string()));
        }
        _ => return Err(format!("unknown: {words:?}").into()),
    }
    writer.commit()?;
    Ok(None)
}

/// A change or a read of an array.
fn array<S: FrameStoreMut>(
    array: &mut Array<FrameWriter<S>>,
    words: &[&str],
) -> Result<Option<String>, Failure> {
    match words {
        ["resize", rows] => array.resize(&[rows.parse()?, CHUNK as u64])?,
        ["setrow", n, seed] => {
            let (n, seed): (u64, u64) = (n.parse()?, seed.parse()?);
            array.set_slice(&[n..n + 1, 0..CHUNK as u64], &piece(seed))?;
        }
        ["grow", seed] => array.append(&piece(seed.parse()?))?,
        ["row", n] => {
            let n: u64 = n.parse()?;
            // The row may be one that others have added.
            array.refresh()?;
            let row = |array: &Array<_>| array.slice::<u8>(&[n..n + 1, 0..CHUNK as u64]);
            return Ok(Some(hex(&read(array, Array::refresh, row)?)));
        }
        ["rows"] => {
            array.refresh()?;
            return Ok(Some(array.shape()[0].to_string()));
        }
        _ => return Err(format!("unknown: {words:?}").into()),
    }
    array.schunk_mut()?.commit()?;
    Ok(None)
}

fn answer(opened: &mut Option<Open>, line: &str) -> Result<Option<String>, Failure> {
    let words: Vec<&str> = line.split_whitespace().collect();
    if let ["open", kind, locking, path] = words.as_slice() {
        *opened = None;
        *opened = Some(open(kind, locking, path)?);
        return Ok(None);
    }
    if words == ["close"] {
        *opened = None;
        return Ok(None);
    }
    match (opened.as_mut().ok_or("nothing is open")?, words.as_slice()) {
        (Open::Contiguous(writer), ["compact"]) => {
            writer.compact().map(|_| None).map_err(Into::into)
        }
        (Open::Sparse(writer), ["compact"]) => writer.compact().map(|_| None).map_err(Into::into),
        (Open::Contiguous(writer), words) => frame(writer, words),
        (Open::Sparse(writer), words) => frame(writer, words),
        (Open::Array(opened), words) => array(opened, words),
    }
}

fn main() -> Result<(), Failure> {
    let mut opened = None;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let said = match answer(&mut opened, &line) {
            Ok(answer) => answer.unwrap_or_else(|| "ok".to_owned()),
            Err(error) => match error.downcast_ref::<Error>() {
                Some(locked) if locked.kind() == ErrorKind::Locked => "locked".to_owned(),
                _ => format!("error {line}: {error}"),
            },
        };
        let mut stdout = std::io::stdout().lock();
        writeln!(stdout, "{said}")?;
        stdout.flush()?;
    }
    Ok(())
}
