//! `oxiblosc verify`: decode everything, keep nothing.

use std::io::Write;

use oxiblosc::b2nd::Array;
use oxiblosc::frame::Verified;
use oxiblosc::schunk::ChunkSource;
use oxiblosc::{ChunkDecoder, DParams};

use crate::args::VerifyArgs;
use crate::failure::{Failure, InFile, shown};
use crate::output::stdout;
use crate::progress::{Progress, size, speed};
use crate::sniff::{self, Input};
use crate::threads::threads;

/// Runs the command.
pub(crate) fn run(args: &VerifyArgs) -> Result<(), Failure> {
    let input = &args.input;
    let limits = sniff::limits(args.limits.no_limits);
    let dparams = DParams::new()
        .threads(threads(&args.threads)?)
        .limits(limits);
    let mut sealed = "";
    let (nchunks, nbytes, progress) = match sniff::open(input, &dparams, true)? {
        Input::Chunk(chunk) => {
            let progress = Progress::new(Some(chunk.header.nbytes.into()));
            let bytes = ChunkDecoder::new(dparams)
                .decode(&chunk.bytes)
                .in_file(input)?;
            (1, u64::try_from(bytes.len()).unwrap_or(u64::MAX), progress)
        }
        Input::Frame(mut frame) => {
            let is_array = frame.is_array();
            let checked = std::mem::replace(&mut frame.check, Ok(Verified::Unsealed));
            sealed = match checked.in_file(input)? {
                Verified::Sealed => "sealed, ",
                Verified::Updated => "sealed but for the metalayers, ",
                _ => "",
            };
            let layout = frame.source.layout();
            let progress = Progress::new(Some(layout.nbytes));
            for name in frame.source.vlmetalayers().names() {
                frame.source.vlmetalayer(name).in_file(input)?;
            }
            let mut decoder = ChunkDecoder::new(frame.chunk_dparams(&dparams));
            let mut bytes = Vec::new();
            let mut nbytes = 0_u64;
            for nchunk in 0..layout.nchunks {
                let source = &frame.source;
                let len = sniff::decode(source, &mut decoder, &limits, nchunk, &mut bytes)
                    .in_file(input)?;
                let len = u64::try_from(len).unwrap_or(u64::MAX);
                nbytes = nbytes.saturating_add(len);
                progress.add(len);
            }
            if nbytes != layout.nbytes {
                let stored = layout.nbytes;
                let what = format!("frame header: nbytes is {stored}, the chunks have {nbytes}");
                return Err(Failure::in_file(input, what));
            }
            if is_array {
                // The metalayer has to fit the chunks.
                Array::open_in_with(frame.source, dparams).in_file(input)?;
            }
            (layout.nchunks, nbytes, progress)
        }
    };
    let time = progress.finish();
    let chunks = if nchunks == 1 { "chunk" } else { "chunks" };
    let mut stdout = stdout()?;
    writeln!(
        stdout,
        "{}: good, {sealed}{nchunks} {chunks}, {}, {}",
        shown(input),
        size(nbytes),
        speed(nbytes, time)
    )
    .in_file(std::path::Path::new("standard output"))
}
