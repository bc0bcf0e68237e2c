//! Mistakes that once made no noise: data lost, the wrong file blamed, pipes misread.
#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use crate::common::{Bench, data, npy, stderr};
use oxiblosc::b2nd::{Array, ArrayParams, Dtype};
use oxiblosc::frame::{FrameParams, FrameReader, FrameWriter};
use oxiblosc::schunk::ChunkSource;
use oxiblosc::{CParams, DParams};

/// Runs a line of shell in the folder, with the command as `$O`.
fn shell(bench: &Bench, line: &str) -> std::process::Output {
    Command::new("sh")
        .args(["-c", line])
        .env("O", env!("CARGO_BIN_EXE_oxiblosc"))
        .current_dir(bench.path(""))
        .output()
        .unwrap()
}

fn mode(bench: &Bench, name: &str) -> u32 {
    let metadata = fs::metadata(bench.path(name)).unwrap();
    metadata.permissions().mode() & 0o777
}

/// A frame that is larger than what is read at once, or the growing file never ends.
#[test]
fn a_frame_is_not_appended_to_itself() {
    let bench = Bench::new();
    bench.write("input", &data(9 << 20));
    bench.good(&["compress", "input", "-o", "frame", "--level", "0"]);
    let before = bench.read("frame");
    bench.bad(&["append", "frame", "frame"], 2);
    fs::hard_link(bench.path("frame"), bench.path("link")).unwrap();
    bench.bad(&["append", "frame", "link"], 2);
    let output = shell(&bench, "$O append frame - < frame");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(bench.read("frame") == before);
}

/// Array with a metalayer, and a variable-length one.
fn described(bench: &Bench, name: &str) {
    let params = ArrayParams::with_dtype(Dtype::from_stored("<i4"), &[40]);
    let mut frame = params.frame_params().unwrap();
    frame = frame.metalayer("owner", b"me").unwrap();
    frame = frame.vlmetalayer("k", b"value").unwrap();
    let writer = FrameWriter::create(bench.path(name), frame).unwrap();
    let numbers: Vec<u8> = (0..40_i32).flat_map(i32::to_le_bytes).collect();
    let array = Array::from_bytes_in(writer, &numbers, &params).unwrap();
    array.into_inner().unwrap().finish().unwrap();
}

#[test]
fn converting_keeps_all_metalayers() {
    let bench = Bench::new();
    described(&bench, "a.b2nd");
    bench.good(&["convert", "a.b2nd", "-o", "b.b2nd", "--chunks", "7"]);
    bench.good(&["convert", "b.b2nd", "-o", "b.b2nd", "-f", "--codec", "zstd"]);
    let reader = FrameReader::open(bench.path("b.b2nd"), DParams::new()).unwrap();
    assert_eq!(reader.metalayers().get("owner"), Some(&b"me"[..]));
    let content = reader.vlmetalayer("k").unwrap();
    assert_eq!(content.as_deref(), Some(&b"value"[..]));
    let array = Array::open_in(reader).unwrap();
    assert_eq!(array.to_elements::<i32>().unwrap()[39], 39);
}

/// The texts of python-blosc2, as `dtype` of its arrays, against those of `.npy` headers.
#[test]
fn rows_of_the_same_dtype_in_other_words_are_appended() {
    let aligned = "{'names': ['a', 'b'], 'formats': ['i1', '<f8'], 'offsets': [0, 8], \
                   'itemsize': 16, 'aligned': True}";
    for (stored, descr, itemsize) in [
        ("i1", "'|i1'", 1),
        ("S5", "'|S5'", 5),
        ("?", "'|b1'", 1),
        ("V3", "'|V3'", 3),
        (aligned, "[('a', '|i1'), ('', '|V7'), ('b', '<f8')]", 16),
    ] {
        let bench = Bench::new();
        let dtype = Dtype::from_stored(stored);
        let params = ArrayParams::with_dtype(dtype, &[2]);
        let frame = params.frame_params().unwrap();
        let writer = FrameWriter::create(bench.path("a.b2nd"), frame).unwrap();
        let bytes = data(itemsize * 5);
        let start = &bytes[..itemsize * 2];
        let array = Array::from_bytes_in(writer, start, &params).unwrap();
        array.into_inner().unwrap().finish().unwrap();
        let more = npy(descr, false, &[3], 1, &bytes[itemsize * 2..]);
        bench.write("more.npy", &more);
        bench.good(&["append", "a.b2nd", "more.npy"]);
        let all = bench.good(&["decompress", "a.b2nd", "-o", "-"]);
        assert_eq!(all, bytes, "{stored}");
    }
    let bench = Bench::new();
    let params = ArrayParams::with_dtype(Dtype::from_stored("<M8[s]"), &[1]);
    let frame = params.frame_params().unwrap();
    let writer = FrameWriter::create(bench.path("a.b2nd"), frame).unwrap();
    let array = Array::from_bytes_in(writer, &[0; 8], &params).unwrap();
    array.into_inner().unwrap().finish().unwrap();
    bench.write("more.npy", &npy("'<M8[ns]'", false, &[1], 1, &[0; 8]));
    bench.bad(&["append", "a.b2nd", "more.npy"], 1);
}

#[test]
fn titles_of_fields_reach_the_npy_file() {
    let bench = Bench::new();
    let descr = "[(('long name', 'a'), '<i4'), ('b', '<f4')]";
    let file = npy(descr, false, &[3], 1, &data(24));
    bench.write("a.npy", &file);
    bench.good(&["compress", "a.npy"]);
    bench.good(&["decompress", "a.b2nd", "-o", "b.npy"]);
    assert_eq!(bench.read("b.npy"), file);
}

/// A metalayer above the limit of decompression is listed, since it is not decompressed.
#[test]
fn info_does_not_decompress_metalayers() {
    let bench = Bench::new();
    let zeros = vec![0; 65 << 20];
    let params = FrameParams::new(CParams::new(1), 100);
    let params = params.vlmetalayer("large", &zeros).unwrap();
    let params = params.vlmetalayer("empty", b"").unwrap();
    let frame = FrameWriter::in_memory(params).unwrap().into_bytes();
    bench.write("f", &frame.unwrap());
    let text = String::from_utf8(bench.good(&["info", "f"])).unwrap();
    assert!(text.contains("large (68157440 bytes)"), "{text}");
    assert!(text.contains("empty (0 bytes)"), "{text}");
    bench.bad(&["verify", "f"], 1);
}

#[test]
fn info_lists_metadata_as_values() {
    let bench = Bench::new();
    let mut params = FrameParams::new(CParams::new(1), 100);
    let many: Vec<u8> = std::iter::once(0xC5)
        .chain([0xFF, 0xFF])
        .chain(vec![7; 0xFFFF])
        .collect();
    let contents: [(&str, &[u8]); 7] = [
        ("unit", b"\xA6kelvin"),
        ("tuple", b"\x93\xA9__tuple__\x01\x92\xA9__tuple__\xC3"),
        ("complex", b"\xD8,?\xF0\0\0\0\0\0\0@\0\0\0\0\0\0\0"),
        ("set", b"\xD5-\x91\x01"),
        ("no msgpack", b"\xC1\xC1"),
        ("es\u{1B}cape", b"\xA1\x1B"),
        ("large", &many),
    ];
    for (name, content) in contents {
        params = params.vlmetalayer(name, content).unwrap();
    }
    for number in 0..20 {
        let content = [&[0xC5, 0xFF, 0x00][..], &[number; 0xFF00]].concat();
        params = params.vlmetalayer(&format!("m{number}"), &content).unwrap();
    }
    let frame = FrameWriter::in_memory(params).unwrap().into_bytes();
    bench.write("f", &frame.unwrap());
    let json = bench.good(&["info", "f", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    let values = &json["vlmeta"];
    assert_eq!(values["unit"], "kelvin");
    assert_eq!(values["tuple"], serde_json::json!([1, [true]]));
    assert_eq!(values["complex"], serde_json::json!([1.0, 2.0]));
    assert_eq!(values["set"], serde_json::json!([1]));
    assert_eq!(values["no msgpack"]["bytes"], "c1c1");
    assert!(values.get("large").is_none(), "more than 64 KiB");
    assert!(
        values.get("m14").is_some() && values.get("m19").is_none(),
        "1 MiB of all"
    );
    assert_eq!(json["vlmetalayers"]["large"], 65538);
    let text = String::from_utf8(bench.good(&["info", "f"])).unwrap();
    assert!(
        text.contains("vlmeta          unit = \"kelvin\"\n"),
        "{text}"
    );
    assert!(
        text.contains("vlmeta          es\\u{1b}cape = \"\\u001b\"\n"),
        "{text}"
    );
    assert!(
        text.lines()
            .filter(|line| line.starts_with("vlmeta "))
            .all(|line| line.len() < 300)
    );
}

/// A file that may not grow beyond 4 KiB stands for a full disk.
#[test]
fn a_failing_output_is_named() {
    let bench = Bench::new();
    bench.write("input", &data(200_000));
    bench.write("a.npy", &npy("'|u1'", false, &[200_000], 1, &data(200_000)));
    bench.good(&["compress", "a.npy", "-o", "array.b2nd"]);
    for line in [
        "$O compress input -o out --level 0",
        "$O compress a.npy -o out --level 0",
        "$O convert array.b2nd -o out --to b2nd --level 0",
        "$O decompress array.b2nd -o out",
        "$O compress input -o out --sparse --level 0 --chunk-size 100K",
    ] {
        let limited = format!("trap '' XFSZ; ulimit -f 8; {line}");
        let output = shell(&bench, &limited);
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{line}: {message}");
        assert!(message.starts_with("oxiblosc: out: "), "{line}: {message}");
        assert!(!bench.path("out").exists(), "{line}");
    }
    let output = shell(&bench, "$O compress input -o - > /dev/full");
    assert_eq!(output.status.code(), Some(1));
    let message = stderr(&output);
    assert!(message.contains("standard output: "), "{message}");
}

/// `compact` leaves chunks as they are; what compresses names the codec and the file.
#[test]
fn frames_of_unknown_codecs_are_compacted() {
    let bench = Bench::new();
    let mut writer = FrameWriter::in_memory(FrameParams::new(CParams::new(4), 4000)).unwrap();
    writer.append(&[1; 8000]).unwrap();
    let mut frame = writer.into_bytes().unwrap();
    frame[0x1B] = (frame[0x1B] & 0xF0) | 6;
    frame[0x4D] = 200;
    bench.write("f", &frame);
    bench.good(&["compact", "f"]);
    bench.write("more", &[1; 4000]);
    let line = bench.bad(&["append", "f", "more"], 1);
    assert!(line.starts_with("oxiblosc: f: "), "{line}");
    assert!(line.contains("codec 200"), "{line}");
    // A damaged header is bad data, not wrong usage.
    frame[0x30..0x34].copy_from_slice(&2_130_706_440_u32.to_be_bytes());
    bench.write("f", &frame);
    bench.bad(&["append", "f", "more"], 1);
}

#[test]
fn pipes_hold_what_files_hold() {
    let bench = Bench::new();
    let content = data(30_000);
    let array = npy("'<i2'", false, &[100, 150], 1, &content);
    bench.write("a.npy", &array);
    bench.good(&["compress", "a.npy", "-o", "a.b2nd"]);
    // Bytes after a frame are ignored.
    let mut longer = bench.read("a.b2nd");
    longer.extend_from_slice(b"and more");
    bench.write("longer", &longer);
    let fifo = |line: &str, file: &str| {
        let line = format!("mkfifo pipe; cat {file} > pipe & {line}; s=$?; rm pipe; exit $s");
        let output = shell(&bench, &line);
        assert!(output.status.success(), "{line}: {}", stderr(&output));
        output.stdout
    };
    for file in ["a.b2nd", "longer"] {
        assert_eq!(fifo("$O decompress pipe -o -", file), content);
        let args = ["decompress", "-", "-o", "-"];
        let output = bench.run_with(&args, &bench.read(file));
        assert_eq!(output.stdout, content, "{}", stderr(&output));
        assert_eq!(fifo("$O cat pipe", file), content);
        fifo("$O verify pipe", file);
    }
    // Elements through a pipe, in either order.
    fifo("$O compress pipe -o p.b2nd", "a.npy");
    assert_eq!(bench.read("p.b2nd"), bench.read("a.b2nd"));
    let args = ["compress", "-", "-o", "q.b2nd"];
    let output = bench.run_with(&args, &array);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(bench.read("q.b2nd"), bench.read("a.b2nd"));
    bench.write("f.npy", &npy("'<i2'", true, &[100, 150], 1, &content));
    bench.good(&["compress", "f.npy", "-o", "f.b2nd"]);
    fifo("$O convert pipe -o g.b2nd", "f.npy");
    assert_eq!(bench.read("g.b2nd"), bench.read("f.b2nd"));
    // As bytes when asked to.
    let args = ["compress", "-", "-o", "r", "--npy", "never"];
    assert!(bench.run_with(&args, &array).status.success());
    assert_eq!(bench.good(&["decompress", "r", "-o", "-"]), array);
    let args = ["compress", "-", "-o", "s", "--npy", "always"];
    assert_eq!(bench.run_with(&args, &content).status.code(), Some(1));
    // A pipe that ends within what recognises it.
    for len in 0..12 {
        let args = ["compress", "-", "-o", "t", "-f"];
        let output = bench.run_with(&args, &b"\x93NUMPX\x01\x02\x03\x04\x05\x06"[..len]);
        assert!(output.status.success(), "{len}: {}", stderr(&output));
        let back = bench.good(&["decompress", "t", "-o", "-"]);
        assert_eq!(back, b"\x93NUMPX\x01\x02\x03\x04\x05\x06"[..len]);
    }
}

/// An input that is no frame is refused by its first bytes, however long it goes on.
#[test]
fn endless_inputs_are_refused_at_once() {
    let bench = Bench::new();
    for line in [
        "$O decompress /dev/zero -o out",
        "yes | $O info -",
        "yes | $O verify -",
    ] {
        let output = shell(&bench, &format!("ulimit -v 2000000; {line}"));
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{line}: {message}");
        assert!(message.contains("not recognised"), "{line}: {message}");
    }
}

#[test]
fn permissions_follow_the_input() {
    let bench = Bench::new();
    bench.write("a.npy", &npy("'|u1'", false, &[1000], 1, &data(1000)));
    let set = |name: &str, mode| {
        fs::set_permissions(bench.path(name), fs::Permissions::from_mode(mode)).unwrap();
    };
    set("a.npy", 0o600);
    bench.good(&["compress", "a.npy"]);
    assert_eq!(mode(&bench, "a.b2nd"), 0o600);
    bench.good(&["decompress", "a.b2nd", "-o", "b.npy"]);
    assert_eq!(mode(&bench, "b.npy"), 0o600);
    // A file that is replaced keeps its own.
    set("b.npy", 0o640);
    bench.good(&["decompress", "a.b2nd", "-o", "b.npy", "-f"]);
    assert_eq!(mode(&bench, "b.npy"), 0o640);
    bench.good(&["convert", "a.b2nd", "-o", "c.b2nd"]);
    assert_eq!(mode(&bench, "c.b2nd"), 0o600);
    // A directory can be searched where its input can be read.
    bench.good(&["compress", "a.npy", "--sparse", "-o", "folder"]);
    assert_eq!(mode(&bench, "folder"), 0o700);
    set("folder", 0o750);
    bench.good(&["compress", "a.npy", "--sparse", "-o", "folder", "-f"]);
    assert_eq!(mode(&bench, "folder"), 0o750);
}

/// A full disk, played by a limit on the size of files: what was there stays, to the byte.
#[test]
fn an_append_without_space_leaves_nothing() {
    let bench = Bench::new();
    bench.write("input", &data(100_000));
    bench.good(&["compress", "input", "-o", "frame", "--level", "0"]);
    let before = bench.read("frame");
    bench.write("more", &data(3_000_000));
    // In blocks of 512 or 1024 bytes; the signal would end the program.
    let line = "trap '' XFSZ; ulimit -f 600; $O append frame more";
    let output = shell(&bench, line);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.starts_with("oxiblosc: frame: "), "{message}");
    assert!(bench.read("frame") == before);
    bench.good(&["append", "frame", "more"]);
}

#[test]
fn a_closed_output_is_an_error() {
    let bench = Bench::new();
    bench.write("a.npy", &npy("'|u1'", false, &[1000], 1, &data(1000)));
    bench.good(&["compress", "a.npy"]);
    for line in [
        "$O info a.b2nd",
        "$O verify a.b2nd",
        "$O cat a.b2nd",
        "$O decompress a.b2nd -o -",
        "$O compact a.b2nd",
    ] {
        let output = shell(&bench, &format!("{line} >&-"));
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{line}: {message}");
        assert!(message.contains("standard output"), "{line}: {message}");
        let output = shell(&bench, &format!("{line} > /dev/null"));
        assert!(output.status.success(), "{line}: {}", stderr(&output));
    }
    // What writes no output does not miss it.
    let output = shell(&bench, "$O compress a.npy -f >&-");
    assert!(output.status.success(), "{}", stderr(&output));
    let mut child = Command::new(env!("CARGO_BIN_EXE_oxiblosc"))
        .args(["compress", "-", "-o", "from-pipe"])
        .current_dir(bench.path(""))
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"bytes").unwrap();
    assert!(child.wait().unwrap().success());
}
