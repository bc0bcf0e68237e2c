//! Shared by the example programs: paired timing on a chosen clock, and generated numbers.

use std::time::Duration;

use crate::clocks::Clock;
use crate::matrix::pairs::median;

/// Any error; a program ends with its text.
pub type Failure = Box<dyn std::error::Error>;

/// Work that is timed, or that prepares it.
pub type Work<'a> = &'a mut dyn FnMut() -> Result<(), Failure>;

/// How to measure.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Pairs that are timed.
    pub rounds: usize,
    /// Calls that are timed as one.
    pub calls: u32,
    /// The clock.
    pub clock: Clock,
}

/// A paired measurement.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// The median seconds of one call of the first.
    pub seconds: f64,
    /// The median over the rounds of the time of the second over that of the first.
    pub ratio: f64,
}

/// Times two pieces of work in turn, each after `prepare`, which is not timed.
///
/// # Errors
/// The first error of the work.
pub fn pair(
    effort: Effort,
    prepare: Work<'_>,
    first: Work<'_>,
    second: Work<'_>,
) -> Result<Pair, Failure> {
    let mut time = |work: Work<'_>| -> Result<f64, Failure> {
        prepare()?;
        let start: Duration = (effort.clock)();
        for _ in 0..effort.calls {
            work()?;
        }
        let time = (effort.clock)().saturating_sub(start);
        Ok(time.as_secs_f64() / f64::from(effort.calls))
    };
    time(first)?;
    time(second)?;
    let (mut times, mut ratios) = (Vec::new(), Vec::new());
    for round in 0..effort.rounds {
        // The order alternates, so that neither always runs after the other.
        let (a, b) = if round % 2 == 0 {
            let a = time(first)?;
            (a, time(second)?)
        } else {
            let b = time(second)?;
            (time(first)?, b)
        };
        times.push(a);
        ratios.push(b / a);
    }
    Ok(Pair {
        seconds: median(times),
        ratio: median(ratios),
    })
}

/// Nothing to prepare.
///
/// # Errors
/// None.
pub fn ready() -> Result<(), Failure> {
    Ok(())
}

/// Values of the items.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// A slope, a wave and noise in the last digits: the codec has most of the work.
    Measured,
    /// 0, 1, 2, ...: the codec has little work, so that the rest shows.
    Ramp,
}

impl Content {
    /// `count` values in rows of `row_len`.
    pub fn values(self, count: u32, row_len: u32) -> impl Iterator<Item = f64> {
        let mut state = 0x9E37_79B9_u32;
        (0..count).map(move |n| {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            let (row, column) = (f64::from(n / row_len), f64::from(n % row_len));
            match self {
                Self::Measured => {
                    let value = 280.0 + (column * 0.01).sin() * 20.0 + row * 0.003;
                    (value * 256.0).round() / 256.0 + f64::from(state >> 31) / 256.0
                }
                Self::Ramp => f64::from(n),
            }
        })
    }
}

/// Pseudo-random numbers, the same in every run (xorshift).
#[derive(Clone, Debug)]
pub struct Numbers(u64);

impl Default for Numbers {
    fn default() -> Self {
        Self(0x2545_F491_4F6C_DD1D)
    }
}

impl Numbers {
    /// The next number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % end
    }
}
