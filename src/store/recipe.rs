//! Objects that state how or where to get their data: described, never executed
//! ([format §17.7](crate::format#17.7)).

use super::kind::{Kind, LAZY_ARRAY, PROXY, RECIPE};
use super::value::Value;
use crate::error::{Error, Result};
use crate::schunk::ChunkSource;

/// The vlmetalayer of a lazy function.
const LAZY_FUNCTION: &str = "_LazyArray";
/// The vlmetalayer of a proxy with a bit for each chunk that is there.
const FETCHED: &str = "proxy-fetched";

/// The recipe, reference or source of an object, as stored; `None` for a kind without one.
///
/// # Errors
/// When it is damaged or too large.
pub fn description(kind: Kind, source: &dyn ChunkSource) -> Result<Option<Value>> {
    let limits = &source.dparams().limits;
    let fixed = |name: &str| source.metalayers().get(name).map(<[u8]>::to_vec);
    let content = if kind == Kind::Proxy {
        fixed(PROXY)
    } else if !kind.is_recipe() {
        None
    } else if fixed(LAZY_ARRAY).is_some() {
        source.vlmetalayer(LAZY_FUNCTION)?
    } else {
        source.vlmetalayer(RECIPE)?.or_else(|| fixed(RECIPE))
    };
    content
        .map(|content| Value::decode(&content, limits))
        .transpose()
}

/// Refuses a super-chunk whose chunks are not its data: a recipe, a reference, or a proxy that
/// lacks chunks.
///
/// # Errors
/// [`Error::Mismatch`] with the kind, and the error of a damaged proxy.
pub fn check_data(kind: Kind, source: &dyn ChunkSource) -> Result<()> {
    let stored = match kind {
        Kind::Proxy if !is_complete(source)? => "a proxy that lacks chunks of its source".into(),
        kind if kind.is_recipe() => format!("a {kind}, which has no data of its own").into(),
        _ => return Ok(()),
    };
    let (what, asked) = ("object", "data".into());
    Err(Error::Mismatch {
        what,
        stored,
        asked,
    })
}

/// Whether a proxy holds every chunk of its source.
///
/// # Errors
/// When the list of the chunks that are there is damaged.
fn is_complete(source: &dyn ChunkSource) -> Result<bool> {
    let Some(content) = source.vlmetalayer(FETCHED)? else {
        return Ok(source.layout().nchunks == 0);
    };
    let Value::Bin(bits) = Value::decode(&content, &source.dparams().limits)? else {
        return Ok(false);
    };
    let is_set = |nchunk: u64| {
        let byte = usize::try_from(nchunk / 8).ok();
        let byte = byte.and_then(|byte| bits.get(byte)).copied();
        byte.is_some_and(|byte| byte >> (nchunk % 8) & 1 == 1)
    };
    Ok((0..source.layout().nchunks).all(is_set))
}
