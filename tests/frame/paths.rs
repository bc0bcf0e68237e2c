//! Errors name the file: at opening, in chunks read later, and nothing but the file.

use std::fs;
use std::path::Path;

use oxiblosc::b2nd::{Array, ArrayParams};
use oxiblosc::frame::{AnyFrame, FrameParams, FrameReader, FrameWriter};
use oxiblosc::{
    CParams, ChunkDecoder, ChunkSink, ChunkSource, DParams, Error, ErrorKind, Limits, Result,
    SChunk,
};

fn params() -> FrameParams {
    FrameParams::new(CParams::new(1), 1000)
}

/// Noise of no obvious period.
fn noise(len: u64) -> Vec<u8> {
    (0..len).map(|i| (i * i % 253).to_le_bytes()[0]).collect()
}

fn written(path: &Path) -> Result<()> {
    let mut writer = FrameWriter::create(path, params())?;
    writer.append(&noise(3000))?;
    writer.finish().map(drop)
}

#[test]
fn opening_by_path_names_the_path() {
    let dir = tempfile::tempdir().unwrap();
    let (none, folder) = (dir.path().join("none"), dir.path().join("folder"));
    fs::create_dir(&folder).unwrap();
    let short = dir.path().join("short");
    fs::write(&short, b"too short").unwrap();
    let d = DParams::new;
    let found: [(Error, &Path, ErrorKind); 9] = [
        (
            FrameReader::open(&none, d()).unwrap_err(),
            &none,
            ErrorKind::Io,
        ),
        (
            FrameReader::open_at(&short, 50, d()).unwrap_err(),
            &short,
            ErrorKind::Io,
        ),
        (
            FrameReader::open_sparse(&none, d()).unwrap_err(),
            &none,
            ErrorKind::Io,
        ),
        (
            FrameReader::open_sparse(&folder, d()).unwrap_err(),
            &folder,
            ErrorKind::Io,
        ),
        (
            AnyFrame::open(&none, d()).unwrap_err(),
            &none,
            ErrorKind::Io,
        ),
        (
            FrameWriter::open(&none, d()).unwrap_err(),
            &none,
            ErrorKind::Io,
        ),
        (
            FrameWriter::open_sparse(&none, d()).unwrap_err(),
            &none,
            ErrorKind::Io,
        ),
        (
            FrameWriter::create_sparse(&folder, params()).unwrap_err(),
            &folder,
            ErrorKind::Io,
        ),
        (
            FrameReader::open(&short, d()).unwrap_err(),
            &short,
            ErrorKind::Truncated,
        ),
    ];
    for (error, path, kind) in found {
        assert_eq!((error.path(), error.kind()), (Some(path), kind), "{error}");
        let text = error.to_string();
        let name = path.display().to_string();
        assert!(text.starts_with(&format!("{name}: ")), "{text}");
        assert_eq!(text.matches(&name).count(), 1, "{text}");
    }
    let missing: std::io::Error = FrameReader::open(&none, d()).unwrap_err().into();
    assert_eq!(missing.kind(), std::io::ErrorKind::NotFound);
}

#[test]
fn a_damaged_chunk_names_path_and_chunk() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("damaged");
    written(&path).unwrap();
    let place = {
        let reader = FrameReader::open(&path, DParams::new()).unwrap();
        let place = reader.chunk_places().nth(1).unwrap();
        let oxiblosc::frame::ChunkPlace::Offset(place) = place else {
            panic!("{place:?}");
        };
        place
    };
    let mut bytes = fs::read(&path).unwrap();
    let blocksize = usize::try_from(place).unwrap() + 8;
    bytes[blocksize] = 0xFF;
    bytes[blocksize + 3] = 0xFF;
    fs::write(&path, &bytes).unwrap();
    let reader = FrameReader::open(&path, DParams::new()).unwrap();
    let mut decoder = ChunkDecoder::default();
    let mut out = vec![0; 1000];
    let errors = [
        reader.chunk(1).map(drop).unwrap_err(),
        reader
            .decode_chunk_into(&mut decoder, 1, &mut out)
            .unwrap_err(),
        reader
            .decode_chunk_bytes_into(&mut decoder, 1, 3..5, &mut out)
            .unwrap_err(),
        reader
            .decode_chunk_ranges_into(&mut decoder, 1, &[0..2, 5..6], &mut out)
            .unwrap_err(),
        reader
            .read_items_into(&mut decoder, 1500..1501, &mut out)
            .unwrap_err(),
        reader.verify().unwrap_err(),
    ];
    for error in errors {
        assert_eq!(error.path(), Some(&*path), "{error}");
        assert_eq!(
            (error.kind(), error.offset()),
            (ErrorKind::Corrupt, Some(place + 8))
        );
        let text = error.to_string();
        let front = format!("{}: chunk 1: chunk header: ", path.display());
        assert!(text.starts_with(&front), "{text}");
    }
    assert_eq!(
        reader
            .read_items_into(&mut decoder, 0..1000, &mut out)
            .unwrap(),
        1000
    );

    // In memory there is no path.
    let reader = FrameReader::from_bytes(bytes, DParams::new()).unwrap();
    assert_eq!(reader.chunk(1).map(drop).unwrap_err().path(), None);
}

#[test]
fn mistakes_of_the_call_name_no_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("frame");
    written(&path).unwrap();
    let reader = FrameReader::open(&path, DParams::new()).unwrap();
    assert_eq!(reader.chunk(3).map(drop).unwrap_err().path(), None);
    let wrong = FrameParams::new(CParams::new(0), 1000);
    assert_eq!(FrameWriter::create(&path, wrong).unwrap_err().path(), None);
}

#[test]
fn a_limit_on_an_own_file_says_which_call_lifts_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("large");
    let mut writer = FrameWriter::create(&path, params()).unwrap();
    writer.append(&vec![0; 100_000]).unwrap();
    writer.finish().unwrap();
    let dparams = DParams::new().limits(Limits::UNTRUSTED.max_alloc(2000));
    let reader = FrameReader::open(&path, dparams).unwrap();
    let items: Vec<u64> = (0..2001).collect();
    let mut decoder = ChunkDecoder::new(reader.dparams().clone());
    let error = reader.read_items_at(&mut decoder, &items).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LimitExceeded);
    let text = error.to_string();
    assert!(
        text.ends_with("DParams::limits(Limits::FORMAT) lifts it"),
        "{text}"
    );
}

#[test]
fn shapes_that_do_not_fit_name_the_axis() {
    let params = ArrayParams::new::<u8>(&[4, 4])
        .chunkshape(&[4, 0])
        .blockshape(&[2, 1]);
    let error = Array::from_elements(&[0_u8; 16], &params).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidParam);
    assert_eq!(
        error.to_string(),
        "axis 1: parameter chunkshape: expected 1 to 2147483647, found 0"
    );
    let array = Array::from_elements(&[0_u8; 16], &ArrayParams::new::<u8>(&[4, 4])).unwrap();
    let backwards = array.slice::<u8>((.., -1..1)).unwrap_err();
    assert_eq!(
        backwards.to_string(),
        "axis 1: parameter start of a range: expected at most the end of the range, 1, found -1"
    );
    assert_eq!(backwards.kind(), ErrorKind::InvalidParam);
    let outside = array.slice::<u8>((.., 2..5)).unwrap_err();
    assert_eq!(outside.to_string(), "axis 1: 5 is outside the shape (4)");
}

#[test]
fn debug_of_containers_is_short() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("frame");
    let params = params().metalayer("unit", &[65; 3000]).unwrap();
    let mut writer = FrameWriter::create(&path, params).unwrap();
    let data = noise(300_000);
    writer.append(&data).unwrap();
    writer.set_vlmetalayer("history", &[66; 3000]).unwrap();
    let during = format!("{writer:?}");
    writer.finish().unwrap();
    let reader = FrameReader::open(&path, DParams::new()).unwrap();
    let mut schunk = SChunk::new(CParams::new(1), 1000).unwrap();
    schunk.append(&data).unwrap();
    let array = Array::from_elements(&data, &ArrayParams::new::<u8>(&[300_000])).unwrap();
    let mut lazy = reader.lazy_chunk(5).unwrap();
    let mut decoder = ChunkDecoder::default();
    lazy.decode_bytes_into(&mut decoder, 0..9, &mut [0; 9])
        .unwrap();
    for text in [
        during,
        format!("{reader:?}"),
        format!("{:?}", AnyFrame::open(&path, DParams::new()).unwrap()),
        format!("{:?}", reader.item_reader()),
        format!("{lazy:?}"),
        format!("{schunk:?}"),
        format!("{array:?}"),
        format!("{:?}", reader.metalayers()),
    ] {
        assert!(text.len() < 1500, "{} bytes: {text}", text.len());
        assert!(
            !text.contains("65, 65") && !text.contains("66, 66"),
            "{text}"
        );
    }
    assert_eq!(
        format!("{:?}", reader.metalayers()),
        r#"{"unit": 3000 bytes}"#
    );
}
