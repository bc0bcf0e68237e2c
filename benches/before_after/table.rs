//! The report: geometric means per codec and kind of work, and the cells that are slower.

use std::collections::BTreeMap;
use std::fmt;

use crate::cases::CODECS;
use crate::pairs::geometric_mean;

/// Cells below this ratio are listed.
const SLOWER: f64 = 0.95;

#[derive(Debug, Default)]
pub(crate) struct Table {
    /// Ratios by kind of work and codec.
    ratios: BTreeMap<(&'static str, &'static str), Vec<f64>>,
    cells: Vec<(String, f64)>,
    different: Vec<String>,
}

impl Table {
    /// Adds a cell; `kind` is the row of the table.
    pub(crate) fn add(
        &mut self,
        kind: &'static str,
        codec: &'static str,
        name: String,
        ratio: f64,
    ) {
        self.ratios.entry((kind, codec)).or_default().push(ratio);
        self.cells.push((name, ratio));
    }

    /// Notes cells whose bytes are not those of the other version.
    pub(crate) fn same_bytes(&mut self, name: &str, same: bool) {
        if !same {
            self.different.push(name.to_owned());
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "Time before over time after: geometric mean, least, cells\n"
        )?;
        writeln!(f, "| | {} |", CODECS.join(" | "))?;
        writeln!(f, "|---|{}", "---|".repeat(CODECS.len()))?;
        let mut kinds: Vec<_> = self.ratios.keys().map(|(kind, _)| *kind).collect();
        kinds.dedup();
        let cell = |ratios: &[f64]| {
            let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
            format!(
                " {:.3}, {least:.2}, {} |",
                geometric_mean(ratios),
                ratios.len()
            )
        };
        for kind in kinds {
            write!(f, "| {kind} |")?;
            for codec in CODECS {
                let ratios = self.ratios.get(&(kind, codec));
                f.write_str(&ratios.map_or(" |".to_owned(), |ratios| cell(ratios)))?;
            }
            writeln!(f)?;
        }
        write!(f, "| all |")?;
        for codec in CODECS {
            let of = self.ratios.iter().filter(|((_, of), _)| *of == codec);
            let all: Vec<f64> = of.flat_map(|(_, ratios)| ratios.iter().copied()).collect();
            f.write_str(&cell(&all))?;
        }
        let mut slower: Vec<_> = self.cells.iter().filter(|cell| cell.1 < SLOWER).collect();
        slower.sort_by(|a, b| a.1.total_cmp(&b.1));
        writeln!(
            f,
            "\n\n{} of {} cells below {SLOWER}:",
            slower.len(),
            self.cells.len()
        )?;
        for (name, ratio) in slower {
            writeln!(f, "  {ratio:.3}  {name}")?;
        }
        writeln!(
            f,
            "{} cells with other bytes than before:",
            self.different.len()
        )?;
        for name in &self.different {
            writeln!(f, "  {name}")?;
        }
        Ok(())
    }
}
