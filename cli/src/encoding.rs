//! Codec, level, filters and splitting as options of the command line.
#![expect(clippy::doc_markdown, reason = "the doc comments are the help text")]

use clap::{Args, ValueEnum};
use oxiblosc::tune::Goal;
use oxiblosc::{CParams, CodecId, FilterId, FilterSlot, SplitMode};
use oxiblosc_kernels::{int_trunc_zeroed_bits, trunc_prec_zeroed_bits};

use crate::progress::say;

/// How chunks are compressed, as far as it is said.
#[derive(Clone, Debug, Args)]
pub(crate) struct EncodingArgs {
    /// The codec [default: blosclz]
    #[arg(long, value_enum)]
    codec: Option<Codec>,
    /// The compression level: 0 copies, 9 is the slowest; also -1 to -9 [default: 5]
    #[arg(long, value_parser = clap::value_parser!(u8).range(0..=9))]
    level: Option<u8>,
    #[command(flatten)]
    digits: Digits,
    /// The filters in the order in which they are applied, as NAME or NAME:META: none, shuffle,
    /// bitshuffle, delta, trunc_prec:BITS, bytedelta, int_trunc:BITS, ndcell:SIDE, ndmean:SIDE. A
    /// filter that changes values (trunc_prec, int_trunc, ndmean) is followed by shuffle if no
    /// other filter is named; NAME,none leaves it alone [default: shuffle]
    #[arg(
        long,
        value_delimiter = ',',
        value_parser = parse_filter,
        allow_hyphen_values = true
    )]
    filters: Option<Vec<FilterSlot>>,
    /// Choose codec, level and filters by samples of the data, for a goal [default: balanced]
    #[arg(
        long,
        value_enum,
        value_name = "GOAL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "balanced",
        conflicts_with_all = ["codec", "level", "Digits", "filters"]
    )]
    auto: Option<GoalArg>,
    /// The parameters that were found
    #[arg(skip)]
    tuned: Option<CParams>,
    /// When blocks are split into one stream per byte of an item [default: forward]
    #[arg(long, value_enum)]
    split: Option<Split>,
}

/// Goals of automatic parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GoalArg {
    /// The smallest files
    Ratio,
    /// Small files, made and read at the speed of disks
    Balanced,
    /// Files that are written once and read often
    Read,
    /// As fast as the fastest disks
    Speed,
}

impl GoalArg {
    pub(crate) fn goal(self) -> Goal {
        match self {
            Self::Ratio => Goal::Ratio,
            Self::Balanced => Goal::Balanced,
            Self::Read => Goal::Read,
            Self::Speed => Goal::Speed,
        }
    }
}

/// The levels as single digits.
#[derive(Clone, Debug, Args)]
#[group(multiple = false, conflicts_with = "level")]
#[expect(clippy::struct_excessive_bools, reason = "a flag each")]
struct Digits {
    /// The level 1; and so on
    #[arg(short = '1')]
    level1: bool,
    #[arg(short = '2', hide = true)]
    level2: bool,
    #[arg(short = '3', hide = true)]
    level3: bool,
    #[arg(short = '4', hide = true)]
    level4: bool,
    #[arg(short = '5', hide = true)]
    level5: bool,
    #[arg(short = '6', hide = true)]
    level6: bool,
    #[arg(short = '7', hide = true)]
    level7: bool,
    #[arg(short = '8', hide = true)]
    level8: bool,
    #[arg(short = '9', hide = true)]
    level9: bool,
}

impl Digits {
    fn level(&self) -> Option<u8> {
        let Self {
            level1,
            level2,
            level3,
            level4,
            level5,
            level6,
            level7,
            level8,
            level9,
        } = *self;
        let flags = [
            level1, level2, level3, level4, level5, level6, level7, level8, level9,
        ];
        let given = (1..).zip(flags).find(|(_, flag)| *flag);
        given.map(|(level, _)| level)
    }
}

impl EncodingArgs {
    /// Parameters with what is said here in the place of what they have.
    pub(crate) fn apply(&self, mut cparams: CParams) -> CParams {
        if let Some(tuned) = &self.tuned {
            cparams.filters = tuned.filters;
            cparams = cparams.codec(tuned.codec).clevel(tuned.clevel);
        }
        if let Some(codec) = self.codec {
            // The meta byte is that of the codec before.
            cparams = cparams.codec(codec.id()).codec_meta(0);
        }
        if let Some(level) = self.level.or(self.digits.level()) {
            cparams = cparams.clevel(level);
        }
        if let Some(filters) = self.filters() {
            cparams = cparams.filters(filters);
        }
        if let Some(split) = self.split {
            cparams = cparams.split_mode(split.mode());
        }
        cparams
    }

    /// The goal of automatic parameters.
    pub(crate) fn goal(&self) -> Option<Goal> {
        self.auto.map(GoalArg::goal)
    }

    /// Sets the parameters that were found for the goal.
    pub(crate) fn set_tuned(&mut self, tuned: CParams) {
        self.tuned = Some(tuned);
    }

    /// Whether more filters are named than a chunk has slots for.
    pub(crate) fn has_too_many_filters(&self) -> bool {
        self.filters().is_some_and(|filters| filters.len() > 6)
    }

    fn filters(&self) -> Option<Vec<FilterSlot>> {
        let named = self.filters.as_ref()?;
        let mut filters = named.clone();
        if !named.is_empty() && named.iter().all(is_lossy) {
            filters.push(FilterSlot::SHUFFLE);
        }
        filters.retain(|filter| filter.id != FilterId::NONE);
        Some(filters)
    }

    /// Says what filters do that do not give back what they got.
    pub(crate) fn warn(&self, typesize: u32) {
        for filter in self.filters().iter().flatten() {
            if let Some(what) = loss(filter, typesize) {
                say(&format!("oxiblosc: {what}"));
            }
        }
    }
}

/// Whether decoding gives other values than were encoded.
pub(crate) fn is_lossy(filter: &FilterSlot) -> bool {
    let lossy = [FilterId::TRUNC_PREC, FilterId::INT_TRUNC, FilterId::NDMEAN];
    lossy.contains(&filter.id)
}

/// The change that a filter makes, in words.
fn loss(filter: &FilterSlot, typesize: u32) -> Option<String> {
    let size = usize::try_from(typesize).ok()?;
    let bits = filter.meta.cast_signed();
    let name = filter.id.name()?;
    match filter.id {
        FilterId::TRUNC_PREC => {
            let zeroed = trunc_prec_zeroed_bits(size, bits)?;
            let mantissa = if size == 4 { 23 } else { 52 };
            let kept = mantissa - zeroed;
            Some(format!(
                "{name} changes the values: {kept} of {mantissa} bits of each mantissa are kept, \
                 so a value loses less than 2^-{kept} of itself"
            ))
        }
        FilterId::INT_TRUNC => {
            let zeroed = int_trunc_zeroed_bits(size, bits)?;
            Some(format!(
                "{name} changes the values: the {zeroed} lowest bits are set to 0, so a value \
                 loses less than 2^{zeroed}"
            ))
        }
        FilterId::NDMEAN => Some(format!(
            "{name} changes the values: each cell of {} elements along every axis becomes its mean",
            filter.meta
        )),
        _ => None,
    }
}

/// Codecs that are offered.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Codec {
    Blosclz,
    Lz4,
    Lz4hc,
    Zlib,
    Zstd,
}

impl Codec {
    pub(crate) fn id(self) -> CodecId {
        match self {
            Self::Blosclz => CodecId::BLOSCLZ,
            Self::Lz4 => CodecId::LZ4,
            Self::Lz4hc => CodecId::LZ4HC,
            Self::Zlib => CodecId::ZLIB,
            Self::Zstd => CodecId::ZSTD,
        }
    }
}

/// Rules for splitting blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Split {
    Auto,
    Always,
    Never,
    Forward,
}

impl Split {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Always => "always",
            Self::Never => "never",
            Self::Forward => "forward",
        }
    }

    pub(crate) fn mode(self) -> SplitMode {
        match self {
            Self::Auto => SplitMode::Auto,
            Self::Always => SplitMode::Always,
            Self::Never => SplitMode::Never,
            Self::Forward => SplitMode::ForwardCompat,
        }
    }
}

/// A filter as NAME or NAME:META; the meta byte may be written signed.
pub(crate) fn parse_filter(text: &str) -> Result<FilterSlot, String> {
    let (name, meta) = match text.split_once(':') {
        Some((name, meta)) => (name, Some(meta)),
        None => (text, None),
    };
    let id = match name {
        "none" | "nofilter" => FilterId::NONE,
        "shuffle" => FilterId::SHUFFLE,
        "bitshuffle" => FilterId::BITSHUFFLE,
        "delta" => FilterId::DELTA,
        "trunc_prec" => FilterId::TRUNC_PREC,
        "ndcell" => FilterId::NDCELL,
        "ndmean" => FilterId::NDMEAN,
        "bytedelta" => FilterId::BYTEDELTA,
        "int_trunc" => FilterId::INT_TRUNC,
        _ => return Err(format!("there is no filter named {name}")),
    };
    let takes_meta = [
        FilterId::TRUNC_PREC,
        FilterId::NDCELL,
        FilterId::NDMEAN,
        FilterId::INT_TRUNC,
    ];
    match meta {
        None if takes_meta.contains(&id) => Err(format!("{name} wants a number, as in {name}:10")),
        None => Ok(FilterSlot::new(id, 0)),
        Some(meta) => {
            let number = meta
                .parse::<u8>()
                .or_else(|_| meta.parse().map(i8::cast_unsigned));
            match number {
                Ok(meta) => Ok(FilterSlot::new(id, meta)),
                Err(_) => Err(format!(
                    "the number of {name} is {meta}, expected -128 to 255"
                )),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_take_their_numbers() {
        assert_eq!(parse_filter("shuffle"), Ok(FilterSlot::SHUFFLE));
        assert_eq!(
            parse_filter("trunc_prec:10"),
            Ok(FilterSlot::trunc_prec(10))
        );
        assert_eq!(parse_filter("int_trunc:-3"), Ok(FilterSlot::int_trunc(-3)));
        assert!(parse_filter("trunc_prec").is_err());
        assert!(parse_filter("trunc_prec:300").is_err());
        assert!(parse_filter("zip").is_err());
    }

    #[test]
    fn losses_are_stated() {
        let said = |filter, typesize| loss(&filter, typesize);
        let text = said(FilterSlot::trunc_prec(10), 4).unwrap();
        assert!(
            text.contains("10 of 23 bits") && text.contains("2^-10"),
            "{text}"
        );
        let text = said(FilterSlot::int_trunc(-3), 2).unwrap();
        assert!(text.contains("the 3 lowest bits"), "{text}");
        assert_eq!(said(FilterSlot::SHUFFLE, 4), None);
    }
}
