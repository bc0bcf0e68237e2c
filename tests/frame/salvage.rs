//! Damaged frames: every chunk outside of the damage comes back, with the right bytes.
//! `OXIBLOSC_LONG=1` damages 10,000 files.
#![cfg(feature = "frame")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failing test may panic, and says how much it did"
)]

use std::ops::Range;

use crate::common::legacy::write_legacy;
use crate::common::{KINDS, Rng, codecs, data, pipeline};
use oxiblosc::frame::salvage::{Placed, Proof, Salvaged, SalvagedChunk, salvage, salvage_sparse};
use oxiblosc::frame::{ChunkPlace, LEGACY_USERMETA, SPARSE_FRAME_FILE, Sparse};
use oxiblosc::schunk::{StoredChunk, VlMetalayers};
use oxiblosc::storage::{Directory, Memory, MemoryDir};
use oxiblosc::{
    CParams, ChunkEncoder, ChunkSink, ChunkSource, DParams, FrameParams, FrameReader, FrameWriter,
    Special,
};

fn long() -> bool {
    std::env::var_os("OXIBLOSC_LONG").is_some_and(|long| long == "1")
}

/// The history of a frame, as far as it matters to its chunks.
struct History {
    /// Whether they may lie in another order than their numbers.
    changed: bool,
    /// Whether there was more than one commit, so that an old index may remain.
    commits: bool,
}

/// Fills a frame with chunks of some kind.
fn fill<S: oxiblosc::frame::FrameStoreMut>(
    rng: &mut Rng,
    writer: &mut FrameWriter<S>,
    chunksize: usize,
    seed: u64,
) -> History {
    let typesize = writer.cparams().typesize;
    let len = typesize * (20 + rng.below(400));
    let mode = rng.below(6);
    let n = 1 + rng.below(12);
    let mut commits = mode == 4;
    for at in 0..n {
        let kind = rng.below(KINDS);
        match mode {
            0 => {
                // Variable sizes.
                let len = typesize * (10 + rng.below(400));
                let src = data(kind, typesize, len, seed + at as u64);
                let encoder = ChunkEncoder::new(writer.cparams().clone());
                let chunk = encoder.unwrap().encode(&src).unwrap();
                writer.append_chunk(&chunk).unwrap();
            }
            1 => {
                let blocks: Vec<Vec<u8>> = (0..1 + rng.below(5))
                    .map(|block| data(kind, typesize, 1 + rng.below(900), seed + block as u64))
                    .collect();
                writer.append_vlblocks(&blocks).unwrap();
            }
            2 if rng.below(3) == 0 => {
                let special = rng.pick(&[Special::Zeros, Special::Uninit]);
                writer.append_special(special, len as u64).unwrap();
            }
            _ => {
                let src = data(kind, typesize, chunksize, seed + at as u64);
                writer.append(&src).unwrap();
            }
        }
        if rng.below(8) == 0 {
            writer.commit().unwrap();
            commits = true;
        }
    }
    // Appending to a short chunk replaces it.
    let mut changed = mode == 2;
    if mode == 4 && n > 2 {
        writer.commit().unwrap();
        let nchunk = rng.below(n) as u64;
        let src = data(2, typesize, chunksize, seed ^ 99);
        let encoder = ChunkEncoder::new(writer.cparams().clone());
        let chunk = encoder.unwrap().encode(&src).unwrap();
        writer.update_chunk(nchunk, &chunk).unwrap();
        changed = true;
    }
    if rng.below(3) == 0 {
        let content = data(5, 4, 10 + rng.below(600), seed);
        writer.set_vlmetalayer("notes", &content).unwrap();
        writer.set_vlmetalayer("more", b"short").unwrap();
    }
    if rng.below(4) == 0 {
        writer.seal().unwrap();
    }
    History { changed, commits }
}

/// Parameters of some frame, and the size of its chunks.
fn params(rng: &mut Rng) -> (FrameParams, usize) {
    let typesize = rng.pick(&[1, 2, 4, 8, 8, 12]);
    let codec = rng.pick(&codecs());
    let cparams = CParams::new(typesize)
        .codec(codec)
        .clevel(rng.pick(&[0, 1, 5, 9]))
        .filters(pipeline(rng, typesize));
    let chunksize = typesize * (20 + rng.below(400));
    let mut params = FrameParams::new(cparams, chunksize).in_place(rng.below(2) == 0);
    if rng.below(3) == 0 {
        params = params.metalayer("unit", b"kelvin").unwrap();
    }
    (params, chunksize)
}

/// Damages a range of bytes; returns the bytes, what was damaged, and the shift of what follows.
fn damage(rng: &mut Rng, frame: &[u8]) -> (Vec<u8>, Range<usize>, i64) {
    let mut bytes = frame.to_vec();
    let start = match rng.below(6) {
        0 => 0,
        _ => rng.below(frame.len()),
    };
    let most = if rng.below(2) == 0 { 40 } else { frame.len() };
    let len = (1 + rng.below(most)).min(frame.len() - start);
    let range = start..start + len;
    match rng.below(5) {
        0 => bytes[range.clone()]
            .iter_mut()
            .for_each(|byte| *byte = rng.byte()),
        1 => bytes[range.clone()].fill(0),
        2 => {
            bytes.truncate(start);
            return (bytes, start..frame.len(), 0);
        }
        3 => {
            bytes.drain(range.clone());
            return (bytes, range, -i64::try_from(len).unwrap());
        }
        _ => {
            let noise: Vec<u8> = (0..len).map(|_| rng.byte()).collect();
            bytes.splice(start..start, noise);
            return (bytes, start..start, i64::try_from(len).unwrap());
        }
    }
    (bytes, range, 0)
}

/// Whether a chunk lies outside of the damage; an insertion damages what it lies inside of.
fn is_intact(chunk: &Range<usize>, damage: &Range<usize>) -> bool {
    if damage.is_empty() {
        return damage.start <= chunk.start || damage.start >= chunk.end;
    }
    chunk.end <= damage.start || chunk.start >= damage.end
}

/// Whether a recovered chunk that no checksum proves has the byte at `at` after its first one.
fn covers(chunk: &SalvagedChunk, at: u64) -> bool {
    chunk.proof != Proof::Checksum && chunk.offset < at && at < chunk.offset + chunk.cbytes as u64
}

/// Every recovered chunk lies apart from the others, and those in the seal are unchanged.
fn check_sound(saved: &Salvaged<'_>, stored: &[Option<Vec<u8>>], context: &str) {
    let mut places: Vec<(Option<u64>, u64, u64)> = saved
        .chunks()
        .iter()
        .chain(saved.unplaced())
        .filter(|chunk| chunk.special.is_none())
        .map(|chunk| (chunk.file, chunk.offset, chunk.offset + chunk.cbytes as u64))
        .collect();
    places.sort_unstable();
    for pair in places.windows(2) {
        assert!(
            pair[0].0 != pair[1].0 || pair[0].2 <= pair[1].1,
            "{context}: {pair:?}"
        );
    }
    for chunk in saved.chunks() {
        if chunk.proof == Proof::Checksum {
            let nchunk = usize::try_from(chunk.nchunk.unwrap()).unwrap();
            let bytes = saved.chunk(chunk).unwrap();
            assert_eq!(Some(&bytes), stored[nchunk].as_ref(), "{context}: {nchunk}");
        }
    }
}

fn describe(saved: &Salvaged<'_>) -> String {
    let chunks = saved.chunks().iter().chain(saved.unplaced());
    let chunks: Vec<_> = chunks
        .map(|chunk| {
            (
                chunk.nchunk,
                chunk.file,
                chunk.offset,
                chunk.cbytes,
                chunk.placed,
            )
        })
        .collect();
    format!("{chunks:?}, {:?}, {:?}", saved.placed(), saved.losses())
}

/// Checks that what was saved makes a frame, unless the parameters in the header are damaged too.
fn check_new_frame(saved: &Salvaged<'_>, context: &str) {
    let writer = saved.params().and_then(FrameWriter::in_memory);
    let Ok(mut writer) = writer else { return };
    let missing = saved.write_in(&mut writer, Special::Zeros);
    let missing = missing.unwrap_or_else(|error| panic!("{context}: {error}, {}", describe(saved)));
    assert!(missing.iter().copied().eq(saved.missing()), "{context}");
    let bytes = writer.into_bytes().unwrap();
    let new = FrameReader::from_bytes(&bytes, DParams::new()).unwrap();
    assert_eq!(new.layout().nchunks, saved.nchunks(), "{context}");
    for chunk in saved.chunks() {
        let nchunk = chunk.nchunk.unwrap();
        if let StoredChunk::Bytes(kept) = new.chunk(nchunk).unwrap() {
            assert_eq!(kept, saved.chunk(chunk).unwrap(), "{context}: {nchunk}");
        }
    }
}

#[test]
fn chunks_outside_of_the_damage_come_back() {
    let files = if long() { 10_000 } else { 300 };
    let (mut intact, mut placed, mut whole) = (0_u64, 0_u64, 0_u64);
    for seed in 0..files {
        let mut rng = Rng(seed);
        let (params, chunksize) = params(&mut rng);
        let mut writer = FrameWriter::in_memory(params).unwrap();
        let History { changed, .. } = fill(&mut rng, &mut writer, chunksize, seed);
        let frame = writer.into_bytes().unwrap();
        let reader = FrameReader::from_bytes(&frame, DParams::new()).unwrap();
        let header_len = usize::try_from(reader.header().header_len).unwrap();
        let mut specials = false;
        let mut stored = Vec::new();
        let mut ranges = Vec::new();
        for place in reader.chunk_places() {
            if let ChunkPlace::Offset(place) = place {
                let start = usize::try_from(place).unwrap();
                let cbytes = u32::from_le_bytes(frame[start + 12..start + 16].try_into().unwrap());
                let range = start..start + usize::try_from(cbytes).unwrap();
                stored.push(Some(frame[range.clone()].to_vec()));
                ranges.push(Some(range));
            } else {
                specials = true;
                stored.push(None);
                ranges.push(None);
            }
        }
        let index_at = header_len + usize::try_from(reader.header().cbytes).unwrap();
        let (bytes, damaged, shift) = damage(&mut rng, &frame);
        let context = format!(
            "seed {seed}, damage {damaged:?}, shift {shift}, {ranges:?}, index at {index_at} of {}",
            frame.len()
        );
        let saved = salvage(Memory(&bytes), &DParams::new()).unwrap();
        check_sound(&saved, &stored, &context);
        // The index survives unless the damage touches it. Without it, the order survives when no
        // chunk was moved or is one special value and no earlier one is damaged.
        let starts = ranges
            .iter()
            .map(|range| range.as_ref().map(|range| range.start));
        let in_order = !changed && !specials && starts.is_sorted();
        let index = is_intact(&(index_at..index_at + 40), &damaged) && damaged.end <= index_at;
        for (nchunk, range) in ranges.iter().enumerate() {
            let Some(range) = range.clone().filter(|range| is_intact(range, &damaged)) else {
                continue;
            };
            let at = i64::try_from(range.start).unwrap();
            let moved = range.start >= damaged.end && shift != 0;
            let at = u64::try_from(if moved { at + shift } else { at }).unwrap();
            let back = saved
                .chunks()
                .iter()
                .chain(saved.unplaced())
                .filter(|chunk| chunk.special.is_none())
                .find(|chunk| chunk.offset == at);
            // What came to lie inside of a damaged chunk that decodes all the same (LZ4 and BloscLZ
            // have no checksums) cannot be told from its bytes.
            if back.is_none() && moved && saved.chunks().iter().any(|chunk| covers(chunk, at)) {
                continue;
            }
            intact += 1;
            let back = back.unwrap_or_else(|| {
                panic!(
                    "{context}: chunk {nchunk} at {range:?} {}",
                    describe(&saved)
                )
            });
            let found = saved.chunk(back).unwrap();
            assert_eq!(
                Some(&found),
                stored[nchunk].as_ref(),
                "{context}: chunk {nchunk}"
            );
            let by_order = saved.placed() == Placed::Order && range.end <= damaged.start;
            // What came to lie exactly where another chunk was cannot be told from it.
            let at = usize::try_from(at).unwrap();
            let twin = ranges
                .iter()
                .flatten()
                .any(|other| other.start == at && *other != range);
            if !twin && (index || (in_order && by_order)) {
                assert_eq!(
                    back.nchunk,
                    Some(nchunk as u64),
                    "{context}: {back:?} {}",
                    describe(&saved)
                );
                placed += 1;
            }
        }
        if saved.chunks().len() == stored.len() {
            whole += 1;
        }
        check_new_frame(&saved, &context);
    }
    println!(
        "{files} files: {intact} intact chunks, {placed} at known places, {whole} files whole"
    );
    assert!(intact > files && placed > files / 2);
}

#[test]
fn sparse_frames_lose_only_what_is_damaged() {
    let files = if long() { 2_000 } else { 100 };
    for seed in 0..files {
        let mut rng = Rng(seed ^ 0x5A);
        let store = Sparse::new(MemoryDir::new());
        let (params, chunksize) = params(&mut rng);
        let mut writer = FrameWriter::create_in(store, params).unwrap();
        fill(&mut rng, &mut writer, chunksize, seed);
        let store = writer.finish().unwrap();
        let reader = FrameReader::open_in(store, DParams::new()).unwrap();
        let places: Vec<ChunkPlace> = reader.chunk_places().collect();
        let mut dir = reader.into_store().into_inner();
        let read = |dir: &MemoryDir, name: &str| {
            use oxiblosc::storage::ReadAt;
            let file = dir.open(name).unwrap();
            let mut bytes = vec![0; usize::try_from(file.len().unwrap()).unwrap()];
            file.read_exact_at(&mut bytes, 0).unwrap();
            bytes
        };
        let names = dir.names().unwrap();
        let stored: Vec<Option<Vec<u8>>> = places
            .iter()
            .map(|place| match place {
                ChunkPlace::File(place) => Some(read(&dir, &format!("{place:08X}.chunk"))),
                _ => None,
            })
            .collect();
        let name = names[rng.below(names.len())].clone();
        if rng.below(3) == 0 {
            dir.remove(&name).unwrap();
        } else {
            let (bytes, _, _) = damage(&mut rng, &read(&dir, &name));
            dir.replace(&name, &bytes, false).unwrap();
        }
        let context = format!("seed {seed}, {name}");
        let saved = salvage_sparse(dir, &DParams::new()).unwrap();
        check_sound(&saved, &stored, &context);
        let in_order = (0..)
            .zip(&places)
            .all(|(n, place)| *place == ChunkPlace::File(n));
        let by_name = saved.placed() == Placed::Order && in_order;
        let order = name != SPARSE_FRAME_FILE || by_name;
        for (nchunk, chunk) in stored.iter().enumerate() {
            let Some(chunk) = chunk else { continue };
            let ChunkPlace::File(place) = places[nchunk] else {
                continue;
            };
            if name == format!("{place:08X}.chunk") {
                continue;
            }
            let back = saved
                .chunks()
                .iter()
                .chain(saved.unplaced())
                .find(|back| back.file == Some(place) && back.special.is_none());
            let back = back.unwrap_or_else(|| panic!("{context}: chunk {nchunk} is lost"));
            assert_eq!(&saved.chunk(back).unwrap(), chunk, "{context}");
            if order {
                assert_eq!(
                    back.nchunk,
                    Some(nchunk as u64),
                    "{context}: {back:?} {places:?}"
                );
            }
        }
    }
}

#[test]
fn chunks_without_anything_else_come_back() {
    for seed in 0..100 {
        let mut rng = Rng(seed ^ 0xC0);
        let (params, chunksize) = params(&mut rng);
        let mut writer = FrameWriter::in_memory(params).unwrap();
        let History { commits, .. } = fill(&mut rng, &mut writer, chunksize, seed);
        let frame = writer.into_bytes().unwrap();
        let reader = FrameReader::from_bytes(&frame, DParams::new()).unwrap();
        let header_len = reader.header().header_len;
        let mut bytes = frame.clone();
        let (head, tail) = (header_len, header_len + reader.header().cbytes);
        bytes[..usize::try_from(head).unwrap()].fill(0xEE);
        bytes[usize::try_from(tail).unwrap()..].fill(0xEE);
        let saved = salvage(Memory(&bytes), &DParams::new()).unwrap();
        for place in reader.chunk_places() {
            if let ChunkPlace::Offset(at) = place {
                let mut all = saved.chunks().iter().chain(saved.unplaced());
                assert!(all.any(|chunk| chunk.offset == at), "seed {seed}: {at}");
            }
        }
        let by_order = |chunk: &SalvagedChunk| chunk.placed == Some(Placed::Order);
        assert!(
            commits || saved.chunks().iter().all(by_order),
            "seed {seed}"
        );
    }
}

/// A frame with such a name would not open.
#[test]
fn metalayers_with_damaged_names_are_left_out() {
    for (at, byte, left) in [(0, 0, 1), (3, b'b', 1), (3, b'c', 2)] {
        let mut writer = FrameWriter::in_memory(FrameParams::new(CParams::new(1), 100)).unwrap();
        writer.append(&[7; 250]).unwrap();
        writer.set_vlmetalayer("nota", b"1").unwrap();
        writer.set_vlmetalayer("notb", b"2").unwrap();
        let mut frame = writer.into_bytes().unwrap();
        let name = frame.windows(4).position(|bytes| bytes == b"nota").unwrap();
        frame[name + at] = byte;
        let saved = salvage(Memory(&frame), &DParams::new()).unwrap();
        assert_eq!(
            saved.vlmetalayers().names().count(),
            left,
            "{}",
            describe(&saved)
        );
        assert_eq!(saved.is_whole(), left == 2);
        check_new_frame(&saved, "names");
    }
}

/// An array of 4 x 5 chunks of 3 x 2 items, each item with its own value.
#[cfg(feature = "b2nd")]
fn array_of_twenty() -> (Vec<u8>, Vec<ChunkPlace>) {
    use oxiblosc::b2nd::{Array, ArrayParams};

    let elements: Vec<i64> = (0..120).collect();
    let params = ArrayParams::new::<i64>(&[12, 10])
        .chunkshape(&[3, 2])
        .blockshape(&[3, 2]);
    let frame = FrameWriter::in_memory(params.frame_params().unwrap()).unwrap();
    let mut array = Array::zeros_in(frame, &params).unwrap();
    array.set_slice(.., &elements).unwrap();
    let mut frame = array.into_inner().unwrap();
    frame.compact().unwrap();
    let bytes = frame.into_bytes().unwrap();
    let reader = FrameReader::from_bytes(&bytes, DParams::new()).unwrap();
    let places = reader.chunk_places().collect();
    (bytes, places)
}

#[cfg(feature = "b2nd")]
#[test]
fn arrays_keep_their_shape_and_lose_the_items_of_damaged_chunks_only() {
    use oxiblosc::b2nd::Array;

    let (whole, places) = array_of_twenty();
    for seed in 0..if long() { 2_000 } else { 100 } {
        let mut rng = Rng(seed ^ 0xB2);
        let mut bytes = whole.clone();
        // Any number of chunks, and sometimes the index and the trailer.
        let mut lost = Vec::new();
        for (nchunk, place) in (0_u64..).zip(&places) {
            let ChunkPlace::Offset(at) = *place else {
                panic!("{place:?}")
            };
            if rng.below(5) == 0 {
                let at = usize::try_from(at).unwrap();
                bytes[at..at + 16].fill(0xFF);
                lost.push(nchunk);
            }
        }
        let ChunkPlace::Offset(last) = places[19] else {
            panic!()
        };
        let no_index = lost.len() < 2 && rng.below(2) == 0;
        if no_index {
            let end = usize::try_from(last).unwrap() + 32 + 48;
            bytes[end..].fill(0);
        }
        let saved = salvage(Memory(&bytes), &DParams::new()).unwrap();
        let context = format!("seed {seed}, lost {lost:?}, {}", describe(&saved));
        assert_eq!(saved.nchunks(), 20, "{context}");
        assert!(saved.missing().eq(lost.iter().copied()), "{context}");
        let mut writer = FrameWriter::in_memory(saved.params().unwrap()).unwrap();
        saved.write_in(&mut writer, Special::Zeros).unwrap();
        let new = FrameReader::from_bytes(writer.into_bytes().unwrap(), DParams::new());
        let new = Array::open_in(new.unwrap()).unwrap();
        let items: Vec<i64> = new.to_elements().unwrap();
        for (at, item) in (0_i64..).zip(items) {
            let nchunk = u64::try_from(at / 10 / 3 * 5 + at % 10 / 2).unwrap();
            let expected = if lost.contains(&nchunk) { 0 } else { at };
            assert_eq!(item, expected, "{context}");
        }
    }
}

#[test]
fn frames_of_the_betas_come_back() {
    let encoder = ChunkEncoder::new(CParams::new(4));
    let mut encoder = encoder.unwrap();
    let (mut section, mut entries, mut stored) = (Vec::new(), Vec::new(), Vec::new());
    for seed in 0..6 {
        let chunk = encoder.encode(&data(5, 4, 4000, seed)).unwrap();
        entries.extend((section.len() as u64).to_le_bytes());
        section.extend_from_slice(&chunk);
        stored.push(chunk);
    }
    let index = ChunkEncoder::new(CParams::new(8))
        .unwrap()
        .encode(&entries)
        .unwrap();
    let params = FrameParams::new(CParams::new(4), 4000);
    let writer = FrameWriter::in_memory(params).unwrap();
    let model = FrameReader::from_bytes(writer.into_bytes().unwrap(), DParams::new()).unwrap();
    let mut header = model.header().clone();
    (header.nbytes, header.chunksize) = (24_000, Some(4000));
    let mut usermeta = VlMetalayers::new();
    usermeta.set("usermeta", b"of the user").unwrap();
    let usermeta = usermeta.chunk("usermeta").unwrap();
    let frame = write_legacy(&header, model.metalayers(), &section, &index, usermeta);
    FrameReader::from_bytes(&frame, DParams::new()).unwrap();
    let first = frame
        .windows(32)
        .position(|bytes| stored[0].starts_with(bytes))
        .unwrap();
    for damaged in 0..6 {
        let mut bytes = frame.clone();
        let before: usize = stored[..damaged].iter().map(Vec::len).sum();
        bytes[first + before..][..20].fill(0xAB);
        let saved = salvage(Memory(&bytes), &DParams::new()).unwrap();
        assert!(saved.missing().eq([damaged as u64]), "{}", describe(&saved));
        assert_eq!(saved.vlmetalayers().chunk(LEGACY_USERMETA), Some(usermeta));
        for chunk in saved.chunks() {
            let nchunk = usize::try_from(chunk.nchunk.unwrap()).unwrap();
            assert_eq!(saved.chunk(chunk).unwrap(), stored[nchunk]);
        }
    }
}
