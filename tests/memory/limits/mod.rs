//! The cost of small hostile inputs: counts of allocated bytes and of reads, not seconds.
//!
//! `taken` is the sum of all that a call allocates, which its peak cannot pass.
#![cfg(feature = "b2nd")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a failing test may panic, and says what it measured"
)]

mod parts;
mod shapes;
mod sources;
mod stores;

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use oxiblosc::b2nd::{Array, ArrayParams, B2ndMeta, Dtype};
use oxiblosc::frame::Contiguous;
use oxiblosc::schunk::VlMetalayers;
use oxiblosc::storage::ReadAt;
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkSource, ChunkView, DParams, Error, ErrorKind,
    FrameParams, FrameReader, FrameWriter, Limits, Result, Special,
};
use stats_alloc::Region;

use crate::COUNTED;

/// The most memory for a refusal: an error, and no buffer.
const REFUSAL: usize = 4096;

/// Does `work` and says how many bytes it took, all allocations together.
fn taken<T>(what: &str, work: impl FnOnce() -> T) -> (T, usize) {
    let region = Region::new(COUNTED);
    let result = work();
    let change = region.change();
    // A reallocation that grows counts as what it adds.
    let grown = usize::try_from(change.bytes_reallocated.max(0)).unwrap();
    let taken = change.bytes_allocated + grown;
    println!("limits: {what}: {taken} bytes");
    (result, taken)
}

/// It is refused, because of the limits or of the damage, and took next to nothing.
#[track_caller]
fn refused<T>(what: &str, kind: ErrorKind, most: usize, work: impl FnOnce() -> Result<T>) {
    let (result, taken) = taken(what, work);
    let Err(error) = result else {
        panic!("{what}: accepted")
    };
    assert_eq!(error.kind(), kind, "{what}: {error}");
    assert!(taken <= most, "{what}: {taken} bytes");
}

/// It succeeds and took no more than this.
#[track_caller]
fn modest<T>(what: &str, most: usize, work: impl FnOnce() -> Result<T>) -> T {
    let (result, taken) = taken(what, work);
    assert!(taken <= most, "{what}: {taken} bytes");
    result.unwrap_or_else(|error| panic!("{what}: {error}"))
}

pub(crate) fn run() {
    chunks();
    tables_of_chunks();
    frames();
    indices();
    metadata();
    arrays();
    parts::ranges_and_blocks();
    parts::vlblocks();
    parts::dictionaries();
    parts::super_chunks();
    stores::reading();
    stores::writing();
    stores::one_chunk_often();
    stores::one_file_often();
    stores::directories();
    sources::constructors();
    shapes::large_but_good();
    shapes::products_that_overflow();
    shapes::changes();
}

/// A chunk of 32 bytes that claims two gigabytes.
fn bomb(special: Special<'_>, nbytes: usize) -> Vec<u8> {
    let mut encoder = ChunkEncoder::new(CParams::new(4)).unwrap();
    encoder.encode_special(special, nbytes).unwrap()
}

fn chunks() {
    use ErrorKind::LimitExceeded;
    for (name, special) in [
        ("zeros", Special::Zeros),
        ("NaN", Special::Nans),
        ("uninitialised", Special::Uninit),
        ("a repeated value", Special::Repeat(b"ABCD")),
    ] {
        let chunk = bomb(special, 2_000_000_000);
        assert!(chunk.len() <= 36);
        let mut decoder = ChunkDecoder::default();
        let what = format!("2 GB of {name}");
        refused(&what, LimitExceeded, REFUSAL, || decoder.decode(&chunk));
        refused(&what, LimitExceeded, REFUSAL, || {
            decoder.decode_append(&chunk, &mut Vec::new())
        });
        refused(&what, LimitExceeded, REFUSAL, || {
            decoder.decode_items(&chunk, 0..500_000_000)
        });
        refused(&what, LimitExceeded, REFUSAL, || {
            ChunkView::parse(&chunk, &Limits::UNTRUSTED)
        });
        refused(&what, ErrorKind::OutputTooSmall, REFUSAL, || {
            decoder.decode_into(&chunk, &mut [0; 100])
        });
        let part = format!("a part of 2 GB of {name}");
        modest(&part, 1 << 16, || {
            decoder.decode_items(&chunk, 400_000_000..400_000_010)
        });
    }
    // One run token claims a block of half a gigabyte.
    let mut chunk = vec![0; 41];
    chunk[..4].copy_from_slice(&[5, 1, 0x15, 1]);
    let size = 536_866_816_u32.to_le_bytes();
    chunk[4..8].copy_from_slice(&size);
    chunk[8..12].copy_from_slice(&size);
    chunk[12] = 41;
    chunk[32] = 36;
    chunk[36..40].copy_from_slice(&(-7_i32).to_le_bytes());
    chunk[40] = 1;
    for most in [1_u64 << 16, 1 << 20, 1 << 24] {
        let limits = Limits::UNTRUSTED.max_alloc(most);
        let mut decoder = ChunkDecoder::new(DParams::new().limits(limits));
        let what = "one run of 512 MiB";
        let most = usize::try_from(most).unwrap() + REFUSAL;
        refused(what, LimitExceeded, most, || decoder.decode(&chunk));
        let (result, taken) = taken("an item of it", || decoder.decode_items(&chunk, 9..10));
        assert!(taken <= most, "{taken}");
        assert!(result.is_err_and(|error| error.kind() == LimitExceeded));
    }
}

/// Counts that the bytes do not back.
fn tables_of_chunks() {
    let mut regular =
        oxiblosc::compress(&[7; 4000], &CParams::new(4).blocksize(Some(400))).unwrap();
    regular[4..8].copy_from_slice(&i32::MAX.to_le_bytes());
    regular[8..12].copy_from_slice(&[4, 0, 0, 0]);
    let mut decoder = ChunkDecoder::new(DParams::new().limits(Limits::FORMAT));
    let what = "half a billion blocks of a chunk";
    let (result, taken_) = taken(what, || decoder.decode_items(&regular, 0..1));
    assert!(result.is_err() && taken_ <= REFUSAL);
    let mut encoder = ChunkEncoder::new(CParams::new(4)).unwrap();
    let mut vlblocks = encoder.encode_vlblocks(&[[1; 100], [2; 100]]).unwrap();
    vlblocks[8..12].copy_from_slice(&i32::MAX.to_le_bytes());
    let what = "two billion variable-length blocks";
    let (result, taken_) = taken(what, || decoder.decode(&vlblocks));
    assert!(result.is_err() && taken_ <= REFUSAL);
    let mut lying = encoder.encode_vlblocks(&[[1; 100], [2; 100]]).unwrap();
    lying[4..8].copy_from_slice(&1_900_000_000_u32.to_le_bytes());
    let mut decoder = ChunkDecoder::default();
    let what = "blocks that claim 1.9 GB";
    refused(what, ErrorKind::LimitExceeded, REFUSAL, || {
        decoder.decode(&lying)
    });
}

/// A storage that counts its reads and does not offer borrowed bytes.
#[derive(Debug)]
struct Counted<'a> {
    bytes: &'a [u8],
    reads: AtomicU64,
    read: AtomicU64,
}

impl<'a> Counted<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            reads: AtomicU64::new(0),
            read: AtomicU64::new(0),
        }
    }

    /// The number of reads and of bytes read.
    fn work(&self) -> (u64, u64) {
        let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        (load(&self.reads), load(&self.read))
    }
}

impl ReadAt for Counted<'_> {
    fn len(&self) -> io::Result<u64> {
        Ok(self.bytes.len() as u64)
    }

    fn read_exact_at(&self, buf: &mut [u8], offset: u64) -> io::Result<()> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        self.read.fetch_add(buf.len() as u64, Ordering::Relaxed);
        oxiblosc::storage::Memory(self.bytes).read_exact_at(buf, offset)
    }
}

/// A file of a few hundred bytes that claims twenty gigabytes.
fn twenty_gigabytes() -> Vec<u8> {
    let params = FrameParams::new(CParams::new(4), 1_000_000_000);
    let mut writer = FrameWriter::in_memory(params).unwrap();
    writer
        .append_special(Special::Zeros, 20_000_000_000)
        .unwrap();
    writer.into_bytes().unwrap()
}

fn frames() {
    let frame = twenty_gigabytes();
    assert!(frame.len() < 300);
    let storage = Counted::new(&frame);
    let reader = modest("opening 20 GB", 1 << 16, || {
        FrameReader::open_in(Contiguous::new(&storage), DParams::new())
    });
    assert_eq!(reader.layout().nbytes, 20_000_000_000);
    modest("checking 20 GB", 1 << 16, || reader.check());
    let mut decoder = ChunkDecoder::default();
    let mut some = [1; 400];
    modest("reading 400 bytes of 20 GB", 1 << 16, || {
        let at = 12_345_678_000..12_345_678_400;
        reader.read_bytes_into(&mut decoder, at, &mut some)
    });
    assert_eq!(some, [0; 400]);
    let (reads, read) = storage.work();
    println!("limits: 20 GB: {reads} reads of {read} bytes");
    assert!(reads <= 20 && read <= 2000, "{reads} reads of {read} bytes");
    refused(
        "a chunk of 1 GB",
        ErrorKind::OutputTooSmall,
        REFUSAL,
        || reader.decode_chunk_into(&mut decoder, 3, &mut some),
    );
    let every: Vec<u64> = (0..100).map(|i| i * 49_999_999).collect();
    modest("a hundred items of 20 GB", 1 << 16, || {
        reader.read_items_at(&mut decoder, &every)
    });
    // Lengths that the file does not have, in every field that holds one.
    for (at, width) in [(0x0B, 4), (0x10, 8), (0x27, 8), (frame.len() - 22, 4)] {
        for value in [
            0x7FFF_FFFF_u64,
            0x7FFF_FFFF_FFFF_FFFF,
            u64::MAX,
            1 << 24,
            1 << 31,
        ] {
            let mut bad = frame.clone();
            bad[at..at + width].copy_from_slice(&value.to_be_bytes()[8 - width..]);
            let storage = Counted::new(&bad);
            let (result, taken) = taken("a length that lies", || {
                FrameReader::open_in(Contiguous::new(&storage), DParams::new())
            });
            assert!(result.is_err(), "{value:#x} at {at:#x}");
            assert!(taken <= 1 << 16, "{value:#x} at {at:#x}: {taken} bytes");
            let (reads, _) = storage.work();
            assert!(reads <= 20, "{value:#x} at {at:#x}: {reads} reads");
        }
    }
}

/// Indices of many chunks in a few bytes.
fn indices() {
    let params = FrameParams::new(CParams::new(4), 4);
    let mut writer = FrameWriter::in_memory(params).unwrap();
    writer.append_special(Special::Zeros, 4 << 20).unwrap();
    let frame = writer.into_bytes().unwrap();
    assert!(
        frame.len() < 300,
        "a million chunks in {} bytes",
        frame.len()
    );
    let open = |limits: Limits| {
        let storage = Counted::new(&frame);
        FrameReader::open_in(Contiguous::new(&storage), DParams::new().limits(limits)).map(drop)
    };
    let fewer = Limits::UNTRUSTED.max_nchunks((1 << 20) - 1);
    refused(
        "a million chunks",
        ErrorKind::LimitExceeded,
        1 << 14,
        || open(fewer),
    );
    let smaller = Limits::UNTRUSTED.max_alloc((8 << 20) - 1);
    refused("their index", ErrorKind::LimitExceeded, 1 << 14, || {
        open(smaller)
    });
    // Where the limits allow it, the index is what it costs, and little beside.
    modest(
        "the index that is allowed",
        (8 << 20) * 3 + (1 << 16),
        || open(Limits::UNTRUSTED),
    );
    // The same with the largest number that the format knows.
    let mut most = frame.clone();
    most[0x1E..0x26].copy_from_slice(&(4_i64 * 268_435_451).to_be_bytes());
    refused(
        "268 million chunks",
        ErrorKind::LimitExceeded,
        1 << 14,
        || FrameReader::from_bytes(&most, DParams::new()),
    );
}

/// Many metalayers, long names, counts that lie, types in types.
fn metadata() {
    let mut vlmetalayers = VlMetalayers::new();
    vlmetalayers.set("bomb", &vec![0; 40 << 20]).unwrap();
    assert!(vlmetalayers.chunk("bomb").unwrap().len() < 100_000);
    let mut small = Limits::UNTRUSTED;
    small.max_vlmetalayer_nbytes = 1 << 20;
    refused(
        "a vlmetalayer of 40 MB",
        ErrorKind::LimitExceeded,
        REFUSAL,
        || vlmetalayers.get("bomb", &DParams::new().limits(small)),
    );
    let mut params = FrameParams::new(CParams::new(4), 400);
    for number in 0..16 {
        params = params.metalayer(&format!("m{number}"), &[7; 20]).unwrap();
    }
    let frame = FrameWriter::in_memory(params)
        .unwrap()
        .into_bytes()
        .unwrap();
    // The count after the marker DE, and every length in the section.
    for at in 0x57..frame.len() - 35 {
        for value in [[0xFF, 0xFF], [0x7F, 0xFF], [0x80, 0]] {
            let mut bad = frame.clone();
            bad[at..at + 2].copy_from_slice(&value);
            let region = Region::new(COUNTED);
            let _ = FrameReader::from_bytes(&bad, DParams::new());
            let taken = region.change().bytes_allocated;
            assert!(taken <= 1 << 17, "{value:?} at {at:#x}: {taken} bytes");
        }
    }
    // Types in types: neither the stack nor memory beyond a few times the text.
    for (open, close) in [
        ("[('a', ", ")]"),
        ("{'names': ['a'], 'formats': [", "]}"),
        ("(", ")"),
        ("[", ""),
    ] {
        let text = open.repeat(50_000) + "'<f8'" + &close.repeat(50_000);
        let most = 40 * text.len() + REFUSAL;
        let (dtype, taken) = taken("a type in 50,000 types", || Dtype::from_stored(&text));
        assert!(taken <= most, "{taken} bytes for {} of text", text.len());
        assert_eq!(dtype.itemsize(), None);
    }
    let fields = format!("[{}]", "('a', '<i4'), ".repeat(20_000));
    let (_, taken) = taken("a type of 20,000 fields", || Dtype::from_stored(&fields));
    assert!(taken <= 40 * fields.len(), "{taken} bytes");
    let meta = B2ndMeta::new(&[5, 5], &[5, 5], &[5, 5], "<f8")
        .to_bytes()
        .unwrap();
    for at in 0..meta.len() {
        for value in [0x7F, 0x80, 0xFF] {
            let mut bad = meta.clone();
            bad[at] = value;
            let region = Region::new(COUNTED);
            let _ = B2ndMeta::parse(&bad);
            let taken = region.change().bytes_allocated;
            assert!(taken <= REFUSAL, "{value:#x} at {at}: {taken} bytes");
        }
    }
}

/// An array of 20 GB in a few hundred bytes.
fn arrays() {
    let params = ArrayParams::new::<f32>(&[50_000, 100_000])
        .chunkshape(&[5000, 10_000])
        .blockshape(&[100, 100]);
    let frame = FrameWriter::in_memory(params.frame_params().unwrap()).unwrap();
    let frame = Array::zeros_in(frame, &params)
        .unwrap()
        .into_inner()
        .unwrap();
    let frame = frame.into_bytes().unwrap();
    assert!(frame.len() < 500, "{} bytes", frame.len());
    let array = modest("opening an array of 20 GB", 1 << 16, || {
        Array::open_in(FrameReader::from_bytes(&frame, DParams::new())?)
    });
    assert_eq!(array.nbytes(), 20_000_000_000);
    let whole = "an array of 20 GB at once";
    refused(whole, ErrorKind::LimitExceeded, REFUSAL, || {
        array.to_bytes()
    });
    refused(whole, ErrorKind::LimitExceeded, REFUSAL, || {
        array.to_elements::<f32>()
    });
    modest("a hundred elements of it", 1 << 18, || {
        array.slice::<f32>(&[49_990..50_000, 5..15])
    });
    modest("an element of it", 1 << 18, || {
        array.get::<f32>(&[25_000, 99_999])
    });
    let narrow = DParams::new().limits(Limits::UNTRUSTED.max_alloc(1 << 20));
    let array = Array::open_in_with(array.into_inner().unwrap(), narrow).unwrap();
    let what = "checking it: a chunk of 200 MB";
    refused(what, ErrorKind::LimitExceeded, REFUSAL, || array.check());
    // A shape whose sizes overflow.
    let name = frame.windows(4).position(|bytes| bytes == b"b2nd").unwrap();
    for at in name..name + 60 {
        let mut bad = frame.clone();
        bad[at] = 0x7F;
        let region = Region::new(COUNTED);
        let opened = FrameReader::from_bytes(&bad, DParams::new()).and_then(Array::open_in);
        let error: Option<Error> = opened.and_then(|array| array.to_bytes()).err();
        let taken = region.change().bytes_allocated;
        assert!(
            error.is_some() && taken <= 1 << 17,
            "byte {at}: {taken} bytes"
        );
    }
}
