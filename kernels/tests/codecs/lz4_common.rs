//! Parts shared by the LZ4 tests: inputs, the naive decoder, and the rules for the end of a block.
#![expect(clippy::unwrap_used, reason = "a test stops at the first failure")]

/// Decodes by the format's definition, byte by byte; `None` for what is not a stream.
///
/// With `prefix` it stops when `limit` bytes are there, otherwise more is an error.
pub(crate) fn naive_decode(src: &[u8], dict: &[u8], limit: usize, prefix: bool) -> Option<Vec<u8>> {
    let mut out = dict.to_vec();
    let limit = dict.len() + limit;
    let mut src = src.iter().copied();
    if prefix && out.len() == limit {
        return Some(Vec::new());
    }
    loop {
        let token = src.next()?;
        let mut more = |nibble: u8| {
            let mut length = usize::from(nibble);
            if nibble == 15 {
                loop {
                    let byte = src.next()?;
                    length += usize::from(byte);
                    if byte != 255 {
                        break;
                    }
                }
            }
            Some(length)
        };
        let literals = more(token >> 4)?;
        for _ in 0..literals {
            if out.len() == limit {
                return prefix.then(|| out.split_off(dict.len()));
            }
            out.push(src.next()?);
        }
        if src.len() == 0 || (prefix && out.len() == limit) {
            return Some(out.split_off(dict.len()));
        }
        let distance = usize::from(u16::from_le_bytes([src.next()?, src.next()?]));
        let mut length = usize::from(token & 15);
        if length == 15 {
            loop {
                let byte = src.next()?;
                length += usize::from(byte);
                if byte != 255 {
                    break;
                }
            }
        }
        if distance == 0 || distance > out.len() {
            return None;
        }
        for _ in 0..length + 4 {
            if out.len() == limit {
                return prefix.then(|| out.split_off(dict.len()));
            }
            out.push(out[out.len() - distance]);
        }
        if prefix && out.len() == limit {
            return Some(out.split_off(dict.len()));
        }
    }
}

/// Checks what the format asks of a compressor at the end of a block.
pub(crate) fn check_end_rules(stream: &[u8], content_len: usize) {
    let mut at = 0;
    let mut produced = 0;
    let mut last_match = None;
    loop {
        let token = stream[at];
        at += 1;
        let mut length = |nibble: u8| {
            let mut length = usize::from(nibble);
            if nibble == 15 {
                loop {
                    let byte = stream[at];
                    at += 1;
                    length += usize::from(byte);
                    if byte != 255 {
                        break;
                    }
                }
            }
            length
        };
        let literals = length(token >> 4);
        at += literals;
        produced += literals;
        if at == stream.len() {
            assert_eq!(token & 15, 0, "the last token has no match");
            assert_eq!(produced, content_len);
            if let Some(start) = last_match {
                assert!(literals >= 5, "{literals} literals at the end");
                assert!(
                    start + 12 <= content_len,
                    "match at {start} of {content_len}"
                );
            }
            return;
        }
        last_match = Some(produced);
        at += 2;
        let mut extra = usize::from(token & 15);
        if extra == 15 {
            loop {
                let byte = stream[at];
                at += 1;
                extra += usize::from(byte);
                if byte != 255 {
                    break;
                }
            }
        }
        produced += extra + 4;
    }
}

/// A small generator of numbers (xorshift), so that every run sees the same inputs.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        let n = u64::try_from(n).unwrap();
        usize::try_from((self.next() >> 11) % n).unwrap()
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[3]
    }
}

/// One content of each kind, each `len` bytes.
pub(crate) fn contents(len: usize) -> Vec<(&'static str, Vec<u8>)> {
    let mut r = Random(0x1234_5678_9ABC_DEF1 ^ u64::try_from(len).unwrap());
    let bytes = |f: &mut dyn FnMut(usize) -> u8| (0..len).map(f).collect::<Vec<u8>>();
    let mut out = vec![
        ("zeros", vec![0; len]),
        ("random", bytes(&mut |_| r.byte())),
        ("period 251", bytes(&mut |i| (i % 251).to_le_bytes()[0])),
        ("slow ramp", bytes(&mut |i| (i / 37).to_le_bytes()[0])),
    ];
    for period in [2, 3, 5, 7, 12, 15, 16, 17, 31, 32, 33, 63, 64, 65] {
        let seed: Vec<u8> = (0..period).map(|_| r.byte()).collect();
        out.push(("period", bytes(&mut |i| seed[i % period])));
    }
    // Words out of a small vocabulary, runs of bytes, and a smooth plane with noise.
    let words: Vec<Vec<u8>> = (0..40)
        .map(|_| (0..2 + r.below(9)).map(|_| b'a' + r.byte() % 26).collect())
        .collect();
    let mut text = Vec::new();
    while text.len() < len {
        text.extend_from_slice(&words[r.below(40)]);
        text.push(b' ');
    }
    text.truncate(len);
    out.push(("text", text));
    let mut runs = Vec::new();
    while runs.len() < len {
        let byte = r.byte() % 5;
        let most = 1 << (1 + r.below(9));
        let n = 1 + r.below(most);
        runs.resize(runs.len() + n, byte);
    }
    runs.truncate(len);
    out.push(("runs", runs));
    out.push((
        "noisy",
        bytes(&mut |i| (i / 300).to_le_bytes()[0] ^ (r.byte() & 1)),
    ));
    // Copies of earlier parts at all distances, between random bytes.
    let mut copies: Vec<u8> = Vec::new();
    while copies.len() < len {
        for _ in 0..r.below(40) {
            copies.push(r.byte());
        }
        if !copies.is_empty() {
            let back = 1 + r.below(copies.len().min(70_000));
            for _ in 0..r.below(600) {
                copies.push(copies[copies.len() - back]);
            }
        }
    }
    copies.truncate(len);
    out.push(("copies", copies));
    out
}
