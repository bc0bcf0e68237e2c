//! Arrays whose shapes claim much.

use oxiblosc::b2nd::{Array, ArrayParams, AxisSelection, B2ndMeta, Selection};
use oxiblosc::{ChunkSource, DParams, ErrorKind, FrameReader, FrameWriter, Limits, Result};

use super::{REFUSAL, modest, refused, taken};

/// A frame of zeros of this shape.
fn zeros(shape: &[u64], chunkshape: &[u32], blockshape: &[u32]) -> Result<Vec<u8>> {
    let params = ArrayParams::new::<f32>(shape)
        .chunkshape(chunkshape)
        .blockshape(blockshape);
    let frame = FrameWriter::in_memory(params.frame_params()?)?;
    Array::zeros_in(frame, &params)?
        .into_inner()
        .unwrap()
        .into_bytes()
}

fn open(
    frame: &[u8],
    dparams: DParams,
) -> Result<Array<FrameReader<impl oxiblosc::frame::FrameStore + use<'_>>>> {
    Array::open_in_with(FrameReader::from_bytes(frame, dparams.clone())?, dparams)
}

/// Good arrays of zeros that are large in every way the format allows.
pub(crate) fn large_but_good() {
    for (name, shape, chunkshape, blockshape) in [
        ("one axis", &[1 << 40][..], &[1 << 28][..], &[1 << 20][..]),
        ("tiny blocks", &[1 << 30], &[1 << 27], &[1]),
        ("tiny chunks", &[1 << 17], &[1], &[1]),
        ("sixteen axes", &[4; 16], &[2; 16], &[1; 16]),
        ("an empty axis", &[0, 1 << 60], &[0, 1 << 20], &[0, 1 << 10]),
    ] {
        let frame = zeros(shape, chunkshape, blockshape).unwrap();
        assert!(frame.len() < 1 << 14, "{name}: {} bytes", frame.len());
        let reader = FrameReader::from_bytes(&frame[..], DParams::new()).unwrap();
        let index = 24 * usize::try_from(reader.layout().nchunks).unwrap();
        let most = (1 << 16) + index;
        let array = modest(name, most, || open(&frame, DParams::new()));
        if shape.contains(&0) {
            assert!(modest(name, most, || array.to_bytes()).is_empty());
            continue;
        }
        let narrow = DParams::new().limits(Limits::UNTRUSTED.max_alloc(1 << 18));
        let limited = Array::open_in_with(reader, narrow).unwrap();
        let last: Vec<u64> = shape.iter().map(|&n| n - 1).collect();
        let what = format!("{name}: an element");
        let element = modest(&what, 1 << 23, || array.get::<f32>(&last));
        assert_eq!(element.to_bits(), 0);
        modest(&what, 1 << 23, || {
            array.slice_bytes(Selection::points_flat(&last, last.len()))
        });
        let picks: Vec<AxisSelection> = last
            .iter()
            .map(|&n| AxisSelection::steps(0..n + 1, n.max(1)))
            .collect();
        let ends = modest(&what, 1 << 23, || array.slice_bytes(&picks));
        assert_eq!(ends.len(), 4 << shape.len());
        let whole = format!("{name}: all");
        refused(&whole, ErrorKind::LimitExceeded, REFUSAL, || {
            limited.to_bytes()
        });
        let half: Vec<_> = shape.iter().map(|&n| 0..n).collect();
        refused(&whole, ErrorKind::LimitExceeded, REFUSAL, || {
            limited.slice_bytes(&half)
        });
        let view = format!("{name}: a view");
        modest(&view, REFUSAL, || limited.view(&half).map(drop));
    }
}

/// Shapes that no array can have.
pub(crate) fn products_that_overflow() {
    for (shape, chunkshape, blockshape) in [
        (
            &[i64::MAX as u64; 16][..],
            &[1 << 30; 16][..],
            &[1 << 30; 16][..],
        ),
        (&[1 << 62, 4], &[1 << 30, 4], &[1 << 30, 4]),
        (&[1 << 40, 1 << 40], &[1, 1], &[1, 1]),
        (&[5, 5], &[1 << 16, 1 << 16], &[1 << 16, 1 << 16]),
        (&[u64::MAX >> 1], &[1], &[1]),
        (&[1 << 63], &[1 << 20], &[1 << 10]),
    ] {
        let what = format!("the shape {shape:?}");
        let (parsed, taken) = taken(&what, || {
            let meta = B2ndMeta::new(shape, chunkshape, blockshape, "<f4");
            B2ndMeta::parse(&meta.to_bytes()?)
        });
        assert!(taken <= REFUSAL, "{what}: {taken} bytes");
        let params = ArrayParams::new::<f32>(shape)
            .chunkshape(chunkshape)
            .blockshape(blockshape);
        let (array, taken) = super::taken(&what, || Array::zeros(&params));
        assert!(taken <= 1 << 17, "{what}: {taken} bytes");
        assert!(parsed.is_err() || array.is_err(), "{what}");
    }
}

/// Changes of arrays whose chunks the limits do not allow.
pub(crate) fn changes() {
    let frame = zeros(&[50_000, 100_000], &[5000, 10_000], &[100, 100]).unwrap();
    let narrow = DParams::new().limits(Limits::UNTRUSTED.max_alloc(1 << 20));
    let writer = || {
        let store = oxiblosc::frame::Contiguous::new(oxiblosc::storage::Memory(frame.clone()));
        FrameWriter::open_in(store, narrow.clone()).unwrap()
    };
    let mut array = Array::open_in_with(writer(), narrow.clone()).unwrap();
    refused(
        "a change of 20 GB",
        ErrorKind::LimitExceeded,
        1 << 17,
        || array.set_slice(&[0..1, 0..1], &[1_f32]),
    );
    let mut array = Array::open_in_with(writer(), narrow.clone()).unwrap();
    modest("twice as many rows of zeros", 1 << 17, || {
        array.resize(&[100_000, 100_000])
    });
    let mut array = Array::open_in_with(writer(), narrow).unwrap();
    let what = "rows after 20 GB";
    refused(what, ErrorKind::LimitExceeded, 1 << 20, || {
        array.append_bytes(&vec![1; 400_000])
    });
}
