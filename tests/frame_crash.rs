//! A writer that is cut off at any moment leaves the frame of the last commit or the new one.
//!
//! A recording storage keeps every write. Each prefix of them is played back, with the last write
//! torn anywhere (only writes to the first sector are whole, as disks promise); with syncs, the
//! writes since the last one may also be missing in any combination.
#![cfg(feature = "frame")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failing test may panic"
)]

use std::io;
use std::sync::{Arc, Mutex};

use oxiblosc::frame::{Contiguous, Sync};
use oxiblosc::storage::{Memory, ReadAt, WriteAt};
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkSink, ChunkSource, DParams, FrameParams, FrameReader,
    FrameWriter, Special,
};

#[derive(Clone, Debug)]
enum Event {
    Write(u64, Vec<u8>),
    SetLen(u64),
    Sync,
}

/// A storage in memory that writes down what happens to it.
#[derive(Debug)]
struct Recorder {
    memory: Memory<Vec<u8>>,
    events: Arc<Mutex<Vec<Event>>>,
}

impl Recorder {
    fn note(&self, event: Event) {
        self.events.lock().unwrap().push(event);
    }
}

impl ReadAt for Recorder {
    fn len(&self) -> io::Result<u64> {
        self.memory.len()
    }

    fn read_exact_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        self.memory.read_exact_at(offset, buf)
    }
}

impl WriteAt for Recorder {
    fn write_all_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.note(Event::Write(offset, bytes.to_vec()));
        self.memory.write_all_at(offset, bytes)
    }

    fn set_len(&mut self, len: u64) -> io::Result<()> {
        self.note(Event::SetLen(len));
        self.memory.set_len(len)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.note(Event::Sync);
        Ok(())
    }
}

fn apply(memory: &mut Memory<Vec<u8>>, event: &Event) {
    match event {
        Event::Write(offset, bytes) => memory.write_all_at(*offset, bytes).unwrap(),
        Event::SetLen(len) => memory.set_len(*len).unwrap(),
        Event::Sync => {}
    }
}

/// Everything that a frame holds.
#[derive(Clone, Debug, PartialEq)]
struct Content {
    chunks: Vec<Vec<u8>>,
    metalayer: Vec<u8>,
    vlmetalayers: Vec<(String, Vec<u8>)>,
}

fn content(bytes: Vec<u8>) -> oxiblosc::Result<Content> {
    let reader = FrameReader::new(Contiguous::new(Memory(bytes)), DParams::new())?;
    reader.check()?;
    let mut decoder = ChunkDecoder::new(DParams::new());
    let mut chunks = Vec::new();
    for nchunk in 0..reader.layout().nchunks {
        let mut data = vec![0; reader.chunk_nbytes(nchunk)? as usize];
        reader.decode_chunk_into(&mut decoder, nchunk, &mut data)?;
        chunks.push(data);
    }
    let mut vlmetalayers = Vec::new();
    for name in reader.vlmetalayers().names() {
        vlmetalayers.push((name.to_owned(), reader.vlmetalayer(name)?.unwrap()));
    }
    let metalayer = reader.metalayers().get("fixed").unwrap().to_vec();
    Ok(Content {
        chunks,
        metalayer,
        vlmetalayers,
    })
}

type Edit = fn(&mut FrameWriter<Contiguous<Recorder>>);

fn data(seed: u32, n: u32) -> Vec<u8> {
    (0..n)
        .flat_map(|i| (i.wrapping_mul(seed) >> 7).to_le_bytes())
        .collect()
}

fn chunk(seed: u32, n: u32) -> Vec<u8> {
    ChunkEncoder::new(CParams::new(4))
        .unwrap()
        .encode(&data(seed, n))
        .unwrap()
}

/// Each line is what happens between two commits.
const EDITS: [Edit; 16] = [
    |writer| writer.append(&data(3, 250)).unwrap(),
    |writer| writer.append(&data(99_991, 300)).unwrap(),
    |writer| writer.update_chunk(0, &chunk(77_777, 100)).unwrap(),
    |writer| writer.delete_chunk(1).unwrap(),
    |writer| writer.insert_chunk(0, &chunk(12_345_678, 100)).unwrap(),
    |writer| writer.set_vlmetalayer("v", &data(5, 100)).unwrap(),
    |writer| writer.update_metalayer("fixed", b"ABCDE").unwrap(),
    |writer| writer.append_special(Special::Zeros, 400).unwrap(),
    |writer| {
        let order: Vec<u64> = (0..writer.layout().nchunks).rev().collect();
        writer.reorder_chunks(&order).unwrap();
    },
    |writer| {
        writer.insert_chunk(1, &chunk(1_000_003, 17)).unwrap();
        writer.remove_vlmetalayer("v").unwrap();
    },
    |writer| {
        writer.compact().unwrap();
    },
    |writer| writer.append(&data(7, 1000)).unwrap(),
    |writer| {
        while writer.layout().nchunks > 0 {
            writer.delete_chunk(0).unwrap();
        }
    },
    |writer| writer.set_vlmetalayer("w", b"alone").unwrap(),
    |writer| writer.append(&data(11, 500)).unwrap(),
    |writer| {
        writer.update_chunk(2, &chunk(3_000_017, 100)).unwrap();
        writer.compact().unwrap();
    },
];

/// A small generator for the combinations of lost writes.
fn next(state: &mut u64) -> u64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

fn run(sync: Sync, in_place: bool) {
    let events = Arc::new(Mutex::new(Vec::new()));
    let recorder = Recorder {
        memory: Memory(Vec::new()),
        events: Arc::clone(&events),
    };
    let params = FrameParams::new(CParams::new(4), 400)
        .sync(sync)
        .in_place(in_place);
    let params = params.metalayer("fixed", b"12345").unwrap();
    let mut writer = FrameWriter::create(Contiguous::new(recorder), params).unwrap();
    writer.commit().unwrap();
    let mut disk = Memory(Vec::new());
    let drain = |disk: &mut Memory<Vec<u8>>| {
        let events = std::mem::take(&mut *events.lock().unwrap());
        events.iter().for_each(|event| apply(disk, event));
        events
    };
    drain(&mut disk);
    let mut random = 1;
    let mut states = 0;
    for (number, edit) in EDITS.iter().enumerate() {
        let before = disk.clone();
        let old = content(before.0.clone()).unwrap();
        edit(&mut writer);
        writer.commit().unwrap();
        let events = drain(&mut disk);
        let new = content(disk.0.clone()).unwrap();
        let mut check = |bytes: Vec<u8>, what: &str| {
            states += 1;
            match content(bytes) {
                Ok(found) if found == old || found == new => found == new,
                Ok(_) => panic!("edit {number}, {what}: another frame"),
                Err(error) => panic!("edit {number}, {what}: {error}"),
            }
        };
        let mut written = false;
        let mut state = before.clone();
        for (at, event) in events.iter().enumerate() {
            if let Event::Write(offset, bytes) = event
                && *offset > 0
            {
                for cut in [1, 20, bytes.len() / 2, bytes.len().saturating_sub(1)] {
                    let mut torn = state.clone();
                    let part = bytes[..cut.min(bytes.len())].to_vec();
                    apply(&mut torn, &Event::Write(*offset, part));
                    check(torn.0, &format!("event {at} torn after {cut}"));
                }
            }
            apply(&mut state, event);
            let is_new = check(state.0.clone(), &format!("after event {at}"));
            assert!(
                is_new || !written || old == new,
                "edit {number}: back to the old frame"
            );
            written = is_new;
        }
        if sync == Sync::None {
            continue;
        }
        // What was written since a sync may arrive in any combination.
        let syncs = events
            .iter()
            .filter(|event| matches!(event, Event::Sync))
            .count();
        assert!(syncs >= 1 || old == new, "edit {number} was not synced");
        let mut safe = before.clone();
        for epoch in events.split_inclusive(|event| matches!(event, Event::Sync)) {
            for _ in 0..20 {
                let mut state = safe.clone();
                for event in epoch {
                    if next(&mut random).is_multiple_of(2) {
                        apply(&mut state, event);
                    }
                }
                check(state.0, "with lost writes");
            }
            epoch.iter().for_each(|event| apply(&mut safe, event));
        }
    }
    assert!(states > 200, "{states}");
}

#[test]
fn a_killed_writer_leaves_a_frame() {
    run(Sync::None, false);
}

#[test]
fn a_lost_machine_leaves_a_frame() {
    run(Sync::Data, false);
    run(Sync::Full, false);
}

/// The counter-test: writing as C does is noticed.
#[test]
#[should_panic(expected = "edit 0")]
fn a_writer_in_place_does_not() {
    run(Sync::Full, true);
}

#[test]
fn a_torn_tail_is_cut_off_and_gaps_are_closed() {
    let params = FrameParams::new(CParams::new(4), 400)
        .vlmetalayer("v", b"stays")
        .unwrap();
    let mut writer = FrameWriter::in_memory(params).unwrap();
    writer.append(&data(99_991, 500)).unwrap();
    let mut bytes = writer.into_bytes().unwrap();
    let frame_len = bytes.len();
    bytes.extend_from_slice(&[7; 1000]);
    let open = |bytes| FrameWriter::open(Contiguous::new(Memory(bytes)), DParams::new()).unwrap();
    let mut writer = open(bytes);
    assert_eq!(writer.recover().unwrap(), 1000);
    assert_eq!(writer.recover().unwrap(), 0);
    let bytes = writer.into_bytes().unwrap();
    assert_eq!(bytes.len(), frame_len);
    let mut writer = open(bytes);
    let tight = writer.compact().unwrap();
    assert_eq!(
        (tight.before, tight.after),
        (frame_len as u64, frame_len as u64)
    );
    for seed in 1..20 {
        writer
            .update_chunk(u64::from(seed % 5), &chunk(seed * 99_991, 100))
            .unwrap();
        writer.commit().unwrap();
    }
    let before = writer.reader().header().frame_len;
    let compacted = writer.compact().unwrap();
    assert_eq!(compacted.before, before);
    assert!(compacted.after < before / 4, "{compacted:?}");
    let bytes = writer.into_bytes().unwrap();
    assert_eq!(bytes.len() as u64, compacted.after);
    let reader = FrameReader::from_bytes(bytes, DParams::new()).unwrap();
    reader.check().unwrap();
    assert_eq!(reader.vlmetalayer("v").unwrap().unwrap(), b"stays");
    let mut all = vec![0; 2000];
    let mut decoder = ChunkDecoder::new(DParams::new());
    reader
        .read_bytes_into(&mut decoder, 0..2000, &mut all)
        .unwrap();
    for seed in 15..20 {
        let at = seed as usize % 5 * 400;
        assert_eq!(all[at..at + 400], data(seed * 99_991, 100));
    }
}
