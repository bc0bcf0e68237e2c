//! Huffman codes: lengths from symbol counts, and canonical codes from lengths.

/// The canonical codes of symbols with code lengths `lens`: the code in the low 24 bits, first bit
/// of the stream lowest, and its length in the high 8.
pub(crate) const fn canonical<const N: usize>(lens: &[u8; N]) -> [u32; N] {
    let mut counts = [0_u32; 16];
    let mut symbol = 0;
    while symbol < N {
        counts[(lens[symbol] & 15) as usize] += 1;
        symbol += 1;
    }
    counts[0] = 0;
    let mut next = [0_u32; 16];
    let mut len = 1;
    while len < 16 {
        next[len] = (next[len - 1] + counts[len - 1]) << 1;
        len += 1;
    }
    let mut codes = [0; N];
    let mut symbol = 0;
    while symbol < N {
        let len = lens[symbol] as u32;
        if len > 0 {
            let code = next[len as usize];
            next[len as usize] += 1;
            codes[symbol] = code.reverse_bits() >> (32 - len) | len << 24;
        }
        symbol += 1;
    }
    codes
}

/// The number of symbols with each code length, or weight; `None` when one is above 15.
///
/// In four tables, because equal neighbours, of which most are 0, would wait for each other's
/// store: 1.03 times as fast on zlib streams of 10 KiB.
pub(crate) fn count_lens(lens: &[u8]) -> Option<[u16; 16]> {
    let mut counts = [[0_u16; 16]; 4];
    let (fours, rest) = lens.as_chunks::<4>();
    for lens in fours {
        for (counts, &len) in counts.iter_mut().zip(lens) {
            *counts.get_mut(usize::from(len))? += 1;
        }
    }
    for (counts, &len) in counts.iter_mut().zip(rest) {
        *counts.get_mut(usize::from(len))? += 1;
    }
    let [mut sums, others @ ..] = counts;
    for counts in others {
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    Some(sums)
}

/// The number of lengths up to the last that is not 0.
pub(crate) fn used(lens: &[u8]) -> usize {
    lens.iter()
        .rposition(|len| *len > 0)
        .map_or(0, |last| last + 1)
}

/// The code lengths of the best prefix code for symbols with these counts, at most `max_bits` each.
/// At least two symbols get a code, because some decoders require a complete one.
///
/// In-place computation after Moffat and Katajainen, "In-Place Calculation of Minimum-Redundancy
/// Codes", 1995; codes that are too long are then shortened as far as needed.
pub(crate) fn code_lengths<const N: usize>(counts: &[u32; N], max_bits: usize) -> [u8; N] {
    // Count and symbol in one number, to sort by both.
    let mut sorted = [0_u64; N];
    let mut n = 0;
    for (symbol, count) in counts.iter().enumerate() {
        sorted[n] = u64::from(*count) << 16 | symbol as u64;
        n += usize::from(*count > 0);
    }
    let mut lens = [0; N];
    if n < 2 {
        let only = if n == 1 {
            (sorted[0] & 0xFFFF) as usize
        } else {
            0
        };
        lens[only] = 1;
        lens[usize::from(only == 0)] = 1;
        return lens;
    }
    let sorted = &mut sorted[..n];
    sorted.sort_unstable();
    let mut a = [0_usize; N];
    for (a, entry) in a.iter_mut().zip(sorted.iter()) {
        *a = (entry >> 16) as usize;
    }
    // Internal nodes replace the leaves that they are made of: first weights, then parents.
    let (mut root, mut leaf) = (0, 0);
    for next in 0..n - 1 {
        let mut weight = 0;
        for _ in 0..2 {
            if leaf >= n || (root < next && a[root] < a[leaf]) {
                weight += a[root];
                a[root] = next;
                root += 1;
            } else {
                weight += a[leaf];
                leaf += 1;
            }
        }
        a[next] = weight;
    }
    // Depths of internal nodes, from the root down; then the number of leaves at each depth.
    a[n - 2] = 0;
    for next in (0..n - 2).rev() {
        a[next] = a[a[next]] + 1;
    }
    let mut at_depth = [0_usize; 64];
    let (mut open, mut depth, mut node) = (1, 0, n - 1);
    while open > 0 {
        let mut inner = 0;
        while node > 0 && a[node - 1] == depth {
            inner += 1;
            node -= 1;
        }
        at_depth[depth.min(63)] += open - inner;
        open = 2 * inner;
        depth += 1;
    }
    // Leaves below `max_bits` move up to it, and shorter codes become longer to make space.
    let deeper: usize = at_depth[max_bits + 1..].iter().sum();
    at_depth[max_bits] += deeper;
    let mut space: usize = (1..=max_bits)
        .map(|len| at_depth[len] << (max_bits - len))
        .sum();
    while space > 1 << max_bits {
        let Some(len) = (1..max_bits).rev().find(|len| at_depth[*len] > 0) else {
            break;
        };
        at_depth[len] -= 1;
        at_depth[len + 1] += 2;
        at_depth[max_bits] -= 1;
        space -= 1;
    }
    // The rarest symbols have the longest codes.
    let mut len = max_bits;
    for entry in sorted.iter() {
        while at_depth[len] == 0 {
            len -= 1;
        }
        at_depth[len] -= 1;
        lens[(entry & 0xFFFF) as usize] = len.to_le_bytes()[0];
    }
    lens
}
