//! The report as text, CSV, Markdown and JSON.

use serde_json::{Value, json};

use super::report::{Report, Row, Speed, Times};
use crate::color::bold;
use crate::encoding::Split;
use crate::progress::size;

/// The data, and copying them.
pub(super) fn summary(report: &Report) -> [String; 2] {
    let bytes = |nbytes: usize| size(u64::try_from(nbytes).unwrap_or(u64::MAX));
    [
        format!(
            "{}: {} in chunks of {}, typesize {}",
            report.name,
            bytes(report.nbytes),
            bytes(report.chunksize),
            report.typesize,
        ),
        format!(
            "memcpy {:.0} MB/s (best {:.0}, spread {})",
            report.mb_per_s(report.memcpy.median()),
            report.mb_per_s(report.memcpy.min()),
            percent(&report.memcpy),
        ),
    ]
}

/// The spread in percent.
pub(super) fn percent(times: &Times) -> String {
    times.spread().map_or_else(
        || "-".to_owned(),
        |spread| format!("{:.0}%", spread * 100.0),
    )
}

/// On which fronts a row is: `c` of compression, `d` of decompression.
pub(super) fn fronts(report: &Report) -> Vec<String> {
    let mut marks = vec![String::new(); report.rows.len()];
    for engine in 0..report.engines.len() {
        for (speed, mark) in [(Speed::Compress, 'c'), (Speed::Decompress, 'd')] {
            for row in report.front(engine, speed) {
                if let Some(marks) = marks.get_mut(row) {
                    marks.push(mark);
                }
            }
        }
    }
    marks
}

/// The name of an engine, where there are two.
fn engine<'a>(report: &'a Report, row: &Row) -> &'a str {
    report.engines.get(row.engine).map_or("", String::as_str)
}

/// The parameters after codec and level.
fn rest(row: &Row) -> String {
    let mut rest = row.cell.pipeline.name.clone();
    if row.cell.split != Split::Forward {
        rest.push_str(&format!(" {}", row.cell.split.name()));
    }
    if row.cell.threads > 1 {
        rest.push_str(&format!(" T{}", row.cell.threads));
    }
    rest
}

/// Speeds by the median and at best, in MB/s, and the spread.
fn speeds(report: &Report, times: &Times) -> [String; 3] {
    [
        format!("{:.0}", report.mb_per_s(times.median())),
        format!("{:.0}", report.mb_per_s(times.min())),
        percent(times),
    ]
}

/// The table for people.
pub(super) fn text(report: &Report, colored: bool) -> String {
    let mut text = format!("{}\n\n", summary(report).join("\n"));
    text.push_str(&format!(
        "{:37} {:>19} {:>19}\n{:9} {:20} {:>6} {:>6} {:>6} {:>5} {:>6} {:>6} {:>5}\n",
        "",
        "compression, MB/s",
        "decompression, MB/s",
        "codec",
        "filters",
        "ratio",
        "median",
        "best",
        "+-",
        "median",
        "best",
        "+-",
    ));
    let marks = fronts(report);
    for (number, name) in report.engines.iter().enumerate() {
        if report.engines.len() > 1 {
            text.push_str(&format!("\n{name}\n"));
        }
        for (row, mark) in report.rows.iter().zip(&marks) {
            if row.engine != number {
                continue;
            }
            let [median, best, spread] = speeds(report, &row.compress);
            let [back, back_best, back_spread] = speeds(report, &row.decompress);
            let line = format!(
                "{:9} {:20} {:>6} {median:>6} {best:>6} {spread:>5} {back:>6} {back_best:>6} \
                 {back_spread:>5} {mark}",
                format!("{} {}", row.cell.codec(), row.cell.level),
                rest(row),
                ratio(report.ratio(row)),
            );
            text.push_str(&bold(line.trim_end(), colored && !mark.is_empty()));
            text.push('\n');
        }
    }
    text.push_str(
        "\nbest: the fastest pass; +-: the width of the middle half of the passes\n\
         c, d: no row has a better ratio and a faster compression, or decompression\n",
    );
    text
}

/// A ratio in at most six characters.
pub(super) fn ratio(ratio: f64) -> String {
    let digits = if ratio < 1000.0 { 2 } else { 0 };
    format!("{ratio:.digits$}")
}

const COLUMNS: [&str; 17] = [
    "library",
    "codec",
    "level",
    "filters",
    "split",
    "threads",
    "nbytes",
    "cbytes",
    "ratio",
    "compress_median_mb_per_s",
    "compress_best_mb_per_s",
    "compress_spread",
    "compress_passes",
    "decompress_median_mb_per_s",
    "decompress_best_mb_per_s",
    "decompress_spread",
    "decompress_passes",
];

/// A row with one value per column.
fn values(report: &Report, row: &Row) -> Vec<Value> {
    let round = |value: f64| json!((value * 1000.0).round() / 1000.0);
    let mut values = vec![
        json!(engine(report, row)),
        json!(row.cell.codec()),
        json!(row.cell.level),
        json!(row.cell.pipeline.name),
        json!(row.cell.split.name()),
        json!(row.cell.threads),
        json!(report.nbytes),
        json!(row.cbytes),
        round(report.ratio(row)),
    ];
    for times in [&row.compress, &row.decompress] {
        values.push(round(report.mb_per_s(times.median())));
        values.push(round(report.mb_per_s(times.min())));
        values.push(times.spread().map_or(Value::Null, round));
        values.push(json!(times.passes()));
    }
    values
}

/// A line per row; a spread that is not known is empty.
pub(super) fn csv(report: &Report) -> String {
    let mut text = format!("{}\n", COLUMNS.join(","));
    // Copies come first, with nothing compressed.
    text.push_str(&format!(
        "memcpy,,,,,1,{0},{0},1,{1:.3},{2:.3},{3},{4},,,,\n",
        report.nbytes,
        report.mb_per_s(report.memcpy.median()),
        report.mb_per_s(report.memcpy.min()),
        report
            .memcpy
            .spread()
            .map_or_else(String::new, |spread| format!("{spread:.3}")),
        report.memcpy.passes(),
    ));
    for row in &report.rows {
        let line = values(report, row).into_iter().map(|value| match value {
            Value::Null => String::new(),
            Value::String(text) => text,
            other => other.to_string(),
        });
        text.push_str(&line.collect::<Vec<_>>().join(","));
        text.push('\n');
    }
    text
}

/// One object.
pub(super) fn json(report: &Report) -> String {
    let marks = fronts(report);
    let rows = report.rows.iter().zip(&marks).map(|(row, mark)| {
        let columns = COLUMNS.iter().map(|&name| name.to_owned());
        let mut object: serde_json::Map<_, _> = columns.zip(values(report, row)).collect();
        object.insert("front".to_owned(), json!(mark));
        Value::Object(object)
    });
    let object = json!({
        "schema": 1,
        "data": report.name,
        "nbytes": report.nbytes,
        "chunksize": report.chunksize,
        "typesize": report.typesize,
        "memcpy_median_mb_per_s": report.mb_per_s(report.memcpy.median()),
        "memcpy_best_mb_per_s": report.mb_per_s(report.memcpy.min()),
        "cells": rows.collect::<Vec<_>>(),
        "notes": report.notes,
    });
    format!("{object:#}\n")
}

/// A table in Markdown.
pub(super) fn markdown(report: &Report) -> String {
    let mut text = format!("{}\n\n", summary(report).join("; "));
    text.push_str(
        "| library | parameters | ratio | compress, MB/s | best | spread | decompress, MB/s | best \
         | spread | front |\n|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for (row, mark) in report.rows.iter().zip(fronts(report)) {
        text.push_str(&format!(
            "| {} | {} | {} | {} | {} | {mark} |\n",
            engine(report, row),
            row.cell,
            ratio(report.ratio(row)),
            speeds(report, &row.compress).join(" | "),
            speeds(report, &row.decompress).join(" | "),
        ));
    }
    text
}
