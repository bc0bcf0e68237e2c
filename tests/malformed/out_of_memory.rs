//! Results that the limits allow and the system has no memory for: a typed error, and the process
//! goes on. The test runs itself once more in a shell that limits the address space.
#![cfg(all(feature = "b2nd", target_os = "linux"))]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a failing test may panic, and says what it did"
)]

use std::process::Command;

use oxiblosc::b2nd::{Array, ArrayParams};
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkSource, DParams, ErrorKind, FrameParams, FrameReader,
    FrameWriter, Limits, Result, SChunk, Special,
};

/// Set for the run with little memory.
const INSIDE: &str = "OXIBLOSC_TEST_LITTLE_MEMORY";

/// The address space of that run, in KiB: a program fits, 900 MB do not.
const KIB: u32 = 600_000;

#[track_caller]
fn no_memory<T>(what: &str, result: Result<T>) {
    let Err(error) = result else {
        panic!("{what}: there was memory")
    };
    assert_eq!(error.kind(), ErrorKind::OutOfMemory, "{what}: {error}");
    println!("{what}: {error}");
}

#[test]
fn a_lack_of_memory_is_an_error() {
    if std::env::var_os(INSIDE).is_some() {
        return little_memory();
    }
    let run = Command::new("sh")
        .arg("-c")
        .arg(format!(
            "ulimit -v {KIB} && exec \"$0\" --nocapture \
             --exact out_of_memory::a_lack_of_memory_is_an_error"
        ))
        .arg(std::env::current_exe().unwrap())
        .env(INSIDE, "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(
        run.status.success(),
        "{said}\n{}",
        String::from_utf8_lossy(&run.stderr)
    );
    assert_eq!(said.matches("cannot allocate").count(), 8, "{said}");
    println!("{said}");
}

fn little_memory() {
    let mut encoder = ChunkEncoder::new(CParams::new(4)).unwrap();
    let chunk = encoder.encode_special(Special::Zeros, 900_000_000).unwrap();
    let mut decoder = ChunkDecoder::default();
    no_memory("a chunk", decoder.decode(&chunk));
    no_memory(
        "a chunk after others",
        decoder.decode_append(&chunk, &mut vec![1; 10]),
    );
    no_memory(
        "items of a chunk",
        decoder.decode_items(&chunk, 0..225_000_000),
    );
    let mut schunk = SChunk::new(CParams::new(4), 900_000_000).unwrap();
    schunk.append_special(Special::Zeros, 900_000_000).unwrap();
    no_memory("items of a super-chunk", schunk.read_items(0..225_000_000));
    let params = FrameParams::new(CParams::new(4), 900_000_000);
    let mut writer = FrameWriter::in_memory(params).unwrap();
    writer.append_special(Special::Zeros, 900_000_000).unwrap();
    let frame = writer.into_bytes().unwrap();
    let reader = FrameReader::from_bytes(frame, DParams::new()).unwrap();
    let items: Vec<u64> = vec![7; 1000];
    assert_eq!(
        reader.read_items_at(&mut decoder, &items).unwrap().len(),
        4000
    );
    // An index of fifty million chunks, which these limits allow.
    let mut writer = FrameWriter::in_memory(FrameParams::new(CParams::new(1), 1)).unwrap();
    writer.append_special(Special::Zeros, 8).unwrap();
    let mut frame = writer.into_bytes().unwrap();
    let header_len = usize::from(frame[13]) << 8 | usize::from(frame[14]);
    frame[0x1E..0x26].copy_from_slice(&50_000_000_u64.to_be_bytes());
    frame[header_len + 4..header_len + 8].copy_from_slice(&400_000_000_u32.to_le_bytes());
    let limits = Limits::UNTRUSTED.max_nchunks(1 << 26);
    let opened = FrameReader::from_bytes(frame, DParams::new().limits(limits));
    no_memory("the index of a frame", opened);
    let params = ArrayParams::new::<f32>(&[15_000, 15_000]).chunkshape(&[15_000, 15_000]);
    let array = Array::zeros(&params.blockshape(&[100, 100])).unwrap();
    no_memory("an array", array.to_bytes());
    no_memory("the elements of an array", array.to_elements::<f32>());
    no_memory("a chunk of an array", array.check());
    // The process is well.
    assert_eq!(decoder.decode_items(&chunk, 5..7).unwrap(), [0; 8]);
    assert_eq!(array.get::<f32>(&[9, 9]).unwrap().to_bits(), 0);
}
