//! `oxiblosc cat`: the elements of an array, or of a part of it.

use oxiblosc::DParams;
use oxiblosc::b2nd::AxisSelection;
use oxiblosc_npy as npy;

use crate::args::{CatArgs, Format};
use crate::decompress::{descr_of, write};
use crate::failure::{Failure, InFile};
use crate::output::Output;
use crate::slabs::{Slabs, wide};
use crate::slice;
use crate::sniff::{self, Input};
use crate::text::Printer;
use crate::threads::threads;
use crate::tree::{Address, Elements};

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

    let npy = args
        .output
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("npy"));
    let format = args
        .format
        .unwrap_or(if npy { Format::Npy } else { Format::Raw });
    let printer = Printer::new(array.dtype());
    if format == Format::Text && printer.is_none() {
        let what = format!("there is no text for the dtype {}", array.dtype());
        return Err(Failure::in_file(input, what));
    }
    let left: Vec<u64> = parts
        .iter()
        .filter(|part| !part.single)
        .map(|part| part.len)
        .collect();
    let row = left.last().copied().unwrap_or(1);

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
    let (mut bytes, mut lines, mut at) = (Vec::new(), String::new(), 0_u64);
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
        match &printer {
            Some(printer) if format == Format::Text => {
                lines.clear();
                printer.print(&bytes, row, at, &mut lines);
                at = at.saturating_add(items.unwrap_or(0));
                write(&mut output, lines.as_bytes())?;
            }
            _ => write(&mut output, &bytes)?,
        }
    }
    output.finish()
}
