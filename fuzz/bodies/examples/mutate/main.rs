//! Mutations in great numbers: valid objects, changed, through every parser, in one process and
//! without a sanitizer.
//!
//! ```text
//! cargo run --release -p oxiblosc-fuzz-bodies --example mutate -- --seconds 60
//!     --target NAME|all    the parser, or all in turn (default)
//!     --seed N             the same number gives the same inputs (default: from the clock)
//!     --seconds S          altogether (default 20)
//!     --at I               only the input of this number, again
//!     --out DIR            where inputs of findings go (default target/mutate)
//! ```
//!
//! The input of a number depends on seed, target and number alone. A finding is a panic (of the
//! library or of an oracle), more than a second of processor time, or more memory than the limits
//! justify; it is printed with its seed and number, and its input is written. The exit code is 1
//! then. Counts are of one thread: start as many processes as there are cores, with other seeds.
#![forbid(unsafe_code)]
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a tool for developers"
)]

mod change;
mod seeds;
mod targets;

use std::alloc::System;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

use change::{Input, Numbers, Part};
use targets::{PARSERS, State, Target};

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Inputs between two looks at the clock.
const BATCH: u64 = 256;

/// The most processor time of one input.
const BUDGET: Duration = Duration::from_secs(1);

/// The most processor time of a batch, in which nothing can stop the thread: the process ends.
const HANGS: Duration = Duration::from_secs(120);

thread_local! {
    static MESSAGE: RefCell<String> = const { RefCell::new(String::new()) };
}

struct Options {
    target: String,
    seed: u64,
    seconds: f64,
    at: Option<u64>,
    out: PathBuf,
}

fn options() -> Options {
    let clock = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let mut options = Options {
        target: "all".to_owned(),
        seed: clock.map_or(1, |now| u64::from(now.subsec_nanos())),
        seconds: 20.0,
        at: None,
        out: PathBuf::from("target/mutate"),
    };
    let mut args = std::env::args().skip(1);
    while let Some(name) = args.next() {
        let value = args.next().expect("a value after each option");
        match name.as_str() {
            "--target" => options.target = value,
            "--seed" => options.seed = value.parse().expect("a number"),
            "--seconds" => options.seconds = value.parse().expect("seconds"),
            "--at" => options.at = Some(value.parse().expect("a number")),
            "--out" => options.out = PathBuf::from(value),
            _ => {
                eprintln!("no option {name}: --target, --seed, --seconds, --at, --out");
                std::process::exit(2);
            }
        }
    }
    options
}

/// The processor time of the main thread; the wall's where the system does not say.
fn processor_time(since: Instant) -> Duration {
    let stat = std::fs::read_to_string("/proc/self/schedstat").ok();
    let nanos = stat.and_then(|stat| stat.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| since.elapsed(), Duration::from_nanos)
}

/// Counts of a target.
#[derive(Default)]
struct Counts {
    done: u64,
    accepted: u64,
    found: u64,
    most_memory: usize,
    time: Duration,
}

struct Run<'a> {
    options: &'a Options,
    target: &'a Target,
    seeds: Vec<Vec<Part>>,
    state: State,
    counts: Counts,
}

impl Run<'_> {
    /// Makes and checks the input of a number.
    fn one(&mut self, index: u64) {
        let mut numbers = Numbers::new(self.options.seed, self.target.name, index);
        let input = Input::make(&mut numbers, &self.seeds);
        let region = Region::new(COUNTED);
        let check = self.target.check;
        let state = &mut self.state;
        let done = catch_unwind(AssertUnwindSafe(|| check(state, &input, &mut numbers)));
        let change = region.change();
        let grown = usize::try_from(change.bytes_reallocated).unwrap_or(0);
        let taken = change.bytes_allocated.saturating_add(grown);
        self.counts.done += 1;
        match done {
            Ok(accepted) => {
                self.counts.accepted += u64::from(accepted);
                self.counts.most_memory = self.counts.most_memory.max(taken);
                if taken > self.target.most {
                    let most = self.target.most;
                    self.found(
                        index,
                        &input,
                        &format!("{taken} bytes of memory, at most {most}"),
                    );
                }
            }
            Err(_) => {
                self.state = State::new();
                let message = MESSAGE.take();
                self.found(index, &input, &message);
            }
        }
    }

    /// Reports a finding; only the first few of a target are written.
    fn found(&mut self, index: u64, input: &Input, what: &str) {
        self.counts.found += 1;
        let (name, seed) = (self.target.name, self.options.seed);
        if self.counts.found > 20 {
            return;
        }
        let folder = self.options.out.join(format!("{name}-{seed}-{index}"));
        let folder = input.write(&folder).expect("the folder of findings");
        println!(
            "FOUND {name} --seed {seed} --at {index}: {what}\n      input: {}",
            folder.display()
        );
    }

    /// The inputs of a slow batch, one by one: which of them takes more than its budget?
    fn slow(&mut self, batch: u64) {
        for index in batch..batch + BATCH {
            let mut least = Duration::MAX;
            for _ in 0..2 {
                let since = Instant::now();
                let before = processor_time(since);
                self.one(index);
                self.counts.done -= 1;
                least = least.min(processor_time(since).saturating_sub(before));
                if least < BUDGET {
                    break;
                }
            }
            if least >= BUDGET {
                let mut numbers = Numbers::new(self.options.seed, self.target.name, index);
                let input = Input::make(&mut numbers, &self.seeds);
                self.found(index, &input, &format!("{least:?} of processor time"));
            }
        }
    }

    fn until(&mut self, end: Instant, progress: &AtomicU64) {
        let begin = Instant::now();
        let mut index = 0;
        let mut now = begin;
        while now < end {
            for at in index..index + BATCH {
                self.one(at);
            }
            let after = Instant::now();
            if after - now > BUDGET {
                self.slow(index);
            }
            now = after;
            index += BATCH;
            progress.store(index, Ordering::Relaxed);
        }
        self.counts.time = begin.elapsed();
    }
}

/// Ends the process when a batch does not end.
fn watch(progress: Arc<AtomicU64>) {
    std::thread::spawn(move || {
        let begin = Instant::now();
        let mut before = (u64::MAX, Duration::ZERO);
        loop {
            std::thread::sleep(Duration::from_secs(1));
            let now = progress.load(Ordering::Relaxed);
            // Of the thread that works: one that is stopped does not hang.
            let time = processor_time(begin);
            if now != before.0 {
                before = (now, time);
            } else if time.saturating_sub(before.1) > HANGS {
                println!("FOUND an input that hangs, one of {now} to {}", now + BATCH);
                std::process::exit(1);
            }
        }
    });
}

fn main() -> ExitCode {
    let options = options();
    std::panic::set_hook(Box::new(|info| {
        let text = info.to_string().replace('\n', " ");
        MESSAGE.with_borrow_mut(|message| *message = text);
    }));
    let chosen: Vec<&Target> = PARSERS
        .iter()
        .filter(|target| options.target == "all" || options.target == target.name)
        .collect();
    if chosen.is_empty() {
        let names: Vec<_> = PARSERS.iter().map(|target| target.name).collect();
        eprintln!("no target {}: all, {}", options.target, names.join(", "));
        return ExitCode::from(2);
    }
    println!("seed {}, {} seconds", options.seed, options.seconds);
    let progress = Arc::new(AtomicU64::new(0));
    watch(Arc::clone(&progress));
    let share = Duration::from_secs_f64(options.seconds / chosen.len().max(1) as f64);
    let (mut all, mut found) = (0, 0);
    for target in chosen {
        println!("{}: input numbers from 0", target.name);
        let mut run = Run {
            options: &options,
            target,
            seeds: (target.seeds)(),
            state: State::new(),
            counts: Counts::default(),
        };
        if let Some(index) = options.at {
            run.one(index);
        } else {
            run.until(Instant::now() + share, &progress);
        }
        let counts = run.counts;
        let rate = counts.done as f64 / counts.time.as_secs_f64();
        println!(
            "{:12} {:>12} executions, {rate:>8.0} per second, {} accepted, {} findings, \
             at most {} bytes allocated by one",
            target.name, counts.done, counts.accepted, counts.found, counts.most_memory
        );
        all += counts.done;
        found += counts.found;
    }
    println!("seed {}: {all} executions, {found} findings", options.seed);
    ExitCode::from(u8::from(found > 0))
}
