//! Contiguous frames.

use oxiblosc::frame::{FrameReader, FrameStore};
use oxiblosc::schunk::ChunkSource;
use oxiblosc::{ChunkDecoder, DParams};

use crate::content::content;
use crate::table::{Container, Entry};

/// The chunks that a frame must have, as size and data.
fn chunks<'a>(entry: &Entry<'a>) -> Vec<(usize, &'a str)> {
    let runs = entry
        .text("chunks")
        .split(' ')
        .filter(|run| !run.is_empty());
    runs.flat_map(|run| {
        let (chunk, count) = run.rsplit_once('*').expect("a count");
        let (size, spec) = chunk.split_once('=').expect("a size");
        let count = count.parse().expect("a count");
        std::iter::repeat_n((size.parse().expect("a size"), spec), count)
    })
    .collect()
}

/// Compares everything in a frame with its row.
fn check<S: FrameStore>(reader: &FrameReader<S>, entry: &Entry<'_>) {
    let name = entry.text("name");
    reader
        .check()
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let chunks = chunks(entry);
    let layout = reader.layout();
    assert_eq!(
        layout.nchunks,
        u64::try_from(chunks.len()).expect("a count"),
        "{name}"
    );
    let nbytes: usize = chunks.iter().map(|(size, _)| size).sum();
    assert_eq!(
        layout.nbytes,
        u64::try_from(nbytes).expect("a size"),
        "{name}"
    );
    assert_eq!(
        layout.typesize.to_string(),
        entry.text("typesize"),
        "{name}"
    );
    match entry.text("chunksize") {
        "0" => assert_eq!(layout.chunksize, None, "{name}"),
        "-1" => assert_eq!(layout.chunksize, Some(0), "{name}"),
        size => assert_eq!(
            layout.chunksize.map(|size| size.to_string()).as_deref(),
            Some(size),
            "{name}"
        ),
    }
    let mut decoder = ChunkDecoder::new(DParams::new());
    for (nchunk, (size, spec)) in (0..).zip(chunks) {
        let mut decoded = vec![0xA5; size + 1];
        let found = reader.decode_chunk_into(&mut decoder, nchunk, &mut decoded[..size]);
        assert_eq!(
            found.unwrap_or_else(|error| panic!("{name}: {nchunk}: {error}")),
            size,
            "{name}"
        );
        assert!(
            decoded[..size] == content(spec, size),
            "{name}: chunk {nchunk}"
        );
    }
    check_metalayers(reader, entry);
}

fn check_metalayers<S: FrameStore>(reader: &FrameReader<S>, entry: &Entry<'_>) {
    let name = entry.text("name");
    let words = |column| {
        entry
            .text(column)
            .split(' ')
            .filter(|word| !word.is_empty())
    };
    let found: Vec<String> = reader
        .metalayers()
        .iter()
        .map(|(key, value)| {
            let hex: String = value.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("{key}={hex}")
        })
        .collect();
    assert_eq!(found, words("metalayers").collect::<Vec<_>>(), "{name}");
    let names: Vec<&str> = reader.vlmetalayers().names().collect();
    let expected: Vec<(&str, usize, &str)> = words("vlmetalayers")
        .map(|word| {
            let mut parts = word.splitn(3, '=');
            let mut part = || parts.next().expect("NAME=NBYTES=SPEC");
            (part(), part().parse().expect("a size"), part())
        })
        .collect();
    assert_eq!(
        names,
        expected.iter().map(|(key, ..)| *key).collect::<Vec<_>>(),
        "{name}"
    );
    for (key, size, spec) in expected {
        let found = reader.vlmetalayer(key).unwrap();
        assert!(found == Some(content(spec, size)), "{name}: {key}");
    }
}

#[test]
fn frames_of_c_blosc2_open_in_memory() {
    let container = Container::read("golden_frames");
    for entry in container.entries() {
        let reader = FrameReader::from_bytes(entry.bytes, DParams::new())
            .unwrap_or_else(|error| panic!("{}: {error}", entry.text("name")));
        check(&reader, &entry);
    }
    println!("golden: {} frames opened in memory", container.len());
    assert!(container.len() > 30);
}

#[test]
fn frames_of_c_blosc2_open_on_disk() {
    let container = Container::read("golden_frames");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.b2frame");
    for entry in container.entries() {
        std::fs::write(&path, entry.bytes).unwrap();
        check(&FrameReader::open(&path, DParams::new()).unwrap(), &entry);
    }
    // The container itself is a file with a frame at every offset.
    std::fs::write(&path, container.blob()).unwrap();
    for entry in container.entries() {
        let offset = u64::try_from(entry.offset).unwrap();
        check(
            &FrameReader::open_at(&path, offset, DParams::new()).unwrap(),
            &entry,
        );
    }
}
