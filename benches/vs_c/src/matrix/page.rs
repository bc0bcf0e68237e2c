//! The run as one HTML page without any other file: heat maps, speed against ratio, and scaling.
//!
//! ```text
//! heat map   one per codec and direction: a row per data set, a column per level and filter,
//!            colour by speed over C
//! scatter    one per codec and direction: speed (log) against ratio (log), ours and C's
//! scaling    ours on several threads over one, against the size of the chunk's content
//! ```

use std::error::Error;
use std::fmt::Write as _;

use plotters::coord::Shift;
use plotters::prelude::*;

use super::report::distinct;
use super::run::{Direction, Outcome};

const OURS: RGBColor = RGBColor(200, 80, 20);
const THEIRS: RGBColor = RGBColor(60, 90, 160);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// One direction of an outcome.
type Pick = fn(&Outcome) -> &Direction;
type Drawn = Result<(), Box<dyn Error>>;

/// The name of a direction, and its field in an outcome.
const DIRECTIONS: [(&str, Pick); 2] = [
    ("compress", |outcome| &outcome.compress),
    ("decompress", |outcome| &outcome.decompress),
];

/// The page. `about` is a line of text on machine, versions and command.
///
/// # Errors
/// A plot cannot be drawn, for example without any outcome.
pub fn html(outcomes: &[Outcome], about: &str) -> Result<String, Box<dyn Error>> {
    let mut page = String::from(
        "<!doctype html><meta charset=utf-8><title>oxiblosc against C-Blosc2</title>\
         <style>body{font-family:sans-serif;margin:2em;max-width:1100px}\
         svg{display:block;margin:1em 0}</style>\
         <h1>oxiblosc against C-Blosc2</h1>",
    );
    let about = about.replace('&', "&amp;").replace('<', "&lt;");
    let _ = write!(page, "<p>{about}</p>");
    for threads in distinct(outcomes.iter().map(|outcome| outcome.cell.threads)) {
        let _ = write!(page, "<h2>{threads} thread(s)</h2>");
        for codec in distinct(outcomes.iter().map(|outcome| outcome.cell.codec.0)) {
            let kept: Vec<&Outcome> = outcomes
                .iter()
                .filter(|outcome| (outcome.cell.codec.0, outcome.cell.threads) == (codec, threads))
                .collect();
            if kept.is_empty() {
                continue;
            }
            for (name, direction) in DIRECTIONS {
                let _ = write!(page, "<h3>{codec}, {name}</h3>");
                page.push_str(&heat_map(&kept, direction)?);
                page.push_str(&scatter(&kept, direction)?);
            }
        }
    }
    if outcomes.iter().any(|outcome| outcome.cell.threads > 1) {
        page.push_str("<h2>Scaling: several threads over one, per cell</h2>");
        page.push_str(&scaling(outcomes)?);
    }
    Ok(page)
}

fn svg(size: (u32, u32), draw: impl FnOnce(&Area<'_>) -> Drawn) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        draw(&area)?;
        area.present()?;
    }
    Ok(text)
}

/// Red below C's speed, white at it, green above; full colour from 3 times on either side.
fn colour(ratio: f64) -> RGBColor {
    let strength = (ratio.ln() / 3_f64.ln()).clamp(-1.0, 1.0);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "0 to 255"
    )]
    let fade = (255.0 - 190.0 * strength.abs()) as u8;
    if strength < 0.0 {
        RGBColor(255, fade, fade)
    } else {
        RGBColor(fade, 235, fade)
    }
}

fn heat_map(outcomes: &[&Outcome], direction: Pick) -> Result<String, Box<dyn Error>> {
    let sets = distinct(outcomes.iter().map(|outcome| outcome.cell.data.as_str()));
    let columns = distinct(
        outcomes
            .iter()
            .map(|outcome| (outcome.cell.clevel, outcome.cell.pipeline.0)),
    );
    let (left, top, width, height) = (170, 24, 74, 20);
    let size = (
        u32::try_from(left + width * i32::try_from(columns.len())?)?,
        u32::try_from(top + height * i32::try_from(sets.len())?)?,
    );
    svg(size, |area| {
        let font = ("sans-serif", 11).into_font();
        for (x, (clevel, pipeline)) in columns.iter().enumerate() {
            let at = (left + width * i32::try_from(x)?, 6);
            let short = pipeline.replace("shuffle", "sh").replace("none", "–");
            area.draw(&Text::new(format!("{clevel} {short}"), at, font.clone()))?;
        }
        for (y, set) in sets.iter().enumerate() {
            let row = top + height * i32::try_from(y)?;
            area.draw(&Text::new((*set).to_owned(), (4, row + 4), font.clone()))?;
            for (x, column) in columns.iter().enumerate() {
                let found = outcomes.iter().find(|outcome| {
                    let cell = &outcome.cell;
                    cell.data == *set && (cell.clevel, cell.pipeline.0) == *column
                });
                let Some(outcome) = found else { continue };
                let ratio = direction(outcome).over_c;
                let corner = (left + width * i32::try_from(x)?, row);
                let end = (corner.0 + width - 1, row + height - 1);
                area.draw(&Rectangle::new([corner, end], colour(ratio).filled()))?;
                let at = (corner.0 + 20, row + 4);
                area.draw(&Text::new(format!("{ratio:.2}"), at, font.clone()))?;
            }
        }
        Ok(())
    })
}

#[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^53")]
fn scatter(outcomes: &[&Outcome], direction: Pick) -> Result<String, Box<dyn Error>> {
    let points: Vec<[(f64, f64); 2]> = outcomes
        .iter()
        .map(|outcome| {
            let (nbytes, direction) = (outcome.nbytes as f64, direction(outcome));
            [
                (nbytes / outcome.cbytes as f64, direction.ours),
                (nbytes / outcome.cbytes_c as f64, direction.theirs),
            ]
        })
        .collect();
    let range = |pick: fn(&(f64, f64)) -> f64| {
        let values = points.iter().flatten().map(pick);
        let (low, high) = values.fold((f64::INFINITY, 0.0_f64), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        (low * 0.8)..(high * 1.25)
    };
    let (ratios, speeds) = (range(|point| point.0), range(|point| point.1));
    svg((700, 340), |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .x_label_area_size(34)
            .y_label_area_size(54)
            .build_cartesian_2d(ratios.log_scale(), speeds.log_scale())?;
        chart
            .configure_mesh()
            .x_desc("ratio")
            .y_desc("GB/s")
            .draw()?;
        for (who, (name, colour)) in [("oxiblosc", OURS), ("C-Blosc2", THEIRS)]
            .into_iter()
            .enumerate()
        {
            chart
                .draw_series(
                    points
                        .iter()
                        .map(|pair| Circle::new(pair[who], 3, colour.filled())),
                )?
                .label(name)
                .legend(move |at| Circle::new(at, 3, colour.filled()));
        }
        chart
            .configure_series_labels()
            .background_style(WHITE.mix(0.8))
            .draw()?;
        Ok(())
    })
}

fn scaling(outcomes: &[Outcome]) -> Result<String, Box<dyn Error>> {
    let mut points = Vec::new();
    for outcome in outcomes.iter().filter(|outcome| outcome.cell.threads > 1) {
        for (which, (_, direction)) in DIRECTIONS.into_iter().enumerate() {
            if let Some(gain) = direction(outcome).over_third {
                points.push((which, direction(outcome).ours / gain, gain));
            }
        }
    }
    let fastest = points.iter().map(|point| point.1).fold(0.1, f64::max);
    let slowest = points.iter().map(|point| point.1).fold(fastest, f64::min);
    let most = points.iter().map(|point| point.2).fold(2.0, f64::max);
    svg((700, 340), |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .x_label_area_size(34)
            .y_label_area_size(54)
            .build_cartesian_2d((slowest * 0.8..fastest * 1.25).log_scale(), 0.0..most * 1.1)?;
        chart
            .configure_mesh()
            .x_desc("GB/s on one thread")
            .y_desc("times one thread")
            .draw()?;
        for (which, (name, colour)) in [("compress", OURS), ("decompress", THEIRS)]
            .into_iter()
            .enumerate()
        {
            let of = points.iter().filter(|point| point.0 == which);
            chart
                .draw_series(of.map(|point| Circle::new((point.1, point.2), 3, colour.filled())))?
                .label(name)
                .legend(move |at| Circle::new(at, 3, colour.filled()));
        }
        chart
            .configure_series_labels()
            .background_style(WHITE.mix(0.8))
            .draw()?;
        Ok(())
    })
}
