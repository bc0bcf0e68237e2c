//! Forks while a pool of threads lives, writes and reads in the child, and says whether the child
//! came back with the same bytes.
//!
//! ```text
//! fork            all policies; exit code 0 when every child did its work
//! ```

#[cfg(unix)]
fn main() {
    forked::all();
}

#[cfg(not(unix))]
fn main() {}

#[cfg(unix)]
mod forked {
    use std::io::Write;
    use std::path::Path;
    use std::process::exit;
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use oxiblosc::b2nd::{Array, ArrayParams};
    use oxiblosc::schunk::ReadAhead;
    use oxiblosc::{
        CParams, ChunkSource, CodecId, DParams, FrameParams, FrameReader, FrameWriter, Result,
        Threads, compress,
    };

    /// The time after which a child hangs; it needs less than a second.
    const PATIENCE: Duration = Duration::from_secs(60);
    /// Enough for several threads with every codec.
    const LEN: u64 = 4 << 20;

    /// Writes and reads a frame and an array with these threads; returns all bytes written.
    fn work(threads: &Threads, path: &Path) -> Result<Vec<u8>> {
        let data: Vec<u8> = (0..LEN / 8)
            .flat_map(|i| (i * i / 7).to_le_bytes())
            .collect();
        let cparams = CParams::new(8)
            .codec(CodecId::ZSTD)
            .threads(threads.clone());
        let dparams = DParams::new().threads(threads.clone());
        let mut written = compress(&data, &cparams)?;

        let params = FrameParams::new(cparams.clone(), data.len() / 2);
        let mut writer =
            FrameWriter::create(path, params.dparams(dparams.clone()).overwrite(true))?;
        writer.append(&data)?;
        writer.finish()?;
        let reader = FrameReader::open(path, dparams.clone())?;
        assert!(reader.slice(0..LEN / 8)? == data);
        let mut ahead = Vec::new();
        for chunk in ReadAhead::new(Arc::new(reader)) {
            ahead.extend(chunk?);
        }
        assert!(ahead == data);

        let params = ArrayParams::new::<u64>(&[LEN / 8 / 64, 64])
            .cparams(cparams)
            .dparams(dparams);
        let array = Array::from_bytes(&data, &params)?;
        assert!(array.to_bytes()? == data);
        for nchunk in 0..array.schunk().layout().nchunks {
            if let oxiblosc::schunk::StoredChunk::Bytes(chunk) = array.schunk().chunk(nchunk)? {
                written.extend_from_slice(&chunk);
            }
        }
        Ok(written)
    }

    /// Runs `child` in a child process; false when it failed or does not end.
    fn in_child(child: impl FnOnce() -> bool) -> bool {
        // SAFETY: this thread is the only one of the process that runs code of this program; those
        // of the pools are idle, so they hold no lock that the child needs.
        let pid = unsafe { libc::fork() };
        if pid == 0 {
            exit(i32::from(!child()));
        }
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            let mut status = 0;
            // SAFETY: `status` is a place for the status, and lives as long as the call.
            let ended = unsafe { libc::waitpid(pid, &raw mut status, libc::WNOHANG) };
            if ended == pid {
                return status == 0;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        // SAFETY: the process is a child that was not waited for yet, so the number is still its.
        unsafe { libc::kill(pid, libc::SIGKILL) };
        false
    }

    fn check(name: &str, threads: &Threads, dir: &Path) -> Result<bool> {
        let expected = work(threads, &dir.join("parent"))?;
        std::thread::sleep(Duration::from_millis(50));
        let same = |threads: &Threads, path: &Path| {
            work(threads, path).is_ok_and(|found| found == expected)
        };
        let done = in_child(|| {
            let path = dir.join("child");
            // The dead pool, many times; a pool of the child; and a child of the child.
            let own = Threads::new(3).is_ok_and(|own| {
                same(&own, &path) && in_child(|| same(&own, &path) && same(threads, &path))
            });
            own && (0..3).all(|_| same(threads, &path))
        });
        let outcome = if done {
            "ok"
        } else {
            "the child failed or hangs"
        };
        let said = writeln!(std::io::stdout(), "{name}: {outcome}");
        // The parent goes on as before.
        Ok(done && said.is_ok() && same(threads, &dir.join("parent")))
    }

    /// Checks every policy with a pool.
    pub(super) fn all() {
        let dir = std::env::temp_dir().join(format!("oxiblosc-fork-{}", std::process::id()));
        let done = std::fs::create_dir_all(&dir).is_ok()
            && [
                ("new", Threads::new(4).ok()),
                ("current", Some(Threads::Current)),
                ("at most", Some(Threads::at_most(3))),
            ]
            .into_iter()
            .all(|(name, threads)| {
                threads.is_some_and(|threads| check(name, &threads, &dir).unwrap_or(false))
            });
        let _ = std::fs::remove_dir_all(&dir);
        exit(i32::from(!done));
    }
}
