//! `oxiblosc info`: what a compressed file holds.

use std::io::Write;
use std::path::Path;

use oxiblosc::b2nd::Array;
use oxiblosc::chunk::{ChunkHeader, ChunkView};
use oxiblosc::schunk::StoredChunk;
use oxiblosc::{CodecId, DParams, FilterSlot, Limits, Special, SplitMode};
use serde_json::{Map, Value, json};

use crate::args::InfoArgs;
use crate::failure::{Failure, InFile, shown};
use crate::progress::ratio;
use crate::sniff::{self, Chunk, Frame, Input};

/// Runs the command.
pub(crate) fn run(args: &InfoArgs) -> Result<(), Failure> {
    let input = &args.input;
    let limits = sniff::limits(args.limits.no_limits);
    let dparams = DParams::new().limits(limits);
    let mut report = Map::new();
    report.insert("file".to_owned(), json!(shown(input)));
    match sniff::open(input, &dparams, false)? {
        Input::Chunk(chunk) => of_chunk(&chunk, &limits, &mut report).in_file(input)?,
        Input::Frame(frame) => {
            of_frame(&frame, &limits, args.chunks, &mut report).in_file(input)?;
            if frame.is_array() {
                of_array(frame, dparams, &mut report).in_file(input)?;
            }
        }
    }
    let report = Value::Object(report);
    let mut stdout = std::io::stdout().lock();
    let written = if args.json {
        writeln!(stdout, "{report:#}")
    } else {
        write_text(&mut stdout, &report)
    };
    written.in_file(Path::new("standard output"))
}

fn of_frame(
    frame: &Frame,
    limits: &Limits,
    chunks: bool,
    report: &mut Map<String, Value>,
) -> oxiblosc::Result<()> {
    let (header, layout) = (&frame.header, frame.source.layout());
    let kind = if frame.is_array() { "array" } else { "frame" };
    report.insert("kind".to_owned(), json!(kind));
    report.insert(
        "storage".to_owned(),
        json!(format!("{:?}", header.frame_type).to_lowercase()),
    );
    report.insert("format version".to_owned(), json!(header.version));
    report.insert("nbytes".to_owned(), json!(layout.nbytes));
    report.insert("cbytes".to_owned(), json!(layout.cbytes));
    report.insert(
        "ratio".to_owned(),
        json!(ratio(layout.nbytes, layout.cbytes)),
    );
    report.insert("typesize".to_owned(), json!(layout.typesize));
    report.insert("nchunks".to_owned(), json!(layout.nchunks));
    report.insert(
        "chunksize".to_owned(),
        match layout.chunksize {
            Some(chunksize) => json!(chunksize),
            None => json!("variable"),
        },
    );
    report.insert(
        "blocksize".to_owned(),
        match layout.blocksize {
            0 => json!("automatic"),
            blocksize => json!(blocksize),
        },
    );
    report.insert("codec".to_owned(), codec(header.codec));
    report.insert("level".to_owned(), json!(header.clevel));
    report.insert("filters".to_owned(), filters(&header.filters));
    report.insert("split".to_owned(), json!(split(header.split_mode)));
    let sizes = |(name, content): (&str, &[u8])| (name.to_owned(), json!(content.len()));
    let metalayers: Map<_, _> = frame.source.metalayers().iter().map(sizes).collect();
    report.insert("metalayers".to_owned(), Value::Object(metalayers));
    let mut vlmetalayers = Map::new();
    for name in frame.vlmetalayers.names() {
        let content = frame.vlmetalayers.get(name, limits)?.unwrap_or_default();
        vlmetalayers.insert(name.to_owned(), json!(content.len()));
    }
    report.insert("vlmetalayers".to_owned(), Value::Object(vlmetalayers));
    if chunks {
        let list: oxiblosc::Result<Vec<Value>> = (0..layout.nchunks)
            .map(|nchunk| match frame.source.chunk(nchunk)? {
                StoredChunk::Bytes(bytes) => {
                    let view = ChunkView::parse(&bytes, limits)?;
                    Ok(Value::Object(chunk_fields(view.header(), view.special())))
                }
                StoredChunk::Special { special, nbytes } => Ok(json!({
                    "special": special_name(special), "nbytes": nbytes, "cbytes": 0,
                })),
            })
            .collect();
        report.insert("chunks".to_owned(), Value::Array(list?));
    }
    Ok(())
}

fn of_array(
    frame: Frame,
    dparams: DParams,
    report: &mut Map<String, Value>,
) -> oxiblosc::Result<()> {
    let array = Array::open_with(frame.source, dparams)?;
    report.insert("shape".to_owned(), json!(array.shape()));
    report.insert("chunkshape".to_owned(), json!(array.chunkshape()));
    report.insert("blockshape".to_owned(), json!(array.blockshape()));
    report.insert("dtype".to_owned(), json!(array.dtype().as_str()));
    report.insert("data nbytes".to_owned(), json!(array.nbytes()));
    Ok(())
}

fn of_chunk(
    chunk: &Chunk,
    limits: &Limits,
    report: &mut Map<String, Value>,
) -> oxiblosc::Result<()> {
    let view = ChunkView::parse(&chunk.bytes, limits)?;
    report.insert("kind".to_owned(), json!("chunk"));
    report.insert("format version".to_owned(), json!(chunk.header.version));
    let (nbytes, cbytes) = (chunk.header.nbytes, chunk.header.cbytes);
    report.insert(
        "ratio".to_owned(),
        json!(ratio(nbytes.into(), cbytes.into())),
    );
    report.append(&mut chunk_fields(&chunk.header, view.special()));
    Ok(())
}

fn chunk_fields(header: &ChunkHeader, special: Option<Special<'_>>) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("nbytes".to_owned(), json!(header.nbytes));
    fields.insert("cbytes".to_owned(), json!(header.cbytes));
    fields.insert("typesize".to_owned(), json!(header.typesize));
    fields.insert("blocksize".to_owned(), json!(header.blocksize));
    if let Some(special) = special {
        fields.insert("special".to_owned(), json!(special_name(special)));
        return fields;
    }
    if header.is_memcpyed() {
        fields.insert("stored".to_owned(), json!("uncompressed"));
    } else {
        fields.insert(
            "codec".to_owned(),
            header.codec().map_or(Value::Null, codec),
        );
    }
    fields.insert("filters".to_owned(), filters(&header.filters));
    if header.is_vlblocks() {
        fields.insert("blocks".to_owned(), json!("of variable length"));
    }
    if header.has_dict() {
        fields.insert("dictionary".to_owned(), json!(true));
    }
    fields
}

fn special_name(special: Special<'_>) -> &'static str {
    match special {
        Special::Zeros => "zeros",
        Special::Nans => "nans",
        Special::Uninit => "uninit",
        Special::Repeat(_) => "repeated value",
        _ => "unknown",
    }
}

fn codec(id: CodecId) -> Value {
    json!(
        id.name()
            .map_or_else(|| id.get().to_string(), str::to_owned)
    )
}

fn filters(slots: &[FilterSlot]) -> Value {
    slots
        .iter()
        .filter(|slot| slot.id.get() != 0)
        .map(|slot| {
            let name = slot
                .id
                .name()
                .map_or_else(|| slot.id.get().to_string(), str::to_owned);
            if slot.meta == 0 {
                name
            } else {
                format!("{name}:{}", slot.meta)
            }
        })
        .collect()
}

fn split(mode: SplitMode) -> &'static str {
    match mode {
        SplitMode::Always => "always",
        SplitMode::Never => "never",
        SplitMode::Auto => "auto",
        SplitMode::ForwardCompat => "forward",
    }
}

/// One line per entry, and one per chunk.
fn write_text(out: &mut impl Write, report: &Value) -> std::io::Result<()> {
    let entries = report.as_object().into_iter().flatten();
    for (name, value) in entries.filter(|(name, _)| *name != "chunks") {
        writeln!(out, "{name:15} {}", plain(value))?;
    }
    let chunks = report.get("chunks").and_then(Value::as_array);
    for (nchunk, chunk) in chunks.into_iter().flatten().enumerate() {
        write!(out, "chunk {nchunk}:")?;
        for (name, value) in chunk.as_object().into_iter().flatten() {
            write!(out, " {name} {}", plain(value))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// A value as people write it.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) if items.is_empty() => "none".to_owned(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(", "),
        Value::Object(entries) if entries.is_empty() => "none".to_owned(),
        Value::Object(entries) => {
            let entries = entries
                .iter()
                .map(|(name, value)| format!("{name} ({value} bytes)"));
            entries.collect::<Vec<_>>().join(", ")
        }
        value => value.to_string(),
    }
}
