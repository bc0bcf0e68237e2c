//! Paired timing: A B A B …, and the median of the ratios inside rounds.

use std::time::{Duration, Instant};

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The least time of one sample; short work is repeated to fill it.
    pub sample: Duration,
    /// The time after which no further round starts, once there were `least` of them.
    pub budget: Duration,
    /// The fewest rounds.
    pub least: usize,
    /// The most rounds.
    pub most: usize,
}

/// The results of rounds of several contestants.
#[derive(Clone, Debug)]
pub struct Rounds {
    /// Seconds per call: by round, then by contestant.
    pub seconds: Vec<Vec<f64>>,
}

impl Rounds {
    /// The median seconds per call of a contestant.
    #[must_use]
    pub fn median(&self, who: usize) -> f64 {
        median(self.seconds.iter().map(|round| round[who]).collect())
    }

    /// The median over the rounds of how many times as long `other` takes as `who`.
    #[must_use]
    pub fn ratio(&self, who: usize, other: usize) -> f64 {
        median(
            self.seconds
                .iter()
                .map(|round| round[other] / round[who])
                .collect(),
        )
    }
}

/// The median; of an even number, the mean of the two in the middle. NaN of nothing.
#[must_use]
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match (values.get(values.len() / 2), values.len()) {
        (None, _) => f64::NAN,
        (Some(upper), len) if len % 2 == 0 => f64::midpoint(values[len / 2 - 1], *upper),
        (Some(middle), _) => *middle,
    }
}

/// The geometric mean; NaN of nothing.
#[must_use]
pub fn geometric_mean(values: &[f64]) -> f64 {
    let count = f64::from(u32::try_from(values.len()).unwrap_or(u32::MAX));
    (values.iter().map(|value| value.ln()).sum::<f64>() / count).exp()
}

/// A contestant: one call does the work once, into the buffer that all of them share.
pub type Work<'a, E> = &'a mut dyn FnMut(&mut [u8]) -> Result<(), E>;

/// Times the contestants in turn, all into `dst`, so that none has better aligned memory. The order
/// changes from round to round, so that none always follows the same other.
///
/// # Errors
/// The first error of a contestant.
pub fn in_turn<E>(
    effort: Effort,
    dst: &mut [u8],
    contestants: &mut [Work<'_, E>],
) -> Result<Rounds, E> {
    let mut calls = Vec::with_capacity(contestants.len());
    for contestant in contestants.iter_mut() {
        contestant(dst)?;
        let start = Instant::now();
        contestant(dst)?;
        let once = start.elapsed().max(Duration::from_nanos(50));
        let repeats = effort.sample.as_nanos() / once.as_nanos() + 1;
        calls.push(u32::try_from(repeats).unwrap_or(u32::MAX));
    }
    let start = Instant::now();
    let mut seconds = Vec::new();
    while seconds.len() < effort.least
        || (seconds.len() < effort.most && start.elapsed() < effort.budget)
    {
        let mut round = vec![0.0; contestants.len()];
        for turn in 0..contestants.len() {
            let who = (turn + seconds.len()) % contestants.len();
            let start = Instant::now();
            for _ in 0..calls[who] {
                contestants[who](dst)?;
            }
            round[who] = start.elapsed().as_secs_f64() / f64::from(calls[who]);
        }
        seconds.push(round);
    }
    Ok(Rounds { seconds })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_means() {
        assert!((median(vec![3.0, 1.0, 2.0]) - 2.0).abs() < 1e-12);
        assert!((median(vec![4.0, 1.0, 2.0, 3.0]) - 2.5).abs() < 1e-12);
        assert!(median(Vec::new()).is_nan());
        assert!((geometric_mean(&[1.0, 4.0]) - 2.0).abs() < 1e-12);
    }

    #[test]
    fn every_round_has_everyone() -> Result<(), ()> {
        let effort = Effort {
            sample: Duration::ZERO,
            budget: Duration::ZERO,
            least: 5,
            most: 9,
        };
        let mut calls = [0, 0];
        let [a, b] = &mut calls;
        let mut first = |_: &mut [u8]| {
            *a += 1;
            Ok(())
        };
        let mut second = |_: &mut [u8]| {
            *b += 1;
            Ok(())
        };
        let rounds = in_turn::<()>(effort, &mut [], &mut [&mut first, &mut second])?;
        assert_eq!(rounds.seconds.len(), 5);
        assert!(rounds.seconds.iter().all(|round| round.len() == 2));
        // Two calls to warm up, one or more per round.
        assert!(calls.iter().all(|calls| *calls >= 7));
        Ok(())
    }
}
