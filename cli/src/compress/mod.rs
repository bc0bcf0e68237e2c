//! `oxiblosc compress`: bytes to a frame, an `.npy` array to an array frame.

pub(crate) mod content;

use std::io::{self, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use oxiblosc::frame::{Contiguous, Sparse};
use oxiblosc::storage::{DiskDir, DiskFile};

use self::content::{Content, compress, payload};
use crate::args::CompressArgs;
use crate::failure::{Failure, InFile, is_dash};
use crate::folder::Folder;
use crate::output::{Output, input_metadata, warn_binary};
use crate::progress::{Progress, say, say_compressed};
use crate::sniff;
use crate::source::Source;
use crate::tune;
use crate::watched::{Failed, Watched};

/// Runs the command.
pub(crate) fn run(args: &CompressArgs) -> Result<(), Failure> {
    let input = &args.input;
    let mut source = Source::open(input)?;
    let header = source.npy_header(input, args.npy)?;
    if header.is_none() && !args.force_nested {
        refuse_nested(input, &mut source)?;
    }
    check_options(args, header.is_some())?;
    let mut args = args.clone();
    tune::apply(&mut args, &mut source, header.as_ref())?;
    let args = &args;
    let output = match &args.output {
        Some(output) => output.clone(),
        None => args.place.put(default_output(input, header.is_some())?),
    };
    let progress = Progress::new(match &header {
        Some(header) => payload(header),
        None => source.len(),
    });
    let is_raw = header.is_none();
    let content = match header {
        Some(header) => Content::Elements(source, header),
        None => Content::Bytes(source),
    };
    let (nbytes, cbytes, name) = if args.sparse {
        to_folder(args, content, &output, &progress)?
    } else {
        to_file(args, content, &output, &progress)?
    };
    let time = progress.finish();
    say_compressed(input, &name, (nbytes, cbytes), time);
    // Numbers that were taken for single bytes look like noise.
    if is_raw && args.typesize.is_none() && nbytes >= WORTH_A_HINT && cbytes / 9 > nbytes / 10 {
        say(
            "  hardly smaller as single bytes: --typesize N is the size of an item, --auto finds it",
        );
    }
    Ok(())
}

/// Inputs below this many bytes get no hint.
const WORTH_A_HINT: u64 = 4096;

/// Refuses a frame: compressed once more, it is larger and no longer recognised.
fn refuse_nested(input: &Path, source: &mut Source) -> Result<(), Failure> {
    let start = source.peek(sniff::START_LEN).in_file(input)?;
    if sniff::is_frame(&start) {
        let what = "is compressed already; convert changes how, --force-nested takes its bytes";
        return Err(Failure::in_file(input, what));
    }
    Ok(())
}

/// Into a contiguous frame: the sizes of both sides, and the name of the output.
pub(crate) fn to_file(
    args: &CompressArgs,
    content: Content,
    output: &Path,
    progress: &Progress,
) -> Result<(u64, u64, PathBuf), Failure> {
    warn_binary(output);
    let mut output = Output::create(output, args.force)?;
    output.take_mode(input_metadata(&args.input));
    // A frame is not written front to back, so what goes to a pipe is completed elsewhere first.
    let file = match &output {
        Output::File { temp, .. } => temp.as_file().try_clone(),
        _ => tempfile::tempfile(),
    }
    .in_file(output.name())?;
    let failed = Failed::default();
    let store = Contiguous::new(Watched::new(DiskFile::from(file), &failed));
    let done = compress(args, content, store, progress);
    let (nbytes, store) = failed.blame(output.name(), done)?;
    let mut file = store.into_inner().inner.into_file();
    let cbytes = file.seek(SeekFrom::End(0)).in_file(output.name())?;
    if !matches!(output, Output::File { .. }) {
        file.rewind().in_file(output.name())?;
        io::copy(&mut file, &mut output).in_file(output.name())?;
    }
    let name = output.name().to_owned();
    output.finish()?;
    Ok((nbytes, cbytes, name))
}

/// Into a sparse frame: the sizes of both sides, and the name of the output.
pub(crate) fn to_folder(
    args: &CompressArgs,
    content: Content,
    output: &Path,
    progress: &Progress,
) -> Result<(u64, u64, PathBuf), Failure> {
    if is_dash(output) {
        return Err(Failure::usage(
            "a sparse frame is a directory, and does not go to standard output",
        ));
    }
    let folder = Folder::create(output, args.force)?;
    let failed = Failed::default();
    let dir = DiskDir::create_new(folder.path()).in_file(output)?;
    folder.take_mode(input_metadata(&args.input));
    let store = Sparse::new(Watched::new(dir, &failed));
    let done = compress(args, content, store, progress);
    let (nbytes, store) = failed.blame(output, done)?;
    drop(store);
    let cbytes = folder.len().in_file(output)?;
    folder.finish()?;
    Ok((nbytes, cbytes, output.to_owned()))
}

/// Refuses options that the kind of input has no use for.
pub(crate) fn check_options(args: &CompressArgs, is_array: bool) -> Result<(), Failure> {
    if is_array {
        for (name, given) in [
            ("--typesize", args.typesize.is_some()),
            ("--chunk-size", args.chunk_size.is_some()),
            ("--block-size", args.block_size.is_some()),
        ] {
            if given {
                return Err(Failure::usage(format!(
                    "{name} is for raw bytes; an array takes --chunks and --blocks"
                )));
            }
        }
    } else {
        for (name, given) in [
            ("--chunks", args.chunks.is_some()),
            ("--blocks", args.blocks.is_some()),
        ] {
            if given {
                return Err(Failure::usage(format!(
                    "{name} is for .npy arrays; raw bytes take --chunk-size and --block-size"
                )));
            }
        }
    }
    if args.encoding.has_too_many_filters() {
        return Err(Failure::usage("there are more than 6 filters"));
    }
    Ok(())
}

fn default_output(input: &Path, is_array: bool) -> Result<PathBuf, Failure> {
    if is_dash(input) {
        return Err(Failure::usage(
            "standard input needs an output: -o OUT or -o -",
        ));
    }
    if is_array {
        return Ok(input.with_extension("b2nd"));
    }
    let mut name = input.as_os_str().to_owned();
    name.push(".b2frame");
    Ok(name.into())
}
