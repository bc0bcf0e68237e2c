//! Results, their statistics, and the cells that no other one beats.

use std::time::Duration;

use super::cells::Cell;
use super::data::Data;

/// Times of passes over the data, in order.
#[derive(Clone, Debug)]
pub(super) struct Times(Vec<Duration>);

impl Times {
    pub(super) fn of(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        Self(times)
    }

    pub(super) fn passes(&self) -> usize {
        self.0.len()
    }

    /// The value that a part of the times do not exceed, in seconds.
    fn quantile(&self, of_four: usize) -> f64 {
        let last = self.0.len().saturating_sub(1);
        let time = self.0.get((last * of_four + 2) / 4);
        time.map_or(f64::NAN, Duration::as_secs_f64)
    }

    pub(super) fn min(&self) -> f64 {
        self.quantile(0)
    }

    pub(super) fn median(&self) -> f64 {
        self.quantile(2)
    }

    /// The width of the middle half of the times, as a part of the median; `None` for fewer than
    /// three.
    pub(super) fn spread(&self) -> Option<f64> {
        let width = self.quantile(3) - self.quantile(1);
        (self.passes() >= 3).then(|| width / self.median())
    }
}

/// One of the two speeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Speed {
    Compress,
    Decompress,
}

/// The result of a cell.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) cell: Cell,
    /// The number of the engine.
    pub(super) engine: usize,
    pub(super) cbytes: usize,
    pub(super) compress: Times,
    pub(super) decompress: Times,
}

impl Row {
    pub(super) fn times(&self, speed: Speed) -> &Times {
        match speed {
            Speed::Compress => &self.compress,
            Speed::Decompress => &self.decompress,
        }
    }
}

/// All results.
#[derive(Debug)]
pub(super) struct Report {
    /// The name of the data.
    pub(super) name: String,
    pub(super) nbytes: usize,
    pub(super) chunksize: usize,
    pub(super) typesize: usize,
    /// Copying the data.
    pub(super) memcpy: Times,
    /// The libraries.
    pub(super) engines: Vec<String>,
    pub(super) rows: Vec<Row>,
    /// Reasons for cells that were left out.
    pub(super) notes: Vec<String>,
}

impl Report {
    pub(super) fn new(data: &Data, memcpy: Times) -> Self {
        Self {
            name: data.name.clone(),
            nbytes: data.bytes.len(),
            chunksize: data.chunksize,
            typesize: data.typesize,
            memcpy,
            engines: Vec::new(),
            rows: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// A size in relation to that of the data.
    #[expect(
        clippy::cast_precision_loss,
        clippy::as_conversions,
        reason = "shown with three digits"
    )]
    pub(super) fn ratio(&self, row: &Row) -> f64 {
        self.nbytes as f64 / row.cbytes.max(1) as f64
    }

    /// A speed in MB/s, for a time in seconds.
    #[expect(
        clippy::cast_precision_loss,
        clippy::as_conversions,
        reason = "shown with three digits"
    )]
    pub(super) fn mb_per_s(&self, seconds: f64) -> f64 {
        self.nbytes as f64 / 1e6 / seconds.max(1e-9)
    }

    /// The speed of a row by its median.
    pub(super) fn speed(&self, row: &Row, speed: Speed) -> f64 {
        self.mb_per_s(row.times(speed).median())
    }

    /// The number of threads of the first row, which the fronts compare.
    pub(super) fn base_threads(&self) -> usize {
        self.rows.first().map_or(1, |row| row.cell.threads)
    }

    /// The rows of an engine that no other one of it beats in ratio and speed, the fastest first.
    pub(super) fn front(&self, engine: usize, speed: Speed) -> Vec<usize> {
        let threads = self.base_threads();
        let rows = self.rows.iter().enumerate();
        let mut rows: Vec<(usize, f64, f64)> = rows
            .filter(|(_, row)| row.engine == engine && row.cell.threads == threads)
            .map(|(number, row)| (number, self.speed(row, speed), self.ratio(row)))
            .collect();
        rows.sort_by(|one, other| other.1.total_cmp(&one.1).then(other.2.total_cmp(&one.2)));
        let mut best = 0.0;
        rows.retain(|&(_, _, ratio)| {
            let better = ratio > best;
            best = ratio.max(best);
            better
        });
        rows.into_iter().map(|(number, ..)| number).collect()
    }

    /// The cells on the two fronts, with more threads: powers of two, and one per core.
    pub(super) fn scaling(&self, cores: usize) -> Vec<Cell> {
        let mut counts: Vec<usize> = (1..)
            .map(|power| 1 << power)
            .take_while(|&n| n < cores)
            .collect();
        counts.push(cores);
        let mut best: Vec<usize> = self.front(0, Speed::Compress);
        best.extend(self.front(0, Speed::Decompress));
        best.sort_unstable();
        best.dedup();
        let cells = best.iter().filter_map(|&row| self.rows.get(row));
        cells
            .flat_map(|row| {
                let with = |&threads: &usize| Cell {
                    threads,
                    ..row.cell.clone()
                };
                counts.iter().map(with).collect::<Vec<_>>()
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_of_the_sorted_times() {
        let times = [5, 1, 4, 2, 3].map(Duration::from_secs);
        let times = Times::of(times.to_vec());
        assert_eq!((times.min(), times.median(), times.passes()), (1.0, 3.0, 5));
        assert_eq!(times.spread(), Some(2.0 / 3.0));
        assert_eq!(Times::of(vec![Duration::from_secs(2); 2]).spread(), None);
    }

    #[test]
    fn a_front_has_the_rows_that_no_other_one_beats() {
        let data = Data {
            name: String::new(),
            bytes: vec![0; 1000],
            chunksize: 1000,
            typesize: 1,
        };
        let mut report = Report::new(&data, Times::of(vec![Duration::from_micros(1)]));
        let cell = Cell {
            codec: oxiblosc::CodecId::LZ4,
            level: 5,
            pipeline: crate::args::parse_pipeline("none").unwrap(),
            split: crate::encoding::Split::Forward,
            threads: 1,
        };
        let pairs: Vec<(usize, u64)> = (0..40)
            .map(|i| (1 + i * 37 % 41, 1 + u64::try_from(i).unwrap() * 23 % 43))
            .collect();
        for &(cbytes, micros) in &pairs {
            let times = Times::of(vec![Duration::from_micros(micros)]);
            report.rows.push(Row {
                cell: cell.clone(),
                engine: 0,
                cbytes,
                compress: times.clone(),
                decompress: times,
            });
        }
        let mut found = report.front(0, Speed::Compress);
        found.sort_unstable();
        let beaten =
            |one: &(usize, u64), two: &(usize, u64)| one != two && two.0 <= one.0 && two.1 <= one.1;
        let naive = (0..40).filter(|&i| !pairs.iter().any(|two| beaten(&pairs[i], two)));
        assert_eq!(found, naive.collect::<Vec<_>>());
        assert!(report.front(1, Speed::Compress).is_empty());
    }
}
