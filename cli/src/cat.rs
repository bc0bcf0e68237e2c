//! `oxiblosc cat`: the elements of an array, or of a part of it.

use oxiblosc::DParams;
use oxiblosc::b2nd::AxisSelection;
use oxiblosc_npy as npy;

use crate::address::Address;
use crate::args::{CatArgs, Format};
use crate::decompress::{descr_of, write};
use crate::elements::Elements;
use crate::failure::{Failure, InFile};
use crate::output::{Output, warn_binary};
use crate::slabs::{Slabs, wide};
use crate::slice;
use crate::sniff::{self, Input};
use crate::text::Printer;
use crate::threads::threads;

/// Runs the command.
pub(crate) fn run(args: &CatArgs) -> Result<(), Failure> {
    let input = &args.input;
    let dparams = DParams::new()
        .threads(threads(&args.threads)?)
        .limits(sniff::limits(args.limits.no_limits));
    let array = match Address::of(input) {
        Some(address) => {
            let name = address.name();
            match Elements::of(address.open(&dparams)?, &name, &dparams)? {
                Elements::Array(array) => *array,
                other => return other.cat(args, &name, &dparams),
            }
        }
        None => match sniff::open(input, &dparams, false)? {
            Input::Frame(frame) if frame.is_array() => frame.into_array(dparams).in_file(input)?.0,
            _ => return Err(Failure::in_file(input, "is no array; decompress writes it")),
        },
    };
    let text = args.slice.as_deref().unwrap_or("...");
    let parts = slice::parse(text, array.shape()).map_err(Failure::usage)?;

    let format = args.format();
    let left: Vec<u64> = parts
        .iter()
        .filter(|part| !part.single)
        .map(|part| part.len)
        .collect();
    let mut printer = Printer::new(array.dtype(), &left, format);
    let is_text = matches!(format, Format::Text | Format::Csv | Format::Json);
    if is_text && printer.is_none() {
        let what = format!("there is no text for the dtype {}", array.dtype());
        return Err(Failure::in_file(input, what));
    }

    if !is_text {
        warn_binary(&args.output);
    }
    let mut output = Output::create(&args.output, args.force)?;
    if format == Format::Npy {
        write(
            &mut output,
            &npy::Header::to_bytes(&descr_of(&array), &left),
        )?;
    }
    let lens: Vec<u64> = parts.iter().map(|part| part.len).collect();
    let chunks: Vec<u64> = array
        .chunkshape()
        .iter()
        .zip(&parts)
        .map(|(&chunk, part)| chunk.div_ceil(part.step))
        .collect();
    let (mut bytes, mut lines) = (Vec::new(), String::new());
    if let Some(printer) = &printer {
        printer.begin(&mut lines);
    }
    for slab in Slabs::new(&lens, &chunks, array.typesize()) {
        let picks: Vec<AxisSelection> = slab
            .iter()
            .zip(&parts)
            .map(|(range, part)| {
                let first = part.start + range.start * part.step;
                let last = part.start + (range.end - 1) * part.step;
                AxisSelection::steps(first..last + 1, part.step)
            })
            .collect();
        let items = slab.iter().try_fold(1_u64, |items, range| {
            items.checked_mul(range.end - range.start)
        });
        let len = items
            .and_then(|items| items.checked_mul(wide(array.typesize())))
            .and_then(|len| usize::try_from(len).ok())
            .ok_or_else(|| Failure::in_file(input, "a row of the array does not fit in memory"))?;
        bytes.resize(len, 0);
        array.slice_bytes_into(&picks, &mut bytes).in_file(input)?;
        match &mut printer {
            Some(printer) => {
                printer.print(&bytes, &mut lines);
                write(&mut output, lines.as_bytes())?;
                lines.clear();
            }
            None => write(&mut output, &bytes)?,
        }
    }
    if let Some(printer) = &printer {
        printer.end(&mut lines);
        write(&mut output, lines.as_bytes())?;
    }
    output.finish()
}
