use oxiblosc::b2nd::Dtype;

use super::Printer;
use crate::args::Format;

fn shown(dtype: &str, shape: &[u64], bytes: &[u8], format: Format) -> Option<String> {
    let mut printer = Printer::new(&Dtype::from_stored(dtype), shape, format)?;
    let mut text = String::new();
    printer.begin(&mut text);
    // In pieces that end anywhere between elements.
    let len = usize::try_from(shape.iter().product::<u64>()).unwrap();
    let size = bytes.len() / len.max(1);
    for piece in bytes.chunks(size.max(1) * 2) {
        printer.print(piece, &mut text);
    }
    printer.end(&mut text);
    Some(text)
}

/// The texts are those of `str(element)` in NumPy 2.4, but for floats of 4 and 2 bytes above 10^5,
/// which are written as those of 8 bytes.
#[test]
fn elements_are_printed_as_numpy_does() {
    let is = |dtype, bytes: &[u8], expected: &str| {
        let len = Dtype::from_stored(dtype).itemsize().unwrap();
        let shape = [bytes.len() as u64 / len];
        let text = shown(dtype, &shape, bytes, Format::Text);
        let expected = expected.replace('|', "\n") + "\n";
        assert_eq!(text.as_deref(), Some(expected.as_str()), "{dtype}");
    };
    is("|u1", &[1, 255, 3], "1|255|3");
    is("|i1", &[1, 255], "1|-1");
    is("<i2", &[0xFE, 0xFF, 1, 2], "-2|513");
    is(">i2", &[0xFF, 0xFE, 1, 2], "-2|258");
    is(">u8", &[0, 0, 0, 0, 0, 0, 1, 0], "256");
    let floats = |values: &[f32]| {
        values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect()
    };
    let bytes: Vec<u8> = floats(&[0.1, -0.0, 1e16, 1.5e-5, 16_777_216.0, f32::NAN, 1e15]);
    is(
        "<f4",
        &bytes,
        "0.1|-0.0|1e+16|1.5e-05|16777216.0|nan|1000000000000000.0",
    );
    is(">f8", &(-1e300_f64).to_be_bytes(), "-1e+300");
    is("<f8", &123_456.789_f64.to_le_bytes(), "123456.789");
    is("<f8", &0.000_1_f64.to_le_bytes(), "0.0001");
    is(
        "<f2",
        &[0x00, 0x3E, 0x01, 0x00, 0x66, 0x2E],
        "1.5|6e-08|0.1",
    );
    is(
        "<f2",
        &[0x00, 0xFC, 0x00, 0x7E, 0xFF, 0x7B],
        "-inf|nan|65500.0",
    );
    is("|b1", &[0, 1], "False|True");
    is("<c8", &floats(&[1.5, -2.0, 0.0, 1.0]), "(1.5-2j)|1j");
    is("|S3", b"ab\0\n'x", "b'ab'|b\"\\n'x\"");
    is(
        "<U2",
        &[0x41, 0, 0, 0, 0xE9, 0, 0, 0, 0x42, 0, 0, 0, 0, 0, 0, 0],
        "Aé|B",
    );
    is("|V2", &[1, 65], "b'\\x01\\x41'");
    let days = |numbers: &[i64]| numbers.iter().flat_map(|day| day.to_le_bytes()).collect();
    let bytes: Vec<u8> = days(&[0, 19_782, -1, i64::MIN, -719_529]);
    is(
        "<M8[D]",
        &bytes,
        "1970-01-01|2024-02-29|1969-12-31|NaT|-001-12-31",
    );
    is("<M8[s]", &days(&[1_709_210_096]), "2024-02-29T12:34:56");
    is("<M8[10us]", &days(&[-1]), "1969-12-31T23:59:59.999990");
    is("<M8[M]", &days(&[650, -1]), "2024-03|1969-12");
    is("<M8[Y]", &days(&[54]), "2024");
    is("<M8[h]", &days(&[25]), "1970-01-02T01");
    is("<m8[ms]", &days(&[-5, i64::MIN]), "-5 milliseconds|NaT");
    let record = "[('a', '<i2'), ('b', '|S2'), ('c', '|u1', (2,)), ('d', '<U1')]";
    is(
        record,
        &[1, 0, b'x', 0, 7, 8, 0x41, 0, 0, 0],
        "(1, b'x', [7, 8], 'A')",
    );
    assert_eq!(shown("|O", &[1], &[0; 8], Format::Text), None);
}

#[test]
fn rows_planes_and_lists_are_separated() {
    let bytes: Vec<u8> = (0..12).collect();
    let is = |shape: &[u64], format, expected: &str| {
        let len = usize::try_from(shape.iter().product::<u64>()).unwrap();
        let text = shown("|u1", shape, &bytes[..len], format);
        assert_eq!(text.as_deref(), Some(expected), "{shape:?} {format:?}");
    };
    is(&[3], Format::Text, "0\n1\n2\n");
    is(&[2, 3], Format::Text, "0 1 2\n3 4 5\n");
    is(&[2, 2, 3], Format::Text, "0 1 2\n3 4 5\n\n6 7 8\n9 10 11\n");
    is(&[], Format::Text, "0\n");
    is(&[0, 3], Format::Text, "");
    is(&[2, 3], Format::Csv, "0,1,2\n3,4,5\n");
    is(&[2, 2, 3], Format::Csv, "0,1,2\n3,4,5\n6,7,8\n9,10,11\n");
    is(&[3], Format::Csv, "0\n1\n2\n");
    for shape in [&[][..], &[3], &[2, 3], &[2, 2, 3], &[1, 1, 1], &[0]] {
        let len = usize::try_from(shape.iter().product::<u64>()).unwrap();
        let text = shown("|u1", shape, &bytes[..len], Format::Json).unwrap();
        let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
        for &axis in shape {
            assert_eq!(value.as_array().unwrap().len() as u64, axis, "{text}");
            if axis > 0 {
                value = value[0].clone();
            }
        }
    }
}

#[test]
fn words_are_quoted_where_their_language_wants_it() {
    let record = "[('n', '<f4'), ('name', '|S4')]";
    let bytes = [
        &1.5_f32.to_le_bytes()[..],
        b"a,b\"",
        &f32::NAN.to_le_bytes(),
        b"ok\0\0",
    ]
    .concat();
    let text = shown(record, &[2], &bytes, Format::Csv).unwrap();
    assert_eq!(text, "n,name\n1.5,\"a,b\"\"\"\nnan,ok\n");
    let text = shown(record, &[2], &bytes, Format::Json).unwrap();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        value,
        serde_json::json!([{"n": 1.5, "name": "a,b\""}, {"n": null, "name": "ok"}])
    );
}
