//! Frames both ways: made, changed and read by either library, in memory, in a file, in the middle
//! of a file, and as a folder.
//!
//! A [`Model`] is a plain list of what a frame must hold. Both libraries do the same operations as
//! the model, and both read what either wrote.

use std::path::Path;

use oxiblosc::frame::{FrameReader, FrameWriter};
use oxiblosc::{ChunkEncoder, ChunkSink, DParams, Limits};

use crate::cases::below;
use crate::content::{Lcg, content};
use crate::library;
use crate::model::{Maker, begin_by_c, change_by_c, change_by_us, fill, frame_params};

#[test]
fn frames_of_c_open() {
    let Some(library) = library() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut rng = Lcg::new(11);
    let mut cases = 0;
    for i in 0..300 {
        let maker = Maker::draw(&mut rng);
        let mut model = Maker::model(&mut rng);
        let what = format!("frame {i} of C");
        let path = folder.path().join(format!("{i}.b2frame"));
        let on_disk = rng.below(2) == 0;
        let mut schunk = begin_by_c(
            library,
            &maker,
            &model,
            on_disk.then_some(path.as_path()),
            true,
        );
        fill(&maker, library, &mut rng, &mut model, |chunk| {
            schunk.append_chunk(chunk).unwrap();
        });
        model.check_by_c(&mut schunk, &what);
        if on_disk {
            drop(schunk);
            model.check_by_us(&FrameReader::open(&path, DParams::new()).unwrap(), &what);
            let bytes = std::fs::read(&path).unwrap();
            model.check_by_us(
                &FrameReader::from_bytes(bytes, DParams::new()).unwrap(),
                &what,
            );
        } else {
            let bytes = schunk.to_bytes().unwrap();
            model.check_by_us(
                &FrameReader::from_bytes(bytes, DParams::new()).unwrap(),
                &what,
            );
            std::fs::write(&path, content("noise:1", i)).unwrap();
            let offset = schunk.append_to_file(&path).unwrap();
            assert_eq!(usize::try_from(offset), Ok(i));
            model.check_by_us(
                &FrameReader::open_at(&path, offset, DParams::new()).unwrap(),
                &what,
            );
        }
        cases += 2;
    }
    println!("interop frames: {cases} cases (frames of C)");
}

#[test]
fn sparse_frames_of_c_open() {
    let Some(library) = library() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut rng = Lcg::new(12);
    let mut cases = 0;
    for i in 0..60 {
        let maker = Maker::draw(&mut rng);
        let mut model = Maker::model(&mut rng);
        let what = format!("sparse frame {i} of C");
        let path = folder.path().join(format!("{i}.b2frame"));
        let mut schunk = begin_by_c(library, &maker, &model, Some(&path), false);
        fill(&maker, library, &mut rng, &mut model, |chunk| {
            schunk.append_chunk(chunk).unwrap();
        });
        for _ in 0..below(&mut rng, 8) {
            let change = maker.change(library, &model, &mut rng);
            change_by_c(&mut schunk, &model, &change).unwrap();
            model.apply(&change);
        }
        drop(schunk);
        model.check_by_us(
            &FrameReader::open_sparse(&path, DParams::new()).unwrap(),
            &what,
        );
        cases += 1;
    }
    println!("interop frames: {cases} cases (sparse frames of C)");
}

/// Whether C can open a sparse frame: it takes the numbers of chunk files for offsets into their
/// total size (format §14 item 10).
fn c_opens(folder: &Path) -> bool {
    let (mut most, mut total) = (0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if let Some(number) = name.strip_suffix(".chunk") {
            most = most.max(u64::from_str_radix(number, 16).unwrap());
            total += entry.metadata().unwrap().len();
        }
    }
    most + 32 <= total || total == 0
}

#[test]
fn our_sparse_frames_open() {
    let Some(library) = library() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut rng = Lcg::new(16);
    let (mut cases, mut by_c) = (0, 0);
    for i in 0..100 {
        let maker = Maker::draw(&mut rng);
        let mut model = Maker::model(&mut rng);
        let what = format!("sparse frame {i} of ours");
        let path = folder.path().join(format!("{i}.b2frame"));
        let mut writer = FrameWriter::create_sparse(&path, frame_params(&maker, &model)).unwrap();
        fill(&maker, library, &mut rng, &mut model, |chunk| {
            writer.append_chunk(chunk).unwrap();
        });
        for _ in 0..below(&mut rng, 6) {
            let change = maker.change(library, &model, &mut rng);
            change_by_us(&mut writer, &model, &change).unwrap();
            model.apply(&change);
        }
        drop(writer.finish().unwrap());
        let reader = FrameReader::open_sparse(&path, DParams::new()).unwrap();
        model.check_by_us(&reader, &what);
        if c_opens(&path) {
            let schunk = library.schunk_open(&path, 0);
            let mut schunk = schunk.unwrap_or_else(|error| panic!("{what}: {error}"));
            model.check_by_c(&mut schunk, &what);
            by_c += 1;
        }
        cases += 1;
    }
    println!("interop frames: {cases} cases (sparse frames of ours, {by_c} of them opened by C)");
    assert!(by_c > cases / 2);
}

#[test]
fn our_frames_open() {
    let Some(library) = library() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut rng = Lcg::new(13);
    let (mut cases, mut identical, mut alike) = (0, 0, 0);
    for i in 0..300 {
        let maker = Maker::draw(&mut rng);
        let mut model = Maker::model(&mut rng);
        let what = format!("frame {i} of ours");
        let path = folder.path().join(format!("{i}.b2frame"));
        let mut chunks = Vec::new();
        if rng.below(2) == 0 {
            let mut writer = FrameWriter::create(&path, frame_params(&maker, &model)).unwrap();
            fill(&maker, library, &mut rng, &mut model, |chunk| {
                writer.append_chunk(chunk).unwrap();
            });
            drop(writer.finish().unwrap());
        } else {
            let mut writer = FrameWriter::in_memory(frame_params(&maker, &model)).unwrap();
            fill(&maker, library, &mut rng, &mut model, |chunk| {
                writer.append_chunk(chunk).unwrap();
                chunks.push(chunk.to_vec());
            });
            let bytes = writer.into_bytes().unwrap();
            model.check_by_us(
                &FrameReader::from_bytes(bytes.as_slice(), DParams::new()).unwrap(),
                &what,
            );
            let mut schunk = library.schunk_from_bytes(&bytes).unwrap();
            model.check_by_c(&mut schunk, &what);
            let mut theirs = begin_by_c(library, &maker, &model, None, true);
            for chunk in &chunks {
                theirs.append_chunk(chunk).unwrap();
            }
            alike += 1;
            identical += usize::from(theirs.to_bytes().unwrap() == bytes);
            std::fs::write(&path, bytes).unwrap();
        }
        model.check_by_us(&FrameReader::open(&path, DParams::new()).unwrap(), &what);
        let mut schunk = library
            .schunk_open(&path, 0)
            .unwrap_or_else(|error| panic!("{what}: {error}"));
        model.check_by_c(&mut schunk, &what);
        // In the middle of a file.
        let book = folder.path().join("book");
        let frame = std::fs::read(&path).unwrap();
        std::fs::write(
            &book,
            [content("noise:2", i).as_slice(), &frame, b"and more"].concat(),
        )
        .unwrap();
        let mut schunk = library
            .schunk_open(&book, i64::try_from(i).unwrap())
            .unwrap();
        model.check_by_c(&mut schunk, &what);
        cases += 2;
    }
    println!(
        "interop frames: {cases} cases \
         (frames of ours; {identical} of {alike} in memory are the same bytes)"
    );
}

/// Changes by one library on a file that the other began; both read the file after each round.
#[test]
fn changed_frames_open() {
    let Some(library) = library() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut rng = Lcg::new(14);
    let mut cases = 0;
    for i in 0..150 {
        let maker = Maker::draw(&mut rng);
        let mut model = Maker::model(&mut rng);
        let path = folder.path().join(format!("{i}.b2frame"));
        if i % 2 == 0 {
            let mut schunk = begin_by_c(library, &maker, &model, Some(&path), true);
            fill(&maker, library, &mut rng, &mut model, |chunk| {
                schunk.append_chunk(chunk).unwrap();
            });
        } else {
            let mut writer = FrameWriter::create(&path, frame_params(&maker, &model)).unwrap();
            fill(&maker, library, &mut rng, &mut model, |chunk| {
                writer.append_chunk(chunk).unwrap();
            });
            drop(writer.finish().unwrap());
        }
        for round in 0..4 {
            let by_us = rng.below(2) == 0;
            let mut what = format!(
                "frame {i}, round {round}, {}",
                if by_us { "ours" } else { "C's" }
            );
            let mut schunk = (!by_us).then(|| library.schunk_open(&path, 0).unwrap());
            let mut writer = by_us.then(|| FrameWriter::open(&path, DParams::new()).unwrap());
            for _ in 0..1 + below(&mut rng, 5) {
                let change = maker.change(library, &model, &mut rng);
                let name = format!("{change:.0?}");
                what.extend([", ", name.split('(').next().unwrap_or("")]);
                if let Some(schunk) = &mut schunk {
                    // When an update or a removal leaves one chunk that is shorter than the frame's
                    // chunk size, C refuses the next changes (codes -20 and -12).
                    if schunk.nchunks() == 1 && i64::from(schunk.chunksize()) > schunk.nbytes() {
                        continue;
                    }
                    change_by_c(schunk, &model, &change)
                        .unwrap_or_else(|error| panic!("{what}: {error}"));
                }
                if let Some(writer) = &mut writer {
                    change_by_us(writer, &model, &change)
                        .unwrap_or_else(|error| panic!("{what}: {error}"));
                }
                model.apply(&change);
            }
            drop(schunk);
            if let Some(writer) = writer {
                drop(writer.finish().unwrap());
            }
            model.check_by_us(&FrameReader::open(&path, DParams::new()).unwrap(), &what);
            let mut schunk = library
                .schunk_open(&path, 0)
                .unwrap_or_else(|error| panic!("{what}: {error}"));
            model.check_by_c(&mut schunk, &what);
            cases += 1;
        }
    }
    println!("interop frames: {cases} cases (changed by either)");
}

/// Frames of VL-block chunks, with chunks of one size and of several.
#[test]
fn vlblock_frames_open() {
    let Some(library) = library() else { return };
    let mut rng = Lcg::new(15);
    let mut cases = 0;
    for i in 0..60 {
        let mut maker = Maker::draw(&mut rng);
        maker.chunksize = Some(400);
        let one_size = rng.below(2) == 0;
        let mut model = Maker::model(&mut rng);
        let mut theirs = begin_by_c(library, &maker, &model, None, true);
        let mut ours = FrameWriter::in_memory(frame_params(&maker, &model)).unwrap();
        for _ in 0..1 + below(&mut rng, 4) {
            let data = content(
                "text:3",
                if one_size {
                    400
                } else {
                    3 + below(&mut rng, 900)
                },
            );
            let cut = 1 + below(&mut rng, data.len() - 1);
            let blocks = [&data[..cut], &data[cut..]];
            let chunk = if rng.below(2) == 0 {
                ChunkEncoder::new(maker.cparams.clone())
                    .unwrap()
                    .encode_vlblocks(&blocks)
                    .unwrap()
            } else {
                library.vlcompress(&blocks, &maker.params()).unwrap()
            };
            theirs.append_chunk(&chunk).unwrap();
            ours.append_chunk(&chunk).unwrap();
            model.chunks.push(data);
        }
        let what = format!("VL blocks {i}");
        let bytes = theirs.to_bytes().unwrap();
        model.check_by_us(
            &FrameReader::from_bytes(bytes, DParams::new().limits(Limits::FORMAT)).unwrap(),
            &what,
        );
        let mut schunk = library
            .schunk_from_bytes(&ours.into_bytes().unwrap())
            .unwrap();
        model.check_by_c(&mut schunk, &what);
        cases += 2;
    }
    println!("interop frames: {cases} cases (VL blocks)");
}
