//! A writer that is cut off at any moment leaves the frame of the last commit or the new one.
//!
//! A script does every operation there is; a storage writes down what happens to it; and every
//! state that a crash may leave is opened and compared with what was there before and after. The
//! long form (`OXIBLOSC_LONG=1`) has at least 200,000 different states. `interop/` shows a part of
//! them to C-Blosc2.
#![cfg(feature = "b2nd")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a failing test may panic, and says how much it looked at"
)]

mod disk;
mod run;
mod script;

use disk::{Disk, File, Folder};
use oxiblosc::frame::{Contiguous, Durability};
use oxiblosc::storage::Memory;
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkSink, ChunkSource, DParams, FrameParams, FrameReader,
    FrameWriter,
};
use run::{Play, play_all, play_large_trailer};
use script::{Tidy, large};

fn is_long() -> bool {
    std::env::var_os("OXIBLOSC_LONG").is_some_and(|long| long == "1")
}

/// Plays everything on one kind of disk, until there were enough different states.
fn crash<D: Disk>(what: &str, wanted: u64, most: usize, sync: Durability)
where
    FrameWriter<D::Store>: Tidy,
{
    let (wanted, most) = if is_long() {
        (wanted, most)
    } else {
        (wanted / 40, 6)
    };
    let (mut states, mut new, mut seed) = (0, 0, 0);
    while states < wanted {
        seed += 1;
        let play = Play {
            seed,
            sync,
            in_place: false,
            most,
        };
        let mut visit = |state: &D::State, old: &_, after: &_, _: &str| {
            new += u64::from(old != after && D::read(state).unwrap() == *after);
        };
        states += play_all::<D>(play, &mut visit);
        if seed % 4 == 1 {
            states += play_large_trailer::<D>(play, large(), &mut visit);
        }
    }
    println!(
        "crash: {what}, {sync:?}: {states} states of {seed} runs, {new} of them the new frame"
    );
    assert!(states >= wanted && new > states / 500 && new < states);
}

#[test]
fn a_killed_writer_leaves_a_frame() {
    crash::<File>("contiguous", 60_000, 24, Durability::None);
}

#[test]
fn a_lost_machine_leaves_a_frame() {
    crash::<File>("contiguous", 60_000, 48, Durability::Data);
    crash::<File>("contiguous", 20_000, 24, Durability::Full);
}

#[test]
fn a_killed_writer_leaves_a_sparse_frame() {
    crash::<Folder>("sparse", 20_000, 8, Durability::None);
}

#[test]
fn a_lost_machine_leaves_a_sparse_frame() {
    crash::<Folder>("sparse", 40_000, 32, Durability::Full);
}

/// States that C cannot read are temporary, and `recover` repairs them.
#[test]
fn a_trailer_that_is_not_in_its_place_is_put_there() {
    let play = Play {
        seed: 1,
        sync: Durability::Full,
        in_place: false,
        most: 8,
    };
    let mut mended = 0;
    play_large_trailer::<File>(play, large(), &mut |state, _, _, _| {
        let store = Contiguous::new(Memory(state.clone()));
        let mut writer = FrameWriter::open_in(store, DParams::new()).unwrap();
        if writer.layout().nchunks > 0 || state[0x27..0x2F] == [0; 8] {
            return;
        }
        let content = File::read(state).unwrap();
        writer.recover().unwrap();
        let bytes = writer.into_bytes().unwrap();
        assert!(File::read(&bytes).unwrap() == content);
        assert_eq!(bytes[0x27..0x2F], [0; 8]);
        // The trailer follows the header.
        let section = usize::from(u16::from_be_bytes([bytes[0x0D], bytes[0x0E]]));
        assert_eq!(bytes[section..section + 2], [0x94, 1]);
        mended += 1;
    });
    assert!(mended > 0);
}

/// The counter-test: writing as C does is noticed.
#[test]
#[should_panic(expected = "step ")]
fn a_writer_in_place_does_not() {
    let play = Play {
        seed: 1,
        sync: Durability::Full,
        in_place: true,
        most: 64,
    };
    play_all::<File>(play, &mut |_, _, _, _| {});
}

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
    let open =
        |bytes| FrameWriter::open_in(Contiguous::new(Memory(bytes)), DParams::new()).unwrap();
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
