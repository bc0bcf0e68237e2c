//! Measuring a cell: passes over all chunks, of each engine in turn.

use std::hint::black_box;
use std::time::{Duration, Instant};

use super::cells::Cell;
use super::data::Data;
use super::report::{Report, Row, Times};
use crate::failure::Failure;

/// The most passes of one cell.
const MOST_PASSES: usize = 15;

/// Bytes that no decoder has written yet.
pub(super) const POISON: u8 = 0xA5;

/// A library that compresses and decompresses the data.
pub(super) trait Engine {
    fn name(&self) -> &str;

    /// Takes the parameters of a cell.
    fn set(&mut self, cell: &Cell) -> Result<(), Failure>;

    /// Compresses everything: the time, and the size of all chunks.
    fn encode(&mut self) -> Result<(Duration, usize), Failure>;

    /// Decompresses everything and compares it with the data; the time of the former.
    fn decode(&mut self) -> Result<Duration, Failure>;
}

/// The time that is left, for the cells that are left.
#[derive(Debug)]
pub(super) struct Schedule {
    end: Instant,
    left: usize,
}

impl Schedule {
    pub(super) fn new(end: Instant, cells: usize) -> Self {
        Self { end, left: cells }
    }

    /// The share of the next cell.
    pub(super) fn share(&mut self) -> Duration {
        let time = self.end.saturating_duration_since(Instant::now());
        let share = time / u32::try_from(self.left.max(1)).unwrap_or(u32::MAX);
        self.left = self.left.saturating_sub(1);
        share
    }
}

/// Runs passes, one at least, until the time is over.
fn passes(share: Duration, mut pass: impl FnMut() -> Result<(), Failure>) -> Result<(), Failure> {
    let start = Instant::now();
    for number in 1..=MOST_PASSES {
        pass()?;
        let spent = start.elapsed();
        let each = spent / u32::try_from(number).unwrap_or(1);
        if spent + each > share {
            break;
        }
    }
    Ok(())
}

/// Measures a cell and adds a row for each engine. The first engine must take the parameters; a
/// refusal by another one becomes a note.
pub(super) fn measure(
    engines: &mut [&mut dyn Engine],
    cell: &Cell,
    share: Duration,
    report: &mut Report,
) -> Result<(), Failure> {
    let mut taking = Vec::new();
    for (number, engine) in engines.iter_mut().enumerate() {
        // The first pass proves that the engine takes the parameters.
        let tried = engine.set(cell).and_then(|()| engine.encode());
        match tried {
            Ok(first) => taking.push((number, vec![first.0], first.1, Vec::new())),
            Err(failure) if number == 0 => return Err(failure),
            Err(failure) => report
                .notes
                .push(format!("{}: {cell}: {failure}", engine.name())),
        }
    }
    let first: Duration = taking
        .iter()
        .filter_map(|(_, times, ..)| times.first())
        .sum();
    if first * 2 < share {
        // Repeated with warm caches; the first pass does not count then.
        taking.iter_mut().for_each(|(_, times, ..)| times.clear());
        passes(share.mul_f64(0.6).saturating_sub(first), || {
            for (number, times, ..) in &mut taking {
                if let Some(engine) = engines.get_mut(*number) {
                    times.push(engine.encode()?.0);
                }
            }
            Ok(())
        })?;
    }
    passes(share.mul_f64(0.4), || {
        for (number, .., times) in &mut taking {
            if let Some(engine) = engines.get_mut(*number) {
                times.push(engine.decode()?);
            }
        }
        Ok(())
    })?;
    for (engine, encode, cbytes, decode) in taking {
        report.rows.push(Row {
            cell: cell.clone(),
            engine,
            cbytes,
            compress: Times::of(encode),
            decompress: Times::of(decode),
        });
    }
    Ok(())
}

/// The time of copying the data, chunk by chunk.
pub(super) fn copies(data: &Data) -> Times {
    let mut copy = vec![POISON; data.bytes.len()];
    let mut times = Vec::new();
    for _ in 0..MOST_PASSES {
        let start = Instant::now();
        let places = copy.chunks_mut(data.chunksize.max(1));
        for (to, from) in places.zip(data.chunks()) {
            to.copy_from_slice(from);
        }
        black_box(&copy);
        times.push(start.elapsed());
    }
    Times::of(times)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::parse_pipeline;
    use crate::encoding::Split;

    /// An engine that refuses, or whose data come back wrong.
    struct Fake(bool);

    impl Engine for Fake {
        fn name(&self) -> &str {
            "fake"
        }

        fn set(&mut self, _: &Cell) -> Result<(), Failure> {
            match self.0 {
                true => Err(Failure::usage("no such codec")),
                false => Ok(()),
            }
        }

        fn encode(&mut self) -> Result<(Duration, usize), Failure> {
            Ok((Duration::from_millis(1), 10))
        }

        fn decode(&mut self) -> Result<Duration, Failure> {
            Err(Failure::usage("the decoded data differ"))
        }
    }

    #[test]
    fn wrong_results_end_the_run_and_a_refusal_by_the_other_library_is_noted() {
        let bytes = b"0123456789".repeat(1000);
        let name = "x".to_owned();
        let data = Data {
            name,
            bytes,
            chunksize: 3000,
            typesize: 1,
        };
        let cell = Cell {
            codec: oxiblosc::CodecId::LZ4,
            level: 5,
            pipeline: parse_pipeline("none").unwrap(),
            split: Split::Forward,
            threads: 1,
        };
        let mut report = Report::new(&data, copies(&data));
        let mut ours = super::super::ours::Ours::new(&data);
        measure(
            &mut [&mut ours, &mut Fake(true)],
            &cell,
            Duration::ZERO,
            &mut report,
        )
        .unwrap();
        assert_eq!((report.rows.len(), report.notes.len()), (1, 1));
        let wrong = measure(&mut [&mut Fake(false)], &cell, Duration::ZERO, &mut report);
        assert!(wrong.unwrap_err().to_string().contains("differ"));
        let refused = measure(&mut [&mut Fake(true)], &cell, Duration::ZERO, &mut report);
        assert!(refused.is_err());
    }
}
