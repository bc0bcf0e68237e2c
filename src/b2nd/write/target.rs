//! The places of new arrays: super-chunks of the caller, and paths.

use std::path::{Path, PathBuf};

use crate::b2nd::layout::params::ArrayParams;
use crate::error::Result;
use crate::frame::AnyWriter;
use crate::schunk::ChunkSink;

/// The place of a new array: a path, or a super-chunk of the caller.
///
/// - A path (`&str`, `String`, `&Path`, `PathBuf` or a reference to one) names a new contiguous
///   frame. It is committed when all elements of the array are in it: a failure before leaves no
///   file, or the old one. A file that exists is replaced with
///   [`ArrayParams::overwrite`] only.
/// - A [`ChunkSink`] is a super-chunk in memory, a frame anywhere, or a type of the caller. It must
///   have the metalayers of the parameters, as one made with
///   [`ArrayParams::frame_params`] has, and no chunks yet. The caller commits it.
pub trait ArrayTarget {
    /// The chunks of the new array.
    type Sink: ChunkSink;

    /// Makes the place for the chunks.
    ///
    /// # Errors
    /// When the parameters do not fit together, or the place cannot be made.
    fn into_sink(self, params: &ArrayParams) -> Result<Self::Sink>;

    /// Ends the creation of an array that has all its chunks.
    ///
    /// # Errors
    /// When the storage fails.
    fn complete(sink: &mut Self::Sink) -> Result<()>;
}

impl<C: ChunkSink> ArrayTarget for C {
    type Sink = C;

    fn into_sink(self, _params: &ArrayParams) -> Result<C> {
        Ok(self)
    }

    fn complete(_sink: &mut C) -> Result<()> {
        Ok(())
    }
}

macro_rules! paths {
    ($($path:ty),+) => {$(
        impl ArrayTarget for $path {
            type Sink = AnyWriter;

            fn into_sink(self, params: &ArrayParams) -> Result<AnyWriter> {
                AnyWriter::create(self, params.frame_params()?)
            }

            fn complete(sink: &mut AnyWriter) -> Result<()> {
                sink.commit()
            }
        }
    )+};
}

paths!(&str, String, &String, &Path, PathBuf, &PathBuf);
