//! `oxiblosc info --tree`: the objects of a store, a line each.

use std::io::Write;
use std::path::Path;

use oxiblosc::DParams;
use oxiblosc::b2nd::Array;
use oxiblosc::store::{Kind, Tree, Value};
use serde_json::json;

use crate::address::Address;
use crate::args::InfoArgs;
use crate::failure::{Failure, InFile, shown};
use crate::output::stdout;
use crate::sniff;

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
