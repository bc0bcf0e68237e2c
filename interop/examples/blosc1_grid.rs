//! Writes Blosc1 chunks over a grid of parameters, or reads those of others, for
//! `interop/python/check_blosc1.py`.
//!
//! `blosc1_grid write FILE` writes records of chunk and data, `blosc1_grid read FILE` decodes and
//! compares them. A record: `| len: u32 | chunk | len: u32 | data |`, little endian.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command tells what it did"
)]

use std::error::Error;
use std::fs;
use std::process::ExitCode;

use oxiblosc::{CParams, ChunkDecoder, ChunkEncoder, CodecId, FilterSlot};

/// Numbers of a few kinds: ramps, noise, runs, and a mix of them.
fn content(kind: usize, len: usize) -> Vec<u8> {
    let mut state = 0x9E37_79B9_u32;
    let mut noise = move || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state.to_le_bytes()[0]
    };
    (0..len)
        .map(|i| match kind {
            0 => (i / 4).to_le_bytes()[i % 4],
            1 => noise(),
            2 => 7,
            _ if i % 900 < 300 => noise(),
            _ => (i / 11).to_le_bytes()[0],
        })
        .collect()
}

fn write(path: &str) -> Result<usize, Box<dyn Error>> {
    let named = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"];
    let named = named.map(|name| CodecId::from_name(name).ok_or("a codec that is not known"));
    let mut codecs = named.into_iter().collect::<Result<Vec<_>, _>>()?;
    codecs.push(CodecId::SNAPPY);
    let filters = [
        vec![],
        vec![FilterSlot::SHUFFLE],
        vec![FilterSlot::BITSHUFFLE],
    ];
    let mut file = Vec::new();
    let mut count = 0;
    for id in codecs {
        for filter in &filters {
            for (index, typesize) in [1, 2, 3, 4, 8, 12, 16, 17, 255].into_iter().enumerate() {
                for (turn, len) in [0, 1, 127, 128, 4096, 4099, 30_000, 70_001, 300_000]
                    .into_iter()
                    .enumerate()
                {
                    for level in [0, 1, 5, 9] {
                        // Every level meets every kind of data somewhere.
                        let kind = (index + turn + level) % 4;
                        let data = content(kind, len);
                        let cparams = CParams::new(typesize)
                            .codec(id)
                            .clevel(u8::try_from(level)?)
                            .filters(filter.iter().copied());
                        let chunk = ChunkEncoder::for_blosc1(cparams)?.encode_blosc1(&data)?;
                        for part in [&chunk, &data] {
                            file.extend_from_slice(&u32::try_from(part.len())?.to_le_bytes());
                            file.extend_from_slice(part);
                        }
                        count += 1;
                    }
                }
            }
        }
    }
    fs::write(path, file)?;
    Ok(count)
}

/// Takes one part of a record.
fn part<'a>(rest: &mut &'a [u8]) -> Result<&'a [u8], Box<dyn Error>> {
    let (len, trailing) = rest.split_first_chunk::<4>().ok_or("half a record")?;
    let len = usize::try_from(u32::from_le_bytes(*len))?;
    let (part, trailing) = trailing.split_at_checked(len).ok_or("half a record")?;
    *rest = trailing;
    Ok(part)
}

fn read(path: &str) -> Result<usize, Box<dyn Error>> {
    let file = fs::read(path)?;
    let mut rest = &*file;
    let mut decoder = ChunkDecoder::default();
    let mut count = 0;
    while !rest.is_empty() {
        let chunk = part(&mut rest)?;
        let data = part(&mut rest)?;
        if decoder.decode(chunk)? != data {
            return Err(format!("chunk {count} decodes to other bytes").into());
        }
        count += 1;
    }
    Ok(count)
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let done = match args.get(1..).unwrap_or_default() {
        [mode, path] if mode == "write" => write(path),
        [mode, path] if mode == "read" => read(path),
        _ => Err("usage: blosc1_grid write|read FILE".into()),
    };
    match done {
        Ok(count) => {
            println!("{count}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
