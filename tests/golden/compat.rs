//! Chunks and frames by released versions of C-Blosc and C-Blosc2, from a folder beside the
//! repository.
//!
//! The files are not part of the repository; see [`compat_folder`].

use std::fs;
use std::path::PathBuf;

use oxiblosc::{ChunkDecoder, DParams};

use crate::common::compat_folder;

/// The files below `folder` whose names end in `ending`, in order.
fn files(folder: &PathBuf, ending: &str) -> Vec<(String, Vec<u8>)> {
    let mut found: Vec<_> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_file() && path.to_string_lossy().ends_with(ending))
        .map(|path| {
            let name = path
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            (name, fs::read(&path).expect("a file"))
        })
        .collect();
    found.sort();
    found
}

/// Little-endian int32 0, 1, 2, ...
fn counting(nbytes: usize) -> Vec<u8> {
    (0_i32..).flat_map(i32::to_le_bytes).take(nbytes).collect()
}

/// int32 3 i + 1000 (i mod 7), i < 50,000.
fn prerelease_data() -> Vec<u8> {
    (0_i32..50_000)
        .flat_map(|i| (3 * i + 1000 * (i % 7)).to_le_bytes())
        .collect()
}

#[test]
fn chunks_of_released_versions_decode() {
    let Some(folder) = compat_folder() else {
        return;
    };
    let mut decoder = ChunkDecoder::new(DParams::new());
    let data = counting(4_000_000);
    let mut count = 0;
    for (name, chunk) in files(&folder, ".cdata")
        .into_iter()
        .chain(files(&folder.join("blosc1"), ".cdata"))
    {
        // The raw output of the two filters, not chunks.
        if name.starts_with("shuffle") || name.starts_with("bitshuffle") {
            continue;
        }
        let decoded = decoder
            .decode(&chunk)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(
            matches!(decoded.len(), 4_000_000 | 641_092 | 641_091),
            "{name}: {}",
            decoded.len()
        );
        // Some bitshuffle chunks end in a few bytes that their writer left undefined (format §15).
        let defined = if decoded.len() == 4_000_000 {
            decoded.len()
        } else {
            641_088
        };
        assert!(decoded[..defined] == data[..defined], "{name}");
        count += 1;
    }
    println!("compat: {count} chunks of released versions");
    assert!(count > 40);
}

#[test]
fn chunks_of_the_prereleases_decode() {
    let Some(folder) = compat_folder() else {
        return;
    };
    let mut decoder = ChunkDecoder::new(DParams::new());
    let data = prerelease_data();
    let mut count = 0;
    for (name, chunk) in files(&folder.join("blosc2-2.0.0-prereleases"), "") {
        let Some((_, nbytes)) = name.rsplit_once("_n") else {
            continue;
        };
        let nbytes: usize = nbytes.parse().expect("a size");
        let decoded = decoder
            .decode(&chunk)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(decoded.len(), nbytes, "{name}");
        assert!(decoded == data[..nbytes], "{name}");
        count += 1;
    }
    println!("compat: {count} chunks of prereleases");
    assert!(count > 150);
}

#[cfg(feature = "frame")]
mod frames {
    use oxiblosc::frame::FrameReader;
    use oxiblosc::schunk::ChunkSource;

    use super::{ChunkDecoder, DParams, compat_folder, files, prerelease_data};

    /// All chunks of a frame, one after another.
    fn read_all(reader: &impl ChunkSource) -> Vec<u8> {
        let mut decoder = ChunkDecoder::new(DParams::new());
        let layout = reader.layout();
        let mut data = vec![0; usize::try_from(layout.nbytes).expect("a size")];
        let mut at = 0;
        for nchunk in 0..layout.nchunks {
            at += reader
                .decode_chunk_into(&mut decoder, nchunk, &mut data[at..])
                .expect("a chunk");
        }
        assert_eq!(at, data.len());
        data
    }

    /// Every chunk is text in rows of 49 letters and a NUL; the sizes and the first words are
    /// known.
    #[test]
    fn frames_with_variable_chunks_and_blocks_open() {
        let Some(folder) = compat_folder() else {
            return;
        };
        let expected: [(&str, [(usize, &str); 5]); 3] = [
            (
                "varchunks-lz4-3.0.0.b2frame",
                [
                    (1000, "abcde"),
                    (500, "ABCDE"),
                    (2000, "01234"),
                    (520, "the-q"),
                    (301, "aaaaa"),
                ],
            ),
            (
                "vlblocks-lz4-fixed-3.0.0.b2frame",
                [
                    (2000, "abcde"),
                    (2000, "mercu"),
                    (2000, "aaaaa"),
                    (2000, "0xdea"),
                    (2000, "pack-"),
                ],
            ),
            (
                "vlblocks-lz4-variable-3.0.0.b2frame",
                [
                    (1000, "mercu"),
                    (1500, "blosc"),
                    (2000, "aaaaa"),
                    (2500, "abcde"),
                    (3000, "sun-m"),
                ],
            ),
        ];
        let frames = files(&folder, ".b2frame");
        assert_eq!(frames.len(), expected.len());
        for ((name, frame), (expected_name, chunks)) in frames.into_iter().zip(expected) {
            assert_eq!(name, expected_name);
            let reader = FrameReader::from_bytes(frame, DParams::new()).unwrap();
            reader
                .check()
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            let data = read_all(&reader);
            let mut rest = data.as_slice();
            for (size, first) in chunks {
                let chunk = rest.split_off(..size).expect("a chunk of that size");
                assert!(chunk.starts_with(first.as_bytes()), "{name}: {first}");
                for (at, byte) in chunk.iter().enumerate() {
                    let right = if at % 50 == 49 {
                        *byte == 0
                    } else {
                        byte.is_ascii_graphic()
                    };
                    assert!(right, "{name}: {first}: byte {at} is {byte}");
                }
            }
            assert!(rest.is_empty(), "{name}");
        }
    }

    #[test]
    fn frames_of_the_prereleases_open() {
        let Some(folder) = compat_folder() else {
            return;
        };
        let frames = files(&folder.join("blosc2-2.0.0-prereleases"), ".b2frame");
        assert_eq!(frames.len(), 2);
        for (name, frame) in frames {
            let reader = FrameReader::from_bytes(frame, DParams::new())
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(
                reader.metalayers().get("my_meta"),
                Some(b"\xa5hello".as_slice()),
                "{name}"
            );
            assert!(read_all(&reader) == prerelease_data()[..180_000], "{name}");
        }
    }
}
