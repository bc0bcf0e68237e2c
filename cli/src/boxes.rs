//! Boxes of an array gathered from a file of elements in C or Fortran order.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

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
    run: Vec<u8>,
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
            run: Vec::new(),
        }
    }

    /// Fills `dst` with the elements of a box, in C order.
    pub(crate) fn read(&mut self, ranges: &[Range<u64>], dst: &mut [u8]) -> io::Result<()> {
        let lens: Vec<u64> = ranges.iter().map(|range| range.end - range.start).collect();
        // Axes that are whole make one run with the next one.
        let mut axes: Vec<usize> = (0..ranges.len()).collect();
        if !self.fortran_order {
            axes.reverse();
        }
        let mut nrun = 0;
        let mut run = 1_u64;
        for &axis in &axes {
            run *= lens[axis];
            nrun += 1;
            // A run of several axes is in C order only where the file is.
            if lens[axis] != self.shape[axis] || self.fortran_order {
                break;
            }
        }
        let outer = axes.split_off(nrun);
        let mut dst_strides = vec![1_usize; lens.len()];
        let mut stride = 1;
        for axis in (0..lens.len()).rev() {
            dst_strides[axis] = stride;
            stride *= to_usize(lens[axis])?;
        }
        let run = to_usize(run)? * self.typesize;
        let step = axes.first().map_or(1, |&axis| dst_strides[axis]) * self.typesize;
        let corner: u64 = ranges
            .iter()
            .zip(&self.strides)
            .map(|(range, &stride)| range.start * stride)
            .sum();

        let mut odometer = vec![0_u64; outer.len()];
        loop {
            let (mut from, mut to) = (corner, 0);
            for (&axis, &n) in outer.iter().zip(&odometer) {
                from += n * self.strides[axis];
                to += to_usize(n)? * dst_strides[axis];
            }
            let to = to * self.typesize;
            let from = self.data_at + from * as_u64(self.typesize);
            if step == self.typesize {
                self.read_at(from, &mut dst[to..to + run])?;
            } else {
                let mut elements = std::mem::take(&mut self.run);
                elements.resize(run, 0);
                self.read_at(from, &mut elements)?;
                for (element, dst) in elements
                    .chunks_exact(self.typesize)
                    .zip(dst[to..].chunks_mut(step))
                {
                    dst[..self.typesize].copy_from_slice(element);
                }
                self.run = elements;
            }
            // The axes that run fastest in the file come first.
            let Some(place) = odometer
                .iter()
                .zip(&outer)
                .position(|(&n, &axis)| n + 1 < lens[axis])
            else {
                return Ok(());
            };
            odometer[place] += 1;
            odometer[..place].fill(0);
        }
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

fn as_u64(len: usize) -> u64 {
    u64::try_from(len).unwrap_or(u64::MAX)
}

fn to_usize(value: u64) -> io::Result<usize> {
    usize::try_from(value).map_err(|_| io::Error::other("the box does not fit in memory"))
}
