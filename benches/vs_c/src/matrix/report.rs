//! The results of a run, as a table for programs and as Markdown for people.

use std::fmt::Write as _;

use super::pairs::geometric_mean;
use super::run::{Direction, Outcome};

/// A cell is as fast as C from here on; what is between this and 1 is the noise of a shared
/// machine.
pub const NOISE: f64 = 0.95;

/// The largest growth of a chunk over C's that is accepted.
pub const GROWTH: f64 = 1.01;

/// One line per cell, with a header line.
#[must_use]
pub fn csv(outcomes: &[Outcome]) -> String {
    let mut text = String::from(
        "data,typesize,codec,clevel,filters,threads,nbytes,cbytes,cbytes_c,\
         compress_gbs,compress_c_gbs,compress_over_c,compress_over_memcpy,compress_over_third,\
         decompress_gbs,decompress_c_gbs,decompress_over_c,decompress_over_memcpy,\
         decompress_over_third,origin,compress_c_over_c,decompress_c_over_c\n",
    );
    for outcome in outcomes {
        let cell = &outcome.cell;
        let _ = write!(
            text,
            "{},{},{},{},{},{},{},{},{}",
            cell.data,
            cell.typesize,
            cell.codec.0,
            cell.clevel,
            cell.pipeline.0,
            cell.threads,
            outcome.nbytes,
            outcome.cbytes,
            outcome.cbytes_c
        );
        for direction in [&outcome.compress, &outcome.decompress] {
            let _ = write!(
                text,
                ",{:.3},{:.3},{:.3},{:.3},",
                direction.ours, direction.theirs, direction.over_c, direction.over_memcpy
            );
            if let Some(third) = direction.over_third {
                let _ = write!(text, "{third:.3}");
            }
        }
        let _ = write!(text, ",{}", outcome.origin.name());
        for direction in [&outcome.compress, &outcome.decompress] {
            text.push(',');
            if let Some(noise) = direction.c_over_c {
                let _ = write!(text, "{noise:.3}");
            }
        }
        text.push('\n');
    }
    text
}

/// The geometric mean of what `pick` takes out of the outcomes that `keep` keeps.
#[must_use]
pub fn mean(
    outcomes: &[Outcome],
    keep: impl Fn(&Outcome) -> bool,
    pick: impl Fn(&Outcome) -> Option<f64>,
) -> f64 {
    let values: Vec<f64> = outcomes
        .iter()
        .filter(|outcome| keep(outcome))
        .filter_map(pick)
        .collect();
    geometric_mean(&values)
}

/// Different values, in order of first appearance.
pub(crate) fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = Vec::new();
    for value in values {
        if !seen.contains(&value) {
            seen.push(value);
        }
    }
    seen
}

fn figure(value: f64) -> String {
    if value.is_nan() {
        "–".into()
    } else {
        format!("{value:.2}")
    }
}

/// Tables: geometric means per codec and per codec, level and filters; then every cell that loses
/// time or size.
#[must_use]
pub fn markdown(outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    for threads in distinct(outcomes.iter().map(|outcome| outcome.cell.threads)) {
        let of: Vec<Outcome> = outcomes
            .iter()
            .filter(|outcome| outcome.cell.threads == threads)
            .cloned()
            .collect();
        let third = if threads > 1 {
            "one thread"
        } else {
            "blosc2-pure-rs"
        };
        let _ = writeln!(text, "### Threads: {threads}\n");
        let _ = writeln!(
            text,
            "Geometric means, ours over C-Blosc2 and over {third}, and the slowest cell over C.\n"
        );
        let _ = writeln!(
            text,
            "| codec | cells | compress | slowest | over {third} \
             | decompress | slowest | over {third} |"
        );
        text.push_str("|---|---|---|---|---|---|---|---|\n");
        for codec in distinct(of.iter().map(|outcome| outcome.cell.codec.0)) {
            row(&mut text, codec, &of, |outcome| {
                outcome.cell.codec.0 == codec
            });
        }
        text.push('\n');
        let _ = writeln!(
            text,
            "| cell | cells | compress | slowest | over {third} \
             | decompress | slowest | over {third} |"
        );
        text.push_str("|---|---|---|---|---|---|---|---|\n");
        let kinds = distinct(of.iter().map(|outcome| {
            (
                outcome.cell.codec.0,
                outcome.cell.clevel,
                outcome.cell.pipeline.0,
            )
        }));
        for (codec, clevel, pipeline) in kinds {
            row(
                &mut text,
                &format!("{codec}:{clevel}:{pipeline}"),
                &of,
                |outcome| {
                    let cell = &outcome.cell;
                    (cell.codec.0, cell.clevel, cell.pipeline.0) == (codec, clevel, pipeline)
                },
            );
        }
        text.push('\n');
    }
    losses(&mut text, outcomes);
    text
}

fn row(text: &mut String, name: &str, outcomes: &[Outcome], keep: impl Fn(&Outcome) -> bool) {
    let kept = outcomes.iter().filter(|outcome| keep(outcome)).count();
    let _ = write!(text, "| {name} | {kept}");
    let directions: [fn(&Outcome) -> &Direction; 2] =
        [|outcome| &outcome.compress, |outcome| &outcome.decompress];
    for direction in directions {
        let over_c = mean(outcomes, &keep, |outcome| Some(direction(outcome).over_c));
        let over_third = mean(outcomes, &keep, |outcome| direction(outcome).over_third);
        let slowest = outcomes
            .iter()
            .filter(|outcome| keep(outcome))
            .map(|outcome| direction(outcome).over_c)
            .fold(f64::INFINITY, f64::min);
        let _ = write!(
            text,
            " | {} | {} | {}",
            figure(over_c),
            figure(slowest),
            figure(over_third)
        );
    }
    text.push_str(" |\n");
}

fn losses(text: &mut String, outcomes: &[Outcome]) {
    let mut slow: Vec<(f64, String)> = Vec::new();
    for outcome in outcomes {
        for (name, direction) in [
            ("compress", &outcome.compress),
            ("decompress", &outcome.decompress),
        ] {
            if direction.over_c < NOISE {
                slow.push((direction.over_c, format!("{} {name}", outcome.cell)));
            }
        }
    }
    slow.sort_by(|a, b| a.0.total_cmp(&b.0));
    let of = 2 * outcomes.len();
    let _ = writeln!(text, "### Below {NOISE} of C: {} of {of}\n", slow.len());
    for (ratio, name) in &slow {
        let _ = writeln!(text, "- {ratio:.2} {name}");
    }
    let grown: Vec<&Outcome> = outcomes
        .iter()
        .filter(|outcome| growth(outcome) > GROWTH)
        .collect();
    let _ = writeln!(
        text,
        "\n### Chunks more than 1 % larger than C's: {} of {}\n",
        grown.len(),
        outcomes.len()
    );
    for outcome in grown {
        let (ours, theirs) = (outcome.cbytes, outcome.cbytes_c);
        let _ = writeln!(
            text,
            "- {:.3} {}: {ours} against {theirs} bytes",
            growth(outcome),
            outcome.cell
        );
    }
}

/// Our chunk's length over C's.
#[expect(clippy::cast_precision_loss, reason = "lengths are far below 2^53")]
fn growth(outcome: &Outcome) -> f64 {
    outcome.cbytes as f64 / outcome.cbytes_c as f64
}
