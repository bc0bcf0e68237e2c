//! Chunks.

use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkView, CodecId, DParams, FilterId, FilterSlot, Limits,
    Special, SplitMode,
};

use crate::content::content;
use crate::table::{Container, Entry};

/// The data that a chunk must decode to.
fn expected(entry: &Entry<'_>) -> Vec<u8> {
    content(entry.text("content"), entry.number("nbytes"))
}

/// The parameters that the writer was asked for.
fn cparams(entry: &Entry<'_>) -> CParams {
    let param = |key| {
        entry
            .param(key)
            .unwrap_or_else(|| panic!("{key}: {entry:?}"))
    };
    let filters = param("filters")
        .split(',')
        .filter(|&word| word != "none")
        .map(|word| {
            let (id, meta) = word.split_once(':').expect("an id and a meta byte");
            FilterSlot::new(
                FilterId::new(id.parse().expect("an id")),
                meta.parse().expect("a meta"),
            )
        });
    let split = match param("split") {
        "always" => SplitMode::Always,
        "never" => SplitMode::Never,
        "auto" => SplitMode::Auto,
        _ => SplitMode::ForwardCompat,
    };
    let blocksize: usize = param("blocksize").parse().expect("a size");
    CParams::new(entry.number("typesize"))
        .codec(CodecId::from_name(param("codec")).expect("a codec"))
        .clevel(param("clevel").parse().expect("a level"))
        .filters(filters)
        .split_mode(split)
        .blocksize((blocksize != 0).then_some(blocksize))
        .use_dict(entry.text("params").ends_with(" dict"))
}

/// Decodes every chunk in every way that applies.
fn decode_all(name: &str) {
    let container = Container::read(name);
    let mut decoder = ChunkDecoder::new(DParams::new());
    #[cfg(feature = "rayon")]
    let mut parallel = ChunkDecoder::new(DParams::new().threads(oxiblosc::Threads::Current));
    #[cfg(not(feature = "rayon"))]
    let mut parallel = ChunkDecoder::new(DParams::new());
    for (number, entry) in container.entries().enumerate() {
        let wanted = expected(&entry);
        let decoded = decoder.decode(entry.bytes);
        assert_eq!(
            decoded.as_ref().ok(),
            Some(&wanted),
            "{number}: {entry:?}: {:?}",
            decoded.as_ref().err()
        );
        let decoded = parallel.decode(entry.bytes).unwrap();
        assert!(decoded == wanted, "{number}: in parallel: {entry:?}");
        let mut twice = vec![0xA5; wanted.len() + 3];
        assert_eq!(
            decoder.decode_into(entry.bytes, &mut twice).unwrap(),
            wanted.len()
        );
        assert!(
            twice[..wanted.len()] == wanted && twice[wanted.len()..] == [0xA5; 3],
            "{number}: {entry:?}"
        );

        let view = ChunkView::parse(entry.bytes, &Limits::FORMAT).unwrap();
        view.check_streams()
            .unwrap_or_else(|error| panic!("{number}: {error}: {entry:?}"));
        if entry.text("kind") == "vlblocks" {
            decode_vlblocks(&mut decoder, &entry, &wanted);
            continue;
        }
        let typesize = usize::from(view.header().typesize).max(1);
        let nitems = wanted.len() / typesize;
        for (start, end) in [
            (0, nitems),
            (nitems / 3, nitems / 2),
            (nitems.saturating_sub(1), nitems),
        ] {
            let items = decoder.decode_items(entry.bytes, start..end).unwrap();
            assert!(
                items == wanted[start * typesize..end * typesize],
                "{number}: {start}..{end}: {entry:?}"
            );
        }
    }
    println!("golden: {} chunks of {name} decoded", container.len());
    assert!(container.len() > 100);
}

/// Single blocks of a VL-block chunk.
fn decode_vlblocks(decoder: &mut ChunkDecoder, entry: &Entry<'_>, wanted: &[u8]) {
    let mut rest = wanted;
    for (block, size) in (0..).zip(vlblock_sizes(entry)) {
        let decoded = decoder.decode_vlblock(entry.bytes, block).unwrap();
        assert!(
            Some(decoded.as_slice()) == rest.split_off(..size),
            "block {block}: {entry:?}"
        );
    }
}

fn vlblock_sizes(entry: &Entry<'_>) -> Vec<usize> {
    let sizes = entry.param("vlblocks").expect("the sizes");
    sizes
        .split(',')
        .map(|size| size.parse().expect("a size"))
        .collect()
}

#[test]
fn chunks_of_c_blosc2_decode() {
    decode_all("golden_chunks");
}

#[test]
fn chunks_of_c_blosc_1_decode() {
    decode_all("golden_blosc1");
}

/// BloscLZ, the filters, the split rule, the block sizes, runs and giving up are all laid down: the
/// same parameters give the same bytes. The other codecs are free to find other matches.
#[test]
fn blosclz_chunks_are_written_as_c_writes_them() {
    let container = Container::read("golden_chunks");
    let (mut same, mut decoder) = (0, ChunkDecoder::new(DParams::new()));
    for (number, entry) in container.entries().enumerate() {
        if entry.text("kind") != "chunk" {
            continue;
        }
        let cparams = cparams(&entry);
        let blosclz = cparams.codec == CodecId::BLOSCLZ;
        let source = expected(&entry);
        // What a lossy filter leaves, it leaves alone: the decoded data give the same chunk again.
        let ours = ChunkEncoder::new(cparams).unwrap().encode(&source).unwrap();
        if blosclz {
            assert!(
                ours == entry.bytes,
                "{number}: {} bytes for {}: {entry:?}",
                ours.len(),
                entry.bytes.len()
            );
            same += 1;
        }
        assert!(
            decoder.decode(&ours).unwrap() == source,
            "{number}: {entry:?}"
        );
    }
    println!("golden: {same} BloscLZ chunks are the same bytes");
    assert!(same > 200);
}

#[test]
fn vlblock_chunks_are_written_as_c_writes_them() {
    let container = Container::read("golden_chunks");
    let (mut same, mut decoder) = (0, ChunkDecoder::new(DParams::new()));
    for entry in container
        .entries()
        .filter(|entry| entry.text("kind") == "vlblocks")
    {
        let source = expected(&entry);
        let mut rest = source.as_slice();
        let blocks: Vec<&[u8]> = vlblock_sizes(&entry)
            .into_iter()
            .filter_map(|size| rest.split_off(..size))
            .collect();
        let cparams = cparams(&entry);
        let blosclz = cparams.codec == CodecId::BLOSCLZ;
        let ours = ChunkEncoder::new(cparams)
            .unwrap()
            .encode_vlblocks(&blocks)
            .unwrap();
        assert!(decoder.decode(&ours).unwrap() == source, "{entry:?}");
        if blosclz {
            assert!(ours == entry.bytes, "{entry:?}");
            same += 1;
        }
    }
    assert!(same > 10);
}

#[test]
fn special_chunks_are_written_as_c_writes_them() {
    let container = Container::read("golden_chunks");
    let mut same = 0;
    for entry in container.entries() {
        let nbytes = entry.number("nbytes");
        let typesize = entry.number("typesize");
        let value = content(entry.text("content"), typesize);
        let special = match entry.text("kind") {
            "zeros" => Special::Zeros,
            "nans" => Special::Nans,
            "uninit" => Special::Uninit,
            "repeatval" => Special::Repeat(&value),
            _ => continue,
        };
        let mut encoder = ChunkEncoder::new(CParams::new(typesize)).unwrap();
        let ours = encoder.encode_special(special, nbytes).unwrap();
        assert_eq!(ours, entry.bytes, "{entry:?}");
        same += 1;
    }
    assert!(same > 100);
}
