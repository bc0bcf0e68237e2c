//! `oxiblosc append`: bytes at the end of a frame, rows at the end of an array.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use oxiblosc::b2nd::{Array, METALAYER, METALAYER_CATERVA};
use oxiblosc::frame::{Durability, FrameStoreMut, FrameWriter};
use oxiblosc::schunk::ChunkSource;
use oxiblosc::{DParams, Threads};
use oxiblosc_npy as npy;

use crate::args::{AppendArgs, NpyInput};
use crate::failure::{Failure, InFile, is_dash, shown};
use crate::progress::{Progress, say, size, speed};
use crate::slabs::wide;
use crate::sniff;
use crate::source::{Source, is_same, read_full};
use crate::threads::threads;

/// How many bytes are read at once.
const PIECE: usize = 4 << 20;

/// Runs the command.
pub(crate) fn run(args: &AppendArgs) -> Result<(), Failure> {
    let file = &args.file;
    if is_dash(file) {
        return Err(Failure::usage("a frame on standard input cannot change"));
    }
    let threads = threads(&args.threads)?;
    let dparams = DParams::new()
        .threads(threads.clone())
        .limits(sniff::limits(args.limits.no_limits));
    let mut source = Source::open(&args.input)?;
    let target = fs::metadata(file).in_file(file)?;
    // It would read what it appends, without an end.
    if source
        .metadata()
        .is_some_and(|source| is_same(&source, &target))
    {
        let what = format!("{} cannot be appended to itself", file.display());
        return Err(Failure::usage(what));
    }
    let header = source.npy_header(&args.input, NpyInput::Auto)?;
    let progress = Progress::new(source.len());
    let (nbytes, total) = if target.is_dir() {
        let writer =
            FrameWriter::open_sparse_with(file, dparams, args.lock.access()).in_file(file)?;
        append(args, writer, threads, source, header, &progress)?
    } else {
        let writer = FrameWriter::open_with(file, dparams, args.lock.access()).in_file(file)?;
        append(args, writer, threads, source, header, &progress)?
    };
    let time = progress.finish();
    say(&format!(
        "{} -> {}: {} more, {} now, {}",
        shown(&args.input),
        file.display(),
        size(nbytes),
        size(total),
        speed(nbytes, time),
    ));
    Ok(())
}

/// Appends, seals if asked to, and commits once. Returns the bytes added and those there now.
fn append<S: FrameStoreMut>(
    args: &AppendArgs,
    mut writer: FrameWriter<S>,
    threads: Threads,
    source: Source,
    header: Option<npy::Header>,
    progress: &Progress,
) -> Result<(u64, u64), Failure> {
    let (file, input) = (&args.file, &args.input);
    writer.set_durability(Durability::Full);
    writer.set_threads(threads);
    let metalayers = writer.metalayers();
    let is_array = [METALAYER, METALAYER_CATERVA]
        .iter()
        .any(|name| metalayers.get(name).is_some());
    let (nbytes, mut writer) = match header {
        Some(header) if is_array => append_rows(args, writer, source, &header, progress)?,
        None if !is_array => append_bytes(file, input, writer, source, progress)?,
        Some(_) => {
            let what = "is an .npy array, which goes to the end of an array only";
            return Err(Failure::in_file(input, what));
        }
        None => {
            let what = "is no .npy array, and only those go to the end of an array";
            return Err(Failure::in_file(input, what));
        }
    };
    if args.seal {
        writer.seal().in_file(file)?;
    }
    writer.commit().in_file(file)?;
    Ok((nbytes, writer.layout().nbytes))
}

fn append_bytes<S: FrameStoreMut>(
    file: &Path,
    input: &Path,
    mut writer: FrameWriter<S>,
    mut source: Source,
    progress: &Progress,
) -> Result<(u64, FrameWriter<S>), Failure> {
    let mut piece = vec![0; PIECE];
    let mut nbytes = 0_u64;
    loop {
        let len = match read_full(&mut source, &mut piece) {
            Ok(len) => len,
            Err(error) => return Err(undone(file, writer, Failure::in_file(input, error))),
        };
        let Some(bytes) = piece.get(..len).filter(|bytes| !bytes.is_empty()) else {
            return Ok((nbytes, writer));
        };
        writer.append(bytes).in_file(file)?;
        let len = u64::try_from(len).unwrap_or(u64::MAX);
        nbytes = nbytes.saturating_add(len);
        progress.add(len);
    }
}

/// Takes back what was appended before the input failed: a writer that is dropped would keep it.
fn undone<S: FrameStoreMut>(file: &Path, mut writer: FrameWriter<S>, failure: Failure) -> Failure {
    writer.rollback().in_file(file).err().unwrap_or(failure)
}

/// Adds the rows of an `.npy` array along the first axis.
fn append_rows<S: FrameStoreMut>(
    args: &AppendArgs,
    writer: FrameWriter<S>,
    mut source: Source,
    header: &npy::Header,
    progress: &Progress,
) -> Result<(u64, FrameWriter<S>), Failure> {
    let (file, input) = (&args.file, &args.input);
    let dparams = writer.reader().dparams().clone();
    let mut array = Array::open_in_with(writer, dparams).in_file(file)?;
    if header.dtype.itemsize() != Some(wide(array.typesize()))
        || !header.dtype.is_equivalent(array.dtype())
    {
        let (found, wanted) = (header.dtype.as_str(), array.dtype().as_str());
        let what = format!("dtype is {found}, the array has {wanted}");
        return Err(Failure::in_file(input, what));
    }
    let (Some((&rows, row)), Some((_, wanted))) =
        (header.shape.split_first(), array.shape().split_first())
    else {
        return Err(Failure::in_file(input, "an array of no axes cannot grow"));
    };
    if row != wanted {
        let what = format!("rows have shape {row:?}, those of the array {wanted:?}");
        return Err(Failure::in_file(input, what));
    }
    if header.is_fortran() && header.shape.len() > 1 {
        let what = "is in Fortran order; rows are appended from C order";
        return Err(Failure::in_file(input, what));
    }
    let too_long = || Failure::in_file(input, "a row does not fit in memory");
    let row = row
        .iter()
        .try_fold(wide(array.typesize()), |nbytes, &len| {
            nbytes.checked_mul(len)
        })
        .and_then(|nbytes| usize::try_from(nbytes).ok())
        .ok_or_else(too_long)?;
    let mut start = (&mut source).take(header.data_at);
    io::copy(&mut start, &mut io::sink()).in_file(input)?;
    // Whole chunks at once where that is possible: a chunk that grows twice is compressed twice.
    let chunk = array.chunkshape().first().copied().unwrap_or(1);
    let chunk = usize::try_from(chunk).map_err(|_| too_long())?.max(1);
    let slab = chunk.saturating_mul((PIECE / row.saturating_mul(chunk).max(1)).max(1));
    let mut left = usize::try_from(rows).map_err(|_| too_long())?;
    let mut bytes = Vec::new();
    let mut nbytes = 0_u64;
    while left > 0 && row > 0 {
        let len = row.checked_mul(left.min(slab)).ok_or_else(too_long)?;
        bytes.clear();
        let some = u64::try_from(len).unwrap_or(u64::MAX);
        let read = (&mut source).take(some).read_to_end(&mut bytes);
        // The header may claim rows that are not there.
        let whole = read.and_then(|_| match bytes.len() {
            found if found < len => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        });
        if let Err(error) = whole {
            let failure = Failure::in_file(input, error);
            return Err(undone(file, array.discard_rows(), failure));
        }
        array.append_bytes(&bytes).in_file(file)?;
        left -= left.min(slab);
        let len = u64::try_from(len).unwrap_or(u64::MAX);
        nbytes = nbytes.saturating_add(len);
        progress.add(len);
    }
    Ok((nbytes, array.into_inner().in_file(file)?))
}
