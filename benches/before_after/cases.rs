//! The work that is timed, and the interface through which either version does it.

/// Any error; the program ends with its text.
pub(crate) type Failure = Box<dyn std::error::Error>;

/// The codecs, weakest first.
pub(crate) const CODECS: [&str; 5] = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"];

/// The filter pipelines.
pub(crate) const FILTERS: [&str; 5] = [
    "none",
    "shuffle",
    "bitshuffle",
    "delta+shuffle",
    "shuffle+bytedelta",
];

/// The parameters of one measurement.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) codec: &'static str,
    pub(crate) clevel: u8,
    pub(crate) filters: &'static str,
    pub(crate) typesize: usize,
    pub(crate) threads: usize,
}

/// An array and its partition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArrayShape {
    pub(crate) dtype: &'static str,
    pub(crate) shape: &'static [u64],
    pub(crate) chunkshape: &'static [u32],
    pub(crate) blockshape: &'static [u32],
    /// Lengths of the boxes that are read.
    pub(crate) boxes: &'static [&'static [u64]],
}

/// The arrays.
pub(crate) const ARRAYS: [ArrayShape; 2] = [
    ArrayShape {
        dtype: "<f8",
        shape: &[512, 1024],
        chunkshape: &[256, 512],
        blockshape: &[32, 128],
        boxes: &[&[512, 1024], &[100, 100], &[1, 1024], &[512, 1], &[1, 1]],
    },
    ArrayShape {
        dtype: "<f4",
        shape: &[64, 128, 128],
        chunkshape: &[64, 64, 64],
        blockshape: &[16, 16, 32],
        boxes: &[&[64, 128, 128], &[20, 20, 20], &[64, 1, 1], &[1, 1, 1]],
    },
];

/// A chunk encoder that is kept.
pub(crate) trait Encode {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<usize, Failure>;
}

/// A chunk decoder that is kept.
pub(crate) trait Decode {
    fn decode(&mut self, chunk: &[u8], dst: &mut [u8]) -> Result<(), Failure>;
    fn item(&mut self, chunk: &[u8], item: usize, dst: &mut [u8]) -> Result<(), Failure>;
}

/// A frame or an array that is open.
pub(crate) trait Read {
    fn chunk(&mut self, at: u64, dst: &mut [u8]) -> Result<(), Failure>;
    fn bytes(&mut self, start: &[u64], len: &[u64], dst: &mut [u8]) -> Result<(), Failure>;
}

/// One version of the library.
pub(crate) trait Side {
    fn encoder(&self, cell: &Cell) -> Result<Box<dyn Encode>, Failure>;
    fn decoder(&self, cell: &Cell) -> Result<Box<dyn Decode>, Failure>;
    fn frame(&self, cell: &Cell, chunksize: usize, bytes: &[u8]) -> Result<Vec<u8>, Failure>;
    fn open_frame(&self, frame: Vec<u8>) -> Result<Box<dyn Read>, Failure>;
    fn array(
        &self,
        cell: &Cell,
        shape: &ArrayShape,
        bytes: &[u8],
    ) -> Result<Box<dyn Read>, Failure>;
}
