//! Generators of streams: the kinds of data a chunk brings, and edges of the codec.

/// A small generator (xorshift64*), the same on every machine.
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from((self.next() >> 32) % u64::try_from(bound).unwrap()).unwrap()
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.next().to_be_bytes()[0]
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// A length that favours the codec's edges: 0, 12, 16, 66, 8191, 64 KiB, 73725.
pub(crate) fn length(rng: &mut Rng) -> usize {
    match rng.below(10) {
        0 => rng.below(40),
        1 => 60 + rng.below(16),
        2 => 60 + rng.below(140),
        3 => 8180 + rng.below(40),
        4 => 16370 + rng.below(40),
        5 => 65520 + rng.below(40),
        6 => 60_000 + rng.below(60_000),
        7 => 1 << (5 + rng.below(12)),
        _ => rng.below(12_000),
    }
}

/// One stream of `len` bytes of a randomly chosen kind.
pub(crate) fn stream(rng: &mut Rng, len: usize) -> Vec<u8> {
    let mut bytes = match rng.below(10) {
        0 => (0..len).map(|_| rng.byte()).collect(),
        1 => text(rng, len),
        2 => runs(rng, len),
        3 => plane(rng, len, 4),
        4 => plane(rng, len, 8),
        5 => far_repeats(rng, len),
        6 => few_symbols(rng, len),
        7 => periodic(rng, len),
        8 => edges(rng, len),
        _ => {
            let cut = rng.below(len + 1);
            let mut head = stream(rng, cut);
            head.extend(stream(rng, len - cut));
            head
        }
    };
    // Some noise on top, now and then.
    if len > 0 && rng.below(3) == 0 {
        for _ in 0..rng.below(len / 50 + 2) {
            let at = rng.below(len);
            bytes[at] = rng.byte();
        }
    }
    bytes
}

fn text(rng: &mut Rng, len: usize) -> Vec<u8> {
    let words: Vec<Vec<u8>> = (0..2 + rng.below(200))
        .map(|_| {
            (0..1 + rng.below(12))
                .map(|_| b'a' + u8::try_from(rng.below(26)).unwrap())
                .collect()
        })
        .collect();
    let mut out = Vec::new();
    while out.len() < len {
        let (a, b) = (rng.below(words.len()), rng.below(words.len()));
        out.extend(&words[a.min(b)]);
        out.push(b' ');
    }
    out.truncate(len);
    out
}

fn runs(rng: &mut Rng, len: usize) -> Vec<u8> {
    let longest = rng.pick(&[3, 9, 20, 300, 5000]);
    let mut out = Vec::new();
    while out.len() < len {
        let (byte, more) = (rng.byte() % 5, 1 + rng.below(longest));
        out.resize(out.len() + more, byte);
    }
    out.truncate(len);
    out
}

/// Shuffled integers of `typesize` bytes: a ramp, a walk, or smooth values.
pub(crate) fn plane(rng: &mut Rng, len: usize, typesize: usize) -> Vec<u8> {
    let items = len / typesize + 1;
    let (step, noise) = (rng.next() % 1000, 1 + rng.below(300));
    let mut value = rng.next() >> rng.below(60);
    let values: Vec<[u8; 8]> = (0..items)
        .map(|_| {
            value = value
                .wrapping_add(step)
                .wrapping_add(u64::try_from(rng.below(noise)).unwrap());
            value.to_le_bytes()
        })
        .collect();
    let mut out: Vec<u8> = (0..typesize)
        .flat_map(|byte| values.iter().map(move |value| value[byte]))
        .collect();
    out.truncate(len);
    out
}

fn far_repeats(rng: &mut Rng, len: usize) -> Vec<u8> {
    let mut out: Vec<u8> = (0..len.min(200)).map(|_| rng.byte()).collect();
    while out.len() < len {
        let reach = rng
            .pick(&[100, 8180, 8200, 20_000, 65_536, 73_724, 73_800])
            .min(out.len());
        let back = 1 + if rng.below(2) == 0 {
            reach - 1
        } else {
            rng.below(reach)
        };
        let more = rng.pick(&[3, 5, 6, 7, 8, 9, 12, 40, 270, 600]);
        for _ in 0..more {
            out.push(out[out.len() - back]);
        }
        for _ in 0..rng.below(40) {
            out.push(rng.byte());
        }
    }
    out.truncate(len);
    out
}

fn few_symbols(rng: &mut Rng, len: usize) -> Vec<u8> {
    let symbols = 2 + rng.below(6);
    (0..len)
        .map(|_| u8::try_from(rng.below(symbols)).unwrap())
        .collect()
}

fn periodic(rng: &mut Rng, len: usize) -> Vec<u8> {
    let period: Vec<u8> = (0..1 + rng.below(80)).map(|_| rng.byte()).collect();
    period.iter().copied().cycle().take(len).collect()
}

/// Literal runs and match lengths around the codec's limits: 32, 7, 7 + 255, 7 + 510.
fn edges(rng: &mut Rng, len: usize) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::new();
    while out.len() < len {
        for _ in 0..rng.pick(&[0, 1, 4, 28, 31, 32, 33, 60, 63, 64, 65, 96]) {
            out.push(rng.byte());
        }
        if !out.is_empty() {
            let back = 1 + rng.below(out.len().min(9000));
            let longest = rng.pick(&[6, 7, 8, 9, 10, 262, 263, 264, 265, 266, 517, 518, 519, 520]);
            for _ in 0..longest {
                out.push(out[out.len() - back]);
            }
        }
    }
    out.truncate(len);
    out
}

/// An output limit for a stream of `len` bytes that compresses to `cbytes`: often around it.
pub(crate) fn limit(rng: &mut Rng, len: usize, cbytes: Option<usize>) -> usize {
    match (rng.below(6), cbytes) {
        (0, _) => len,
        (1, _) => 60 + rng.below(12),
        (2, _) => rng.below(len + 2),
        (_, Some(cbytes)) => (cbytes + rng.below(5)).saturating_sub(2),
        (_, None) => len - len.min(rng.below(4)),
    }
}
