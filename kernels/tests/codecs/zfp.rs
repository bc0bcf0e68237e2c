//! ZFP against zfp itself: `data/zfp.tsv` holds hashes of the streams and of the decoded floats of
//! zfp 1.0.1 (zfpy), for walks of both types, all numbers of axes, modes and edges.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failing test panics, and the table is a part of it"
)]

use oxiblosc_kernels::zfp::{Float, Precision, decode, encode};
use sha2::{Digest, Sha256};

/// The first 16 digits of the hash.
fn hash(bytes: &[u8]) -> String {
    let hash = Sha256::digest(bytes);
    hash[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A walk in steps of 1/64, times a power of two.
fn walk(float: Float, len: usize, seed: u32, scale: i32) -> Vec<u8> {
    let (mut state, mut value) = (seed, 0.0_f64);
    let mut bytes = Vec::new();
    for _ in 0..len {
        state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345) & 0x7FFF_FFFF;
        value += (f64::from((state >> 16) % 2001) - 1000.0) / 64.0;
        let scaled = value * 2.0_f64.powi(scale);
        match float {
            #[expect(clippy::cast_possible_truncation, reason = "the walk is exact in f32")]
            Float::F32 => bytes.extend((scaled as f32).to_le_bytes()),
            Float::F64 => bytes.extend(scaled.to_le_bytes()),
        }
    }
    bytes
}

/// One row of the table.
struct Case {
    float: Float,
    shape: Vec<usize>,
    precision: Precision,
    content: Vec<u8>,
    length: usize,
    stream: String,
    decoded: String,
}

fn cases() -> Vec<Case> {
    let rows = include_str!("data/zfp.tsv").lines().skip(1);
    rows.map(|row| {
        let cells: Vec<&str> = row.split('\t').collect();
        let [
            float,
            shape,
            scale,
            mode,
            parameter,
            length,
            stream,
            decoded,
        ] = cells[..]
        else {
            panic!("{row}");
        };
        let float = if float == "f4" {
            Float::F32
        } else {
            Float::F64
        };
        let shape: Vec<usize> = shape.split('x').map(|len| len.parse().unwrap()).collect();
        let (seed, len) = (
            7 + u32::try_from(shape.len()).unwrap(),
            shape.iter().product(),
        );
        Case {
            float,
            precision: match mode {
                "accuracy" => Precision::accuracy(parameter.parse().unwrap()),
                "planes" => Precision::planes(parameter.parse().unwrap()),
                "rate" => Precision::rate(parameter.parse().unwrap(), float, shape.len()),
                _ => panic!("{row}"),
            },
            content: walk(float, len, seed, scale.parse().unwrap()),
            shape,
            length: length.parse().unwrap(),
            stream: stream.into(),
            decoded: decoded.into(),
        }
    })
    .collect()
}

impl Case {
    fn encode(&self) -> Option<Vec<u8>> {
        let mut stream = vec![0; self.length];
        let (precision, shape) = (&self.precision, &self.shape);
        let len = encode(precision, self.float, shape, &self.content, &mut stream)?;
        stream.truncate(len);
        Some(stream)
    }
}

#[test]
fn streams_and_floats_are_those_of_zfp() {
    let cases = cases();
    assert_eq!(cases.len(), 170);
    for (row, case) in cases.iter().enumerate() {
        let stream = case
            .encode()
            .unwrap_or_else(|| panic!("row {row} does not fit"));
        assert_eq!(
            (stream.len(), hash(&stream)),
            (case.length, case.stream.clone()),
            "row {row}"
        );
        let mut decoded = vec![0; case.content.len()];
        decode(
            &case.precision,
            case.float,
            &case.shape,
            &stream,
            &mut decoded,
        )
        .unwrap();
        assert_eq!(hash(&decoded), case.decoded, "row {row}");
    }
}

#[test]
fn streams_that_are_cut_or_too_long_are_refused() {
    for case in cases().iter().step_by(9) {
        let mut stream = case.encode().unwrap();
        let mut decoded = vec![0; case.content.len()];
        let mut try_decode = |stream: &[u8]| {
            decode(
                &case.precision,
                case.float,
                &case.shape,
                stream,
                &mut decoded,
            )
        };
        for cut in (0..stream.len()).step_by(8) {
            assert!(try_decode(&stream[..cut]).is_err());
        }
        stream.extend([0; 8]);
        let error = try_decode(&stream).unwrap_err();
        assert!(error.offset() + 17 > stream.len(), "{error}");
    }
}

#[test]
fn a_full_output_and_odd_numbers_give_none() {
    let precision = Precision::planes(64);
    let encode = |values: &[f64], room: usize| {
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        encode(
            &precision,
            Float::F64,
            &[values.len()],
            &bytes,
            &mut vec![0; room],
        )
    };
    let len = encode(&[1.0, 2.5, -3.0, 1e9], 200).unwrap();
    assert_eq!(encode(&[1.0, 2.5, -3.0, 1e9], len), Some(len));
    assert_eq!(encode(&[1.0, 2.5, -3.0, 1e9], len - 1), None);
    assert_eq!(encode(&[1.0, f64::NAN], 200), None);
    assert_eq!(encode(&[f64::NEG_INFINITY], 200), None);
    assert_eq!(encode(&[], 200), Some(0));
}

/// The tolerance holds, also for the least numbers.
#[test]
fn errors_stay_within_the_tolerance() {
    for (scale, exponent) in [(0, -2), (0, 1), (-1074 + 30, -128), (200, 50)] {
        for shape in [&[77][..], &[9, 10], &[6, 5, 7], &[5, 5, 5, 5]] {
            let len = shape.iter().product();
            let content = walk(Float::F64, len, 3, scale);
            let precision = Precision::accuracy(exponent);
            let mut stream = vec![0; 1 << 16];
            let len = encode(&precision, Float::F64, shape, &content, &mut stream).unwrap();
            let mut decoded = vec![0; content.len()];
            decode(&precision, Float::F64, shape, &stream[..len], &mut decoded).unwrap();
            let floats = |bytes: &[u8]| -> Vec<f64> {
                let (chunks, _) = bytes.as_chunks();
                chunks
                    .iter()
                    .map(|bytes| f64::from_le_bytes(*bytes))
                    .collect()
            };
            for (value, decoded) in floats(&content).into_iter().zip(floats(&decoded)) {
                let error = (value - decoded).abs();
                assert!(error <= 10_f64.powi(exponent.into()), "{value} {decoded}");
            }
        }
    }
}
