//! The cells of the matrix.

use std::fmt;

/// The codecs of the matrix: their names and codes.
pub const CODECS: [(&str, u8); 5] = [
    ("blosclz", 0),
    ("lz4", 1),
    ("lz4hc", 2),
    ("zlib", 4),
    ("zstd", 5),
];

/// The pipelines of the matrix: their names and filter ids from slot 0 on.
pub const PIPELINES: [(&str, &[u8]); 5] = [
    ("none", &[]),
    ("shuffle", &[1]),
    ("bitshuffle", &[2]),
    ("delta+shuffle", &[3, 1]),
    ("shuffle+bytedelta", &[1, 35]),
];

/// Data and parameters of one measurement.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The data set.
    pub data: String,
    /// Its typesize in bytes.
    pub typesize: usize,
    /// The codec's name and code.
    pub codec: (&'static str, u8),
    /// The level, 1 to 9.
    pub clevel: u8,
    /// The pipeline's name and filters.
    pub pipeline: (&'static str, &'static [u8]),
    /// Threads of both libraries.
    pub threads: usize,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (codec, clevel, pipeline) = (self.codec.0, self.clevel, self.pipeline.0);
        write!(f, "{codec}:{clevel}:{pipeline}:{}", self.data)?;
        if self.threads > 1 {
            write!(f, ":{} threads", self.threads)
        } else {
            Ok(())
        }
    }
}
