//! Edits arrays on disk by a script on standard input: the other half of the comparison with
//! python-blosc2.
//!
//! ```text
//! open FILE                     an array in a contiguous frame
//! set 0:3,2:5 FILE              a slice from raw elements
//! insert AXIS AT FILE           raw elements along an axis
//! delete AXIS START END
//! append FILE                   rows at the end of the first axis
//! resize 5,7
//! copy FILE 2,3 1,3             a copy in other chunks and blocks goes on; "-" stands for no axes
//! commit                        the last change reaches the file
//! ```

use std::io::BufRead;
use std::ops::Range;

use oxiblosc::b2nd::Array;
use oxiblosc::frame::{Contiguous, FrameWriter};
use oxiblosc::storage::DiskFile;
use oxiblosc::{DParams, Threads};

type Failure = Box<dyn std::error::Error>;
type Edited = Array<FrameWriter<Contiguous<DiskFile>>>;

/// A list such as 5,7.
fn lens<T: std::str::FromStr<Err: std::error::Error + 'static>>(
    word: &str,
) -> Result<Vec<T>, Failure> {
    if word == "-" {
        return Ok(Vec::new());
    }
    Ok(word.split(',').map(str::parse).collect::<Result<_, _>>()?)
}

/// A slice such as 0:3,2:5.
fn slice(word: &str) -> Result<Vec<Range<u64>>, Failure> {
    if word == "-" {
        return Ok(Vec::new());
    }
    word.split(',')
        .map(|range| {
            let (start, end) = range.split_once(':').ok_or("a range without a colon")?;
            Ok(start.parse()?..end.parse()?)
        })
        .collect()
}

fn edit(array: &mut Option<Edited>, words: &[&str]) -> Result<(), Failure> {
    if let ["open", file] = words {
        let writer = FrameWriter::open(file, DParams::new())?;
        *array = Some(Array::open_in_with(writer, threads())?);
        return Ok(());
    }
    let open = array.as_mut().ok_or("no array is open")?;
    match words {
        ["set", place, file] => open.set_slice_bytes(&slice(place)?, &std::fs::read(file)?)?,
        ["insert", axis, at, file] => {
            open.insert_bytes(axis.parse()?, at.parse()?, &std::fs::read(file)?)?;
        }
        ["delete", axis, start, end] => {
            open.delete(axis.parse()?, start.parse()?..end.parse()?)?;
        }
        ["append", file] => open.append_bytes(&std::fs::read(file)?)?,
        ["resize", shape] => open.resize(&lens::<u64>(shape)?)?,
        ["copy", file, chunks, blocks] => {
            let params = open
                .params()?
                .chunkshape(&lens::<u32>(chunks)?)
                .blockshape(&lens::<u32>(blocks)?);
            let writer = FrameWriter::create(file, params.frame_params()?.overwrite(true))?;
            let copy = open.copy_in(writer, &params)?;
            *array = Some(copy);
        }
        ["commit"] => open.schunk_mut()?.commit()?,
        _ => return Err(format!("not understood: {words:?}").into()),
    }
    Ok(())
}

/// Two threads, so that what is compared came from several.
fn threads() -> DParams {
    DParams::new().threads(Threads::Current)
}

fn main() -> Result<(), Failure> {
    let mut array = None;
    for (number, line) in std::io::stdin().lock().lines().enumerate() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        edit(&mut array, &words)
            .map_err(|error| format!("line {}: {line}: {error}", number + 1))?;
    }
    Ok(())
}
