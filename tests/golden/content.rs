//! Test data from a one-line spec, the same bytes as `interop/python/content.py` makes; the specs
//! are explained there.

/// The generator of the random specs: x <- (1103515245 x + 12345) mod 2^31, which yields x >> 16.
#[derive(Clone, Debug)]
pub(crate) struct Lcg(u64);

impl Lcg {
    /// Begins with `seed`.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number below `bound`, which is at most 32768.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = (1_103_515_245 * self.0 + 12_345) % (1 << 31);
        (self.0 >> 16) % bound
    }

    /// The next byte.
    pub(crate) fn byte(&mut self) -> u8 {
        self.below(32_768).to_le_bytes()[0]
    }
}

/// Appends an item of `width` bytes that holds `value`, as often as it fits.
fn push_item(out: &mut Vec<u8>, value: u64, width: usize) {
    out.extend(value.to_le_bytes().iter().cycle().take(width));
}

fn hex(text: &str) -> Vec<u8> {
    (0..text.len() / 2)
        .map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).expect("hexadecimal digits"))
        .collect()
}

/// The first `nbytes` bytes of the data that `spec` names.
///
/// # Panics
/// When the spec is unknown.
pub(crate) fn content(spec: &str, nbytes: usize) -> Vec<u8> {
    let (base, lossy) = spec.split_once('/').unwrap_or((spec, ""));
    let mut words = base.split(':');
    let kind = words.next().unwrap_or("");
    let argument = words.next().unwrap_or("");
    let number = |text: &str| text.parse::<u64>().expect("a number");
    let width = || usize::try_from(number(argument)).expect("a width");
    let mut out = Vec::with_capacity(nbytes + 4096);
    match kind {
        "zeros" => out.resize(nbytes, 0),
        "repeat" => out.extend(hex(argument).iter().cycle().take(nbytes)),
        "count" => {
            let mut value = 0;
            while out.len() < nbytes {
                push_item(&mut out, value, width());
                value += 1;
            }
        }
        "walk" | "float" => {
            let mut rng = Lcg::new(number(words.next().unwrap_or("")));
            let mut value = 0;
            while out.len() < nbytes {
                value += rng.below(13);
                let small = u32::try_from(value).expect("a walk of fewer than 2^28 steps");
                match (kind, width()) {
                    ("walk", width) => push_item(&mut out, value, width),
                    // All the values are far below 2^24, so a float32 holds them exactly.
                    (_, 4) => push_item(&mut out, u64::from(single(small).to_bits()), 4),
                    _ => push_item(&mut out, (f64::from(small) / 8.0).to_bits(), 8),
                }
            }
        }
        "noise" => {
            let mut rng = Lcg::new(number(argument));
            out.extend((0..nbytes).map(|_| rng.byte()));
        }
        "text" => text(&mut out, &mut Lcg::new(number(argument)), nbytes),
        "patch" => patch(&mut out, &mut Lcg::new(number(argument)), nbytes),
        _ => panic!("unknown content {spec}"),
    }
    out.truncate(nbytes);
    if let Some(parameters) = lossy.strip_prefix("clear:") {
        let (width, bits) = parameters
            .split_once(':')
            .expect("a width and a number of bits");
        clear_low_bits(
            &mut out,
            width.parse().expect("a width"),
            bits.parse().expect("a number"),
        );
    }
    out
}

/// `value / 8` as float32.
fn single(value: u32) -> f32 {
    let low = u16::try_from(value % 65_536).unwrap_or(0);
    let high = u16::try_from(value / 65_536).unwrap_or(0);
    (f32::from(high) * 65_536.0 + f32::from(low)) / 8.0
}

fn text(out: &mut Vec<u8>, rng: &mut Lcg, nbytes: usize) {
    let words: Vec<Vec<u8>> = (0..64)
        .map(|_| {
            let len = 3 + rng.below(8);
            let mut word: Vec<u8> = (0..len)
                .map(|_| b'a' + rng.below(26).to_le_bytes()[0])
                .collect();
            word.push(b' ');
            word
        })
        .collect();
    while out.len() < nbytes {
        let word = usize::try_from(rng.below(64)).unwrap_or(0);
        out.extend(&words[word]);
    }
}

fn patch(out: &mut Vec<u8>, rng: &mut Lcg, nbytes: usize) {
    while out.len() < nbytes {
        let what = rng.below(3);
        let len = usize::try_from(1 + rng.below(200)).unwrap_or(0);
        match what {
            0 => out.resize(out.len() + len, 0),
            1 => {
                let letter = rng.byte();
                out.resize(out.len() + len, letter);
            }
            _ => out.extend((0..len).map(|_| rng.byte())),
        }
    }
}

/// Clears the low `bits` bits of every little-endian item of `width` bytes, as a lossy filter does.
fn clear_low_bits(bytes: &mut [u8], width: usize, bits: usize) {
    for item in bytes.chunks_exact_mut(width) {
        for (at, byte) in item.iter_mut().enumerate() {
            let here = bits.saturating_sub(8 * at).min(8);
            *byte &= u8::try_from(0xFF_u32 << here & 0xFF).unwrap_or(0);
        }
    }
}
