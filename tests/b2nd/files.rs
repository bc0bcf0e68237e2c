//! Arrays by their path: made, opened, replaced, and never half of either.
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use oxiblosc::b2nd::{Array, ArrayParams, ArrayReader, ArrayWriter, MemoryArray};
use oxiblosc::frame::{AnyFrame, Durability, FileKind, Locking};
use oxiblosc::schunk::StoredChunk;
use oxiblosc::storage::Memory;
use oxiblosc::{
    CParams, ChunkHeader, ChunkSource, CodecId, DParams, Error, ErrorKind, FilterSlot, Limits,
    SChunk,
};

/// A path in a new folder.
fn place() -> (tempfile::TempDir, PathBuf) {
    let dir = crate::common::folder();
    let path = dir.path().join("numbers.b2nd");
    (dir, path)
}

/// The names in the folder of a path.
fn names(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path.parent().unwrap()).unwrap();
    let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    entries.map(name).collect()
}

fn params() -> ArrayParams {
    ArrayParams::new::<i32>(&[20, 30])
        .chunkshape(&[8, 16])
        .blockshape(&[4, 8])
}

fn numbers() -> Vec<i32> {
    (0..600).collect()
}

/// The kind of the error of the system.
fn io_kind(error: &Error) -> Option<io::ErrorKind> {
    match error {
        Error::InFile { source, .. } => io_kind(source),
        Error::Io { source, .. } => Some(source.kind()),
        _ => None,
    }
}

#[test]
fn every_way_to_make_a_file() {
    let (dir, _) = place();
    let bytes: Vec<u8> = numbers().iter().flat_map(|n| n.to_ne_bytes()).collect();
    let path = |name: &str| dir.path().join(name);
    let array: ArrayWriter = Array::from_elements_in(path("a"), &numbers(), &params()).unwrap();
    // All elements are there, so it is committed while it is still open.
    assert_eq!(
        Array::open(path("a"))
            .unwrap()
            .to_elements::<i32>()
            .unwrap(),
        numbers()
    );
    drop(array);
    Array::from_bytes_in(&path("b"), &bytes, &params()).unwrap();
    Array::from_reader_in(path("c").as_path(), &bytes[..], &params()).unwrap();
    let text = path("d").to_str().unwrap().to_owned();
    Array::from_slabs_in(&text, bytes.chunks(7), &params()).unwrap();
    // A `String`, by value, of a file that exists.
    Array::from_fn_in(text, &params(), |_, _| Ok(())).unwrap_err();
    let part = |bytes: &[u8], at: usize| bytes[4 * at..][..4].to_vec();
    Array::from_fn_in(path("e"), &params(), |ranges, dst| {
        let mut filled = Vec::new();
        for row in ranges[0].clone() {
            for column in ranges[1].clone() {
                filled.extend(part(&bytes, usize::try_from(row * 30 + column).unwrap()));
            }
        }
        dst.copy_from_slice(&filled);
        Ok(())
    })
    .unwrap();
    let memory: MemoryArray = Array::from_elements(&numbers(), &params()).unwrap();
    memory.save(path("f")).unwrap();
    memory
        .copy_in(path("g"), &memory.params().unwrap().chunkshape(&[20, 30]))
        .unwrap();
    memory.copy_chunks_in(path("h")).unwrap();
    let both = ArrayParams::new::<i32>(&[40, 30]);
    Array::concatenate_in(path("i"), &[&memory, &memory], 0, &both).unwrap();
    let mut array = Array::create(path("j"), &params()).unwrap();
    array.set_slice(.., &numbers()).unwrap();
    array.finish().unwrap();
    let mut array = Array::create_sparse(path("k"), &params()).unwrap();
    array.set_slice(.., &numbers()).unwrap();
    array.finish().unwrap();
    for name in ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"] {
        let array: ArrayReader = Array::open(path(name)).unwrap();
        let first = array.slice::<i32>((..20, ..)).unwrap();
        assert_eq!(first, numbers(), "{name}");
    }
    assert_eq!(
        FileKind::sniff(&Memory(fs::read(path("j")).unwrap())).unwrap(),
        FileKind::Frame
    );
    assert!(path("k").is_dir());
    Array::zeros_in(path("zeros"), &params()).unwrap();
    Array::full_in(path("full"), &7_i32.to_ne_bytes(), &params()).unwrap();
    Array::uninit_in(path("uninit"), &params()).unwrap();
    Array::nans_in(path("nans"), &ArrayParams::new::<f32>(&[9])).unwrap();
    assert_eq!(
        Array::open(path("full"))
            .unwrap()
            .get::<i32>(&[19, 29])
            .unwrap(),
        7
    );
    assert!(
        Array::open(path("nans"))
            .unwrap()
            .get::<f32>(&[8])
            .unwrap()
            .is_nan()
    );
    assert!(names(&path("a")).iter().all(|name| !name.ends_with(".new")));
}

#[cfg(feature = "ndarray")]
#[test]
fn views_become_files() {
    let (_dir, path) = place();
    let view =
        ndarray::Array2::from_shape_fn((30, 20), |(i, j)| i32::try_from(j * 30 + i).unwrap());
    Array::from_ndarray_in(&path, view.t(), &params()).unwrap();
    assert_eq!(
        Array::open(&path).unwrap().to_elements::<i32>().unwrap(),
        numbers()
    );
    let whole = params().overwrite(true);
    Array::from_ndarray_in(&path, view.t().as_standard_layout().view(), &whole).unwrap();
    assert_eq!(
        Array::open(&path).unwrap().to_elements::<i32>().unwrap(),
        numbers()
    );
}

#[test]
#[cfg_attr(target_os = "wasi", ignore = "WASI has no locks of files")]
fn an_existing_file_is_replaced_only_when_said_so() {
    for sparse in [false, true] {
        let (_dir, path) = place();
        let create = |params: &ArrayParams| match sparse {
            false => Array::create(&path, params),
            true => Array::create_sparse(&path, params),
        };
        create(&params()).unwrap().finish().unwrap();
        let error = create(&params()).unwrap_err();
        assert_eq!(io_kind(&error), Some(io::ErrorKind::AlreadyExists));
        assert!(
            error.to_string().contains(path.to_str().unwrap()),
            "{error}"
        );

        let reader = Array::open(&path).unwrap();
        let mut array = create(&params().overwrite(true)).unwrap();
        array.set_slice(.., &numbers()).unwrap();
        // The old one is there until the new one is complete.
        assert_eq!(reader.get::<i32>(&[1, 1]).unwrap(), 0);
        assert_eq!(Array::open(&path).unwrap().get::<i32>(&[1, 1]).unwrap(), 0);
        assert_eq!(
            Array::open_mut(&path).unwrap_err().kind(),
            ErrorKind::Locked
        );
        array.finish().unwrap();
        assert_eq!(
            Array::open(&path).unwrap().to_elements::<i32>().unwrap(),
            numbers()
        );
        // A reader of the old one keeps it.
        assert_eq!(reader.get::<i32>(&[1, 1]).unwrap(), 0);
        assert_eq!(names(&path), ["numbers.b2nd"]);
        if sparse {
            // One file per chunk and the index: nothing of the old one is left.
            assert_eq!(fs::read_dir(&path).unwrap().count(), 7);
        }

        // A writer that is given up leaves the old one.
        let mut array = create(&params().overwrite(true)).unwrap();
        array.set_slice(.., &[7; 600]).unwrap();
        drop(array);
        assert_eq!(
            Array::open(&path).unwrap().to_elements::<i32>().unwrap(),
            numbers()
        );
        assert_eq!(names(&path), ["numbers.b2nd"]);

        // One that others are changing is not replaced.
        let _writer = Array::open_mut(&path).unwrap();
        let error = create(&params().overwrite(true)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Locked);
    }
}

/// A source that fails after some bytes.
struct Failing(usize);

impl io::Read for Failing {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        let len = dst.len().min(self.0);
        self.0 -= len;
        match len {
            0 => Err(io::ErrorKind::BrokenPipe.into()),
            len => Ok(len),
        }
    }
}

#[test]
fn a_failed_write_leaves_the_old_file_or_none() {
    let (_dir, path) = place();
    Array::from_reader_in(&path, Failing(1500), &params()).unwrap_err();
    assert!(names(&path).is_empty());
    Array::from_elements_in(&path, &numbers(), &params()).unwrap();
    let before = fs::read(&path).unwrap();
    let again = params().overwrite(true);
    Array::from_reader_in(&path, Failing(1500), &again).unwrap_err();
    Array::from_elements_in(&path, &[1_i32, 2], &again).unwrap_err();
    Array::from_elements_in(&path, &[1_i64; 600], &again).unwrap_err();
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(names(&path), ["numbers.b2nd"]);
}

/// A file that appears while another one is being written is not lost.
#[test]
fn the_first_of_two_creators_wins() {
    let (_dir, path) = place();
    let late = Array::create(&path, &params()).unwrap();
    Array::from_elements_in(&path, &numbers(), &params()).unwrap();
    let error = late.finish().unwrap_err();
    assert_eq!(io_kind(&error), Some(io::ErrorKind::AlreadyExists));
    assert_eq!(
        Array::open(&path).unwrap().to_elements::<i32>().unwrap(),
        numbers()
    );
    assert_eq!(names(&path), ["numbers.b2nd"]);
}

/// A directory is replaced when it is a frame, and never for what else may be in it.
#[test]
fn directories_that_are_no_frames_stay() {
    let (_dir, path) = place();
    fs::create_dir(&path).unwrap();
    fs::write(path.join("thesis.tex"), "words").unwrap();
    let all = params().overwrite(true);
    let error = Array::create_sparse(&path, &all).unwrap_err();
    assert_eq!(io_kind(&error), Some(io::ErrorKind::DirectoryNotEmpty));
    let error = Array::create(&path, &all).unwrap_err();
    assert_eq!(io_kind(&error), Some(io::ErrorKind::IsADirectory));
    assert_eq!(fs::read(path.join("thesis.tex")).unwrap(), b"words");
    fs::remove_file(path.join("thesis.tex")).unwrap();
    Array::create_sparse(&path, &all).unwrap().finish().unwrap();
    assert_eq!(Array::open(&path).unwrap().shape(), [20, 30]);
    let file = path.with_extension("file");
    fs::write(&file, "words").unwrap();
    let error = Array::create_sparse(&file, &all).unwrap_err();
    assert_eq!(io_kind(&error), Some(io::ErrorKind::NotADirectory));
    let missing = path.with_extension("missing");
    for error in [
        Array::open(&missing).unwrap_err(),
        Array::open_mut(&missing).unwrap_err(),
        Array::create(missing.join("deeper"), &all).unwrap_err(),
    ] {
        assert_eq!(io_kind(&error), Some(io::ErrorKind::NotFound));
        assert!(error.to_string().contains("missing"), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let (_dir, path) = place();
    Array::from_elements_in(&path, &numbers(), &params()).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let link = path.with_extension("link");
    symlink(&path, &link).unwrap();
    Array::zeros_in(&link, &params().overwrite(true)).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(Array::open(&path).unwrap().get::<i32>(&[1, 1]).unwrap(), 0);
    assert_eq!(
        fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o640
    );
}

#[test]
#[cfg_attr(target_os = "wasi", ignore = "WASI has no locks of files")]
fn what_is_opened_honours_the_parameters() {
    let (_dir, path) = place();
    let shared = params()
        .locking(Locking::Shared)
        .durability(Durability::Full);
    let mut array = Array::create(&path, &shared).unwrap();
    array.set_slice(.., &numbers()).unwrap();
    array.finish().unwrap();
    assert!(names(&path).contains(&"numbers.b2nd.b2lock".into()));
    let few = DParams::new().limits(Limits::UNTRUSTED.max_alloc(100));
    let array = Array::open_with(&path, few.clone(), Locking::Shared).unwrap();
    assert_eq!(
        array.slice::<i32>((0, ..)).unwrap_err().kind(),
        ErrorKind::LimitExceeded
    );
    let mut one = Array::open_mut_with(&path, DParams::new(), Locking::Shared).unwrap();
    let mut two = Array::open_mut_with(&path, DParams::new(), Locking::Shared).unwrap();
    one.append(&[1_i32; 30]).unwrap();
    one.commit().unwrap();
    two.append(&[2_i32; 30]).unwrap();
    two.commit().unwrap();
    assert!(one.refresh().unwrap());
    assert_eq!(one.shape(), [22, 30]);
    assert_eq!(one.slice::<i32>((20.., 0)).unwrap(), [1, 2]);
    drop((one, two));
    let mut array = Array::open_mut_with(&path, few, Locking::Exclusive).unwrap();
    assert_eq!(
        array.to_elements::<i32>().unwrap_err().kind(),
        ErrorKind::LimitExceeded
    );
    array.resize(&[2, 3]).unwrap();
    array.finish().unwrap();
    assert_eq!(
        Array::open(&path).unwrap().to_elements::<i32>().unwrap(),
        [0, 1, 2, 30, 31, 32]
    );
}

/// Bullet by bullet: what a copy keeps of its source.
#[test]
#[cfg_attr(not(feature = "zstd"), ignore = "writes Zstandard")]
fn params_remember_how_an_array_is_compressed() {
    let (_dir, path) = place();
    let cparams = CParams::new(4)
        .codec(CodecId::ZSTD)
        .clevel(9)
        .filters([FilterSlot::BITSHUFFLE]);
    let params = params()
        .cparams(cparams.clone())
        .metalayer("fixed", b"name")
        .unwrap()
        .vlmetalayer("unit", b"kelvin")
        .unwrap();
    let memory = Array::from_elements(&numbers(), &params).unwrap();
    memory.save(&path).unwrap();
    let read = Array::open(&path).unwrap();
    let mut written = Array::open_mut(&path).unwrap();
    written.append(&[5_i32; 30 * 20]).unwrap();
    let codecs = |array: &dyn ChunkSource| {
        let codec = |n| match array.chunk(n).unwrap() {
            StoredChunk::Bytes(bytes) => ChunkHeader::parse(&bytes).unwrap().codec(),
            _ => None,
        };
        (0..array.layout().nchunks).map(codec).collect::<Vec<_>>()
    };
    for (own, codec) in [
        (memory.params().unwrap(), codecs(memory.schunk())),
        (read.params().unwrap(), codecs(read.schunk())),
        (written.params().unwrap(), codecs(written.schunk())),
    ] {
        assert_eq!(own.cparams.codec, CodecId::ZSTD);
        assert_eq!(own.cparams.clevel, 9);
        assert_eq!(own.cparams.filters, cparams.filters);
        assert_eq!(own.chunkshape.as_deref(), Some(&[8, 16][..]));
        assert_eq!(own.metalayers.get("fixed"), Some(&b"name"[..]));
        assert_eq!(own.vlmetalayers.names().collect::<Vec<_>>(), ["unit"]);
        assert!(codec.len() >= 6 && codec.iter().all(|&codec| codec == Some(CodecId::ZSTD)));
    }
    let copy: Array<SChunk> = read.copy(&read.params().unwrap()).unwrap();
    assert_eq!(copy.params().unwrap().cparams.codec, CodecId::ZSTD);
    assert_eq!(
        copy.schunk().vlmetalayer("unit").unwrap().as_deref(),
        Some(&b"kelvin"[..])
    );
    for nchunk in 0..copy.schunk().layout().nchunks {
        let (a, b) = (
            copy.schunk().chunk(nchunk).unwrap(),
            memory.schunk().chunk(nchunk).unwrap(),
        );
        assert_eq!(format!("{a:?}"), format!("{b:?}"));
    }
    let frame = AnyFrame::open(&path, DParams::new()).unwrap();
    assert_eq!(frame.header().cparams().unwrap().codec, CodecId::ZSTD);
    // A copy by chunks, and one that is compressed again.
    let (same, other) = (path.with_extension("same"), path.with_extension("other"));
    read.save_with(&same, &read.params().unwrap().durability(Durability::Data))
        .unwrap();
    let lz4 = read
        .params()
        .unwrap()
        .cparams(CParams::new(4).codec(CodecId::LZ4));
    read.save_with(&other, &lz4).unwrap();
    assert_eq!(
        Array::open(&same).unwrap().params().unwrap().cparams.codec,
        CodecId::ZSTD
    );
    assert_eq!(
        Array::open(&other).unwrap().params().unwrap().cparams.codec,
        CodecId::LZ4
    );
    assert_eq!(
        Array::open(&other).unwrap().to_elements::<i32>().unwrap(),
        numbers()
    );
}

#[test]
fn contradictions_are_refused() {
    let large = ArrayParams::new::<u8>(&[100, 100])
        .chunkshape(&[10, 10])
        .blockshape(&[5, 11]);
    assert_eq!(
        Array::zeros(&large).unwrap_err().kind(),
        ErrorKind::InvalidParam
    );
    let one = ArrayParams::new::<u8>(&[100])
        .chunkshape(&[10])
        .blockshape(&[10]);
    Array::zeros(&one).unwrap();
    let typesize = ArrayParams::new::<u16>(&[10]).cparams(CParams::new(4));
    assert_eq!(
        Array::zeros(&typesize).unwrap_err().kind(),
        ErrorKind::Mismatch
    );
    let blocksize = ArrayParams::new::<u16>(&[10]).cparams(CParams::new(2).blocksize(Some(6)));
    assert_eq!(
        Array::zeros(&blocksize).unwrap_err().kind(),
        ErrorKind::Mismatch
    );
    // Metalayers that the chunks of the caller lack are not left out silently.
    let plain = ArrayParams::new::<u16>(&[10]);
    let frame = oxiblosc::FrameWriter::in_memory(plain.frame_params().unwrap()).unwrap();
    let more = plain.clone().metalayer("fixed", b"name").unwrap();
    let error = Array::zeros_in(frame, &more).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Refused);
    let frame = oxiblosc::FrameWriter::in_memory(plain.frame_params().unwrap()).unwrap();
    let more = plain.vlmetalayer("unit", b"kelvin").unwrap();
    let array = Array::zeros_in(frame, &more).unwrap();
    assert_eq!(
        array.schunk().vlmetalayer("unit").unwrap().as_deref(),
        Some(&b"kelvin"[..])
    );
}
