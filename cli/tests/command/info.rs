//! `info` and `ls`, in words and as JSON.

use oxiblosc::frame::{FrameParams, FrameWriter};
use oxiblosc::schunk::ChunkSink;
use oxiblosc::{CParams, DParams, Special};
use serde_json::{Value, json};

use crate::common::{Bench, data, npy};

fn json(bench: &Bench, args: &[&str]) -> Value {
    let output = bench.good(&[&["info", "--json"], args].concat());
    serde_json::from_slice(&output).unwrap()
}

fn text(bench: &Bench, args: &[&str]) -> String {
    String::from_utf8(bench.good(args)).unwrap()
}

/// Data over the file, whatever is padded in it.
#[test]
fn the_ratio_is_that_of_data_and_file() {
    let bench = Bench::new();
    bench.write("a.npy", &npy("'<f8'", false, &[101, 11], 1, &data(8888)));
    bench.good(&[
        "compress", "a.npy", "--chunks", "100,10", "--blocks", "10,10",
    ]);
    let info = json(&bench, &["a.b2nd"]);
    let len = bench.read("a.b2nd").len();
    assert_eq!(
        (&info["schema"], &info["data_nbytes"]),
        (&json!(1), &json!(8888))
    );
    assert_eq!(
        (&info["file_nbytes"], &info["padded_nbytes"]),
        (&json!(len), &json!(32000))
    );
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    let ratio = 8888.0 / len as f64;
    assert!((info["ratio"].as_f64().unwrap() - ratio).abs() < 0.001);
    let words = text(&bench, &["info", "a.b2nd"]);
    assert!(words.contains("\ndata_nbytes     8.9 kB\n"), "{words}");
    let words = text(&bench, &["info", "a.b2nd", "--bytes"]);
    assert!(words.contains("\ndata_nbytes     8888 B\n"), "{words}");
    // Zeros take no chunk, but the file is there.
    bench.write("zeros", &[0; 100_000]);
    bench.good(&["compress", "zeros"]);
    let info = json(&bench, &["zeros.b2frame"]);
    let len = bench.read("zeros.b2frame").len();
    assert_eq!(
        (&info["file_nbytes"], &info["chunks_cbytes"]),
        (&json!(len), &json!(0))
    );
    assert!(info["ratio"].as_f64().unwrap() < 1000.0);
}

#[test]
fn chunks_are_counted_by_kind_and_size() {
    let bench = Bench::new();
    let noise: Vec<u8> = (0..1000_u32)
        .flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes())
        .collect();
    let small = oxiblosc::compress(&[7; 4000], &CParams::new(1))
        .unwrap()
        .len();
    for sparse in [false, true] {
        let params = FrameParams::new(CParams::new(1), 4000);
        let (name, data) = (["f", "s"][usize::from(sparse)], [7; 4000]);
        let path = bench.path(name);
        let fill = |writer: &mut dyn ChunkSink| {
            writer
                .append_chunk(&oxiblosc::compress(&data, &CParams::new(1)).unwrap())
                .unwrap();
            for _ in 0..2 {
                let chunk = oxiblosc::compress(&noise, &CParams::new(1)).unwrap();
                writer.append_chunk(&chunk).unwrap();
            }
        };
        if sparse {
            let mut writer = FrameWriter::create_sparse(&path, params).unwrap();
            fill(&mut writer);
            writer.append_special(Special::Zeros, 4000).unwrap();
            writer.finish().unwrap();
        } else {
            let mut writer = FrameWriter::create(&path, params).unwrap();
            fill(&mut writer);
            writer.append_special(Special::Zeros, 4000).unwrap();
            writer.finish().unwrap();
        }
        let info = json(&bench, &[name]);
        assert_eq!(
            info["chunk_kinds"],
            json!({"compressed": 1, "uncompressed": 2, "zeros": 1}),
            "{name}"
        );
        assert_eq!(
            (&info["smallest_chunk"], &info["largest_chunk"]),
            (&json!(small), &json!(4032))
        );
        assert_eq!(info["histogram"], json!({"<= 5 %": 1, "> 80 %": 2}));
        assert_eq!(info["chunks_cbytes"], small + 2 * 4032);
        assert_eq!(info["dead_nbytes"], 0, "{name}");
        // A replaced chunk leaves a gap, or a file, until the frame is compacted.
        let chunk = oxiblosc::compress(&data, &CParams::new(1)).unwrap();
        if sparse {
            let mut writer = FrameWriter::open_sparse(&path, DParams::new()).unwrap();
            writer.update_chunk(1, &chunk).unwrap();
            writer.finish().unwrap();
        } else {
            let mut writer = FrameWriter::open(&path, DParams::new()).unwrap();
            writer.update_chunk(1, &chunk).unwrap();
            writer.finish().unwrap();
        }
        let dead = json(&bench, &[name])["dead_nbytes"].as_u64().unwrap();
        assert!(sparse || dead >= 4032, "{name}: {dead}");
        bench.good(&["compact", name]);
        assert_eq!(json(&bench, &[name])["dead_nbytes"], 0, "{name}");
    }
    // A damaged chunk is one of the kinds: info still says what it can.
    let mut file = bench.read("f");
    let info = json(&bench, &["f", "--chunks"]);
    let at = usize::try_from(info["chunks"][2]["offset"].as_u64().unwrap()).unwrap();
    file[at] = 77;
    bench.write("damaged", &file);
    let info = json(&bench, &["damaged"]);
    assert_eq!(info["chunk_kinds"]["damaged"], 1);
    assert_eq!(info["dead_nbytes"], Value::Null);
}

#[test]
fn metadata_is_shown_whole_on_demand() {
    let bench = Bench::new();
    let long = "x".repeat(300);
    let content = [&[0xDA, 1, 44][..], long.as_bytes()].concat();
    let params = FrameParams::new(CParams::new(1), 100);
    let params = params.vlmetalayer("long", &content).unwrap();
    let params = params.metalayer("list", b"\x93\x01\x02\xA1a").unwrap();
    let frame = FrameWriter::in_memory(params)
        .unwrap()
        .into_bytes()
        .unwrap();
    bench.write("f", &frame);
    assert!(!text(&bench, &["info", "f"]).contains(&long));
    let words = text(&bench, &["info", "f", "--meta"]);
    assert!(
        words.contains(&long) && words.contains("meta            list = [1, 2, \"a\"]"),
        "{words}"
    );
    let info = json(&bench, &["f", "--meta"]);
    assert_eq!(
        (&info["meta"]["list"], &info["vlmeta"]["long"]),
        (&json!([1, 2, "a"]), &json!(long))
    );
}

#[test]
fn lines_are_short_and_plain_unless_asked() {
    let bench = Bench::new();
    bench.write("a.npy", &npy("'<f8'", false, &[10, 10], 1, &data(800)));
    bench.good(&[
        "compress",
        "a.npy",
        "--filters",
        "delta,shuffle,bytedelta,none",
    ]);
    let words = text(&bench, &["info", "a.b2nd"]);
    assert!(
        words.lines().all(|line| line.chars().count() <= 80),
        "{words}"
    );
    assert!(!words.contains('\u{1b}'));
    let words = text(&bench, &["info", "a.b2nd", "--color", "always"]);
    assert!(words.contains("\u{1b}[1mshape\u{1b}[0m"), "{words}");
}

#[test]
fn files_and_folders_are_listed() {
    let bench = Bench::new();
    bench.write("a.npy", &npy("'<i4'", false, &[20, 30], 1, &data(2400)));
    bench.good(&["compress", "a.npy"]);
    bench.good(&["compress", "a.npy", "-o", "b.b2nd", "--sparse"]);
    bench.write("bytes", &data(5000));
    bench.good(&["compress", "bytes", "--codec", "zstd"]);
    bench.write("no.b2nd", b"no frame");
    let output = bench.run(&["ls", "--json"]);
    assert_eq!(output.status.code(), Some(1), "no.b2nd is none");
    let lines: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let names: Vec<&str> = lines
        .iter()
        .map(|line| line["file"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["./a.b2nd", "./b.b2nd", "./bytes.b2frame"]);
    assert_eq!(
        (&lines[0]["shape"], &lines[0]["data_nbytes"]),
        (&json!([20, 30]), &json!(2400))
    );
    assert_eq!(lines[0]["file_nbytes"], bench.read("a.b2nd").len());
    assert_eq!(
        (&lines[2]["codec"], &lines[2]["data_nbytes"]),
        (&json!("zstd"), &json!(5000))
    );
    let words = text(&bench, &["ls", "a.b2nd", "bytes.b2frame"]);
    assert_eq!(words.lines().count(), 2);
    assert!(words.contains("a.b2nd array [20, 30] <i4"), "{words}");
}
