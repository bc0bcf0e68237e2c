//! Chunks decoded here and by the C library, which runs in a separate process: its handling of
//! damaged input must not affect this one, and after a crash it is restarted.
//!
//! ```text
//! to it:    u32 length | chunk
//! from it:  i32 its code, the length of the data when not negative | data
//! ```

use std::cell::RefCell;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use oxiblosc::{ChunkDecoder, ChunkView, FilterId, Special};

use crate::dice::Dice;
use crate::make::{chunk, damage_chunk, dparams, limits};

/// The variable that names libblosc2.
pub const LIBRARY: &str = "OXIBLOSC_LIBBLOSC2";

/// The result of C for a chunk.
#[derive(Debug, PartialEq, Eq)]
enum Theirs {
    Data(Vec<u8>),
    Refused,
    Crashed,
}

struct Peer(Child);

impl Peer {
    fn start() -> Option<Self> {
        std::env::var_os(LIBRARY)?;
        let script =
            PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../interop/python/decode_server.py");
        let python = std::env::var_os("OXIBLOSC_PYTHON").unwrap_or_else(|| "python3".into());
        let child = Command::new(python)
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        Some(Self(child.expect("python3 for the C library")))
    }

    fn decode(&mut self, chunk: &[u8]) -> std::io::Result<Theirs> {
        let stdin = self
            .0
            .stdin
            .as_mut()
            .ok_or(std::io::ErrorKind::BrokenPipe)?;
        let len = u32::try_from(chunk.len()).unwrap_or(0);
        stdin.write_all(&len.to_le_bytes())?;
        stdin.write_all(chunk)?;
        stdin.flush()?;
        let stdout = self
            .0
            .stdout
            .as_mut()
            .ok_or(std::io::ErrorKind::BrokenPipe)?;
        let mut code = [0; 4];
        stdout.read_exact(&mut code)?;
        let Ok(len) = usize::try_from(i32::from_le_bytes(code)) else {
            return Ok(Theirs::Refused);
        };
        let mut data = vec![0; len];
        stdout.read_exact(&mut data)?;
        Ok(Theirs::Data(data))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

thread_local! {
    static PEER: RefCell<Option<Peer>> = const { RefCell::new(None) };
}

/// The result of C; `None` without the library.
fn ask(chunk: &[u8]) -> Option<Theirs> {
    PEER.with_borrow_mut(|peer| {
        if peer.is_none() {
            *peer = Peer::start();
        }
        let answer = peer.as_mut()?.decode(chunk);
        Some(answer.unwrap_or_else(|_| {
            *peer = None;
            Theirs::Crashed
        }))
    })
}

/// Chunks that C is known to decode otherwise than the format says, or not at all, although they
/// are good (format §14).
fn known_defect(view: &ChunkView<'_>) -> bool {
    let header = view.header();
    let filters = header.filters;
    let has = |id: FilterId| filters.iter().any(|slot| slot.id == id);
    // The data is cut otherwise than the header says: C wrote such chunks and cannot read them.
    let stated = header.blocksize.min(header.nbytes);
    let cut_otherwise = view
        .blocksize()
        .is_some_and(|real| u32::try_from(real) != Ok(stated));
    let lossy_tail = has(FilterId::DELTA) || has(FilterId::BYTEDELTA) || has(FilterId::new(34));
    // Unspecified content; the old codes and rules of Blosc1; a dictionary that is none; tails.
    matches!(view.special(), Some(Special::Uninit | Special::Nans))
        || !header.is_extended()
        // Flags of version 6 in an older chunk, which C heeds all the same.
        || (header.version < 6 && view.as_bytes().get(30).is_some_and(|&flags2| flags2 != 0))
        || header.version < 4
        || header.blosc2_flags & 1 != 0
        || header.is_vlblocks()
        || cut_otherwise
        || lossy_tail
        || has(FilterId::NDCELL)
        || has(FilterId::NDMEAN)
        || has(FilterId::TRUNC_PREC)
        || has(FilterId::INT_TRUNC)
        || view.special().is_some()
}

/// See `fuzz_targets/vs_c_decode.rs`.
pub fn vs_c_decode(input: &[u8]) {
    let dice = &mut Dice::new(input);
    let intact = dice.flag();
    let mut chunk = chunk(dice);
    if !intact {
        damage_chunk(dice, &mut chunk);
    }
    let ours = ChunkDecoder::new(dparams()).decode(&chunk);
    let view = ChunkView::parse(&chunk, &limits());
    // C reads up to the end of the buffer, not of the chunk.
    if let Ok(view) = &view
        && view.as_bytes().len() != chunk.len()
    {
        return;
    }
    let (Some(theirs), Ok(ours), Ok(view)) = (ask(&chunk), ours, view) else {
        return;
    };
    match theirs {
        Theirs::Data(theirs) => {
            let defect = known_defect(&view);
            assert!(defect || theirs == ours, "both decode, to different data");
        }
        Theirs::Refused | Theirs::Crashed => {
            assert!(
                known_defect(&view),
                "C refuses what we decode: {theirs:?}, {:?}",
                view.header()
            );
        }
    }
}
