//! `oxiblosc verify`: decode everything, keep nothing.

use std::io::Write;
use std::path::Path;

use oxiblosc::b2nd::Array;
use oxiblosc::frame::Verified;
use oxiblosc::schunk::ChunkSource;
use oxiblosc::store::{Kind, Tree};
use oxiblosc::{ChunkDecoder, DParams};

use crate::address::Address;
use crate::args::VerifyArgs;
use crate::failure::{Failure, InFile, shown};
use crate::many::each;
use crate::output::stdout;
use crate::progress::{Progress, size, speed};
use crate::sniff::{self, Frame, Input};
use crate::threads::threads;

/// A good object, in numbers.
#[derive(Debug, Default)]
struct Good {
    sealed: &'static str,
    nchunks: u64,
    nbytes: u64,
}

/// Runs the command.
pub(crate) fn run(args: &VerifyArgs) -> Result<(), Failure> {
    each(&args.inputs, |input| verify(args, input))
}

fn verify(args: &VerifyArgs, input: &Path) -> Result<(), Failure> {
    let limits = sniff::limits(args.limits.no_limits);
    let dparams = DParams::new()
        .threads(threads(&args.threads)?)
        .limits(limits);
    if let Some(address) = Address::of_store(input) {
        return store(&address, &dparams);
    }
    let (good, progress) = match sniff::open(input, &dparams, true)? {
        Input::Chunk(chunk) => {
            let progress = Progress::new(Some(chunk.header.nbytes.into()));
            let bytes = ChunkDecoder::new(dparams)
                .decode(&chunk.bytes)
                .in_file(input)?;
            let good = Good {
                nchunks: 1,
                nbytes: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
                ..Good::default()
            };
            (good, progress)
        }
        Input::Frame(frame) => {
            let progress = Progress::new(Some(frame.source.layout().nbytes));
            (of_frame(input, *frame, &dparams, &progress)?, progress)
        }
    };
    let time = progress.finish();
    let mut stdout = stdout()?;
    write_good(&mut stdout, input, &good, &speed(good.nbytes, time))
}

/// Checks every object of a store, or of a part of it. Damaged ones are listed with the good ones.
fn store(address: &Address, dparams: &DParams) -> Result<(), Failure> {
    let path = &address.store;
    let store = Tree::open_with(path, dparams.clone()).in_file(path)?;
    let keys = address.keys_below(&store)?;
    let progress = Progress::new(None);
    let mut stdout = stdout()?;
    let (mut nobjects, mut bad) = (0_usize, 0_usize);
    for key in keys {
        let name = Address {
            store: path.clone(),
            key,
        };
        let checked = object(&store, &name, dparams, &progress);
        match checked {
            Ok(Checked::Group) => {}
            Ok(Checked::Elsewhere(kind)) => {
                let name = name.name();
                writeln!(stdout, "{}: {kind}, its data are elsewhere", shown(&name))
                    .in_file(Path::new("standard output"))?;
            }
            Ok(Checked::Good(good)) => {
                nobjects += 1;
                write_good(&mut stdout, &name.name(), &good, "")?;
            }
            Err(failure) => {
                (nobjects, bad) = (nobjects + 1, bad + 1);
                writeln!(stdout, "{failure}").in_file(Path::new("standard output"))?;
            }
        }
    }
    progress.finish();
    if bad > 0 {
        let what = format!("{bad} of {nobjects} objects are not good");
        return Err(Failure::in_file(path, what));
    }
    let objects = if nobjects == 1 { "object" } else { "objects" };
    writeln!(stdout, "{}: good, {nobjects} {objects}", shown(path))
        .in_file(Path::new("standard output"))
}

/// A checked node of a store.
enum Checked {
    /// A group, whose attributes can be read.
    Group,
    /// An object with all its data.
    Good(Good),
    /// An object that has no data of its own, or not all.
    Elsewhere(Kind),
}

/// Checks an object of a store.
fn object(
    store: &Tree,
    address: &Address,
    dparams: &DParams,
    progress: &Progress,
) -> Result<Checked, Failure> {
    let name = address.name();
    let kind = store.node_kind(&address.key).in_file(&name)?;
    if matches!(kind, Kind::Group | Kind::Table) {
        store.metadata(&address.key).in_file(&name)?;
        return Ok(Checked::Group);
    }
    let leaf = store.leaf(&address.key).in_file(&name)?;
    match leaf.check_data() {
        // Nothing is wrong with a reference; what it refers to is elsewhere.
        Err(oxiblosc::Error::Mismatch { .. }) => return Ok(Checked::Elsewhere(kind)),
        checked => checked.in_file(&name)?,
    }
    if leaf.frame().is_none() {
        let source = leaf.chunks();
        let source = source.ok_or_else(|| Failure::in_file(&name, "has no data"))?;
        let dparams = sniff::chunk_dparams(source, dparams);
        let good = Good {
            nchunks: source.layout().nchunks,
            nbytes: decode_all(&name, source, &dparams, progress)?,
            ..Good::default()
        };
        return Ok(Checked::Good(good));
    }
    let frame = leaf.into_frame();
    let frame = frame.ok_or_else(|| Failure::in_file(&name, "has no data"))?;
    of_frame(&name, sniff::checked(frame), dparams, progress).map(Checked::Good)
}

/// Checks a frame: seal or structure, vlmetalayers, every chunk, and the metalayer of an array.
fn of_frame(
    name: &Path,
    mut frame: Frame,
    dparams: &DParams,
    progress: &Progress,
) -> Result<Good, Failure> {
    let is_array = frame.is_array();
    let checked = std::mem::replace(&mut frame.check, Ok(Verified::Unsealed));
    let sealed = match checked.in_file(name)? {
        Verified::Sealed => "sealed, ",
        Verified::Updated => "sealed but for the metalayers, ",
        _ => "",
    };
    for vlmetalayer in frame.source.vlmetalayers().names() {
        frame.source.vlmetalayer(vlmetalayer).in_file(name)?;
    }
    let layout = frame.source.layout();
    let chunk_dparams = sniff::chunk_dparams(&frame.source, dparams);
    let nbytes = decode_all(name, &frame.source, &chunk_dparams, progress)?;
    if nbytes != layout.nbytes {
        let stored = layout.nbytes;
        let what = format!("frame header: nbytes is {stored}, the chunks have {nbytes}");
        return Err(Failure::in_file(name, what));
    }
    if is_array {
        // The metalayer has to fit the chunks.
        Array::open_in_with(frame.source, dparams.clone()).in_file(name)?;
    }
    Ok(Good {
        sealed,
        nchunks: layout.nchunks,
        nbytes,
    })
}

/// Decodes every chunk; returns the bytes of all.
fn decode_all(
    name: &Path,
    source: &dyn ChunkSource,
    dparams: &DParams,
    progress: &Progress,
) -> Result<u64, Failure> {
    let mut decoder = ChunkDecoder::new(dparams.clone());
    let (mut bytes, mut nbytes) = (Vec::new(), 0_u64);
    for nchunk in 0..source.layout().nchunks {
        let limits = &dparams.limits;
        let len = sniff::decode(source, &mut decoder, limits, nchunk, &mut bytes).in_file(name)?;
        let len = u64::try_from(len).unwrap_or(u64::MAX);
        nbytes = nbytes.saturating_add(len);
        progress.add(len);
    }
    Ok(nbytes)
}

fn write_good(
    stdout: &mut impl Write,
    name: &Path,
    good: &Good,
    speed: &str,
) -> Result<(), Failure> {
    let nchunks = good.nchunks;
    let chunks = if nchunks == 1 { "chunk" } else { "chunks" };
    let comma = if speed.is_empty() { "" } else { ", " };
    writeln!(
        stdout,
        "{}: good, {}{nchunks} {chunks}, {}{comma}{speed}",
        shown(name),
        good.sealed,
        size(good.nbytes),
    )
    .in_file(Path::new("standard output"))
}
