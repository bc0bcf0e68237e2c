//! The report as a page: three plots and the table, in one file without scripts.

use super::plot::{Axis, Plot, escaped};
use super::report::{Report, Row, Speed};
use super::tables::{fronts, percent, ratio, summary};

const STYLE: &str = "
:root { color-scheme: light dark; --line: #8884; --text: #222; --back: #fff; }
@media (prefers-color-scheme: dark) { :root { --text: #ddd; --back: #161616; } }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--text); background: var(--back);
  margin: 2rem auto; max-width: 82rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin: 0 0 .3rem; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(26rem, 1fr)); gap: 2rem; }
svg { width: 100%; font-size: 12px; } svg text { fill: var(--text); }
.grid { stroke: var(--line); } .axis { stroke: var(--text); fill: none; }
.line { fill: none; stroke-width: 1.5; }
.legend span { margin-right: 1.2rem; white-space: nowrap; }
.legend i { display: inline-block; width: .8em; height: .8em; border-radius: 50%;
  margin-right: .4em; border: 2px solid; }
table { border-collapse: collapse; margin-top: 2rem; font-variant-numeric: tabular-nums; }
td, th { padding: .15rem .7rem; text-align: right; border-bottom: 1px solid var(--line); }
td:nth-child(-n+2), th:nth-child(-n+2) { text-align: left; }
tr.front td { font-weight: 600; }
";

/// Colors that are told apart with most kinds of color blindness (Okabe and Ito).
const COLORS: [&str; 7] = [
    "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#999999",
];

/// The codecs of the rows, in their order.
fn codecs(report: &Report) -> Vec<&'static str> {
    let mut codecs = Vec::new();
    for row in &report.rows {
        if !codecs.contains(&row.cell.codec()) {
            codecs.push(row.cell.codec());
        }
    }
    codecs
}

fn color(codecs: &[&str], row: &Row) -> &'static str {
    let found = codecs.iter().position(|codec| *codec == row.cell.codec());
    let color = COLORS.get(found.unwrap_or(0) % COLORS.len());
    color.copied().unwrap_or("#000")
}

/// The page.
pub(super) fn page(report: &Report) -> String {
    let codecs = codecs(report);
    let mut plots = String::new();
    for (speed, title) in [
        (Speed::Compress, "Ratio against speed of compression"),
        (Speed::Decompress, "Ratio against speed of decompression"),
    ] {
        plots.push_str(&figure(title, &against(report, speed, title, &codecs)));
    }
    if let Some(svg) = threads(report, &codecs) {
        plots.push_str(&figure(
            "Speed by threads: compression, decompression (dashed)",
            &svg,
        ));
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>oxiblosc bench: {0}</title>\n<link rel=\"icon\" href=\"data:,\">\n\
         <style>{STYLE}</style>\n</head>\n<body>\n\
         <h1>{0}</h1>\n<p>{1}</p>\n{2}<div class=\"plots\">\n{plots}</div>\n{3}</body>\n</html>\n",
        escaped(&report.name),
        escaped(&summary(report).join("; ")),
        legend(report, &codecs),
        table(report),
    )
}

fn figure(title: &str, svg: &str) -> String {
    format!("<section>\n<h2>{title}</h2>\n{svg}</section>\n")
}

fn legend(report: &Report, codecs: &[&str]) -> String {
    let mut text = "<p class=\"legend\">\n".to_owned();
    for (codec, color) in codecs.iter().zip(COLORS.iter().cycle()) {
        text.push_str(&format!(
            "<span><i style=\"background: {color}; border-color: {color}\"></i>{codec}</span>\n"
        ));
    }
    for (name, shape) in report.engines.iter().zip(["disc", "ring"]) {
        if report.engines.len() > 1 {
            text.push_str(&format!("<span>{shape}: {}</span>\n", escaped(name)));
        }
    }
    text + "<span>line: nothing is better in both</span></p>\n"
}

/// Ratio against one of the speeds, with the fronts.
fn against(report: &Report, speed: Speed, title: &str, codecs: &[&str]) -> String {
    let threads = report.base_threads();
    let shown = || report.rows.iter().filter(|row| row.cell.threads == threads);
    let x = Axis::of("MB/s", shown().map(|row| report.speed(row, speed)));
    let y = Axis::of("ratio", shown().map(|row| report.ratio(row)));
    let mut plot = Plot::new(title, x, y);
    let place = |row: &Row| (report.speed(row, speed), report.ratio(row));
    for engine in 0..report.engines.len() {
        let front = report.front(engine, speed);
        let rows = front.iter().filter_map(|&row| report.rows.get(row));
        let points: Vec<_> = rows.map(place).collect();
        if !points.is_empty() {
            plot.line(&points, "#888", engine > 0);
        }
    }
    for row in shown() {
        plot.point(
            place(row),
            color(codecs, row),
            row.engine > 0,
            &described(report, row),
        );
    }
    plot.finish()
}

/// A row in words.
fn described(report: &Report, row: &Row) -> String {
    format!(
        "{} ({}): ratio {}, compression {:.0} MB/s, decompression {:.0} MB/s",
        row.cell,
        report.engines.get(row.engine).map_or("", String::as_str),
        ratio(report.ratio(row)),
        report.speed(row, Speed::Compress),
        report.speed(row, Speed::Decompress),
    )
}

/// Speed by the number of threads, for each cell that has several.
fn threads(report: &Report, codecs: &[&str]) -> Option<String> {
    let mut groups: Vec<Vec<&Row>> = Vec::new();
    for row in &report.rows {
        let like = |group: &&mut Vec<&Row>| {
            let first = group.first();
            first.is_some_and(|first| first.engine == row.engine && first.cell.is_like(&row.cell))
        };
        match groups.iter_mut().find(like) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    groups.retain(|group| group.len() > 1);
    if groups.is_empty() {
        return None;
    }
    let count = |row: &Row| f64::from(u32::try_from(row.cell.threads).unwrap_or(u32::MAX));
    let rows = || groups.iter().flatten();
    let speeds = [Speed::Compress, Speed::Decompress];
    let values = rows().flat_map(|row| speeds.map(|speed| report.speed(row, speed)));
    let x = Axis::of("threads", rows().map(|row| count(row))).whole();
    let mut plot = Plot::new("Speed by threads", x, Axis::of("MB/s", values));
    for group in &groups {
        let Some(first) = group.first() else { continue };
        for speed in speeds {
            let place = |row: &&Row| (count(row), report.speed(row, speed));
            let mut points: Vec<_> = group.iter().map(place).collect();
            points.sort_by(|one, other| one.0.total_cmp(&other.0));
            plot.line(&points, color(codecs, first), speed == Speed::Decompress);
            for row in group {
                let title = described(report, row);
                plot.point(place(row), color(codecs, row), row.engine > 0, &title);
            }
        }
    }
    Some(plot.finish())
}

fn table(report: &Report) -> String {
    let mut text = "<table>\n<tr><th>library</th><th>parameters</th><th>ratio</th>\
         <th>compress, MB/s</th><th>best</th><th>spread</th><th>passes</th>\
         <th>decompress, MB/s</th><th>best</th><th>spread</th><th>passes</th></tr>\n"
        .to_owned();
    for (row, mark) in report.rows.iter().zip(fronts(report)) {
        let class = if mark.is_empty() {
            ""
        } else {
            " class=\"front\""
        };
        text.push_str(&format!(
            "<tr{class}><td>{}</td><td>{}</td><td>{}</td>",
            escaped(report.engines.get(row.engine).map_or("", String::as_str)),
            escaped(&row.cell.to_string()),
            ratio(report.ratio(row)),
        ));
        for times in [&row.compress, &row.decompress] {
            text.push_str(&format!(
                "<td>{:.0}</td><td>{:.0}</td><td>{}</td><td>{}</td>",
                report.mb_per_s(times.median()),
                report.mb_per_s(times.min()),
                percent(times),
                times.passes(),
            ));
        }
        text.push_str("</tr>\n");
    }
    text + "</table>\n"
}
