//! One compression to try on both libraries: parameters, data, and what C is known to get wrong.

use oxiblosc::{CParams, CodecId, FilterId, FilterSlot, SplitMode};

use crate::content::{Lcg, content};

/// The codecs that both libraries have.
pub(crate) const CODECS: [CodecId; 5] = [
    CodecId::BLOSCLZ,
    CodecId::LZ4,
    CodecId::LZ4HC,
    CodecId::ZLIB,
    CodecId::ZSTD,
];

/// The split modes.
pub(crate) const SPLITS: [SplitMode; 4] = [
    SplitMode::Always,
    SplitMode::Never,
    SplitMode::Auto,
    SplitMode::ForwardCompat,
];

/// Typesizes with specialised kernels, ones without, and both sides of the largest that a header
/// can hold.
pub(crate) const TYPESIZES: [usize; 14] = [1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 24, 32, 255, 300];

/// Filter pipelines, by what [`pipeline`] makes of them.
pub(crate) const PIPELINES: [&str; 16] = [
    "none",
    "shuffle",
    "bitshuffle",
    "delta",
    "delta,shuffle",
    "delta,bitshuffle",
    "shuffle,delta",
    "shuffle=2",
    "shuffle=0,bitshuffle",
    "shuffle,bytedelta",
    "bytedelta",
    "trunc_prec",
    "trunc_prec,shuffle",
    "int_trunc,bitshuffle",
    "shuffle,bitshuffle,shuffle=3",
    "shuffle,bitshuffle,bytedelta,shuffle,none,bitshuffle",
];

/// One compression.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) codec: CodecId,
    pub(crate) clevel: u8,
    pub(crate) typesize: usize,
    pub(crate) filters: &'static str,
    pub(crate) split: SplitMode,
    pub(crate) blocksize: Option<usize>,
    pub(crate) use_dict: bool,
    pub(crate) spec: String,
    pub(crate) nbytes: usize,
}

/// The slots of a pipeline for a typesize. `trunc_prec` keeps 10 bits, `int_trunc` half of them.
fn pipeline(names: &str, typesize: usize) -> Vec<FilterSlot> {
    let stored = u8::try_from(typesize).unwrap_or(1);
    names
        .split(',')
        .map(|filter| {
            let (name, meta) = filter.split_once('=').unwrap_or((filter, "0"));
            let meta = meta.parse().expect("a meta byte");
            match name {
                "none" => FilterSlot::NONE,
                "shuffle" => FilterSlot::new(FilterId::SHUFFLE, meta),
                "bitshuffle" => FilterSlot::BITSHUFFLE,
                "delta" => FilterSlot::DELTA,
                // Meta 0 asks for the typesize of a super-chunk, which a lone chunk does not have.
                "bytedelta" => FilterSlot::new(FilterId::BYTEDELTA, stored),
                "trunc_prec" => FilterSlot::new(FilterId::TRUNC_PREC, 10),
                "int_trunc" => FilterSlot::new(FilterId::INT_TRUNC, 4 * stored),
                _ => panic!("unknown filter {name}"),
            }
        })
        .collect()
}

impl Case {
    /// The parameters for our encoder, from which those for C are made.
    pub(crate) fn cparams(&self) -> CParams {
        CParams::new(self.typesize)
            .codec(self.codec)
            .clevel(self.clevel)
            .filters(pipeline(self.filters, self.typesize))
            .split_mode(self.split)
            .blocksize(self.blocksize)
            .use_dict(self.use_dict)
    }

    /// The data.
    pub(crate) fn source(&self) -> Vec<u8> {
        content(&self.spec, self.nbytes)
    }

    fn has(&self, filter: &str) -> bool {
        self.filters.split(',').any(|name| name == filter)
    }

    /// How many filters are in the pipeline.
    pub(crate) fn nfilters(&self) -> usize {
        self.filters
            .split(',')
            .filter(|&name| name != "none")
            .count()
    }

    /// Whether decoded data differ from the source by design.
    pub(crate) fn is_lossy(&self) -> bool {
        self.filters.contains("trunc")
    }

    /// Whether DELTA is in the pipeline.
    pub(crate) fn has_delta(&self) -> bool {
        self.has("delta")
    }

    /// The typesize as the chunk has it.
    pub(crate) fn stored_typesize(&self) -> usize {
        if self.typesize <= 255 {
            self.typesize
        } else {
            1
        }
    }

    /// Makes the case one that the format allows and C does right, by shortening the data; false
    /// when there is none.
    pub(crate) fn settle(&mut self) -> bool {
        let typesize = self.stored_typesize();
        // TRUNC_PREC is defined for float32 and float64, INT_TRUNC for 1, 2, 4 and 8 bytes.
        if self.has("trunc_prec") && !matches!(typesize, 4 | 8)
            || self.has("int_trunc") && !matches!(typesize, 1 | 2 | 4 | 8)
        {
            return false;
        }
        // Format §14 item 3: with three filters C damages its input, and with DELTA among them its
        // chunk.
        if self.has_delta() && self.nfilters() > 2 {
            return false;
        }
        // Format §14 item 4: DELTA and TRUNC_PREC leave what follows the last whole element
        // undefined.
        if self.has_delta() || self.is_lossy() {
            let width = match typesize {
                1 | 2 | 4 | 8 => typesize,
                _ if typesize.is_multiple_of(8) => 8,
                _ => 1,
            };
            self.nbytes -= self.nbytes % width;
        }
        // C refuses dictionaries for BloscLZ and zlib; with three filters its first pass damages
        // the data of the second; below 32 bytes it writes streams of runs and flags them as a
        // copy, which cannot be read.
        let refused = matches!(self.codec, CodecId::BLOSCLZ | CodecId::ZLIB);
        if refused || self.nfilters() > 2 || self.nbytes < 32 {
            self.use_dict = false;
        }
        true
    }

    /// Format §14 item 3: with three filters, C copies its damaged input into a chunk that it gives
    /// up on.
    pub(crate) fn c_copies_damaged_data(&self, theirs: &[u8]) -> bool {
        self.nfilters() > 2 && theirs[2] & 2 != 0
    }

    /// Whether C's getitem of these items is known to be wrong: with DELTA (format §14 item 6),
    /// with a dictionary, which a fresh context does not have, and for as many bytes as a whole
    /// block or the leftover block has, but from two blocks.
    pub(crate) fn c_gets_items_wrong(&self, chunk: &[u8], start: usize, nitems: usize) -> bool {
        let blocksize = chunk[8..12]
            .iter()
            .rev()
            .fold(0, |size, &byte| size << 8 | usize::from(byte));
        let (start, len) = (
            start * self.stored_typesize(),
            nitems * self.stored_typesize(),
        );
        let straddles = (len == blocksize || len == self.nbytes % blocksize)
            && !start.is_multiple_of(blocksize);
        self.has_delta() || chunk[31] & 1 != 0 || straddles
    }

    /// Format §14 item 1: C writes a block size that it did not use when the data are shorter than
    /// the requested one and no whole number of items. (Below one item the chunk is a copy, and
    /// only the field is odd: 0 for no data at all.)
    pub(crate) fn c_writes_it_wrong(&self) -> bool {
        let whole = self.nbytes > 0 && self.nbytes.is_multiple_of(self.typesize);
        self.blocksize
            .is_some_and(|blocksize| self.nbytes < blocksize && !whole)
    }
}

/// Draws a spec that suits a typesize.
pub(crate) fn draw_spec(rng: &mut Lcg, typesize: usize) -> String {
    let seed = rng.below(1000);
    match rng.below(9) {
        0 => "zeros".into(),
        1 => format!("repeat:{seed:04x}"),
        2 => format!("count:{typesize}"),
        3 | 4 => format!("walk:{typesize}:{seed}"),
        5 => format!("text:{seed}"),
        6 | 7 => format!("patch:{seed}"),
        _ => format!("noise:{seed}"),
    }
}

/// One of a list.
pub(crate) fn pick<T: Clone>(rng: &mut Lcg, list: &[T]) -> T {
    let len = u64::try_from(list.len()).unwrap_or(1);
    list[usize::try_from(rng.below(len)).unwrap_or(0)].clone()
}

/// A number below `bound`, which may exceed what one draw yields.
pub(crate) fn below(rng: &mut Lcg, bound: usize) -> usize {
    let wide = rng.below(32_768) << 15 | rng.below(32_768);
    usize::try_from(wide).unwrap_or(0) % bound.max(1)
}
