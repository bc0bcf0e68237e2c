//! Files of a few hundred bytes that claim gigabytes: every command refuses them or does what was
//! asked, in little memory. The command runs in a shell that limits its address space.
#![cfg(target_os = "linux")]

use std::process::Command;

use crate::common::Bench;
use oxiblosc::b2nd::{Array, ArrayParams};
use oxiblosc::{CParams, ChunkEncoder, FrameParams, FrameWriter, Special};

/// The address space of a run, in KiB: the program, its threads and a few chunks fit, a gigabyte
/// does not.
const KIB: u32 = 900_000;

/// Runs the command in little memory: its exit code, output and error.
fn run(bench: &Bench, args: &[&str]) -> (i32, Vec<u8>, String) {
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("ulimit -v {KIB} && exec \"$0\" \"$@\""))
        .arg(env!("CARGO_BIN_EXE_oxiblosc"))
        .args(args)
        .current_dir(bench.path("."))
        .env("MALLOC_ARENA_MAX", "2")
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    let code = output.status.code();
    (code.unwrap_or(-1), output.stdout, error)
}

/// It is refused, in one line that names the limit.
#[track_caller]
fn refused(bench: &Bench, args: &[&str]) {
    let (code, stdout, error) = run(bench, args);
    assert_eq!(code, 1, "{args:?}: {error}");
    assert!(stdout.is_empty(), "{args:?}");
    assert_eq!(error.lines().count(), 1, "{args:?}: {error}");
    assert!(error.contains("--no-limits lifts it"), "{args:?}: {error}");
}

#[track_caller]
fn good(bench: &Bench, args: &[&str]) -> Vec<u8> {
    let (code, stdout, error) = run(bench, args);
    assert_eq!(code, 0, "{args:?}: {error}");
    stdout
}

fn frame(chunksize: usize, nbytes: u64) -> Vec<u8> {
    let params = FrameParams::new(CParams::new(4), chunksize);
    let mut writer = FrameWriter::in_memory(params).unwrap();
    writer.append_special(Special::Zeros, nbytes).unwrap();
    writer.into_bytes().unwrap()
}

#[test]
fn a_chunk_of_two_gigabytes() {
    let bench = Bench::new();
    let mut encoder = ChunkEncoder::new(CParams::new(4)).unwrap();
    let chunk = encoder
        .encode_special(Special::Repeat(b"ABCD"), 2_000_000_000)
        .unwrap();
    bench.write("bomb.b2", &chunk);
    for command in ["info", "verify", "decompress"] {
        refused(&bench, &[command, "bomb.b2"]);
    }
    let (code, _, error) = run(&bench, &["cat", "bomb.b2"]);
    assert_eq!(code, 1, "{error}");
    assert_eq!(bench.names(), ["bomb.b2"], "nothing is left over");
}

#[test]
fn a_frame_of_twenty_gigabytes() {
    let bench = Bench::new();
    bench.write("bomb.b2frame", &frame(2_000_000_000, 20_000_000_000));
    let info = good(&bench, &["info", "--json", "--chunks", "bomb.b2frame"]);
    let info = String::from_utf8(info).unwrap();
    assert!(info.contains("\"data_nbytes\": 20000000000"), "{info}");
    for command in ["verify", "decompress"] {
        refused(&bench, &[command, "bomb.b2frame"]);
    }
    bench.write("more", b"some bytes that are whole items.");
    good(&bench, &["append", "bomb.b2frame", "more"]);
    assert_eq!(bench.names(), ["bomb.b2frame", "more"]);
}

#[test]
fn a_frame_of_a_million_chunks() {
    let bench = Bench::new();
    bench.write("bomb.b2frame", &frame(4, (4 << 20) + 4));
    good(&bench, &["info", "bomb.b2frame"]);
    refused(&bench, &["info", "--chunks", "bomb.b2frame"]);
    good(&bench, &["verify", "bomb.b2frame"]);
}

#[test]
fn an_array_of_a_terabyte() {
    let bench = Bench::new();
    let params = ArrayParams::new::<f32>(&[1 << 19, 1 << 19])
        .chunkshape(&[1 << 14, 1 << 14])
        .blockshape(&[128, 128]);
    let writer = FrameWriter::in_memory(params.frame_params().unwrap()).unwrap();
    let array = Array::zeros_in(writer, &params).unwrap();
    bench.write(
        "bomb.b2nd",
        &array.into_inner().unwrap().into_bytes().unwrap(),
    );
    let info = String::from_utf8(good(&bench, &["info", "--bytes", "bomb.b2nd"])).unwrap();
    assert!(info.contains("1099511627776"), "{info}");
    let some = good(&bench, &["cat", "bomb.b2nd", "--slice", "500000:500010,7"]);
    assert_eq!(some, [0; 40]);
    // A chunk of a gigabyte is within the limits, but not within this memory.
    let (code, _, error) = run(&bench, &["verify", "bomb.b2nd"]);
    assert_eq!(code, 1, "{error}");
    assert!(
        error.contains("--no-limits") || error.contains("cannot allocate"),
        "{error}"
    );
}
