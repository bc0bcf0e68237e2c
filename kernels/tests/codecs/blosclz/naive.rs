//! The codec as the format describes it (§6), one byte at a time, with no thought of speed.

const NEAR: usize = 8191;
const FAR: usize = 73_725;

struct Params {
    hash_bits: u32,
    divisor: usize,
    ratio: f64,
}

fn params(clevel: u8) -> Params {
    let (hash_bits, divisor, ratio) = match clevel {
        1 => (12, 8, 2.0),
        2 => (13, 4, 1.5),
        3 => (14, 4, 1.2),
        4..=6 => (14, 2, 1.2),
        7 => (14, 1, 1.15),
        8 => (14, 1, 1.1),
        _ => (14, 1, 1.0),
    };
    Params {
        hash_bits,
        divisor,
        ratio,
    }
}

fn le32(buffer: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(buffer[at..at + 4].try_into().unwrap())
}

fn hash(word: u32, hash_bits: u32) -> usize {
    usize::try_from(word.wrapping_mul(2_654_435_761) >> (32 - hash_bits)).unwrap()
}

/// §6.3: distance, biased length and q.
fn look(
    buffer: &[u8],
    table: &mut [usize],
    hash_bits: u32,
    at: usize,
) -> Option<(usize, usize, usize)> {
    let word = le32(buffer, at);
    let slot = hash(word, hash_bits);
    let reference = table[slot];
    table[slot] = at;
    let distance = at - reference;
    if distance == 0 || distance >= FAR || le32(buffer, reference) != word {
        return None;
    }
    let bound = buffer.len() - 1;
    let mut here = at + 4;
    while here < bound && buffer[here] == buffer[here - distance] {
        here += 1;
    }
    let q = (here + 1).min(bound) - 4;
    Some((distance, q - at, q))
}

/// §6.4.
pub(crate) fn estimate(src: &[u8], clevel: u8) -> f64 {
    let Params {
        hash_bits, divisor, ..
    } = params(clevel);
    let window = &src[src.len() - src.len() / divisor..];
    let buffer = &window[..window.len().min(1 << hash_bits)];
    if buffer.len() < 12 {
        return 0.0;
    }
    let mut table = vec![0; 1 << hash_bits];
    let (mut p, mut oc, mut count) = (0, 5, 4);
    while p < buffer.len() - 12 {
        match look(buffer, &mut table, hash_bits, p) {
            Some((distance, len, q)) if len >= 4 => {
                if count == 0 {
                    oc -= 1;
                }
                count = 0;
                if len >= 7 {
                    oc += (len - 7) / 255 + 1;
                }
                oc += if distance - 1 < NEAR { 2 } else { 4 };
                table[hash(le32(buffer, q), hash_bits)] = q;
                p = q + 2;
                oc += 1;
            }
            _ => {
                oc += 1;
                p += 1;
                count += 1;
                if count == 32 {
                    count = 0;
                    oc += 1;
                }
            }
        }
    }
    f64::from(u32::try_from(p).unwrap()) / f64::from(oc_u32(oc))
}

fn oc_u32(oc: usize) -> u32 {
    u32::try_from(oc).unwrap()
}

/// The output of §6.5; every byte checks the capacity first.
struct Out {
    bytes: Vec<u8>,
    limit: usize,
}

impl Out {
    fn need(&self, more: usize) -> Option<()> {
        (self.bytes.len() + more <= self.limit).then_some(())
    }

    fn push(&mut self, value: usize) {
        self.bytes.push(u8::try_from(value).unwrap());
    }
}

/// §6.5: the stream, or `None` where C returns 0.
pub(crate) fn encode(clevel: u8, src: &[u8], limit: usize) -> Option<Vec<u8>> {
    let Params {
        hash_bits, ratio, ..
    } = params(clevel);
    if estimate(src, clevel) < ratio || src.len() < 16 || limit < 66 {
        return None;
    }
    let mut table = vec![0; 1 << hash_bits];
    let mut out = Out {
        bytes: vec![31],
        limit,
    };
    out.bytes.extend(&src[..4]);
    let (mut p, mut count) = (4, 4);
    while p < src.len() - 12 {
        match look(src, &mut table, hash_bits, p) {
            Some((distance, len, q)) if len >= 4 && !(len <= 5 && distance > NEAR) => {
                close_run(&mut out, count);
                count = 0;
                put_match(&mut out, distance, len)?;
                let word = le32(src, q);
                table[hash(word, hash_bits)] = q;
                if clevel == 9 {
                    table[hash(word >> 8, hash_bits)] = q + 1;
                }
                p = q + 2;
                out.need(1)?;
                out.push(31);
            }
            _ => {
                put_literal(&mut out, src[p], &mut count)?;
                p += 1;
            }
        }
    }
    while p < src.len() {
        put_literal(&mut out, src[p], &mut count)?;
        p += 1;
    }
    close_run(&mut out, count);
    out.bytes[0] |= 32;
    Some(out.bytes)
}

fn put_literal(out: &mut Out, byte: u8, count: &mut usize) -> Option<()> {
    out.need(2)?;
    out.bytes.push(byte);
    *count += 1;
    if *count == 32 {
        *count = 0;
        out.push(31);
    }
    Some(())
}

fn close_run(out: &mut Out, count: usize) {
    if count > 0 {
        let at = out.bytes.len() - count - 1;
        out.bytes[at] = u8::try_from(count - 1).unwrap();
    } else {
        out.bytes.pop();
    }
}

fn put_match(out: &mut Out, distance: usize, len: usize) -> Option<()> {
    let x = distance - 1;
    let (high, tail) = if x < NEAR {
        (x >> 8, vec![x & 255])
    } else {
        (31, vec![255, (x - NEAR) >> 8, (x - NEAR) & 255])
    };
    if len < 7 {
        out.need(1 + tail.len())?;
        out.push((len << 5) + high);
    } else {
        out.need(1)?;
        out.push(224 + high);
        let mut rest = len - 7;
        while rest >= 255 {
            out.need(1)?;
            out.push(255);
            rest -= 255;
        }
        out.need(1 + tail.len())?;
        out.push(rest);
    }
    for byte in tail {
        out.push(byte);
    }
    Some(())
}

/// §6.1: the output, or `None` for a failure.
pub(crate) fn decode(src: &[u8], limit: usize) -> Option<Vec<u8>> {
    let n = src.len();
    let mut out: Vec<u8> = Vec::new();
    let mut ctrl = usize::from(*src.first()? & 31);
    let mut i = 1;
    loop {
        if ctrl < 32 {
            let c = ctrl + 1;
            if out.len() + c > limit || i + c > n {
                return None;
            }
            out.extend(&src[i..i + c]);
            i += c;
            if i >= n {
                return Some(out);
            }
            ctrl = usize::from(src[i]);
            i += 1;
            continue;
        }
        let mut len = (ctrl >> 5) - 1;
        let ofs = (ctrl & 31) << 8;
        if len == 6 {
            loop {
                if i + 1 >= n {
                    return None;
                }
                let b = usize::from(src[i]);
                i += 1;
                len += b;
                if b != 255 {
                    break;
                }
            }
        } else if i + 1 >= n {
            return None;
        }
        let b = usize::from(src[i]);
        i += 1;
        len += 3;
        let distance = if b == 255 && ofs == 31 * 256 {
            if i + 1 >= n {
                return None;
            }
            let far = 256 * usize::from(src[i]) + usize::from(src[i + 1]) + 8191 + 1;
            i += 2;
            far
        } else {
            ofs + b + 1
        };
        if out.len() + len > limit || distance > out.len() {
            return None;
        }
        if i >= n {
            return Some(out);
        }
        ctrl = usize::from(src[i]);
        i += 1;
        for _ in 0..len {
            out.push(out[out.len() - distance]);
        }
    }
}
