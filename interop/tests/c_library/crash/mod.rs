//! Frames after a crash, read by C-Blosc2: it finds the same content as we do, which is the frame
//! of the last commit or the new one.
//!
//! The states are those of the crash test of `oxiblosc`, which looks at all of them; C gets every
//! so many-th.

#[path = "../../../../tests/storage/crash/disk.rs"]
mod disk;
#[path = "../../../../tests/storage/crash/run.rs"]
mod run;
#[path = "../../../../tests/storage/crash/script.rs"]
mod script;

use std::path::Path;

use disk::{Disk, File, Files, Folder};
use oxiblosc::FrameWriter;
use oxiblosc::frame::Durability;
use oxiblosc_interop::{Library, SChunk};
use run::{Play, play_all, play_large_trailer};
use script::{Content, Tidy, large};

/// The content that C finds in a frame that holds `ours`.
fn by_c(schunk: &mut SChunk<'_>, ours: &Content) -> oxiblosc_interop::Result<Content> {
    let mut content = Content::default();
    for nchunk in 0..schunk.nchunks() {
        let capacity = ours.chunks.get(usize::try_from(nchunk).unwrap());
        let capacity = capacity.map_or(0, Vec::len) + 8;
        content
            .chunks
            .push(schunk.decompress_chunk(nchunk, capacity)?);
    }
    content.metalayers = schunk.metalayers();
    for name in schunk.vlmetalayer_names() {
        let bytes = schunk.vlmetalayer(&name)?;
        content.vlmetalayers.push((name, bytes));
    }
    Ok(content)
}

/// Shows C every `every`-th state, until it saw `wanted`.
fn show<D: Disk>(
    what: &str,
    (wanted, every): (u64, u64),
    sync: Durability,
    mut open: impl FnMut(&'static Library, &Path, &D::State) -> Option<SChunk<'static>>,
) where
    FrameWriter<D::Store>: Tidy,
{
    let Some(library) = crate::library() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let (mut seed, mut states, mut shown, mut new, mut left_out) = (100, 0_u64, 0, 0, 0);
    while shown < wanted {
        seed += 1;
        let play = Play {
            seed,
            sync,
            in_place: false,
            most: 12,
        };
        let mut visit = |state: &D::State, old: &Content, after: &Content, how: &str| {
            states += 1;
            // States with the new frame are rare: C gets all of them.
            let ours = D::read(state).unwrap();
            let is_new = old != after && ours == *after;
            if !is_new && !states.is_multiple_of(every) {
                return;
            }
            let path = folder.path().join(format!("{states}.b2frame"));
            let Some(mut schunk) = open(library, &path, state) else {
                left_out += 1;
                return;
            };
            let theirs = by_c(&mut schunk, &ours).unwrap_or_else(|error| panic!("{how}: {error}"));
            assert!(theirs == ours, "{how}: C reads something else");
            shown += 1;
            new += u64::from(is_new);
        };
        play_all::<D>(play, &mut visit);
        play_large_trailer::<D>(play, large(), &mut visit);
    }
    println!(
        "crash: {what}, {sync:?}: C read {shown} states, {new} of them the new frame; \
         {left_out} left out"
    );
    assert!(new > shown / 20 && left_out < shown / 2);
}

#[test]
fn c_reads_what_a_crash_leaves_of_a_frame() {
    for sync in [Durability::None, Durability::Data] {
        show::<File>("contiguous", (800, 9), sync, |library, path, state| {
            std::fs::write(path, state).unwrap();
            if is_between(state) {
                return None;
            }
            let schunk = library.schunk_open(path, 0);
            Some(schunk.unwrap_or_else(|error| panic!("{error}")))
        });
    }
}

/// An 8-byte number of a frame header.
fn field(frame: &[u8], at: usize) -> u64 {
    u64::from_be_bytes(frame[at..at + 8].try_into().unwrap())
}

/// Whether this is a frame without chunks between the two steps of its commit: C does not
/// find its trailer there. `recover` mends that.
fn is_between(frame: &[u8]) -> bool {
    field(frame, 0x1E) == 0 && field(frame, 0x27) > 0
}

/// Whether C can open a sparse frame: it takes the numbers of chunk files for offsets into their
/// total size (format §14 item 10).
fn c_opens(files: &Files) -> bool {
    let frame = &files["chunks.b2frame"];
    let (nbytes, cbytes) = (field(frame, 0x1E), field(frame, 0x27));
    let number = |name: &String| u64::from_str_radix(name.strip_suffix(".chunk")?, 16).ok();
    let most = files.keys().filter_map(number).max().unwrap_or(0);
    nbytes == 0 || most + 32 <= cbytes
}

#[test]
fn c_reads_what_a_crash_leaves_of_a_sparse_frame() {
    for sync in [Durability::None, Durability::Full] {
        show::<Folder>("sparse", (300, 9), sync, |library, path, state| {
            if !c_opens(state) {
                return None;
            }
            std::fs::create_dir(path).unwrap();
            for (name, bytes) in state {
                std::fs::write(path.join(name), bytes).unwrap();
            }
            let schunk = library.schunk_open(path, 0);
            Some(schunk.unwrap_or_else(|error| panic!("{error}")))
        });
    }
}
