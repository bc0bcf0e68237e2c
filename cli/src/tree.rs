//! `oxiblosc info --tree` and the leaves of stores: bundles of python-blosc2, Zarr, single frames.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use oxiblosc::b2nd::{Array, METALAYER};
use oxiblosc::schunk::ChunkSource;
use oxiblosc::store::bloscpack::Bloscpack;
use oxiblosc::store::{Kind, Leaf, LeafArray, Tensor, Tree, Value};
use oxiblosc::{ChunkDecoder, DParams};
use oxiblosc_npy as npy;
use serde_json::json;

use crate::args::{CatArgs, DecompressArgs, Format, InfoArgs};
use crate::decompress::{write, write_elements};
use crate::failure::{Failure, InFile, is_dash, shown};
use crate::output::{Output, stdout};
use crate::progress::{Progress, say, size, speed};
use crate::sniff;
use crate::text::Printer;
use crate::threads::threads;

/// A leaf of a store as the command line names it: `STORE:/KEY`, or a store whose root is an array.
#[derive(Debug)]
pub(crate) struct Address {
    pub(crate) store: PathBuf,
    pub(crate) key: String,
}

impl Address {
    /// Reads `STORE:/KEY`; `None` when the text is something else, or a file of that name exists.
    pub(crate) fn parse(path: &Path) -> Option<Self> {
        if is_dash(path) || path.exists() {
            return None;
        }
        let text = path.to_str()?;
        // The first `:/` after which the part before it exists.
        let found = text.match_indices(":/").find_map(|(at, _)| {
            let (store, key) = (text.get(..at)?, text.get(at + 1..)?);
            Path::new(store).exists().then_some((store, key))
        });
        let (store, key) = found?;
        Some(Self {
            store: store.into(),
            key: key.to_owned(),
        })
    }

    /// The leaf that the command line names: by address, or the root of a Zarr folder or archive.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        Self::parse(path).or_else(|| {
            let zarr = ["zarr.json", ".zarray"];
            let is_array = zarr.iter().any(|name| path.join(name).is_file());
            is_array.then(|| Self {
                store: path.to_owned(),
                key: "/".to_owned(),
            })
        })
    }

    /// A store, or a part of one: by address, or anything that is a store and no frame or chunk.
    pub(crate) fn of_store(path: &Path) -> Option<Self> {
        let is_store = || {
            let is_folder = path.is_dir() && !path.join(sniff::SPARSE_HEADER).is_file();
            let ending = path.extension().and_then(|ending| ending.to_str());
            let is_named = matches!(ending, Some("b2z" | "b2e" | "zip")) && path.is_file();
            is_folder || is_named
        };
        Self::parse(path).or_else(|| {
            (!is_dash(path) && is_store()).then(|| Self {
                store: path.to_owned(),
                key: "/".to_owned(),
            })
        })
    }

    /// The keys of this group or object and of all below it.
    pub(crate) fn keys_below(&self, store: &Tree) -> Result<Vec<String>, Failure> {
        let root = &self.key;
        if !store.contains(root) {
            let what = format!("there is no {root} in it");
            return Err(Failure::in_file(&self.store, what));
        }
        let root = root.trim_end_matches('/');
        let keys = store.keys().filter(|key| {
            let rest = key.strip_prefix(root);
            rest.is_some_and(|rest| root.is_empty() || rest.is_empty() || rest.starts_with('/'))
        });
        Ok(keys.map(ToOwned::to_owned).collect())
    }

    /// Opens the leaf, and refuses one without data.
    pub(crate) fn open(&self, dparams: &DParams) -> Result<Leaf, Failure> {
        let store = Tree::open_with(&self.store, dparams.clone()).in_file(&self.store)?;
        let name = self.name();
        let leaf = store.leaf(&self.key).in_file(&name)?;
        leaf.check_data().in_file(&name)?;
        Ok(leaf)
    }

    /// The address as messages show it.
    pub(crate) fn name(&self) -> PathBuf {
        format!("{}:{}", self.store.display(), self.key).into()
    }
}

/// The content of a leaf, by how it is written.
pub(crate) enum Elements {
    /// An array.
    Array(Box<LeafArray>),
    /// The chunks of a packed tensor, with its dtype and shape.
    Tensor(Tensor, Box<Leaf>),
    /// Objects of variable length.
    Objects(Box<Leaf>),
    /// A super-chunk.
    Bytes(Box<Leaf>),
    /// A bloscpack file.
    Pack(Box<Bloscpack>),
}

impl Elements {
    pub(crate) fn of(leaf: Leaf, name: &Path, dparams: &DParams) -> Result<Self, Failure> {
        if let Some(tensor) = leaf.tensor().in_file(name)? {
            return Ok(Self::Tensor(tensor, Box::new(leaf)));
        }
        let has_shape = |leaf: &Leaf| {
            let metalayers = leaf.chunks().map(ChunkSource::metalayers);
            metalayers.is_some_and(|metalayers| metalayers.get(METALAYER).is_some())
        };
        match leaf.kind() {
            Kind::Proxy if !has_shape(&leaf) => Ok(Self::Bytes(Box::new(leaf))),
            Kind::Array | Kind::ZarrArray | Kind::Proxy => {
                let array = leaf.into_array(dparams.clone()).in_file(name)?;
                Ok(Self::Array(Box::new(array)))
            }
            Kind::ObjectArray | Kind::BatchArray | Kind::ListArray => {
                Ok(Self::Objects(Box::new(leaf)))
            }
            Kind::SChunk => Ok(Self::Bytes(Box::new(leaf))),
            kind => Err(Failure::in_file(
                name,
                format!("is a {kind}, which has no elements to write"),
            )),
        }
    }
}

/// An input of `decompress` that is no frame and no chunk.
pub(crate) enum Decoded {
    /// An object of a store.
    Leaf(Address),
    /// A bloscpack file.
    Bloscpack,
}

impl Decoded {
    pub(crate) fn of(path: &Path) -> Option<Self> {
        if let Some(address) = Address::of(path) {
            return Some(Self::Leaf(address));
        }
        if is_dash(path) {
            return None;
        }
        let mut start = [0; 4];
        let is_file = path.is_file() && File::open(path).ok()?.read_exact(&mut start).is_ok();
        (is_file && Bloscpack::is_one(&start)).then_some(Self::Bloscpack)
    }

    /// Writes everything in it.
    pub(crate) fn decompress(&self, args: &DecompressArgs) -> Result<(), Failure> {
        let dparams = DParams::new()
            .threads(threads(&args.threads)?)
            .limits(sniff::limits(args.limits.no_limits));
        let name = match self {
            Self::Leaf(address) => address.name(),
            Self::Bloscpack => args.input.clone(),
        };
        let Some(target) = &args.output else {
            let what = format!("{} needs an output: -o OUT", name.display());
            return Err(Failure::usage(what));
        };
        let npy = is_npy(target);
        let content = match self {
            Self::Leaf(address) => Elements::of(address.open(&dparams)?, &name, &dparams)?,
            Self::Bloscpack => {
                let pack = Bloscpack::open(&args.input, dparams.clone()).in_file(&name)?;
                Elements::Pack(Box::new(pack))
            }
        };
        let mut output = Output::create(target, args.force)?;
        let format = if npy { Format::Npy } else { Format::Raw };
        let (nbytes, progress) = content.write(&name, &dparams, format, &mut output)?;
        let time = progress.finish();
        let written = output.name().to_owned();
        output.finish()?;
        say(&format!(
            "{} -> {}: {}, {}",
            name.display(),
            written.display(),
            size(nbytes),
            speed(nbytes, time)
        ));
        Ok(())
    }
}

fn is_npy(target: &Path) -> bool {
    let ending = target.extension();
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("npy"))
}

impl Elements {
    /// `cat` of an object that is no array.
    pub(crate) fn cat(self, args: &CatArgs, name: &Path, dparams: &DParams) -> Result<(), Failure> {
        if args.slice.is_some() {
            return Err(Failure::usage("--slice is for arrays"));
        }
        let format = match (&self, args.format) {
            (Self::Objects(_), None) => Format::Text,
            _ => args.format(),
        };
        let mut output = Output::create(&args.output, args.force)?;
        self.write(name, dparams, format, &mut output)?;
        output.finish()
    }

    /// Writes everything: elements, bytes, or objects with one line of text each.
    fn write(
        self,
        name: &Path,
        dparams: &DParams,
        format: Format,
        output: &mut Output,
    ) -> Result<(u64, Progress), Failure> {
        match self {
            Self::Array(array) => write_elements(name, &array, format == Format::Npy, output),
            Self::Objects(leaf) if format == Format::Text => write_objects(name, &leaf, output),
            Self::Objects(leaf) => {
                let what = format!("a {} is written as text only", leaf.kind());
                Err(Failure::in_file(name, what))
            }
            Self::Tensor(tensor, leaf) => {
                let source = leaf.chunks();
                let source = source.ok_or_else(|| Failure::in_file(name, "has no data"))?;
                write_bytes(name, source, Some(&tensor), dparams, format, output)
            }
            Self::Pack(pack) => write_bytes(name, &*pack, pack.tensor(), dparams, format, output),
            Self::Bytes(leaf) => {
                let source = leaf.chunks();
                let source = source.ok_or_else(|| Failure::in_file(name, "has no data"))?;
                write_bytes(name, source, None, dparams, format, output)
            }
        }
    }
}

/// Writes the objects of an object array, one line of text each.
fn write_objects(
    name: &Path,
    leaf: &Leaf,
    output: &mut Output,
) -> Result<(u64, Progress), Failure> {
    let progress = Progress::new(None);
    let mut nbytes = 0;
    for object in leaf.objects().in_file(name)? {
        let line = format!("{}\n", object.in_file(name)?);
        write(output, line.as_bytes())?;
        nbytes += u64::try_from(line.len()).unwrap_or(0);
    }
    Ok((nbytes, progress))
}

/// Writes the bytes of all chunks, which are the elements of a tensor, if they are.
fn write_bytes(
    name: &Path,
    source: &dyn ChunkSource,
    tensor: Option<&Tensor>,
    dparams: &DParams,
    format: Format,
    output: &mut Output,
) -> Result<(u64, Progress), Failure> {
    let mut printer = match (format, tensor) {
        (Format::Raw, _) => None,
        (Format::Npy, Some(tensor)) => {
            let descr = tensor.dtype.to_npy_descr();
            write(output, &npy::Header::to_bytes(&descr, &tensor.shape))?;
            None
        }
        (Format::Text | Format::Csv | Format::Json, Some(tensor)) => {
            let printer = Printer::new(&tensor.dtype, &tensor.shape, format);
            let what = || format!("there is no text for the dtype {}", tensor.dtype);
            Some(printer.ok_or_else(|| Failure::in_file(name, what()))?)
        }
        (_, None) => {
            let what = "holds bytes without a dtype: --format raw writes them";
            return Err(Failure::in_file(name, what));
        }
    };
    let layout = source.layout();
    let progress = Progress::new(Some(layout.nbytes));
    let mut decoder = ChunkDecoder::new(dparams.clone());
    let (mut bytes, mut lines, mut nbytes) = (Vec::new(), String::new(), 0_u64);
    if let Some(printer) = &printer {
        printer.begin(&mut lines);
    }
    for nchunk in 0..layout.nchunks {
        let len = sniff::decode(source, &mut decoder, &dparams.limits, nchunk, &mut bytes)
            .in_file(name)?;
        let part = bytes.get(..len).unwrap_or_default();
        match &mut printer {
            Some(printer) => {
                printer.print(part, &mut lines);
                write(output, lines.as_bytes())?;
                lines.clear();
            }
            None => write(output, part)?,
        }
        let len = u64::try_from(len).unwrap_or(u64::MAX);
        nbytes = nbytes.saturating_add(len);
        progress.add(len);
    }
    if let Some(printer) = &printer {
        printer.end(&mut lines);
        write(output, lines.as_bytes())?;
    }
    Ok((nbytes, progress))
}

/// Lists a store: one line per group and object.
pub(crate) fn list(args: &InfoArgs) -> Result<(), Failure> {
    let input = &args.input;
    let dparams = DParams::new().limits(sniff::limits(args.limits.no_limits));
    let address = Address::parse(input).unwrap_or_else(|| Address {
        store: input.clone(),
        key: "/".to_owned(),
    });
    let path = address.store.clone();
    let store = Tree::open_with(&path, dparams).in_file(&path)?;
    let keys = address.keys_below(&store)?;
    let mut stdout = stdout()?;
    let mut listed = Vec::new();
    if !args.json {
        let line = format!("{}: {}\n", shown(&path), store.kind());
        stdout
            .write_all(line.as_bytes())
            .in_file(Path::new("standard output"))?;
    }
    for key in &keys {
        let entry = describe(&store, key);
        if args.json {
            listed.push(entry.json(key));
        } else {
            let line = entry.line(key);
            stdout
                .write_all(line.as_bytes())
                .in_file(Path::new("standard output"))?;
        }
    }
    if args.json {
        let all = json!({"file": shown(&path), "kind": store.kind().to_string(), "nodes": listed});
        writeln!(stdout, "{all:#}").in_file(Path::new("standard output"))?;
    }
    Ok(())
}

/// The properties of a node, in words.
#[derive(Default)]
struct Entry {
    kind: &'static str,
    shape: Option<Vec<u64>>,
    dtype: Option<String>,
    nbytes: Option<u64>,
    chunkshape: Option<Vec<u64>>,
    recipe: Option<String>,
    metadata: Vec<(String, String)>,
    /// The reason why it cannot be opened.
    error: Option<String>,
}

fn describe(store: &Tree, key: &str) -> Entry {
    let mut entry = Entry::default();
    if let Err(error) = fill(store, key, &mut entry) {
        entry.error = Some(error.to_string());
    }
    entry
}

fn fill(store: &Tree, key: &str, entry: &mut Entry) -> oxiblosc::Result<()> {
    let kind = store.node_kind(key)?;
    entry.kind = kind.name();
    let text = |(name, value): (String, Value)| (name, value.to_string());
    entry.metadata = store.metadata(key)?.into_iter().map(text).collect();
    if kind.is_group() {
        return Ok(());
    }
    let leaf = store.leaf(key)?;
    entry.recipe = leaf.description()?.map(|recipe| recipe.to_string());
    if let Some(source) = leaf.chunks() {
        entry.nbytes = Some(source.layout().nbytes);
    }
    if let Some(tensor) = leaf.tensor()? {
        entry.shape = Some(tensor.shape);
        entry.dtype = Some(tensor.dtype.to_string());
    } else if matches!(kind, Kind::Array | Kind::ZarrArray) {
        let array: Array<_> = leaf.into_array(store.dparams().clone())?;
        entry.shape = Some(array.shape().to_vec());
        entry.dtype = Some(array.dtype().to_string());
        entry.chunkshape = Some(array.chunkshape().to_vec());
        entry.nbytes = Some(array.nbytes());
    }
    Ok(())
}

impl Entry {
    fn line(&self, key: &str) -> String {
        let mut line = format!(
            "{key}  {}",
            if self.kind.is_empty() { "?" } else { self.kind }
        );
        if let (Some(shape), Some(dtype)) = (&self.shape, &self.dtype) {
            line.push_str(&format!("  {shape:?} {dtype}"));
        } else if let Some(nbytes) = self.nbytes {
            line.push_str(&format!("  {nbytes} bytes"));
        }
        if let Some(chunks) = &self.chunkshape {
            line.push_str(&format!(" in chunks of {chunks:?}"));
        }
        if let Some(recipe) = &self.recipe {
            line.push_str(&format!("  {recipe}"));
        }
        if !self.metadata.is_empty() {
            let names: Vec<&str> = self
                .metadata
                .iter()
                .map(|(name, _)| name.as_str())
                .collect();
            line.push_str(&format!("  metadata: {}", names.join(", ")));
        }
        if let Some(error) = &self.error {
            line.push_str(&format!("  cannot be opened: {error}"));
        }
        line.push('\n');
        line
    }

    fn json(&self, key: &str) -> serde_json::Value {
        let parse = |text: &String| {
            serde_json::from_str(text).unwrap_or_else(|_| serde_json::Value::from(text.as_str()))
        };
        let metadata = self
            .metadata
            .iter()
            .map(|(name, text)| (name.clone(), parse(text)));
        let metadata: serde_json::Map<String, serde_json::Value> = metadata.collect();
        json!({
            "key": key,
            "kind": self.kind,
            "shape": self.shape,
            "chunkshape": self.chunkshape,
            "dtype": self.dtype,
            "nbytes": self.nbytes,
            "recipe": self.recipe.as_ref().map(parse),
            "metadata": metadata,
            "error": self.error,
        })
    }
}
