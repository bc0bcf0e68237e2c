//! Frames that old releases wrote.
//!
//! The files are not part of the repository; see [`compat_folder`].
#![cfg(feature = "frame")]
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

use crate::common::legacy::write_legacy;
use oxiblosc::frame::{Contiguous, LEGACY_USERMETA};
use oxiblosc::schunk::VlMetalayers;
use oxiblosc::storage::Memory;
use oxiblosc::{
    CParams, ChunkDecoder, ChunkSource, DParams, FilterSlot, FrameParams, FrameReader, FrameWriter,
};

use crate::common::compat_folder;

/// All chunks of a frame, decoded.
fn chunks(frame: &impl ChunkSource) -> Vec<Vec<u8>> {
    let mut decoder = ChunkDecoder::new(DParams::new());
    let decode = |nchunk| {
        let mut data = vec![0; frame.chunk_nbytes(nchunk).unwrap()];
        frame
            .decode_chunk_into(&mut decoder, nchunk, &mut data)
            .unwrap();
        data
    };
    (0..frame.layout().nchunks).map(decode).collect()
}

/// The content of the frames of the prereleases.
fn prerelease_items() -> Vec<u8> {
    (0..45_000_u32)
        .flat_map(|i| (3 * i + 1000 * (i % 7)).to_le_bytes())
        .collect()
}

#[test]
#[cfg(feature = "zstd")]
fn frames_of_the_2_0_0_prereleases() {
    let Some(folder) = compat_folder() else {
        return;
    };
    for (name, version, usermeta) in [("v2.0.0.beta.5", 1, LEGACY_USERMETA), ("rc1", 2, "vl")] {
        let path = folder.join(format!("blosc2-2.0.0-prereleases/{name}_frame.b2frame"));
        let bytes = std::fs::read(path).unwrap();
        let reader = FrameReader::from_bytes(&bytes, DParams::new()).unwrap();
        reader.check().unwrap();
        assert_eq!(reader.header().version, version);
        assert_eq!(reader.header().clevel, 3);
        assert_eq!(reader.header().filters[5], FilterSlot::SHUFFLE);
        let chunks = chunks(&reader);
        let lens: Vec<_> = chunks.iter().map(Vec::len).collect();
        assert_eq!(lens, [40_000, 40_000, 40_000, 40_000, 20_000]);
        assert_eq!(chunks.concat(), prerelease_items());
        assert_eq!(reader.metalayers().get("my_meta"), Some(&b"\xA5hello"[..]));
        let meta = reader.vlmetalayer(usermeta).unwrap().unwrap();
        assert_eq!(
            meta.strip_suffix(b"\0").unwrap_or(&meta),
            b"this is user meta"
        );
        if version == 1 {
            let (header, usermeta) = (reader.header(), reader.vlmetalayers().chunk(usermeta));
            let section = usize::try_from(header.header_len).unwrap();
            let index = section + usize::try_from(header.cbytes).unwrap();
            let trailer = bytes.len() - 30 - usermeta.unwrap().len();
            let (section, index) = (&bytes[section..index], &bytes[index..trailer]);
            let metalayers = reader.metalayers();
            let again = write_legacy(header, metalayers, section, index, usermeta.unwrap());
            assert_eq!(again, bytes);
            let store = Contiguous::new(Memory(bytes.clone()));
            let error = FrameWriter::open_in(store, DParams::new()).unwrap_err();
            assert!(error.to_string().contains("2.0.0 betas"), "{error}");
        }
    }
}

#[test]
#[cfg(feature = "lz4")]
fn frames_of_version_3() {
    let Some(folder) = compat_folder() else {
        return;
    };
    for (name, vlblocks, chunksize, lens) in [
        ("varchunks-lz4", false, None, [1000, 500, 2000, 520, 301]),
        ("vlblocks-lz4-fixed", true, Some(2000), [2000; 5]),
        (
            "vlblocks-lz4-variable",
            true,
            None,
            [1000, 1500, 2000, 2500, 3000],
        ),
    ] {
        let path = folder.join(format!("{name}-3.0.0.b2frame"));
        let reader = FrameReader::open(path, DParams::new()).unwrap();
        reader.check().unwrap();
        assert_eq!(reader.header().version, 3);
        assert_eq!(reader.header().vlblocks, vlblocks);
        assert_eq!(reader.header().chunksize, chunksize);
        let chunks = chunks(&reader);
        assert_eq!(chunks.iter().map(Vec::len).collect::<Vec<_>>(), lens);
        // Each chunk repeats a text of 49 letters and a zero, from its start in each block where
        // blocks differ.
        for chunk in &chunks {
            assert!(
                chunk
                    .iter()
                    .all(|&byte| byte == 0 || byte.is_ascii_graphic()),
                "{name}"
            );
            let (text, _) = chunk.split_at(50);
            assert!(
                vlblocks || chunk.iter().eq(text.iter().cycle().take(chunk.len())),
                "{name}"
            );
        }
        let mut part = [0; 700];
        let mut decoder = ChunkDecoder::new(DParams::new());
        reader
            .read_bytes_into(&mut decoder, 1200..1900, &mut part)
            .unwrap();
        assert_eq!(part, chunks.concat()[1200..1900]);
    }
}

#[test]
fn the_old_layout_is_read_as_it_was_written() {
    let data: Vec<u8> = (0..50_000_u32)
        .flat_map(|i| (i * i / 7).to_le_bytes())
        .collect();
    let cparams = CParams::new(4).filters([FilterSlot::DELTA, FilterSlot::SHUFFLE]);
    let params = FrameParams::new(cparams, 60_000)
        .metalayer("meta", b"content")
        .unwrap();
    let mut writer = FrameWriter::in_memory(params).unwrap();
    writer.append(&data).unwrap();
    let bytes = writer.into_bytes().unwrap();
    let new = FrameReader::from_bytes(&bytes, DParams::new()).unwrap();
    let header = new.header();
    let section = usize::try_from(header.header_len).unwrap();
    let index = section + usize::try_from(header.cbytes).unwrap();
    let mut usermeta = VlMetalayers::new();
    usermeta.set("x", b"old user meta").unwrap();
    for usermeta in [usermeta.chunk("x").unwrap(), b""] {
        let old = write_legacy(
            header,
            new.metalayers(),
            &bytes[section..index],
            &bytes[index..bytes.len() - 35],
            usermeta,
        );
        assert_eq!((old[0], old[0x19]), (0x9D, 0x21));
        let reader = FrameReader::from_bytes(&old, DParams::new()).unwrap();
        reader.check().unwrap();
        assert_eq!(reader.header().version, 1);
        assert_eq!(reader.header().filters, header.filters);
        assert_eq!(reader.layout().nchunks, 4);
        assert_eq!(chunks(&reader).concat(), data);
        assert_eq!(reader.metalayers(), new.metalayers());
        let meta = reader.vlmetalayer(LEGACY_USERMETA).unwrap();
        assert_eq!(
            meta.as_deref(),
            (!usermeta.is_empty()).then_some(&b"old user meta"[..])
        );
        // Damage and truncation give errors or the data, never a panic.
        for at in 0..old.len() {
            let mut bad = old.clone();
            bad[at] ^= 0xFF;
            if at < 0x80 || at > old.len() - 0x80 {
                if let Ok(reader) = FrameReader::from_bytes(&bad, DParams::new()) {
                    let _ = reader.check();
                }
                assert!(FrameReader::from_bytes(&old[..at], DParams::new()).is_err());
            }
        }
    }
}
