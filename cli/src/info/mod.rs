//! `oxiblosc info`: what a compressed file holds.

mod report;
mod statistics;
mod words;

use std::fs;
use std::io::{IsTerminal, Write};
use std::path::Path;

use oxiblosc::b2nd::Array;
use oxiblosc::chunk::{ChunkHeader, ChunkView};
use oxiblosc::frame::{ChunkPlace, FrameHeader, FrameType, chunk_checksum};
use oxiblosc::schunk::{ChunkSource, StoredChunk};
use oxiblosc::store::Kind;
use oxiblosc::{DParams, Limits, Special};
use serde_json::{Value, json};

use self::report::{Report, Style};
use self::statistics::Statistics;
use self::words::{codec, filters, special_name, split};
use crate::address::Address;
use crate::args::{Color, InfoArgs};
use crate::failure::{Failure, InFile, is_dash, shown};
use crate::output::stdout;
use crate::sniff::{self, Chunk, Frame, Input};
use crate::{tree, vlmeta};

/// Runs the command.
pub(crate) fn run(args: &InfoArgs, color: Color) -> Result<(), Failure> {
    let input = &args.input;
    if args.tree || Address::of(input).is_some() {
        return tree::list(args);
    }
    let report = of_input(args)?;
    let mut stdout = stdout()?;
    let written = if args.json {
        writeln!(stdout, "{:#}", report.into_json())
    } else {
        let style = Style {
            exact: args.bytes,
            bold: color.is_on(stdout.is_terminal()),
            whole: args.meta,
        };
        report.write_text(&mut stdout, style)
    };
    written.in_file(Path::new("standard output"))
}

fn of_input(args: &InfoArgs) -> Result<Report, Failure> {
    let input = &args.input;
    let limits = sniff::limits(args.limits.no_limits);
    let dparams = DParams::new().limits(limits);
    let mut report = Report::default();
    report.add("file", shown(input));
    match sniff::describe(input, &dparams, false)? {
        Input::Chunk(chunk) => of_chunk(&chunk, &limits, &mut report).in_file(input)?,
        Input::Frame(frame) => of_frame(*frame, args, &dparams, &mut report).in_file(input)?,
    }
    Ok(report)
}

fn of_frame(
    frame: Frame,
    args: &InfoArgs,
    dparams: &DParams,
    report: &mut Report,
) -> oxiblosc::Result<()> {
    let (header, layout) = (frame.source.header().clone(), frame.source.layout());
    let kind = match frame.kind {
        Kind::SChunk => "frame",
        kind => kind.name(),
    };
    report.add("kind", kind);
    if let Some(recipe) = frame.recipe()? {
        report.add("recipe", recipe.to_string());
    }
    let statistics = Statistics::of(&frame.source);
    let chunks = match args.chunks {
        true => Some(list(&frame, &dparams.limits)?),
        false => None,
    };
    let file_nbytes = on_disk(&args.input, header.frame_len);
    let mut metalayers = serde_json::Map::new();
    for (name, content) in frame.source.metalayers().iter() {
        metalayers.insert(name.to_owned(), json!(content.len()));
    }
    let mut vlmetalayers = serde_json::Map::new();
    let stored = frame.source.vlmetalayers();
    for name in stored.names() {
        let nbytes = stored.nbytes(name)?.unwrap_or_default();
        vlmetalayers.insert(name.to_owned(), json!(nbytes));
    }
    report.vlmeta = vlmeta::values(&frame, args.meta);
    if args.meta {
        report.meta = vlmeta::fixed(&frame);
    }
    let has_shape = frame.is_array() && !frame.kind.is_recipe();
    let mut nbytes = layout.nbytes;
    if has_shape {
        let array = Array::open_in_with(frame.source, dparams.clone())?;
        nbytes = array.nbytes();
        report.add("shape", array.shape());
        report.add("dtype", array.dtype().as_str());
        report.add("chunkshape", array.chunkshape());
        report.add("blockshape", array.blockshape());
    }
    report.add_size("data_nbytes", nbytes);
    report.add_size("file_nbytes", file_nbytes);
    report.add("ratio", ratio(nbytes, file_nbytes));
    report.add("codec", codec(header.codec));
    report.add("level", header.clevel);
    report.add("filters", filters(&header.filters));
    report.add("split", split(header.split_mode));
    report.add("typesize", layout.typesize);
    report.add("nchunks", layout.nchunks);
    match layout.chunksize {
        Some(chunksize) => report.add_size("chunksize", chunksize),
        None => report.add("chunksize", "variable"),
    }
    match layout.blocksize {
        0 => report.add("blocksize", "automatic"),
        blocksize => report.add_size("blocksize", blocksize),
    }
    if has_shape {
        report.add_size("padded_nbytes", layout.nbytes);
    }
    statistics.add_to(report);
    report.add_size("chunks_cbytes", statistics.live);
    if !statistics.is_partial {
        report.add_size("dead_nbytes", dead(file_nbytes, &header, statistics.live));
    }
    report.add("storage", format!("{:?}", header.frame_type).to_lowercase());
    report.add("format_version", header.version);
    report.add_sizes("metalayers", metalayers);
    report.add_sizes("vlmetalayers", vlmetalayers);
    report.chunks = chunks;
    Ok(())
}

/// The bytes that a file or a directory takes; those of a frame from a pipe are its own.
pub(crate) fn on_disk(input: &Path, frame_len: u64) -> u64 {
    let len = |path: &Path| fs::metadata(path).map(|metadata| metadata.len());
    if is_dash(input) {
        return frame_len;
    }
    match fs::read_dir(input) {
        Ok(entries) => entries
            .filter_map(|entry| len(&entry.ok()?.path()).ok())
            .fold(0, u64::saturating_add),
        Err(_) => match fs::metadata(input) {
            Ok(metadata) if metadata.is_file() => metadata.len(),
            _ => frame_len,
        },
    }
}

/// The bytes that no reader needs: replaced chunks, unused files, what follows the frame.
fn dead(file_nbytes: u64, header: &FrameHeader, live: u64) -> u64 {
    let after = file_nbytes.saturating_sub(header.frame_len);
    match header.frame_type {
        FrameType::Sparse => after.saturating_sub(live),
        _ => header.cbytes.saturating_sub(live).saturating_add(after),
    }
}

/// The least memory of an entry in the list of chunks.
const ENTRY_LEN: u64 = 1024;

/// Every chunk. A frame of a few hundred bytes may claim more of them than there is memory to list.
fn list(frame: &Frame, limits: &Limits) -> oxiblosc::Result<Vec<Report>> {
    let nchunks = frame.source.layout().nchunks;
    let (value, max) = (nchunks.saturating_mul(ENTRY_LEN), limits.max_alloc);
    if value > max {
        return Err(oxiblosc::Error::limit_exceeded("max_alloc", value, max));
    }
    let chunks = (0..nchunks).zip(frame.source.chunk_places());
    let fields = chunks.map(|(nchunk, place)| {
        let mut fields = Report::default();
        match place {
            ChunkPlace::Offset(offset) => fields.add("offset", offset),
            ChunkPlace::File(number) => fields.add("file", format!("{number:08X}.chunk")),
            _ => fields.add("offset", Value::Null),
        }
        match frame.source.chunk(nchunk)? {
            StoredChunk::Bytes(bytes) => {
                let view = ChunkView::parse(&bytes, limits)?;
                chunk_fields(view.header(), view.special(), "kind", &mut fields);
                fields.add("xxh3", format!("{:016x}", chunk_checksum(&bytes)));
            }
            StoredChunk::Special { special, nbytes } => {
                fields.add("nbytes", nbytes);
                fields.add("cbytes", 0);
                fields.add("kind", special_name(special));
            }
            _ => {}
        }
        Ok(fields)
    });
    fields.collect()
}

fn of_chunk(chunk: &Chunk, limits: &Limits, report: &mut Report) -> oxiblosc::Result<()> {
    let view = ChunkView::parse(&chunk.bytes, limits)?;
    let (nbytes, cbytes) = (chunk.header.nbytes, chunk.header.cbytes);
    report.add("kind", "chunk");
    report.add_size("data_nbytes", nbytes);
    report.add_size("file_nbytes", cbytes);
    report.add("ratio", ratio(nbytes.into(), cbytes.into()));
    report.add("format_version", chunk.header.version);
    chunk_fields(&chunk.header, view.special(), "stored", report);
    Ok(())
}

fn chunk_fields(
    header: &ChunkHeader,
    special: Option<Special<'_>>,
    kind: &'static str,
    fields: &mut Report,
) {
    fields.add("nbytes", header.nbytes);
    fields.add("cbytes", header.cbytes);
    fields.add("typesize", header.typesize);
    fields.add("blocksize", header.blocksize);
    let stored = match special {
        Some(special) => special_name(special),
        None if header.is_memcpyed() => "uncompressed",
        None => "compressed",
    };
    fields.add(kind, stored);
    if special.is_some() {
        return;
    }
    if !header.is_memcpyed() {
        fields.add("codec", header.codec().map_or(Value::Null, codec));
    }
    fields.add("filters", filters(&header.filters));
    if header.is_vlblocks() {
        fields.add("blocks", "of variable length");
    }
    if header.has_dict() {
        fields.add("dictionary", true);
    }
}

/// The data as a multiple of the file, with three decimals.
#[expect(clippy::cast_precision_loss, reason = "a few digits are shown")]
pub(crate) fn ratio(nbytes: u64, file_nbytes: u64) -> f64 {
    (nbytes as f64 / file_nbytes.max(1) as f64 * 1000.0).round() / 1000.0
}
