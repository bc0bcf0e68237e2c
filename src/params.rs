//! Encoder and decoder parameters, their defaults and their ranges.

use std::sync::Arc;

use oxiblosc_kernels::{Isa, Kernels};

use crate::codec::id::CodecId;
use crate::error::{BoxError, Error, Result};
use crate::filter::hook::{BlockContext, BlockFn};
use crate::filter::id::{FilterId, FilterSlot, MAX_FILTERS};
use crate::limits::Limits;
use crate::registry::Registry;
use crate::threads::Threads;

mod print;
#[cfg(feature = "serde")]
mod stored;

/// The typesize of [`CParams::default`], that of C-Blosc2 and python-blosc2.
pub const DEFAULT_TYPESIZE: usize = 8;
/// The default codec.
pub const DEFAULT_CODEC: CodecId = CodecId::BLOSCLZ;
/// The default compression level.
pub const DEFAULT_CLEVEL: u8 = 5;
/// The default split mode.
pub const DEFAULT_SPLIT_MODE: SplitMode = SplitMode::ForwardCompat;
/// The default pipeline: byte shuffle in the last slot.
pub const DEFAULT_FILTERS: [FilterSlot; MAX_FILTERS] = [
    FilterSlot::NONE,
    FilterSlot::NONE,
    FilterSlot::NONE,
    FilterSlot::NONE,
    FilterSlot::NONE,
    FilterSlot::SHUFFLE,
];
/// The largest compression level.
pub const MAX_CLEVEL: u8 = 9;
/// The largest typesize, in bytes ([format §1.6](crate::format#1.6)).
pub const MAX_TYPESIZE: usize = 536_866_816;
/// The largest block size, in bytes ([format §1.7](crate::format#1.7)).
pub const MAX_BLOCKSIZE: usize = 536_866_816;
/// The largest uncompressed size of a chunk, in bytes ([format §1.7](crate::format#1.7)).
pub const MAX_NBYTES: usize = 0x7FFF_FFDF;

/// When a block is cut into one stream per byte of the typesize ([format §2.4](crate::format#2.4)).
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum SplitMode {
    /// Always.
    #[doc(alias = "BLOSC_ALWAYS_SPLIT")]
    Always,
    /// Never.
    #[doc(alias = "BLOSC_NEVER_SPLIT")]
    Never,
    /// When it is likely to help, by codec, level, filters and sizes.
    #[doc(alias = "BLOSC_AUTO_SPLIT")]
    Auto,
    /// The same rule as [`Auto`](Self::Auto) today; the default.
    #[doc(alias = "BLOSC_FORWARD_COMPAT_SPLIT")]
    #[default]
    ForwardCompat,
}

impl SplitMode {
    /// The number that C and the frame header use: 1 to 4.
    pub const fn get(self) -> u8 {
        match self {
            Self::Always => 1,
            Self::Never => 2,
            Self::Auto => 3,
            Self::ForwardCompat => 4,
        }
    }

    /// The mode with this number.
    pub const fn new(code: u8) -> Option<Self> {
        Some(match code {
            1 => Self::Always,
            2 => Self::Never,
            3 => Self::Auto,
            4 => Self::ForwardCompat,
            _ => return None,
        })
    }
}

/// How chunks are compressed. Setters take and return the value; fields can be read.
///
/// ```
/// use oxiblosc::{CParams, CodecId, FilterSlot};
/// let cparams = CParams::new(8).codec(CodecId::ZSTD).clevel(3).filters([FilterSlot::BITSHUFFLE]);
/// assert_eq!(cparams.clevel, 3);
/// assert!(cparams.validate().is_ok());
/// assert!(cparams.clevel(10).validate().is_err());
/// ```
#[doc(alias = "blosc2_cparams")]
#[non_exhaustive]
#[derive(Clone)]
pub struct CParams {
    /// The size of an item in bytes, 1 to [`MAX_TYPESIZE`]. Sizes above 255 are stored as 1
    /// ([format §1.6](crate::format#1.6)).
    pub typesize: usize,
    /// The codec; [`DEFAULT_CODEC`].
    #[doc(alias = "blosc1_get_compressor")]
    pub codec: CodecId,
    /// The meta byte of the codec; only registered codecs use it.
    pub codec_meta: u8,
    /// The compression level, 0 (copy) to 9; [`DEFAULT_CLEVEL`].
    pub clevel: u8,
    /// The filters, applied from slot 0 to slot 5; [`DEFAULT_FILTERS`].
    pub filters: [FilterSlot; MAX_FILTERS],
    /// When blocks are split into streams; [`DEFAULT_SPLIT_MODE`].
    pub split_mode: SplitMode,
    /// The block size in bytes; `None` computes it ([format §3](crate::format#3)).
    pub blocksize: Option<usize>,
    /// Whether to train and use a dictionary ([format §7.4](crate::format#7.4)); off by default.
    pub use_dict: bool,
    /// The execution policy; [`Threads::Serial`].
    pub threads: Threads,
    /// User-defined codecs and filters.
    pub registry: Option<Arc<Registry>>,
    /// The instruction set to use at most; `None` for the best of this machine.
    pub isa: Option<Isa>,
    /// The content of the `b2nd` metalayer, for filters and codecs that work on n-dimensional
    /// blocks.
    pub b2nd: Option<Arc<[u8]>>,
    /// The closure called with each block before the filters; `None` by default.
    pub prefilter: Option<BlockFn>,
    /// How many filters the last call of `filters` received.
    nfilters: usize,
}

impl CParams {
    /// The default parameters for items of `typesize` bytes.
    #[doc(alias = "blosc2_get_blosc2_cparams_defaults")]
    pub fn new(typesize: usize) -> Self {
        Self {
            typesize,
            codec: DEFAULT_CODEC,
            codec_meta: 0,
            clevel: DEFAULT_CLEVEL,
            filters: DEFAULT_FILTERS,
            split_mode: DEFAULT_SPLIT_MODE,
            blocksize: None,
            use_dict: false,
            threads: Threads::Serial,
            registry: None,
            isa: None,
            b2nd: None,
            prefilter: None,
            nfilters: 1,
        }
    }

    /// The default parameters for items of type `T`, of its size in bytes.
    ///
    /// ```
    /// use oxiblosc::CParams;
    /// assert_eq!(CParams::of::<f64>().typesize, 8);
    /// ```
    pub fn of<T>() -> Self {
        Self::new(size_of::<T>())
    }

    /// Sets the codec.
    #[doc(alias = "blosc1_set_compressor")]
    #[must_use]
    pub fn codec(mut self, codec: CodecId) -> Self {
        self.codec = codec;
        self
    }

    /// Sets the meta byte of the codec.
    #[must_use]
    pub fn codec_meta(mut self, meta: u8) -> Self {
        self.codec_meta = meta;
        self
    }

    /// Sets the compression level.
    #[must_use]
    pub fn clevel(mut self, clevel: u8) -> Self {
        self.clevel = clevel;
        self
    }

    /// Sets the filters in the order in which they are applied. The last one goes to slot 5, the
    /// others directly before it, as C's convenience functions place them.
    ///
    /// ```
    /// use oxiblosc::{CParams, FilterSlot};
    /// let cparams = CParams::new(4).filters([FilterSlot::DELTA, FilterSlot::SHUFFLE]);
    /// assert_eq!(cparams.filters[4], FilterSlot::DELTA);
    /// assert_eq!(cparams.filters[5], FilterSlot::SHUFFLE);
    /// ```
    #[must_use]
    pub fn filters(mut self, filters: impl IntoIterator<Item = FilterSlot>) -> Self {
        self.filters = [FilterSlot::NONE; MAX_FILTERS];
        self.nfilters = 0;
        for filter in filters {
            self.filters.rotate_left(1);
            if let Some(last) = self.filters.last_mut() {
                *last = filter;
            }
            self.nfilters = self.nfilters.saturating_add(1);
        }
        self
    }

    /// Sets all six slots exactly as given.
    #[must_use]
    pub fn filter_slots(mut self, slots: [FilterSlot; MAX_FILTERS]) -> Self {
        self.filters = slots;
        self.nfilters = MAX_FILTERS;
        self
    }

    /// Sets the split mode.
    #[doc(alias = "blosc1_set_splitmode")]
    #[must_use]
    pub fn split_mode(mut self, mode: SplitMode) -> Self {
        self.split_mode = mode;
        self
    }

    /// Sets the block size in bytes; `None` computes it. It is rounded down to a multiple of the
    /// typesize, and is never larger than the data.
    #[doc(alias = "blosc1_set_blocksize")]
    #[must_use]
    pub fn blocksize(mut self, blocksize: Option<usize>) -> Self {
        self.blocksize = blocksize;
        self
    }

    /// Turns dictionaries on or off: what the blocks have in common is stored once, and each block
    /// with it. For LZ4, LZ4 HC and Zstandard, and worth it where blocks are small and alike; off
    /// by default. Zstandard then has one level.
    ///
    /// ```
    /// # #[cfg(feature = "zstd")] {
    /// use oxiblosc::{compress, decompress, CParams, CodecId};
    /// let record = |n: u32| format!("id: {n}, region: eu-west-{}, ms: {}\n", n % 5, n % 977);
    /// let records: String = (0..20_000).map(record).collect();
    /// let cparams = CParams::new(1).codec(CodecId::ZSTD).filters([]).blocksize(Some(256));
    /// let alone = compress(records.as_bytes(), &cparams)?;
    /// let shared = compress(records.as_bytes(), &cparams.use_dict(true))?;
    /// assert!(shared.len() < alone.len());
    /// assert_eq!(decompress(&shared)?, records.as_bytes());
    /// # }
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    #[must_use]
    pub fn use_dict(mut self, use_dict: bool) -> Self {
        self.use_dict = use_dict;
        self
    }

    /// Sets the execution policy.
    #[doc(alias = "blosc2_set_nthreads")]
    #[must_use]
    pub fn threads(mut self, threads: Threads) -> Self {
        self.threads = threads;
        self
    }

    /// Sets the user-defined codecs and filters.
    #[must_use]
    pub fn registry(mut self, registry: Arc<Registry>) -> Self {
        self.registry = Some(registry);
        self
    }

    /// Lowers the instruction set. A level that this machine lacks falls to its best.
    #[must_use]
    pub fn isa(mut self, isa: Isa) -> Self {
        self.isa = Some(isa);
        self
    }

    /// Sets the content of the `b2nd` metalayer.
    #[must_use]
    pub fn b2nd(mut self, metalayer: impl Into<Arc<[u8]>>) -> Self {
        self.b2nd = Some(metalayer.into());
        self
    }

    /// Sets a closure that transforms each block before it is filtered and compressed. It receives
    /// the block of the data and fills the output, which has the same length. It is called once per
    /// block, concurrently where [`Threads`] allows, and never for
    /// [special values](crate::ChunkEncoder::encode_special). The data itself is unchanged. The
    /// [`BlockContext`] has the numbers of the block, of the chunk and of the thread.
    ///
    /// ```
    /// use oxiblosc::{compress, decompress, CParams};
    /// let cparams = CParams::new(1).prefilter(|_, src, dst| {
    ///     dst.iter_mut().zip(src).for_each(|(to, from)| *to = from / 2);
    ///     Ok(())
    /// });
    /// let chunk = compress(&[8; 100], &cparams)?;
    /// assert_eq!(decompress(&chunk)?, [4; 100]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    #[doc(alias = "blosc2_set_prefilter")]
    #[doc(alias = "blosc2_prefilter_fn")]
    #[must_use]
    pub fn prefilter(
        mut self,
        closure: impl Fn(&BlockContext, &[u8], &mut [u8]) -> Result<(), BoxError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        self.prefilter = Some(BlockFn::new(closure));
        self
    }

    /// The kernels for these parameters.
    pub(crate) fn kernels(&self) -> Kernels {
        kernels(self.isa)
    }

    /// The filters as chunks and frames store them: C-Blosc2 has no typesize for a BYTEDELTA
    /// without meta byte in a chunk that belongs to no super-chunk, so the byte holds it.
    pub(crate) fn stored_filters(&self) -> [FilterSlot; MAX_FILTERS] {
        let own = |id| {
            let registry = self.registry.as_deref();
            registry.is_some_and(|registry| registry.filter(id).is_some())
        };
        self.filters.map(|slot| match slot {
            FilterSlot {
                id: FilterId::BYTEDELTA,
                meta: 0,
            } if !own(slot.id) => {
                FilterSlot::new(slot.id, u8::try_from(self.typesize).unwrap_or(1))
            }
            _ => slot,
        })
    }

    /// Checks every field against its range.
    ///
    /// # Errors
    /// [`Error::InvalidParam`] with the field and its range.
    pub fn validate(&self) -> Result<()> {
        let invalid = |name, value: usize, expected| Error::InvalidParam {
            name,
            value: i64::try_from(value).unwrap_or(i64::MAX),
            expected,
        };
        if self.typesize == 0 || self.typesize > MAX_TYPESIZE {
            return Err(invalid("typesize", self.typesize, "1 to 536866816"));
        }
        if self.clevel > MAX_CLEVEL {
            return Err(invalid("clevel", self.clevel.into(), "0 to 9"));
        }
        if self.nfilters > MAX_FILTERS {
            return Err(invalid("filters", self.nfilters, "at most 6 filters"));
        }
        if let Some(blocksize) = self.blocksize
            && (blocksize == 0 || blocksize > MAX_BLOCKSIZE)
        {
            return Err(invalid("blocksize", blocksize, "1 to 536866816"));
        }
        Ok(())
    }
}

/// [`CParams::new`] with [`DEFAULT_TYPESIZE`]. Data of items of another size compresses worse with
/// it, and decompresses to the same bytes.
impl Default for CParams {
    fn default() -> Self {
        Self::new(DEFAULT_TYPESIZE)
    }
}

/// How chunks are decompressed. Setters take and return the value; fields can be read.
///
/// ```
/// use oxiblosc::{DParams, Limits};
/// let dparams = DParams::new().limits(Limits::UNTRUSTED.max_alloc(64 << 20));
/// assert_eq!(dparams.limits.max_alloc, 64 << 20);
/// ```
#[doc(alias = "blosc2_dparams")]
#[non_exhaustive]
#[derive(Clone, Default)]
pub struct DParams {
    /// The execution policy; [`Threads::Serial`].
    pub threads: Threads,
    /// User-defined codecs and filters.
    pub registry: Option<Arc<Registry>>,
    /// Limits on the sizes that input may claim; [`Limits::UNTRUSTED`].
    pub limits: Limits,
    /// The instruction set to use at most; `None` for the best of this machine.
    pub isa: Option<Isa>,
    /// The content of the `b2nd` metalayer, for filters and codecs that work on n-dimensional
    /// blocks.
    pub b2nd: Option<Arc<[u8]>>,
    /// The closure called with each decoded block; `None` by default.
    pub postfilter: Option<BlockFn>,
    /// How many bytes of chunks a reader of a frame keeps in memory, as stored; 0 by default.
    pub cache_bytes: usize,
}

impl DParams {
    /// The default parameters.
    #[doc(alias = "blosc2_get_blosc2_dparams_defaults")]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the execution policy.
    #[doc(alias = "blosc2_set_nthreads")]
    #[must_use]
    pub fn threads(mut self, threads: Threads) -> Self {
        self.threads = threads;
        self
    }

    /// Sets the user-defined codecs and filters.
    #[must_use]
    pub fn registry(mut self, registry: Arc<Registry>) -> Self {
        self.registry = Some(registry);
        self
    }

    /// Sets the limits on the sizes that input may claim.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Lowers the instruction set. A level that this machine lacks falls to its best.
    #[must_use]
    pub fn isa(mut self, isa: Isa) -> Self {
        self.isa = Some(isa);
        self
    }

    /// Sets the content of the `b2nd` metalayer.
    #[must_use]
    pub fn b2nd(mut self, metalayer: impl Into<Arc<[u8]>>) -> Self {
        self.b2nd = Some(metalayer.into());
        self
    }

    /// Sets how many bytes of chunks, as stored, each reader of a frame keeps for its next reads:
    /// headers of chunks, their tables of blocks, and blocks. The bytes used last stay; a read of
    /// more than half of `nbytes` is not kept. Worth it where a read takes long, such as in object
    /// stores; the system keeps files on disk in memory anyway. Index and metalayers of a frame are
    /// always in memory.
    ///
    /// A reader with a cache is as much a snapshot as one without: changes by others are noticed in
    /// the same way, and [`refresh`](crate::frame::FrameReader::refresh) empties it. Writers keep
    /// nothing.
    ///
    /// ```
    /// # #[cfg(feature = "frame")] {
    /// use oxiblosc::{CParams, ChunkDecoder, ChunkSource, DParams, FrameReader, SChunk};
    /// let mut schunk = SChunk::new(CParams::new(8), 1 << 20)?;
    /// schunk.append(&[1; 1 << 20])?;
    /// let dparams = DParams::new().cache_bytes(8 << 20);
    /// let reader = FrameReader::from_bytes(schunk.to_cframe()?, dparams)?;
    /// let mut item = [0; 8];
    /// reader.read_items_into(&mut ChunkDecoder::default(), 500..501, &mut item)?;
    /// # }
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    #[must_use]
    pub fn cache_bytes(mut self, nbytes: usize) -> Self {
        self.cache_bytes = nbytes;
        self
    }

    /// Sets a closure that transforms each block after the filters. It receives the decoded block
    /// and fills the output, which has the same length; also for blocks that are stored raw or
    /// repeat one value. Where part of a block is requested, it receives the whole block. Threads
    /// call it concurrently where [`Threads`] allows. The [`BlockContext`] has the numbers of the
    /// block, of the chunk and of the thread.
    ///
    /// ```
    /// use oxiblosc::{compress, CParams, ChunkDecoder, DParams};
    /// let dparams = DParams::new().postfilter(|_, src, dst| {
    ///     dst.iter_mut().zip(src).for_each(|(to, from)| *to = from * 2);
    ///     Ok(())
    /// });
    /// let chunk = compress(&[4; 100], &CParams::new(1))?;
    /// assert_eq!(ChunkDecoder::new(dparams).decode(&chunk)?, [8; 100]);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    #[doc(alias = "blosc2_postfilter_fn")]
    #[must_use]
    pub fn postfilter(
        mut self,
        closure: impl Fn(&BlockContext, &[u8], &mut [u8]) -> Result<(), BoxError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        self.postfilter = Some(BlockFn::new(closure));
        self
    }

    /// The kernels for these parameters.
    pub(crate) fn kernels(&self) -> Kernels {
        kernels(self.isa)
    }
}

/// The kernels of a level, or the best ones where this machine lacks it.
fn kernels(isa: Option<Isa>) -> Kernels {
    isa.and_then(Kernels::with_isa)
        .unwrap_or_else(Kernels::best)
}
