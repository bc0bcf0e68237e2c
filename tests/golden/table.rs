//! The golden containers: bytes, and the table that says what they are.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A container: the bytes of all entries, and their rows.
pub(crate) struct Container {
    blob: Vec<u8>,
    rows: Vec<HashMap<String, String>>,
}

/// One entry: its bytes and its row.
#[derive(Clone, Copy)]
pub(crate) struct Entry<'a> {
    /// The bytes.
    pub(crate) bytes: &'a [u8],
    /// Their offset in the container.
    pub(crate) offset: usize,
    row: &'a HashMap<String, String>,
}

/// The folder of the test data.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

impl Container {
    /// Reads `NAME.bin` and `NAME.tsv`.
    pub(crate) fn read(name: &str) -> Self {
        let blob = fs::read(folder().join(format!("{name}.bin"))).expect("the container");
        let table = fs::read_to_string(folder().join(format!("{name}.tsv"))).expect("its table");
        let mut lines = table.lines();
        let columns: Vec<&str> = lines.next().expect("a first line").split('\t').collect();
        let rows = lines
            .map(|line| {
                let cells: Vec<&str> = line.split('\t').collect();
                assert_eq!(cells.len(), columns.len(), "{line}");
                columns
                    .iter()
                    .zip(cells)
                    .map(|(&key, cell)| (key.into(), cell.into()))
                    .collect()
            })
            .collect();
        Self { blob, rows }
    }

    /// The whole container.
    #[cfg(feature = "frame")]
    pub(crate) fn blob(&self) -> &[u8] {
        &self.blob
    }

    /// All entries; every byte of the container belongs to one.
    pub(crate) fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        let mut end = 0;
        self.rows.iter().map(move |row| {
            let mut entry = Entry {
                bytes: &[],
                offset: end,
                row,
            };
            assert_eq!(entry.number("offset"), end, "entries follow one another");
            end += entry.number("length");
            entry.bytes = &self.blob[entry.offset..end];
            entry
        })
    }

    /// The number of entries.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }
}

impl<'a> Entry<'a> {
    /// A cell.
    pub(crate) fn text(&self, column: &str) -> &'a str {
        self.row
            .get(column)
            .unwrap_or_else(|| panic!("no column {column}"))
    }

    /// A cell that is a number.
    pub(crate) fn number(&self, column: &str) -> usize {
        self.text(column)
            .parse()
            .unwrap_or_else(|_| panic!("{column}: {self:?}"))
    }

    /// The value after `key=` among the words of the `params` cell.
    pub(crate) fn param(&self, key: &str) -> Option<&'a str> {
        self.text("params")
            .split(' ')
            .find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
    }
}

impl std::fmt::Debug for Entry<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut cells: Vec<_> = self.row.iter().collect();
        cells.sort();
        f.debug_map().entries(cells).finish()
    }
}
