//! `oxiblosc tune`, and `compress --auto`: parameters for data, by samples of it.

use std::fs::File;
use std::io::{IsTerminal, Write};
use std::path::Path;

use oxiblosc::tune::{Goal, Trial, Tuned, find_typesize, tune};
use oxiblosc::{CParams, DParams};
use oxiblosc_npy as npy;
use serde_json::{Value, json};

use crate::args::{Color, CompressArgs, TuneArgs};
use crate::color::bold;
use crate::failure::{Failure, InFile, OfParams, is_dash, shown};
use crate::output::stdout;
use crate::samples::{Amount, Sampled};
use crate::sniff;
use crate::source::Source;

/// Samples to tune by.
const AMOUNT: Amount = Amount {
    count: 8,
    nbytes: 512 << 10,
    most_chunks: 32,
    most_nbytes: 64 << 20,
};

/// The parameters for a goal.
fn tuned(
    sampled: &Sampled,
    input: &Path,
    typesize: Option<usize>,
    goal: Goal,
) -> Result<Tuned, Failure> {
    let pieces: Vec<&[u8]> = sampled.pieces.iter().map(Vec::as_slice).collect();
    if pieces.is_empty() {
        return Err(Failure::in_file(input, "has no data to tune for"));
    }
    let typesize = match typesize.or(sampled.typesize) {
        Some(typesize) => typesize,
        None => find_typesize(&pieces).of_params(input)?,
    };
    tune(&pieces, typesize, goal).of_params(input)
}

/// Runs the command.
pub(crate) fn run(args: &TuneArgs, color: Color) -> Result<(), Failure> {
    let input = &args.input;
    let dparams = DParams::new().limits(sniff::limits(false));
    let sampled = Sampled::of_input(input, &dparams, AMOUNT)?;
    let tuned = tuned(&sampled, input, args.typesize, args.goal.goal())?;
    let mut stdout = stdout()?;
    let colored = color.is_on(stdout.is_terminal());
    let text = if args.json {
        format!("{:#}\n", as_json(&tuned))
    } else {
        as_text(&shown(input), &tuned, colored)
    };
    stdout
        .write_all(text.as_bytes())
        .in_file(Path::new("standard output"))
}

/// Sets what `--auto` finds as the parameters of `compress`.
pub(crate) fn apply(
    args: &mut CompressArgs,
    source: &mut Source,
    header: Option<&npy::Header>,
) -> Result<(), Failure> {
    let Some(goal) = args.encoding.goal() else {
        return Ok(());
    };
    let input = &args.input;
    let known = match header {
        Some(header) => header
            .dtype
            .itemsize()
            .and_then(|size| usize::try_from(size).ok()),
        None => args.typesize.and_then(|size| usize::try_from(size).ok()),
    };
    let data_at = header.map_or(0, |header| header.data_at);
    let sampled = if source.len().is_some() && !is_dash(input) {
        let file = File::open(input).in_file(input)?;
        Sampled::of_file(file, data_at, known, AMOUNT).in_file(input)?
    } else {
        // A pipe is read once: its beginning has to do.
        let len = data_at.saturating_add(AMOUNT.count * AMOUNT.nbytes);
        let bytes = source.peek(len).in_file(input)?;
        let data = bytes.get(usize::try_from(data_at).unwrap_or(usize::MAX)..);
        let data = data.filter(|data| !data.is_empty());
        Sampled {
            pieces: data.into_iter().map(<[u8]>::to_vec).collect(),
            typesize: known,
        }
    };
    if sampled.pieces.is_empty() {
        return Ok(());
    }
    let tuned = tuned(&sampled, input, known, goal)?;
    let best = tuned.best().cparams.clone();
    if header.is_none() && args.typesize.is_none() {
        args.typesize = u32::try_from(best.typesize).ok();
    }
    args.encoding.set_tuned(best);
    Ok(())
}

/// The names of the filters that are set.
fn filters(cparams: &CParams) -> Vec<&'static str> {
    let set = cparams.filters.iter().filter(|filter| filter.id.get() != 0);
    set.filter_map(|filter| filter.id.name()).collect()
}

fn codec(cparams: &CParams) -> &'static str {
    cparams.codec.name().unwrap_or("unknown")
}

/// Estimated speeds of compression and decompression, in MB/s.
fn speeds(trial: &Trial) -> (f64, f64) {
    (1000.0 / trial.encode_ns, 1000.0 / trial.decode_ns)
}

fn as_text(name: &str, tuned: &Tuned, colored: bool) -> String {
    let mut text = format!(
        "{name}: for {}, by {} bytes of samples; speeds are estimates in MB/s\n\n",
        tuned.goal(),
        tuned.best().nbytes
    );
    text.push_str("    ratio  compress  decompress  parameters\n");
    for (number, trial) in tuned.trials().iter().take(8).enumerate() {
        let (encode, decode) = speeds(trial);
        let filters = filters(&trial.cparams).join(" + ");
        let line = format!(
            "{} {:>7.2} {encode:>9.0} {decode:>11.0}  {} {}, {}",
            if number == 0 { '*' } else { ' ' },
            trial.ratio(),
            codec(&trial.cparams),
            trial.cparams.clevel,
            if filters.is_empty() {
                "no filter"
            } else {
                &filters
            },
        );
        text.push_str(&bold(&line, colored && number == 0));
        text.push('\n');
    }
    text.push('\n');
    text.push_str(&in_languages(&tuned.best().cparams));
    text
}

/// The parameters as options, as Rust, as Python and as JSON.
fn in_languages(cparams: &CParams) -> String {
    let (names, codec) = (filters(cparams), codec(cparams));
    let (level, typesize) = (cparams.clevel, cparams.typesize);
    let list = if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(",")
    };
    let each = |prefix: &str| {
        let full = names
            .iter()
            .map(|name| format!("{prefix}{}", name.to_uppercase()));
        full.collect::<Vec<_>>().join(", ")
    };
    let (rust, python, name) = (
        each("FilterSlot::"),
        each("blosc2.Filter."),
        codec.to_uppercase(),
    );
    format!(
        "command  --codec {codec} --level {level} --filters {list} --typesize {typesize}\n\
         Rust     CParams::new({typesize}).codec(CodecId::{name}).clevel({level})\
         .filters([{rust}])\n\
         Python   blosc2.CParams(codec=blosc2.Codec.{name}, clevel={level}, filters=[{python}], \
         typesize={typesize})\n\
         JSON     {}\n",
        as_value(cparams)
    )
}

fn as_value(cparams: &CParams) -> Value {
    json!({
        "codec": codec(cparams),
        "level": cparams.clevel,
        "filters": filters(cparams),
        "typesize": cparams.typesize,
    })
}

fn as_json(tuned: &Tuned) -> Value {
    let trials = tuned.trials().iter().map(|trial| {
        let (encode, decode) = speeds(trial);
        json!({
            "parameters": as_value(&trial.cparams),
            "nbytes": trial.nbytes,
            "cbytes": trial.cbytes,
            "ratio": trial.ratio(),
            "estimated_compress_mb_per_s": encode,
            "estimated_decompress_mb_per_s": decode,
        })
    });
    json!({
        "schema": 1,
        "goal": tuned.goal().name(),
        "best": as_value(&tuned.best().cparams),
        "trials": trials.collect::<Vec<_>>(),
    })
}
