//! `oxiblosc info`: what a compressed file holds.

use std::io::Write;
use std::path::Path;

use oxiblosc::b2nd::Array;
use oxiblosc::chunk::{ChunkHeader, ChunkView};
use oxiblosc::frame::{ChunkPlace, chunk_checksum};
use oxiblosc::schunk::{ChunkSource, StoredChunk};
use oxiblosc::store::Kind;
use oxiblosc::{CodecId, DParams, FilterId, FilterSlot, Limits, Special, SplitMode};
use serde_json::{Value, json};

use crate::args::InfoArgs;
use crate::failure::{Failure, InFile, shown};
use crate::output::stdout;
use crate::sniff::{self, Chunk, Frame, Input};
use crate::{tree, vlmeta};

/// Runs the command.
pub(crate) fn run(args: &InfoArgs) -> Result<(), Failure> {
    let input = &args.input;
    if args.tree || tree::Address::of(input).is_some() {
        return tree::list(args);
    }
    let limits = sniff::limits(args.limits.no_limits);
    let dparams = DParams::new().limits(limits);
    let mut report = Report::default();
    report.add("file", shown(input));
    match sniff::describe(input, &dparams, false)? {
        Input::Chunk(chunk) => of_chunk(&chunk, &limits, &mut report).in_file(input)?,
        Input::Frame(frame) => {
            of_frame(&frame, &limits, args.chunks, &mut report).in_file(input)?;
            if frame.is_array() && !frame.kind.is_recipe() {
                of_array(*frame, dparams, &mut report).in_file(input)?;
            }
        }
    }
    let mut stdout = stdout()?;
    let written = if args.json {
        writeln!(stdout, "{:#}", report.into_json())
    } else {
        report.write_text(&mut stdout)
    };
    written.in_file(Path::new("standard output"))
}

/// Names and values, in the order in which people read them.
#[derive(Debug, Default)]
struct Report {
    entries: Vec<(&'static str, Value)>,
    /// The vlmetalayers as values, by name.
    metadata: Vec<(String, String)>,
    chunks: Option<Vec<Report>>,
}

impl Report {
    fn add(&mut self, name: &'static str, value: impl Into<Value>) {
        self.entries.push((name, value.into()));
    }

    fn into_json(self) -> Value {
        let mut object: serde_json::Map<String, Value> = self
            .entries
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        if !self.metadata.is_empty() {
            let values = self.metadata.into_iter();
            let json = |text: String| serde_json::from_str(&text).unwrap_or(Value::String(text));
            let values = values.map(|(name, text)| (name, json(text))).collect();
            object.insert("vlmeta".to_owned(), Value::Object(values));
        }
        if let Some(chunks) = self.chunks {
            let chunks = chunks.into_iter().map(Self::into_json).collect();
            object.insert("chunks".to_owned(), chunks);
        }
        Value::Object(object)
    }

    /// One line per entry, and one per chunk.
    fn write_text(&self, out: &mut impl Write) -> std::io::Result<()> {
        for (name, value) in &self.entries {
            writeln!(out, "{name:15} {}", plain(value))?;
        }
        for (name, value) in &self.metadata {
            let shortened: String = value.chars().take(MAX_SHOWN).collect();
            let more = if shortened.len() < value.len() {
                " ..."
            } else {
                ""
            };
            let name = name.escape_debug();
            writeln!(out, "{:15} {name} = {shortened}{more}", "vlmeta")?;
        }
        for (nchunk, chunk) in self.chunks.iter().flatten().enumerate() {
            write!(out, "chunk {nchunk}:")?;
            for (name, value) in &chunk.entries {
                write!(out, " {name} {}", plain(value))?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

fn of_frame(
    frame: &Frame,
    limits: &Limits,
    chunks: bool,
    report: &mut Report,
) -> oxiblosc::Result<()> {
    let (header, layout) = (frame.source.header(), frame.source.layout());
    let kind = match frame.kind {
        Kind::SChunk => "frame",
        kind => kind.name(),
    };
    report.add("kind", kind);
    if let Some(recipe) = frame.recipe()? {
        report.add("recipe", recipe.to_string());
    }
    report.add("storage", format!("{:?}", header.frame_type).to_lowercase());
    report.add("format_version", header.version);
    report.add("nbytes", layout.nbytes);
    report.add("cbytes", layout.cbytes);
    report.add("ratio", ratio(layout.nbytes, layout.cbytes));
    report.add("typesize", layout.typesize);
    report.add("nchunks", layout.nchunks);
    report.add(
        "chunksize",
        match layout.chunksize {
            Some(chunksize) => json!(chunksize),
            None => json!("variable"),
        },
    );
    report.add(
        "blocksize",
        match layout.blocksize {
            0 => json!("automatic"),
            blocksize => json!(blocksize),
        },
    );
    report.add("codec", codec(header.codec));
    report.add("level", header.clevel);
    report.add("filters", filters(&header.filters));
    report.add("split", split(header.split_mode));
    let sizes = |(name, content): (&str, &[u8])| (name.to_owned(), json!(content.len()));
    report.add(
        "metalayers",
        frame
            .source
            .metalayers()
            .iter()
            .map(sizes)
            .collect::<Value>(),
    );
    let mut vlmetalayers = serde_json::Map::new();
    let stored = frame.source.vlmetalayers();
    for name in stored.names() {
        let nbytes = stored.nbytes(name)?.unwrap_or_default();
        vlmetalayers.insert(name.to_owned(), json!(nbytes));
    }
    report.add("vlmetalayers", vlmetalayers);
    report.metadata = vlmeta::values(frame);
    if chunks {
        check_list(layout.nchunks, limits)?;
        let list = (0..layout.nchunks)
            .zip(frame.source.chunk_places())
            .map(|(nchunk, place)| {
                let mut fields = Report::default();
                match place {
                    ChunkPlace::Offset(offset) => fields.add("offset", offset),
                    ChunkPlace::File(number) => fields.add("file", format!("{number:08X}.chunk")),
                    _ => fields.add("offset", Value::Null),
                }
                match frame.source.chunk(nchunk)? {
                    StoredChunk::Bytes(bytes) => {
                        let view = ChunkView::parse(&bytes, limits)?;
                        chunk_fields(view.header(), view.special(), true, &mut fields);
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
        report.chunks = Some(list.collect::<oxiblosc::Result<_>>()?);
    }
    Ok(())
}

/// The most characters of a value in the text.
const MAX_SHOWN: usize = 200;

/// The least memory of an entry in the list of chunks.
const ENTRY_LEN: u64 = 1024;

/// A frame of a few hundred bytes may claim more chunks than there is memory to list.
fn check_list(nchunks: u64, limits: &Limits) -> oxiblosc::Result<()> {
    let value = nchunks.saturating_mul(ENTRY_LEN);
    if value > limits.max_alloc {
        let max = limits.max_alloc;
        return Err(oxiblosc::Error::limit_exceeded("max_alloc", value, max));
    }
    Ok(())
}

fn of_array(frame: Frame, dparams: DParams, report: &mut Report) -> oxiblosc::Result<()> {
    let array = Array::open_in_with(frame.source, dparams)?;
    report.add("shape", array.shape());
    report.add("chunkshape", array.chunkshape());
    report.add("blockshape", array.blockshape());
    report.add("dtype", array.dtype().as_str());
    report.add("data_nbytes", array.nbytes());
    Ok(())
}

fn of_chunk(chunk: &Chunk, limits: &Limits, report: &mut Report) -> oxiblosc::Result<()> {
    let view = ChunkView::parse(&chunk.bytes, limits)?;
    report.add("kind", "chunk");
    report.add("format_version", chunk.header.version);
    let (nbytes, cbytes) = (chunk.header.nbytes, chunk.header.cbytes);
    report.add("ratio", ratio(nbytes.into(), cbytes.into()));
    chunk_fields(&chunk.header, view.special(), false, report);
    Ok(())
}

fn chunk_fields(
    header: &ChunkHeader,
    special: Option<Special<'_>>,
    in_list: bool,
    fields: &mut Report,
) {
    fields.add("nbytes", header.nbytes);
    fields.add("cbytes", header.cbytes);
    fields.add("typesize", header.typesize);
    fields.add("blocksize", header.blocksize);
    let kind = match special {
        Some(special) => special_name(special),
        None if header.is_memcpyed() => "uncompressed",
        None => "compressed",
    };
    fields.add(if in_list { "kind" } else { "stored" }, kind);
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
            match slot.id {
                // Bits to drop are negative.
                FilterId::TRUNC_PREC | FilterId::INT_TRUNC => {
                    format!("{name}:{}", slot.meta.cast_signed())
                }
                _ if slot.meta == 0 => name,
                _ => format!("{name}:{}", slot.meta),
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
        _ => "unknown",
    }
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

/// The compression ratio, with three decimals.
#[expect(clippy::cast_precision_loss, reason = "a few digits are shown")]
fn ratio(nbytes: u64, cbytes: u64) -> f64 {
    (nbytes as f64 / cbytes.max(1) as f64 * 1000.0).round() / 1000.0
}
