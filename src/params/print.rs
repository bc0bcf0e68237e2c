//! Parameters in messages: fields that are set, and no bytes of metalayers.

use std::fmt;
use std::sync::Arc;

use super::{CParams, DParams};

/// The length of a `b2nd` metalayer.
struct Bytes<'a>(&'a Arc<[u8]>);

impl fmt::Debug for Bytes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}

impl fmt::Debug for CParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CParams")
            .field("typesize", &self.typesize)
            .field("codec", &self.codec)
            .field("codec_meta", &self.codec_meta)
            .field("clevel", &self.clevel)
            .field("filters", &self.filters)
            .field("split_mode", &self.split_mode)
            .field("blocksize", &self.blocksize)
            .field("use_dict", &self.use_dict)
            .field("threads", &self.threads)
            .field("registry", &self.registry)
            .field("isa", &self.isa)
            .field("b2nd", &self.b2nd.as_ref().map(Bytes))
            .field("prefilter", &self.prefilter)
            .finish()
    }
}

impl fmt::Debug for DParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DParams")
            .field("threads", &self.threads)
            .field("registry", &self.registry)
            .field("limits", &self.limits)
            .field("isa", &self.isa)
            .field("b2nd", &self.b2nd.as_ref().map(Bytes))
            .field("postfilter", &self.postfilter)
            .field("cache_bytes", &self.cache_bytes)
            .finish()
    }
}
