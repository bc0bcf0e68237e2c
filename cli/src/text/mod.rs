//! Elements as text, CSV or JSON, written as they come.
//!
//! ```text
//! text   1-D: an element a line; 2-D: a row a line; above: planes with an empty line between them
//! csv    the same without empty lines; of records, a line each with their names above
//! json   lists in lists
//! ```

mod date;
mod element;
mod number;
#[cfg(test)]
mod tests;

use oxiblosc::b2nd::Dtype;

use self::element::{Element, Language};
use crate::args::Format;

/// Writes the elements of an array in C order.
#[derive(Debug)]
pub(crate) struct Printer {
    element: Element,
    language: Language,
    shape: Vec<u64>,
    /// The number of elements that are written.
    at: u64,
}

impl Printer {
    /// `None` when there is no text for this dtype, or the format is another.
    pub(crate) fn new(dtype: &Dtype, shape: &[u64], format: Format) -> Option<Self> {
        let language = match format {
            Format::Text => Language::Plain,
            Format::Csv => Language::Csv,
            Format::Json => Language::Json,
            Format::Npy | Format::Raw => return None,
        };
        Some(Self {
            element: Element::of(dtype)?,
            language,
            shape: shape.to_vec(),
            at: 0,
        })
    }

    /// Begins the text.
    pub(crate) fn begin(&self, text: &mut String) {
        if self.language == Language::Csv
            && let Some(columns) = self.element.columns()
        {
            text.push_str(&columns.join(","));
            text.push('\n');
        }
    }

    /// Adds whole elements.
    pub(crate) fn print(&mut self, elements: &[u8], text: &mut String) {
        for element in elements.chunks_exact(self.element.size.max(1)) {
            if self.language == Language::Json {
                for _ in 0..self.edges(self.at) {
                    text.push('[');
                }
            } else if self.at > 0 {
                text.push_str(self.gap());
            }
            self.element.write(element, self.language, text);
            self.at += 1;
            if self.language == Language::Json {
                self.close(text);
            }
        }
    }

    /// Ends the text.
    pub(crate) fn end(&self, text: &mut String) {
        match (self.language, self.at) {
            (Language::Json, 0) => text.push_str("[]\n"),
            (Language::Json, _) => text.push('\n'),
            (_, 0) => {}
            _ => text.push('\n'),
        }
    }

    /// The number of axes, from the last one on, that begin at an element.
    fn edges(&self, at: u64) -> usize {
        let mut len = 1_u64;
        let axes = self.shape.iter().rev();
        axes.take_while(|&&axis| {
            len = len.saturating_mul(axis);
            at.is_multiple_of(len)
        })
        .count()
    }

    /// The characters between the elements before and after.
    fn gap(&self) -> &'static str {
        let is_csv = self.language == Language::Csv;
        match self.edges(self.at) {
            // Elements of one axis have a line each, as have records in CSV.
            0 if self.shape.len() == 1 || is_csv && self.element.columns().is_some() => "\n",
            0 if is_csv => ",",
            0 => " ",
            2.. if !is_csv => "\n\n",
            _ => "\n",
        }
    }

    /// Closes the lists that end before the next element.
    fn close(&self, text: &mut String) {
        let edges = self.edges(self.at);
        for _ in 0..edges {
            text.push(']');
        }
        if edges < self.shape.len() {
            text.push(',');
            text.push(if edges > 0 { '\n' } else { ' ' });
        }
    }
}
