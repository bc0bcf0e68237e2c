//! How a chunk is cut: the automatic block size and the choice to split
//! ([format §2.4](crate::format#2.4), [§3](crate::format#3)).
//!
//! The rules are C's, so that equal parameters give equal bytes. Nothing here looks at the
//! machine: the first-level cache is the constant 32 KiB.

use crate::codec::id::CodecId;
use crate::filter::id::FilterId;
use crate::params::{CParams, SplitMode};

/// The cache size that block sizes are built from.
const L1: usize = 32 << 10;
/// The largest block of a chunk that is split.
const MAX_SPLIT_BLOCK: usize = 4 << 20;
/// The smallest and the largest block of a Blosc1 chunk that is split.
const SPLIT_BLOCK_BLOSC1: (usize, usize) = (64 << 10, 1 << 20);
/// The largest stream, before it is rounded, of a Blosc1 chunk that is split.
const MAX_SPLIT_STREAM_BLOSC1: usize = 256 << 10;
/// The largest typesize that is split by default.
const MAX_SPLIT_TYPESIZE: usize = 16;
/// The least number of items in a block that is split by default.
const MIN_SPLIT_ITEMS: usize = 32;
/// The least number of items in a block that Blosc1 splits.
const MIN_SPLIT_ITEMS_BLOSC1: usize = 128;
/// The largest typesize that a chunk header holds.
const MAX_STORED_TYPESIZE: usize = 255;

/// How the data of one chunk is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    /// The typesize that the header holds, in bytes.
    pub(crate) typesize: usize,
    /// The block size in bytes, at least 1.
    pub(crate) blocksize: usize,
    /// The number of blocks.
    pub(crate) nblocks: usize,
    /// Whether whole blocks are split into streams.
    pub(crate) split: bool,
}

impl Cut {
    /// How `nbytes` bytes are cut with these parameters.
    pub(crate) fn new(cparams: &CParams, nbytes: usize) -> Self {
        let typesize = stored_typesize(cparams.typesize);
        let blocksize = blocksize(cparams, nbytes);
        Self {
            typesize,
            blocksize,
            nblocks: if nbytes <= blocksize {
                usize::from(nbytes > 0)
            } else {
                nbytes.div_ceil(blocksize)
            },
            split: is_split(cparams, typesize, blocksize),
        }
    }

    /// How `nbytes` bytes are cut for Blosc1: block sizes and the choice to split are its own
    /// ([format §3](crate::format#3)), and splitting follows the rule that its readers imply
    /// ([format §1.9](crate::format#1.9)).
    pub(super) fn blosc1(cparams: &CParams, nbytes: usize) -> Self {
        let mut cut = Self::new(cparams, nbytes);
        if cparams.blocksize.is_none() {
            cut.blocksize = blocksize_blosc1(cparams, cut.typesize, nbytes);
            cut.nblocks = nbytes.div_ceil(cut.blocksize);
        }
        cut.split = is_split_blosc1(cparams, cut.typesize, cut.blocksize);
        cut
    }
}

/// The typesize that the header holds: 1 for those that do not fit its byte
/// ([format §1.6](crate::format#1.6)).
pub(crate) fn stored_typesize(typesize: usize) -> usize {
    if typesize > MAX_STORED_TYPESIZE {
        1
    } else {
        typesize
    }
}

/// Whether blocks are split ([format §2.4](crate::format#2.4)).
fn is_split(cparams: &CParams, typesize: usize, blocksize: usize) -> bool {
    match cparams.split_mode {
        SplitMode::Always => true,
        SplitMode::Never => false,
        SplitMode::Auto | SplitMode::ForwardCompat => {
            let codec = match cparams.codec {
                CodecId::BLOSCLZ | CodecId::LZ4 => true,
                CodecId::ZSTD => cparams.clevel <= 5,
                _ => false,
            };
            let shuffled = || {
                cparams
                    .filters
                    .iter()
                    .any(|slot| slot.id == FilterId::SHUFFLE)
            };
            codec
                && typesize <= MAX_SPLIT_TYPESIZE
                && blocksize / typesize >= MIN_SPLIT_ITEMS
                && shuffled()
        }
    }
}

/// The block size for `nbytes` bytes ([format §3](crate::format#3)), at least 1 and the one really
/// used: a block size that was asked for is rounded down to whole items, and holds one item at
/// least.
fn blocksize(cparams: &CParams, nbytes: usize) -> usize {
    let typesize = cparams.typesize;
    if nbytes < typesize {
        return 1;
    }
    let size = match cparams.blocksize {
        Some(blocksize) => blocksize,
        None => automatic(cparams, nbytes),
    };
    let size = size.min(nbytes);
    if size > typesize {
        size - remainder(size, typesize)
    } else {
        // Only less than the stored typesize would leave streams without a byte.
        size.max(stored_typesize(typesize)).min(nbytes)
    }
}

/// Whether Blosc1 splits blocks. Its readers before 1.11 imply the two limits, so that they hold
/// in every mode.
fn is_split_blosc1(cparams: &CParams, typesize: usize, blocksize: usize) -> bool {
    let codec = match cparams.split_mode {
        SplitMode::Never => false,
        SplitMode::Always => true,
        SplitMode::Auto => matches!(cparams.codec, CodecId::BLOSCLZ | CodecId::SNAPPY),
        // Zstandard was introduced together with the flag.
        SplitMode::ForwardCompat => cparams.codec != CodecId::ZSTD,
    };
    codec && typesize <= MAX_SPLIT_TYPESIZE && blocksize / typesize >= MIN_SPLIT_ITEMS_BLOSC1
}

/// The automatic block size of Blosc1 1.21 for `nbytes` bytes, at least 1: the size that the level
/// gives is that of a stream where blocks are split, whatever the filter.
fn blocksize_blosc1(cparams: &CParams, typesize: usize, nbytes: usize) -> usize {
    if nbytes < typesize {
        return 1;
    }
    let mut size = nbytes;
    if nbytes >= L1 {
        size = by_level(cparams);
        if cparams.clevel > 0 && is_split_blosc1(cparams, typesize, size) {
            let (least, most) = SPLIT_BLOCK_BLOSC1;
            let streams = size.min(MAX_SPLIT_STREAM_BLOSC1) * typesize;
            size = streams.clamp(least, most);
        }
        size = size.min(nbytes);
    }
    size - remainder(size, typesize)
}

/// The rest of `len` after whole items of `typesize` bytes; most sizes are powers of two.
#[inline]
pub(crate) fn remainder(len: usize, typesize: usize) -> usize {
    let mask = typesize.wrapping_sub(1);
    if typesize & mask == 0 {
        len & mask
    } else {
        len.checked_rem(typesize).unwrap_or(0)
    }
}

/// The block size before it is rounded and capped by the data.
fn automatic(cparams: &CParams, nbytes: usize) -> usize {
    let clevel = cparams.clevel;
    if clevel > 0 && is_split(cparams, cparams.typesize, nbytes) {
        let items = match clevel {
            1..=3 => 32 << 10,
            4..=6 => 64 << 10,
            7 => 128 << 10,
            8 => 256 << 10,
            _ => 512 << 10,
        };
        return cparams
            .typesize
            .saturating_mul(items)
            .clamp(L1, MAX_SPLIT_BLOCK);
    }
    if nbytes < L1 {
        return nbytes;
    }
    by_level(cparams)
}

/// The block size of a level, for data that are not split.
fn by_level(cparams: &CParams) -> usize {
    // Codecs with a high compression ratio gain from larger blocks.
    let hcr = matches!(
        cparams.codec,
        CodecId::LZ4HC | CodecId::ZLIB | CodecId::ZSTD
    );
    let base = if hcr { 2 * L1 } else { L1 };
    match cparams.clevel {
        0 => base / 4,
        1 => base / 2,
        2 => base,
        3 => base * 2,
        4 | 5 => base * 4,
        6..=8 => base * 8,
        _ if hcr => base * 16,
        _ => base * 8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::FilterSlot;

    fn auto(
        codec: CodecId,
        typesize: usize,
        filter: FilterSlot,
        clevel: u8,
        nbytes: usize,
    ) -> usize {
        let cparams = CParams::new(typesize)
            .codec(codec)
            .clevel(clevel)
            .filters([filter]);
        Cut::new(&cparams, nbytes).blocksize
    }

    /// Codecs, typesizes, filters, and the block size of each level.
    type Row<'a> = (&'a [CodecId], &'a [usize], &'a [FilterSlot], [usize; 10]);

    /// The tables of [format §3](crate::format#3), read from headers that the real library wrote.
    #[test]
    fn block_sizes_of_64_mib_are_those_of_the_library() {
        const SHUFFLE: FilterSlot = FilterSlot::SHUFFLE;
        const BITS: FilterSlot = FilterSlot::BITSHUFFLE;
        const NONE: FilterSlot = FilterSlot::NONE;
        let fast = [CodecId::BLOSCLZ, CodecId::LZ4];
        let slow = [CodecId::LZ4HC, CodecId::ZLIB];
        let zstd = [CodecId::ZSTD];
        let all = [NONE, SHUFFLE, BITS];
        #[rustfmt::skip]
        let rows: [Row<'_>; 12] = [
            (&fast, &[1], &[SHUFFLE], [8192, 32768, 32768, 32768, 65536, 65536, 65536, 131_072, 262_144, 524_288]),
            (&fast, &[4], &[SHUFFLE], [8192, 131_072, 131_072, 131_072, 262_144, 262_144, 262_144, 524_288, 1_048_576, 2_097_152]),
            (&fast, &[8], &[SHUFFLE], [8192, 262_144, 262_144, 262_144, 524_288, 524_288, 524_288, 1_048_576, 2_097_152, 4_194_304]),
            (&fast, &[12], &[SHUFFLE], [8184, 393_216, 393_216, 393_216, 786_432, 786_432, 786_432, 1_572_864, 3_145_728, 4_194_300]),
            (&fast, &[16], &[SHUFFLE], [8192, 524_288, 524_288, 524_288, 1_048_576, 1_048_576, 1_048_576, 2_097_152, 4_194_304, 4_194_304]),
            (&fast, &[17], &[SHUFFLE], [8177, 16371, 32759, 65535, 131_070, 131_070, 262_140, 262_140, 262_140, 262_140]),
            (&fast, &[4], &[NONE, BITS], [8192, 16384, 32768, 65536, 131_072, 131_072, 262_144, 262_144, 262_144, 262_144]),
            (&slow, &[1, 4, 8, 16], &all, [16384, 32768, 65536, 131_072, 262_144, 262_144, 524_288, 524_288, 524_288, 1_048_576]),
            (&slow, &[12], &all, [16380, 32760, 65532, 131_064, 262_140, 262_140, 524_280, 524_280, 524_280, 1_048_572]),
            (&zstd, &[4], &[SHUFFLE], [16384, 131_072, 131_072, 131_072, 262_144, 262_144, 524_288, 524_288, 524_288, 1_048_576]),
            (&zstd, &[16], &[SHUFFLE], [16384, 524_288, 524_288, 524_288, 1_048_576, 1_048_576, 524_288, 524_288, 524_288, 1_048_576]),
            (&zstd, &[4], &[NONE, BITS], [16384, 32768, 65536, 131_072, 262_144, 262_144, 524_288, 524_288, 524_288, 1_048_576]),
        ];
        for (codecs, typesizes, filters, sizes) in rows {
            for (clevel, size) in (0..10).zip(sizes) {
                let nbytes = if clevel == 0 { 1 << 20 } else { 64 << 20 };
                for &codec in codecs {
                    for &typesize in typesizes {
                        for &filter in filters {
                            assert_eq!(
                                auto(codec, typesize, filter, clevel, nbytes),
                                size,
                                "{codec} level {clevel} typesize {typesize} {filter:?}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn block_sizes_of_small_chunks_are_those_of_the_library() {
        const SHUFFLE: FilterSlot = FilterSlot::SHUFFLE;
        const NONE: FilterSlot = FilterSlot::NONE;
        #[rustfmt::skip]
        let rows = [
            (0, [1, 1, 1, 1, 1, 1]),
            (1, [1, 1, 1, 1, 1, 1]),
            (7, [1, 1, 1, 4, 7, 7]),
            (31, [24, 24, 24, 28, 28, 31]),
            (100, [96, 96, 96, 100, 98, 100]),
            (1000, [1000, 1000, 1000, 1000, 994, 1000]),
            (32767, [32760, 32760, 32760, 32764, 32767, 32767]),
            (100_000, [100_000, 100_000, 100_000, 100_000, 99995, 100_000]),
            (1_000_003, [524_288, 524_288, 1_000_000, 131_072, 131_068, 1_000_003]),
        ];
        for (nbytes, sizes) in rows {
            let computed = [
                auto(CodecId::BLOSCLZ, 8, SHUFFLE, 5, nbytes),
                auto(CodecId::ZSTD, 8, SHUFFLE, 5, nbytes),
                auto(CodecId::ZSTD, 8, SHUFFLE, 9, nbytes),
                auto(CodecId::LZ4, 4, SHUFFLE, 1, nbytes),
                auto(CodecId::BLOSCLZ, 7, NONE, 5, nbytes),
                auto(CodecId::ZLIB, 1, NONE, 9, nbytes),
            ];
            // The header holds min(blocksize, nbytes), and 1 for no bytes at all.
            assert_eq!(
                computed.map(|size| size.min(nbytes.max(1))),
                sizes,
                "{nbytes}"
            );
        }
    }

    #[test]
    fn a_block_size_asked_for_is_rounded_to_whole_items() {
        let size = |typesize, asked, nbytes| {
            let cparams = CParams::new(typesize).blocksize(Some(asked));
            Cut::new(&cparams, nbytes).blocksize
        };
        assert_eq!(size(8, 1001, 10_000), 1000);
        assert_eq!(size(8, 3, 10_000), 8);
        assert_eq!(size(8, 1000, 500), 496);
        assert_eq!(size(1000, 100, 10_000), 100);
        assert_eq!(size(8, 16, 5), 1);
    }

    #[test]
    fn split_rules_follow_codec_level_filter_and_sizes() {
        let split = |cparams: CParams, nbytes| Cut::new(&cparams, nbytes).split;
        let zstd = CParams::new(8).codec(CodecId::ZSTD);
        assert!(split(CParams::new(8), 256));
        assert!(!split(CParams::new(8), 248));
        assert!(split(CParams::new(16), 1 << 20));
        assert!(!split(CParams::new(17), 1 << 20));
        assert!(!split(
            CParams::new(8).filters([FilterSlot::BITSHUFFLE]),
            1 << 20
        ));
        assert!(split(zstd.clone().clevel(5), 1 << 20));
        assert!(!split(zstd.clone().clevel(6), 1 << 20));
        assert!(split(zstd.clevel(6).split_mode(SplitMode::Always), 1 << 20));
        assert!(!split(
            CParams::new(8).split_mode(SplitMode::Never),
            1 << 20
        ));
        assert!(
            split(CParams::new(300), 1 << 20),
            "stored as a typesize of 1"
        );
    }
}
