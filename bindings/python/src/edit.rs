//! Changes of arrays.

use oxiblosc::b2nd::{Array, AxisSelection};
use oxiblosc::{ChunkSink, Result};

/// One change.
#[derive(Debug)]
pub(crate) enum Edit<'a> {
    /// A box gets these elements.
    Write(Vec<AxisSelection>, &'a [u8]),
    /// Elements are inserted before an index of an axis, or appended with its length.
    Insert(usize, Option<u64>, &'a [u8]),
    /// Indices of an axis are removed.
    Delete(usize, u64, u64),
    /// Another shape.
    Resize(&'a [u64]),
    /// A metalayer of variable length gets this content, or is removed.
    Meta(&'a str, Option<&'a [u8]>),
}

/// Makes a change; false for a metalayer to be removed that is not there.
pub(crate) fn apply<C: ChunkSink>(array: &mut Array<C>, edit: &Edit<'_>) -> Result<bool> {
    match edit {
        Edit::Write(selection, src) => array.set_slice_bytes(selection.as_slice(), src)?,
        Edit::Insert(0, None, src) => array.append_bytes(src)?,
        &Edit::Insert(axis, at, src) => {
            let end = array.shape().get(axis).copied().unwrap_or(0);
            array.insert_bytes(axis, at.unwrap_or(end), src)?;
        }
        &Edit::Delete(axis, start, stop) => array.delete(axis, start..stop)?,
        Edit::Resize(shape) => array.resize(*shape)?,
        Edit::Meta(name, Some(content)) => array.schunk_mut()?.set_vlmetalayer(name, content)?,
        Edit::Meta(name, None) => return array.schunk_mut()?.remove_vlmetalayer(name),
    }
    Ok(true)
}
