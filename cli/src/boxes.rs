//! Boxes of an array gathered from a file of elements in C or Fortran order.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

use oxiblosc_kernels::StridedCopy;
use oxiblosc_npy::Header;

/// Reads boxes of the array that an `.npy` file holds.
#[derive(Debug)]
pub(crate) struct BoxReader {
    file: File,
    /// The position in the file.
    at: u64,
    data_at: u64,
    typesize: usize,
    shape: Vec<u64>,
    /// How far apart neighbours along each axis are in the file, in elements.
    strides: Vec<u64>,
    fortran_order: bool,
    /// A box in the order of the file, where that is Fortran order.
    ordered: Vec<u8>,
}

impl BoxReader {
    pub(crate) fn new(file: File, header: &Header, typesize: usize) -> Self {
        let mut strides = vec![1; header.shape.len()];
        let mut stride = 1_u64;
        let mut set = |axis: usize| {
            if let (Some(place), Some(&len)) = (strides.get_mut(axis), header.shape.get(axis)) {
                *place = stride;
                stride = stride.saturating_mul(len);
            }
        };
        if header.fortran_order {
            (0..header.shape.len()).for_each(&mut set);
        } else {
            (0..header.shape.len()).rev().for_each(&mut set);
        }
        Self {
            file,
            at: u64::MAX,
            data_at: header.data_at,
            typesize,
            shape: header.shape.clone(),
            strides,
            fortran_order: header.fortran_order,
            ordered: Vec::new(),
        }
    }

    /// Fills `dst` with the elements of a box, in C order.
    pub(crate) fn read(&mut self, ranges: &[Range<u64>], dst: &mut [u8]) -> io::Result<()> {
        if !self.fortran_order {
            return self.read_in_file_order(ranges, dst);
        }
        let mut ordered = std::mem::take(&mut self.ordered);
        ordered.resize(dst.len(), 0);
        let done = self.read_in_file_order(ranges, &mut ordered);
        if done.is_ok() {
            let lens = lens_of(ranges)?;
            let axes = 0..lens.len();
            let from = strides(self.typesize, &lens, axes.clone());
            let to = strides(self.typesize, &lens, axes.rev());
            StridedCopy::new(self.typesize, &lens, &from, &to).copy(&ordered, dst);
        }
        self.ordered = ordered;
        done
    }

    /// Fills `dst` with the elements of a box, in the order of the file.
    fn read_in_file_order(&mut self, ranges: &[Range<u64>], dst: &mut [u8]) -> io::Result<()> {
        if dst.is_empty() {
            return Ok(());
        }
        let lens = lens_of(ranges)?;
        let mut axes: Vec<usize> = (0..lens.len()).collect();
        if self.fortran_order {
            axes.reverse();
        }
        // The last axes make one run, together with the one before them, where they are whole.
        let is_whole = |&&axis: &&usize| as_u64(lens[axis]) == self.shape[axis];
        let whole = axes.iter().rev().take_while(is_whole).count();
        let inner = axes.split_off(axes.len().saturating_sub(whole + 1));
        let items: usize = inner.iter().map(|&axis| lens[axis]).product();

        let mut index: Vec<u64> = ranges.iter().map(|range| range.start).collect();
        for run in dst.chunks_exact_mut(items * self.typesize) {
            let at: u64 = index.iter().zip(&self.strides).map(|(n, of)| n * of).sum();
            self.read_at(self.data_at + at * as_u64(self.typesize), run)?;
            for &axis in axes.iter().rev() {
                index[axis] += 1;
                if index[axis] < ranges[axis].end {
                    break;
                }
                index[axis] = ranges[axis].start;
            }
        }
        Ok(())
    }

    fn read_at(&mut self, offset: u64, dst: &mut [u8]) -> io::Result<()> {
        if self.at != offset {
            self.file.seek(SeekFrom::Start(offset))?;
        }
        self.at = u64::MAX;
        self.file.read_exact(dst)?;
        self.at = offset + as_u64(dst.len());
        Ok(())
    }
}

fn lens_of(ranges: &[Range<u64>]) -> io::Result<Vec<usize>> {
    let len = |range: &Range<u64>| to_usize(range.end - range.start);
    ranges.iter().map(len).collect()
}

/// The strides in bytes of a box without gaps, whose axes are given with the fastest one first.
fn strides(typesize: usize, lens: &[usize], axes: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut strides = vec![0; lens.len()];
    let mut stride = typesize;
    for axis in axes {
        strides[axis] = stride;
        stride *= lens[axis];
    }
    strides
}

fn as_u64(len: usize) -> u64 {
    u64::try_from(len).unwrap_or(u64::MAX)
}

fn to_usize(value: u64) -> io::Result<usize> {
    usize::try_from(value).map_err(|_| io::Error::other("the box does not fit in memory"))
}
