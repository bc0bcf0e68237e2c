//! Plots as SVG.

use std::fmt::Write;

/// The size of a plot, and the margins for the numbers at its axes.
const WIDTH: f64 = 620.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 48.0;

/// An axis with numbers from `least` to `most`.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    name: &'static str,
    least: f64,
    most: f64,
    /// Whether equal distances are equal factors.
    log: bool,
    /// Whether only whole numbers are named.
    whole: bool,
}

impl Axis {
    /// An axis for these values; the logarithm of them for a wide range.
    pub(super) fn of(name: &'static str, values: impl Iterator<Item = f64> + Clone) -> Self {
        let values = values.filter(|value| value.is_finite() && *value > 0.0);
        let least = values.clone().fold(f64::INFINITY, f64::min);
        let most = values.fold(0.0, f64::max);
        let (least, most) = if least <= most {
            (least, most)
        } else {
            (1.0, 2.0)
        };
        let log = most > 8.0 * least;
        if log {
            return Self {
                name,
                least: least / 1.2,
                most: most * 1.2,
                log,
                whole: false,
            };
        }
        let margin = ((most - least) / 12.0).max(most / 50.0);
        let least = (least - margin).max(0.0);
        Self {
            name,
            least,
            most: most + margin,
            log,
            whole: false,
        }
    }

    /// An axis of counts.
    pub(super) fn whole(self) -> Self {
        Self {
            whole: true,
            ..self
        }
    }

    /// The place of a value, from 0 to 1.
    fn place(&self, value: f64) -> f64 {
        if self.log {
            (value / self.least).ln() / (self.most / self.least).ln()
        } else {
            (value - self.least) / (self.most - self.least)
        }
    }

    /// Round values on the axis, and the digits that they have after the point.
    fn ticks(&self) -> (Vec<f64>, usize) {
        let (mut ticks, mut digits) = (Vec::new(), 0);
        if self.log {
            let mut decade = 10_f64.powf(self.least.log10().floor());
            while decade <= self.most {
                ticks.extend([1.0, 2.0, 5.0].map(|digit| digit * decade));
                decade *= 10.0;
            }
            digits = if self.least < 1.0 { 2 } else { 0 };
        } else {
            let span = self.most - self.least;
            let steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0];
            let mut steps = steps.into_iter().filter(|step| !self.whole || *step >= 1.0);
            let step = steps.find(|step| span / step <= 8.0);
            let step = step.unwrap_or_else(|| 10_f64.powf(span.log10().ceil() - 1.0));
            if step < 1.0 {
                digits = if step < 0.1 { 2 } else { 1 };
            }
            let mut tick = (self.least / step).ceil() * step;
            while tick <= self.most {
                ticks.push(tick);
                tick += step;
            }
        }
        ticks.retain(|tick| (self.least..=self.most).contains(tick));
        (ticks, digits)
    }
}

/// A plot that is being drawn.
#[derive(Debug)]
pub(super) struct Plot {
    x: Axis,
    y: Axis,
    svg: String,
}

/// Text without the characters that have a meaning in XML.
pub(super) fn escaped(text: &str) -> String {
    let text = text
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    text.replace('"', "&quot;")
}

impl Plot {
    /// Axes and their lines; `label` is what the plot shows, for those who cannot see it.
    pub(super) fn new(label: &str, x: Axis, y: Axis) -> Self {
        let svg = format!(
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\n",
            escaped(label)
        );
        let mut plot = Self { x, y, svg };
        let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
        let (ticks, digits) = plot.x.ticks();
        for tick in ticks {
            let at = plot.across(tick);
            let text = format!("{tick:.digits$}");
            plot.add(format_args!(
                "<path class=\"grid\" d=\"M{at:.1} {TOP}V{bottom}\"/>\
                 <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{text}</text>\n",
                bottom + 18.0
            ));
        }
        let (ticks, digits) = plot.y.ticks();
        for tick in ticks {
            let at = plot.down(tick);
            let text = format!("{tick:.digits$}");
            plot.add(format_args!(
                "<path class=\"grid\" d=\"M{LEFT} {at:.1}H{right}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>\n",
                LEFT - 6.0,
                at + 4.0
            ));
        }
        let (x, y) = (plot.x.name, plot.y.name);
        plot.add(format_args!(
            "<path class=\"axis\" d=\"M{LEFT} {TOP}V{bottom}H{right}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{x}</text>\
             <text transform=\"translate(14 {:.1}) rotate(-90)\" \
             text-anchor=\"middle\">{y}</text>\n",
            (LEFT + right) / 2.0,
            HEIGHT - 8.0,
            (TOP + bottom) / 2.0,
        ));
        plot
    }

    fn add(&mut self, part: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.svg.write_fmt(part);
    }

    fn across(&self, value: f64) -> f64 {
        LEFT + self.x.place(value) * (WIDTH - LEFT - RIGHT)
    }

    fn down(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - self.y.place(value) * (HEIGHT - TOP - BOTTOM)
    }

    /// A point: a disc, or a ring for the second library. The title shows under the pointer.
    pub(super) fn point(&mut self, (x, y): (f64, f64), color: &str, ring: bool, title: &str) {
        let (x, y, title) = (self.across(x), self.down(y), escaped(title));
        let fill = if ring { "none" } else { color };
        self.add(format_args!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"{fill}\" stroke=\"{color}\" \
             stroke-width=\"1.5\"><title>{title}</title></circle>\n"
        ));
    }

    /// Straight lines through points.
    pub(super) fn line(&mut self, points: &[(f64, f64)], color: &str, dashed: bool) {
        let path = points.iter().map(|&(x, y)| {
            let (x, y) = (self.across(x), self.down(y));
            format!("{x:.1} {y:.1}")
        });
        let path = path.collect::<Vec<_>>().join("L");
        let dashes = if dashed {
            " stroke-dasharray=\"5 4\""
        } else {
            ""
        };
        self.add(format_args!(
            "<path class=\"line\" stroke=\"{color}\"{dashes} d=\"M{path}\"/>\n"
        ));
    }

    /// The SVG.
    pub(super) fn finish(mut self) -> String {
        self.svg.push_str("</svg>\n");
        self.svg
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_on_the_axis() {
        let axis = Axis::of("x", [10.0, 900.0].into_iter());
        let expected = vec![10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0];
        assert_eq!(axis.ticks(), (expected, 0));
        let axis = Axis::of("x", [1.0, 3.0].into_iter());
        assert_eq!(axis.ticks(), (vec![1.0, 1.5, 2.0, 2.5, 3.0], 1));
        assert_eq!(axis.whole().ticks(), (vec![1.0, 2.0, 3.0], 0));
        let same = Axis::of("x", [2.5, 2.5].into_iter());
        assert!(!same.ticks().0.is_empty());
        assert!((same.place(2.5) - 0.5).abs() < 0.2);
    }
}
