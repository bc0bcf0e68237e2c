//! Cutting items into units and units into blocks, for both directions.

/// The size of the items of a block: a type, so that a kernel may know it at compile time.
pub(super) trait Typesize: Copy {
    /// How units of these items are gathered and stored.
    const PLAN: Plan;

    /// The size, where the type alone says it.
    const KNOWN: Option<usize>;

    /// The bytes of an item.
    fn get(self) -> usize;
}

/// Items of `T` bytes.
#[derive(Clone, Copy)]
pub(super) struct Exact<const T: usize>;

/// Items whose size is known at run time; it has the number of windows of `MAX` bytes.
#[derive(Clone, Copy)]
pub(super) struct UpTo<const MAX: usize>(pub(super) usize);

impl<const T: usize> Typesize for Exact<T> {
    const PLAN: Plan = Plan {
        groups: groups_per_unit(T),
        windows: windows(T),
    };

    const KNOWN: Option<usize> = Some(T);

    #[inline(always)]
    fn get(self) -> usize {
        T
    }
}

impl<const MAX: usize> Typesize for UpTo<MAX> {
    const PLAN: Plan = Plan {
        groups: 1,
        windows: windows(MAX),
    };

    const KNOWN: Option<usize> = None;

    #[inline(always)]
    fn get(self) -> usize {
        self.0
    }
}

/// How a unit, one vector, is made of items.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    /// Groups of eight items in a unit.
    pub(super) groups: usize,
    /// Loads of up to 64 bytes that a unit is gathered from, and stores it is written with.
    pub(super) windows: usize,
}

/// Groups of eight items in a unit of items of `typesize` bytes.
pub(super) const fn groups_per_unit(typesize: usize) -> usize {
    match typesize {
        2 => 4,
        3 | 4 => 2,
        _ => 1,
    }
}

/// Windows of a unit: smaller items lie in fewer vectors.
const fn windows(typesize: usize) -> usize {
    match typesize {
        ..=8 => 1,
        9..=16 => 2,
        17..=32 => 4,
        _ => 8,
    }
}

/// Calls a kernel with the type of its typesize.
///
/// Blocks of 32 columns serve few items only, so that most sizes share code there; sizes in the
/// list have their own code for blocks of 64 columns and more.
macro_rules! with_typesize {
    ($typesize:expr, $half:expr, [$($t:literal)+], $run:ident($src:ident, $dst:ident)) => {
        match ($half, $typesize) {
            (true, ..=8) => $run::<UpTo<8>, true>(UpTo($typesize), $src, $dst),
            (true, 9..=16) => $run::<UpTo<16>, true>(UpTo($typesize), $src, $dst),
            (true, 17..=32) => $run::<UpTo<32>, true>(UpTo($typesize), $src, $dst),
            (true, 64) => $run::<Exact<64>, true>(Exact, $src, $dst),
            (true, _) => $run::<UpTo<255>, true>(UpTo($typesize), $src, $dst),
            $((false, $t) => $run::<Exact<$t>, false>(Exact, $src, $dst),)+
            (false, ..=32) => $run::<UpTo<32>, false>(UpTo($typesize), $src, $dst),
            (false, _) => $run::<UpTo<255>, false>(UpTo($typesize), $src, $dst),
        }
    };
}
pub(super) use with_typesize;

/// Evaluates `$call` with `$columns` a constant: whether a block has 32 columns.
macro_rules! with_width {
    ($half:expr, $columns:ident => $call:expr) => {
        if $half {
            const $columns: bool = true;
            $call
        } else {
            const $columns: bool = false;
            $call
        }
    };
}
pub(super) use with_width;

/// Blocks of more bytes take several steps at once, for longer runs of each row.
pub(super) const LARGE: usize = 64 << 10;

/// The first column of a block, and whether it has 32 columns.
pub(super) struct Columns {
    pub(super) first: usize,
    pub(super) half: bool,
}

/// Blocks of `width` columns that cover `groups`; the last one overlaps the one before.
///
/// With `halves`, a block of 32 columns covers the end where that is enough. Of `skipped` columns,
/// up to `width`, the first block has all, and the second one begins after them.
pub(super) fn blocks(
    groups: usize,
    width: usize,
    halves: bool,
    skipped: usize,
) -> impl Iterator<Item = Columns> {
    let front = (skipped > 0).then_some(Columns {
        first: 0,
        half: false,
    });
    let rest = (skipped..groups).step_by(width).map(move |at| {
        let half = halves && groups - at <= 32;
        let width_here = if half { 32 } else { width };
        Columns {
            first: at.min(groups - width_here),
            half,
        }
    });
    front.into_iter().chain(rest)
}

/// The bytes that the piece at `at` shares with the piece before; `LAST` is the last piece.
pub(super) fn shared_bytes<S: Typesize, const LAST: bool>(at: usize) -> usize {
    let at = match S::KNOWN {
        Some(typesize) if LAST => typesize - 8,
        _ => at,
    };
    at.wrapping_neg() % 8
}

/// Whether blocks of 128 units serve small blocks of items of this size.
///
/// Rows of a power of two of bytes share sets of the cache, and are better visited for two lines
/// at a time.
pub(super) const fn pairs_of_lines<S: Typesize>(groups: usize) -> bool {
    matches!(S::KNOWN, Some(2 | 4 | 8 | 16)) && groups.is_multiple_of(128 * S::PLAN.groups)
}

/// The offsets of the pieces of an item.
pub(super) fn pieces(typesize: usize) -> impl Iterator<Item = usize> {
    (0..typesize.div_ceil(8)).map(move |i| (8 * i).min(typesize.saturating_sub(8)))
}
