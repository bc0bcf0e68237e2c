//! The wrapper itself: C reads what C wrote, and the struct layouts are right.

use oxiblosc_interop::{Params, Special};

use crate::content::content;
use crate::library;

#[test]
fn parameters_reach_the_header() {
    let Some(library) = library() else { return };
    let params = Params {
        codec: 5,
        clevel: 3,
        typesize: 12,
        filters: [0, 0, 0, 3, 2, 35],
        filters_meta: [0, 0, 0, 7, 8, 12],
        blocksize: 240,
        splitmode: 2,
        ..Params::default()
    };
    let source = content("walk:12:1", 2400);
    let chunk = library.compress(&source, &params).unwrap();
    assert_eq!(chunk[3], 12);
    assert_eq!(chunk[4..12], [0x60, 9, 0, 0, 240, 0, 0, 0]);
    assert_eq!(chunk[16..23], [0, 0, 0, 3, 2, 35, 5]);
    assert_eq!(chunk[24..30], [0, 0, 0, 7, 8, 12]);
    assert_eq!(chunk[2], 0x9D, "zstd, not split, delta");
}

#[test]
fn chunks_round_trip() {
    let Some(library) = library() else { return };
    for codec in [0, 1, 2, 4, 5] {
        for use_dict in [false, true] {
            if use_dict && [0, 4].contains(&codec) {
                continue;
            }
            let params = Params {
                codec,
                use_dict,
                typesize: 4,
                blocksize: 1000,
                ..Params::default()
            };
            let source = content("count:4", 20_000);
            let chunk = library.compress(&source, &params).unwrap();
            assert_eq!(chunk[31] & 1, u8::from(use_dict));
            assert_eq!(library.decompress(&chunk, source.len()).unwrap(), source);
            // A context that has not decompressed a chunk cannot get items of one with a dictionary
            // (code -3).
            if use_dict {
                assert_eq!(library.getitem(&chunk, 333, 100, 4).unwrap_err().code, -3);
            } else {
                assert_eq!(
                    library.getitem(&chunk, 333, 100, 4).unwrap(),
                    source[1332..1732]
                );
            }
            let mut dst = vec![0xA5; source.len()];
            let skip: Vec<bool> = (0..20).map(|block| block % 3 != 1).collect();
            library
                .decompressor(1)
                .unwrap()
                .decompress_masked(&chunk, &skip, &mut dst)
                .unwrap();
            assert_eq!(dst[1000..2000], source[1000..2000]);
            assert!(dst[..1000].iter().all(|&byte| byte == 0xA5));
        }
    }
    assert_eq!(
        library
            .compress_within(&content("noise:1", 100), &Params::default(), 100)
            .unwrap_err()
            .code,
        0
    );
}

#[test]
fn special_and_vlblock_chunks() {
    let Some(library) = library() else { return };
    let params = Params::default();
    let chunk = library.special(Special::Nans, 80, &params).unwrap();
    assert!(
        library
            .decompress(&chunk, 80)
            .unwrap()
            .chunks(8)
            .all(|item| item == f64::NAN.to_le_bytes())
    );
    let value = content("noise:3", 300);
    let wide = Params {
        typesize: 300,
        ..params.clone()
    };
    let chunk = library
        .special(Special::Repeat(&value), 900, &wide)
        .unwrap();
    assert_eq!(chunk.len(), 332);
    assert_eq!(library.decompress(&chunk, 900).unwrap(), value.repeat(3));
    let text = content("text:1", 1000);
    let chunk = library
        .vlcompress(&[&text[..1], &text[1..400], &text[400..]], &params)
        .unwrap();
    assert_eq!(chunk[8], 3);
    assert_eq!(library.decompress(&chunk, 1000).unwrap(), text);
}

#[test]
fn frames_in_memory_and_on_disk() {
    let Some(library) = library() else { return };
    let folder = tempfile::tempdir().unwrap();
    let params = Params {
        typesize: 4,
        ..Params::default()
    };
    let file = folder.path().join("a.b2frame");
    let sparse = folder.path().join("b.b2frame");
    for (path, contiguous) in [
        (None, true),
        (Some(file.as_path()), true),
        (Some(sparse.as_path()), false),
    ] {
        let mut schunk = library.schunk_new(&params, path, contiguous).unwrap();
        schunk.add_metalayer("m1", b"\xa5hello").unwrap();
        schunk.add_metalayer("none", b"").unwrap();
        for i in 0..3 {
            schunk
                .append(&content(&format!("walk:4:{i}"), 4000))
                .unwrap();
        }
        let zeros = library.special(Special::Zeros, 4000, &params).unwrap();
        schunk.append_chunk(&zeros).unwrap();
        schunk.set_vlmetalayer("v", b"first").unwrap();
        schunk
            .set_vlmetalayer("v", &content("text:2", 500))
            .unwrap();
        let mut back = match path {
            None => library
                .schunk_from_bytes(&schunk.to_bytes().unwrap())
                .unwrap(),
            Some(path) => library.schunk_open(path, 0).unwrap(),
        };
        assert_eq!(
            (
                back.nchunks(),
                back.nbytes(),
                back.typesize(),
                back.chunksize()
            ),
            (4, 16_000, 4, 4000)
        );
        assert_eq!(
            back.decompress_chunk(2, 4000).unwrap(),
            content("walk:4:2", 4000)
        );
        assert_eq!(back.decompress_chunk(3, 4000).unwrap(), vec![0; 4000]);
        assert_eq!(
            back.slice(990, 1010).unwrap()[40..],
            content("walk:4:1", 40)
        );
        assert_eq!(
            back.metalayers(),
            [
                ("m1".into(), b"\xa5hello".to_vec()),
                ("none".into(), vec![])
            ]
        );
        assert_eq!(back.vlmetalayer_names(), ["v"]);
        assert_eq!(back.vlmetalayer("v").unwrap(), content("text:2", 500));
        if path.is_none() {
            let book = folder.path().join("book");
            std::fs::write(&book, b"preface").unwrap();
            assert_eq!(back.append_to_file(&book).unwrap(), 7);
            let mut back = library.schunk_open(&book, 7).unwrap();
            assert_eq!(
                back.decompress_chunk(1, 4000).unwrap(),
                content("walk:4:1", 4000)
            );
        }
    }
}
