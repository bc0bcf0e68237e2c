//! Frames changed, checked and listed by the command: contiguous and sparse alike.

use crate::common::{Bench, data, npy, stderr};
use oxiblosc::frame::{FrameReader, Sparse};
use oxiblosc::storage::{Directory, DiskDir};
use oxiblosc::{ChunkSource, DParams};

const SMALL: [&str; 4] = ["--chunk-size", "10K", "--typesize", "4"];

/// Runs `compress input -o name` with small chunks and more options.
fn compress(bench: &Bench, name: &str, more: &[&str]) {
    let args = ["compress", "input", "-o", name];
    bench.good(&[&args, SMALL.as_slice(), more].concat());
}

fn info(bench: &Bench, name: &str) -> serde_json::Value {
    serde_json::from_slice(&bench.good(&["info", name, "--json", "--chunks"])).unwrap()
}

#[test]
fn appended_bytes_join_the_frame() {
    let bench = Bench::new();
    let content = data(60_000);
    for (name, more) in [("file", &[][..]), ("folder", &["--sparse"])] {
        bench.write("input", &content[..25_000]);
        compress(&bench, name, more);
        bench.write("more", &content[25_000..40_000]);
        let output = bench.run(&["append", name, "more"]);
        assert!(output.status.success(), "{}", stderr(&output));
        let line = stderr(&output);
        assert!(
            line.starts_with(&format!("more -> {name}: 15.0 kB more, 40.0 kB now, ")),
            "{line}"
        );
        let output = bench.run_with(&["append", name, "-", "--threads", "2"], &content[40_000..]);
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(bench.good(&["decompress", name, "-o", "-"]), content);
        // Chunks keep their size however the bytes arrived.
        assert_eq!(info(&bench, name)["chunksize"], 10_240);
        assert_eq!(info(&bench, name)["nchunks"], 6);
        bench.good(&["verify", name]);
        bench.write("nothing", b"");
        bench.good(&["append", name, "nothing"]);
        assert_eq!(bench.good(&["decompress", name, "-o", "-"]), content);
        bench.bad(&["append", name, "missing"], 1);
    }
    bench.bad(&["append", "missing", "more"], 1);
    bench.bad(&["append", "-", "more"], 2);
    bench.bad(&["append", "input", "more"], 1);
}

#[test]
fn appended_rows_join_the_array() {
    let bench = Bench::new();
    let content = data(7 * 5 * 8);
    for more in [&[][..], &["--sparse"]] {
        bench.write("a.npy", &npy("'<u8'", false, &[3, 5], 1, &content[..120]));
        bench.write("b.npy", &npy("'<u8'", false, &[4, 5], 1, &content[120..]));
        let args = ["compress", "a.npy", "--chunks", "2,3", "-f"];
        bench.good(&[&args, more].concat());
        bench.good(&["append", "a.b2nd", "b.npy"]);
        bench.good(&["verify", "a.b2nd"]);
        bench.good(&["decompress", "a.b2nd", "-o", "c.npy", "-f"]);
        assert_eq!(
            bench.read("c.npy"),
            npy("'<u8'", false, &[7, 5], 1, &content)
        );
        for (descr, fortran, shape) in [
            ("'<u8'", false, [5, 4]),
            ("'<i8'", false, [4, 5]),
            ("'<u8'", true, [4, 5]),
        ] {
            bench.write("d.npy", &npy(descr, fortran, &shape, 1, &content[120..]));
            bench.bad(&["append", "a.b2nd", "d.npy"], 1);
        }
        bench.write("raw", &content);
        bench.bad(&["append", "a.b2nd", "raw"], 1);
        bench.good(&["compress", "raw", "-f"]);
        bench.bad(&["append", "raw.b2frame", "b.npy"], 1);
        assert_eq!(info(&bench, "a.b2nd")["shape"], serde_json::json!([7, 5]));
    }
}

#[test]
fn gaps_close_and_tails_go() {
    let bench = Bench::new();
    let content = data(30_000);
    bench.write("input", &content[..5]);
    compress(&bench, "file", &[]);
    bench.write("more", &content[5..3000]);
    bench.good(&["append", "file", "more"]);
    bench.write("more", &content[3000..]);
    bench.good(&["append", "file", "more"]);
    let before = bench.read("file").len();
    let line = String::from_utf8(bench.good(&["compact", "file"])).unwrap();
    let after = bench.read("file").len();
    assert_eq!(line, format!("file: {before} bytes before, {after} now\n"));
    assert!(after < before);
    assert_eq!(bench.good(&["decompress", "file", "-o", "-"]), content);

    let mut torn = bench.read("file");
    let whole = torn.clone();
    torn.extend([7; 333]);
    bench.write("file", &torn);
    let line = String::from_utf8(bench.good(&["recover", "file"])).unwrap();
    assert_eq!(line, "file: 333 bytes after the frame removed\n");
    assert!(bench.read("file") == whole);

    bench.write("input", &content);
    compress(&bench, "folder", &["--sparse"]);
    bench.write("folder/00000009.chunk", b"left over");
    let line = String::from_utf8(bench.good(&["recover", "folder"])).unwrap();
    assert_eq!(line, "folder: 1 unused files removed\n");
    bench.write("folder/0000000A.chunk", b"left over");
    bench.good(&["compact", "folder"]);
    assert!(!bench.path("folder/0000000A.chunk").exists());
    // Numbers that grew become small again.
    bench.write("more", &content[..5]);
    for _ in 0..3 {
        bench.good(&["append", "folder", "more"]);
    }
    let files = |info: &serde_json::Value| -> Vec<String> {
        let chunks = info["chunks"].as_array().unwrap();
        chunks
            .iter()
            .map(|chunk| chunk["file"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_ne!(files(&info(&bench, "folder"))[2], "00000002.chunk");
    bench.good(&["compact", "folder"]);
    let wanted = ["00000000.chunk", "00000001.chunk", "00000002.chunk"];
    assert_eq!(files(&info(&bench, "folder")), wanted);
    let content = [&content[..], &[&content[..5]; 3].concat()].concat();
    assert_eq!(bench.good(&["decompress", "folder", "-o", "-"]), content);
    for command in ["compact", "recover"] {
        bench.bad(&[command, "missing"], 1);
        bench.bad(&[command, "input"], 1);
        bench.bad(&[command, "-"], 2);
    }
}

#[test]
fn verify_names_the_damaged_chunk() {
    let bench = Bench::new();
    bench.write("input", &data(50_000));
    for (name, more, said) in [
        ("plain", &[][..], "good, 5 chunks"),
        ("sealed", &["--seal"], "good, sealed, 5 chunks"),
    ] {
        compress(&bench, name, more);
        let line = String::from_utf8(bench.good(&["verify", name])).unwrap();
        assert!(line.starts_with(&format!("{name}: {said}")), "{line}");
        let chunk = &info(&bench, name)["chunks"][3];
        let at = usize::try_from(chunk["offset"].as_u64().unwrap()).unwrap();
        let len = usize::try_from(chunk["cbytes"].as_u64().unwrap()).unwrap();
        let good = bench.read(name);
        // The header of a chunk without a seal; with one, any byte of it.
        let places: &[usize] = if more.is_empty() {
            &[0, 4, 12, 32]
        } else {
            &[0, 4, 12, 30, 32, len / 2, len - 1]
        };
        for place in places {
            let mut bad = good.clone();
            bad[at + place] ^= 0x80;
            bench.write(name, &bad);
            let line = bench.bad(&["verify", name], 1);
            assert!(line.contains("chunk 3"), "{place}: {line}");
        }
        bench.write(name, &good);
    }
    // A change takes the seal away, and --seal puts a new one.
    bench.good(&["append", "sealed", "input"]);
    let line = String::from_utf8(bench.good(&["verify", "sealed"])).unwrap();
    assert!(line.contains("good, 10 chunks"), "{line}");
    bench.good(&["append", "sealed", "input", "--seal"]);
    let line = String::from_utf8(bench.good(&["verify", "sealed"])).unwrap();
    assert!(line.contains("good, sealed, 15 chunks"), "{line}");
    // The files of a sparse frame.
    compress(&bench, "folder", &["--sparse", "--seal"]);
    let mut chunk = bench.read("folder/00000002.chunk");
    let last = chunk.len() - 1;
    chunk[last] ^= 1;
    bench.write("folder/00000002.chunk", &chunk);
    let line = bench.bad(&["verify", "folder"], 1);
    assert!(line.contains("chunk 2"), "{line}");
}

#[test]
fn chunks_are_listed() {
    let bench = Bench::new();
    let content = [data(20_480), vec![0; 10_240], data(1000)].concat();
    bench.write("input", &content);
    for (name, more) in [("file", &[][..]), ("folder", &["--sparse"])] {
        compress(&bench, name, more);
        let info = info(&bench, name);
        let chunks = info["chunks"].as_array().unwrap();
        assert_eq!(chunks.len(), 4);
        let nbytes: Vec<_> = chunks.iter().map(|chunk| &chunk["nbytes"]).collect();
        assert_eq!(nbytes, [10_240, 10_240, 10_240, 1000]);
        assert_eq!(chunks[2]["kind"], "zeros");
        assert_eq!(chunks[2]["offset"], serde_json::Value::Null);
        assert_eq!(chunks[0]["kind"], "compressed");
        for chunk in [&chunks[0], &chunks[1], &chunks[3]] {
            let cbytes = usize::try_from(chunk["cbytes"].as_u64().unwrap()).unwrap();
            let bytes = if let Some(file) = chunk["file"].as_str() {
                bench.read(&format!("folder/{file}"))
            } else {
                let at = usize::try_from(chunk["offset"].as_u64().unwrap()).unwrap();
                bench.read("file")[at..at + cbytes].to_vec()
            };
            assert_eq!(bytes.len(), cbytes);
            let checksum = oxiblosc::frame::chunk_checksum(&bytes);
            assert_eq!(chunk["xxh3"], format!("{checksum:016x}"));
            let nbytes = usize::try_from(chunk["nbytes"].as_u64().unwrap()).unwrap();
            assert_eq!(oxiblosc::decompress(&bytes).unwrap().len(), nbytes);
        }
        let text = String::from_utf8(bench.good(&["info", name, "--chunks"])).unwrap();
        assert_eq!(
            text.lines()
                .filter(|line| line.starts_with("chunk "))
                .count(),
            4
        );
    }
}

#[test]
fn sparse_frames_are_made_and_replaced() {
    let bench = Bench::new();
    let content = data(50_000);
    bench.write("input", &content);
    bench.good(&["compress", "input", "--sparse"]);
    let reader = FrameReader::open_sparse(bench.path("input.b2frame"), DParams::new()).unwrap();
    assert_eq!(reader.layout().nbytes, 50_000);
    drop(reader);
    bench.bad(&["compress", "input", "--sparse"], 1);
    bench.write("input", &content[..30_000]);
    bench.good(&["compress", "input", "--sparse", "-f", "--chunk-size", "10K"]);
    let dir = DiskDir::open(bench.path("input.b2frame")).unwrap();
    assert_eq!(dir.names().unwrap().len(), 4);
    let reader = FrameReader::open_in(Sparse::open(dir).unwrap(), DParams::new()).unwrap();
    assert_eq!(reader.layout().nbytes, 30_000);
    assert_eq!(
        bench.good(&["decompress", "input.b2frame", "-o", "-"]),
        &content[..30_000]
    );
    // No other directory is replaced, and nothing is left over.
    bench.good(&["compress", "input", "-o", "file"]);
    bench.good(&["compress", "input", "--sparse", "-o", "file", "-f"]);
    assert!(bench.path("file/chunks.b2frame").is_file());
    std::fs::create_dir(bench.path("mine")).unwrap();
    bench.write("mine/letter", b"dear");
    bench.bad(&["compress", "input", "--sparse", "-o", "mine", "-f"], 1);
    bench.bad(&["compress", "input", "--sparse", "-o", "-"], 2);
    bench.bad(&["compress", "mine", "--sparse", "-o", "x"], 1);
    bench.remove("input");
    assert_eq!(bench.names(), ["file", "input.b2frame", "mine"]);
}
