//! Dtype strings against what NumPy says of them.

use super::*;

/// Text, kind, item size, order; from `np.dtype(text)` of NumPy 2.
const SIMPLE: &[(&str, DtypeKind, u64, ByteOrder)] = &[
    ("<f8", DtypeKind::Float, 8, ByteOrder::Little),
    (">f4", DtypeKind::Float, 4, ByteOrder::Big),
    ("<f2", DtypeKind::Float, 2, ByteOrder::Little),
    ("|u1", DtypeKind::Uint, 1, ByteOrder::Irrelevant),
    ("u1", DtypeKind::Uint, 1, ByteOrder::Irrelevant),
    ("|i1", DtypeKind::Int, 1, ByteOrder::Irrelevant),
    ("|b1", DtypeKind::Bool, 1, ByteOrder::Irrelevant),
    ("?", DtypeKind::Bool, 1, ByteOrder::Irrelevant),
    (">i4", DtypeKind::Int, 4, ByteOrder::Big),
    ("<c16", DtypeKind::Complex, 16, ByteOrder::Little),
    ("|S5", DtypeKind::Bytes, 5, ByteOrder::Irrelevant),
    ("<U3", DtypeKind::Text, 12, ByteOrder::Little),
    ("|V7", DtypeKind::Void, 7, ByteOrder::Irrelevant),
    ("<M8[ns]", DtypeKind::Datetime, 8, ByteOrder::Little),
    (">m8[25s]", DtypeKind::Timedelta, 8, ByteOrder::Big),
    ("<M8", DtypeKind::Datetime, 8, ByteOrder::Little),
    ("<M8[25us/2]", DtypeKind::Datetime, 8, ByteOrder::Little),
    ("<m8[generic]", DtypeKind::Timedelta, 8, ByteOrder::Little),
];

#[test]
fn simple_types_have_numpys_meaning() {
    for &(text, kind, itemsize, order) in SIMPLE {
        let dtype: Dtype = text.parse().unwrap();
        assert_eq!(
            (dtype.kind(), dtype.itemsize(), dtype.byte_order()),
            (kind, Some(itemsize), order),
            "{text}"
        );
        assert_eq!(dtype.as_str(), text);
    }
}

#[test]
fn what_is_not_understood_is_kept_but_not_accepted() {
    for text in [
        "",
        "<",
        "x9",
        "<f3",
        "f",
        "<i+4",
        "<f8[ns]",
        // No units, which NumPy refuses; line feeds were kept, and escaped when written.
        ">M8[]",
        ">M8[25u\n]",
        ">M8[2\tus]",
        ">M8[-1us]",
        ">M8[us/]",
        ">M8[us/0]",
        ">M8[us/+2]",
        ">M8[us][ns]",
        ">M8[us",
        "[('a', '<i4')",
        "(1, 2)",
        "é4",
        "|S",
        "[('a', '<i4'), 'b']",
        "[('a',)]",
        "[(7, '<i4')]",
        "[('a', ('<i4', 2, 2))]",
        "[('a', 7)]",
        "[('a', '<i4', 'x')]",
        "[('a', '<i4', -1)]",
        "{'names': ['a'], 'formats': []}",
        "{'names': ['a'], 'formats': ['<i4'], 'offsets': []}",
        "{'names': ['a'], 'formats': ['<i4'], 'itemsize': 3}",
        "{'names': 'a', 'formats': ['<i4']}",
        "{'names': ['a']}",
        "[('\\x4', '<i4')]",
        "[('\\xg1', '<i4')]",
        "[('\\ud800', '<i4')]",
        "[('\\q', '<i4')]",
        "[('a', '<i4')] 7",
    ] {
        let dtype = Dtype::from_stored(text);
        assert_eq!(dtype.kind(), DtypeKind::Unknown, "{text}");
        assert_eq!((dtype.itemsize(), dtype.as_str()), (None, text));
        assert!(text.parse::<Dtype>().is_err(), "{text}");
    }
    assert!("|S0".parse::<Dtype>().is_err());
    assert!("|O".parse::<Dtype>().is_err());
}

#[test]
fn structured_types_have_numpys_sizes() {
    for (text, itemsize, fields) in [
        ("[('a', '<i4'), ('b', '<f8')]", 12, 2),
        (
            "[('a', '<i4', (2, 2)), ('b', 'S3'), ('c', [('d', 'u1')])]",
            20,
            3,
        ),
        ("[('a', '<i4'), ('', '|V4'), ('b', '<f8')]", 16, 3),
        ("[(('title', 'a'), '<i4'), ('b', '<f4', (3,))]", 16, 2),
        (
            "{'names': ['a', 'b'], 'formats': ['<i4', '<f8'], 'offsets': [0, 8], 'itemsize': 20}",
            20,
            2,
        ),
        (
            "{'names': ['a', 'b'], 'formats': ['<i4', ('<f8', (2,))], 'offsets': [0, 8], \
             'itemsize': 24, 'aligned': True}",
            24,
            2,
        ),
        ("[('it\\'s', '<i2'), (\"x\", '<i2')]", 4, 2),
    ] {
        let dtype: Dtype = text.parse().unwrap();
        assert_eq!(dtype.kind(), DtypeKind::Structured, "{text}");
        assert_eq!(
            (dtype.itemsize(), dtype.fields().len()),
            (Some(itemsize), fields),
            "{text}"
        );
    }
}

/// As Python writes names, and as it reads them again.
#[test]
fn names_are_escaped_as_in_python() {
    let text =
        "[('\\x41\\u0042\\U00000043\\n\\r\\t\\\\', '<i4'), ('d', '<f8', 3), ('e', '<i2', (2, 3))]";
    let dtype: Dtype = text.parse().unwrap();
    let fields = dtype.fields();
    assert_eq!(fields[0].name, "ABC\n\r\t\\");
    assert_eq!(dtype.itemsize(), Some(4 + 24 + 12));
    let descr = dtype.to_npy_descr();
    assert_eq!(
        descr,
        "[('ABC\\n\\r\\t\\\\', '<i4'), ('d', '<f8', (3,)), ('e', '<i2', (2, 3))]"
    );
    assert_eq!(descr.parse::<Dtype>().unwrap().fields().len(), 3);
    // Offsets and the size of an item may be left out.
    let dtype: Dtype = "{'names': ['a', 'b'], 'formats': ['<i4', '<f8']}"
        .parse()
        .unwrap();
    assert_eq!((dtype.itemsize(), dtype.fields().len()), (Some(12), 2));
}

#[test]
fn hostile_descriptions_end_early() {
    let deep = "[".repeat(100_000);
    assert_eq!(Dtype::from_stored(&deep).kind(), DtypeKind::Unknown);
    let deep = format!("{}'<i4'{}", "[('a', ".repeat(40), ")]".repeat(40));
    assert_eq!(Dtype::from_stored(&deep).kind(), DtypeKind::Unknown);
    let huge = "[('a', '<f8', (4294967295, 4294967295, 4294967295))]";
    assert_eq!(Dtype::from_stored(huge).kind(), DtypeKind::Unknown);
}

#[test]
fn lists_describe_records_with_gaps() {
    let text = "{'names': ['a', 'b'], 'formats': ['<i4', [('c', 'u1')]], 'offsets': [0, 8], \
                'itemsize': 20}";
    let dtype: Dtype = text.parse().unwrap();
    assert_eq!(
        dtype.to_npy_descr(),
        "[('a', '<i4'), ('', '|V4'), ('b', [('c', 'u1')]), ('', '|V11')]"
    );
    assert_eq!(Dtype::of::<u8>().to_npy_descr(), "'|u1'");
}

/// Pairs of texts, and whether NumPy says that `np.dtype` of both is equal; titles are NumPy's own
/// exception.
#[test]
fn equivalent_texts_are_those_of_equal_dtypes() {
    let aligned = "{'names': ['a', 'b'], 'formats': ['i1', '<f8'], 'offsets': [0, 8], \
                   'itemsize': 16, 'aligned': True}";
    for (one, other, expected) in [
        ("i1", "|i1", true),
        ("int8", "|i1", true),
        ("?", "|b1", true),
        ("bool", "?", true),
        ("S5", "|S5", true),
        ("V3", "|V3", true),
        ("uint8", "|u1", true),
        ("<U3", "<U4", false),
        ("<U3", ">U3", false),
        ("|i1", "|u1", false),
        ("<f8", ">f8", false),
        ("<f8", "<i8", false),
        ("|S4", "|V4", false),
        ("<M8[s]", "<M8[s]", true),
        ("<M8[s]", "<M8[ns]", false),
        ("<M8[s]", "<m8[s]", false),
        ("q?", "q?", true),
        ("q?", "q!", false),
        (aligned, "[('a', '|i1'), ('', '|V7'), ('b', '<f8')]", true),
        (aligned, "[('a', '|i1'), ('', '|V7'), ('b', '<i8')]", false),
        (aligned, "[('a', '|i1'), ('b', '<f8')]", false),
        (aligned, "[('a', '|i1'), ('', '|V7'), ('c', '<f8')]", false),
        // As python-blosc2 stores padding and raw bytes.
        (aligned, "[('a', 'i1'), ('f1', 'V7'), ('b', '<f8')]", true),
        ("|V3", "[('f0', 'V3')]", true),
        ("|V3", "[('f0', 'V4')]", false),
        ("[('f0', 'i1'), ('f1', 'V7'), ('b', '<f8')]", aligned, false),
        ("[('a', 'i1', (2,))]", "[('a', '|i1', 2)]", true),
        ("[('a', 'i1', (2, 1))]", "[('a', '|i1', (2,))]", false),
        ("[('a', [('b', '?')])]", "[('a', [('b', '|b1')])]", true),
        ("[('a', [('b', '?')])]", "[('a', [('b', '|i1')])]", false),
        ("[(('t', 'a'), '<i4')]", "[('a', '<i4')]", true),
    ] {
        let (one, other) = (Dtype::from_stored(one), Dtype::from_stored(other));
        assert_eq!(one.is_equivalent(&other), expected, "{one} {other}");
        assert_eq!(other.is_equivalent(&one), expected, "{other} {one}");
    }
}

/// NumPy writes the title before the name.
#[test]
fn titles_are_kept() {
    for text in [
        "[(('long name', 'a'), '<i4'), ('b', '<f4')]",
        "{'names': ['a', 'b'], 'formats': ['<i4', '<f4'], 'titles': ['long name', None]}",
    ] {
        let dtype: Dtype = text.parse().unwrap();
        assert_eq!(dtype.fields()[0].title, "long name");
        assert_eq!(dtype.fields()[1].title, "");
        let descr = "[(('long name', 'a'), '<i4'), ('b', '<f4')]";
        assert_eq!(dtype.to_npy_descr(), descr);
    }
}

#[test]
fn typed_access_wants_kind_and_size() {
    assert!(!Dtype::of::<f64>().check::<f64>().unwrap());
    let swapped = if cfg!(target_endian = "big") {
        "<i4"
    } else {
        ">i4"
    };
    assert!(Dtype::from_stored(swapped).check::<i32>().unwrap());
    assert!(Dtype::from_stored("<M8[s]").check::<i64>().is_ok());
    for (text, _, _, _) in SIMPLE
        .iter()
        .filter(|(text, ..)| *text != "|u1" && *text != "u1")
    {
        assert!(Dtype::from_stored(text).check::<u8>().is_err(), "{text}");
    }
}
