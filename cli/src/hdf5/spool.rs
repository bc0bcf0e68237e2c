//! The elements of a dataset, copied to a file a few chunks at a time.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::ops::Range;

use hdf5_reader::error::{Error, Result};
use hdf5_reader::{Dataset, Datatype, H5Type, SliceInfo, SliceInfoElem, dtype_element_size};
use oxiblosc_npy as npy;

use super::dtype;
use crate::slabs::wide;

/// How many bytes are read at once, if a chunk has no more.
const PIECE: u64 = 8 << 20;

/// Copies a dataset to a temporary `.npy` file.
pub(super) fn spool(dataset: &Dataset) -> Result<File> {
    let (descr, inner) = dtype::of(dataset.dtype())?;
    let shape = [dataset.shape(), &inner].concat();
    let mut file = tempfile::tempfile()?;
    file.write_all(&npy::Header::to_bytes(&descr, &shape))?;
    if dataset.num_elements()? > 0 {
        let typesize = dataset.raw_element_size()?;
        match typesize {
            1 => copy::<Item<1>>(dataset, typesize, &mut file),
            2 => copy::<Item<2>>(dataset, typesize, &mut file),
            4 => copy::<Item<4>>(dataset, typesize, &mut file),
            8 => copy::<Item<8>>(dataset, typesize, &mut file),
            16 => copy::<Item<16>>(dataset, typesize, &mut file),
            _ => copy::<Long>(dataset, typesize, &mut file),
        }?;
    }
    file.rewind()?;
    Ok(file)
}

/// Copies the elements to where the file ends, in C order.
fn copy<T: H5Type + AsRef<[u8]>>(
    dataset: &Dataset,
    typesize: usize,
    file: &mut File,
) -> Result<()> {
    let data_at = file.stream_position()?;
    let shape = dataset.shape();
    let chunks: Vec<u64> = dataset
        .chunks()
        .unwrap_or_default()
        .into_iter()
        .map(u64::from)
        .collect();
    let steps = steps(shape, &chunks, typesize);
    let mut bytes = Vec::new();
    for corner in Corners::new(shape.to_vec(), steps.clone()) {
        let ranges: Vec<Range<u64>> = (corner.iter().zip(&steps).zip(shape))
            .map(|((&start, step), &len)| start..start.saturating_add(*step).min(len))
            .collect();
        let selections = ranges.iter().map(|range| SliceInfoElem::Slice {
            start: range.start,
            end: range.end,
            step: 1,
        });
        let items = dataset.read_slice::<T>(&SliceInfo {
            selections: selections.collect(),
        })?;
        bytes.clear();
        items
            .iter()
            .for_each(|item| bytes.extend_from_slice(item.as_ref()));
        drop(items);
        put(file, data_at, shape, &ranges, typesize, &bytes)?;
    }
    Ok(())
}

/// The lengths of boxes of whole chunks: as many as `PIECE` bytes hold, the last axis first.
fn steps(shape: &[u64], chunks: &[u64], typesize: usize) -> Vec<u64> {
    let chunk = |axis: usize, len: u64| chunks.get(axis).copied().unwrap_or(1).clamp(1, len.max(1));
    let lens = shape.iter().enumerate();
    let mut steps: Vec<u64> = lens.map(|(axis, &len)| chunk(axis, len)).collect();
    for axis in (0..shape.len()).rev() {
        let bytes = steps
            .iter()
            .fold(wide(typesize), |bytes, &len| bytes.saturating_mul(len));
        let times = (PIECE / bytes.max(1)).max(1);
        let (Some(step), Some(&len)) = (steps.get_mut(axis), shape.get(axis)) else {
            break;
        };
        *step = step.saturating_mul(times).min(len);
        if *step < len {
            break;
        }
    }
    steps
}

/// Writes the bytes of a box to their places.
fn put(
    file: &mut File,
    data_at: u64,
    shape: &[u64],
    ranges: &[Range<u64>],
    typesize: usize,
    bytes: &[u8],
) -> Result<()> {
    let lens: Vec<u64> = ranges.iter().map(|range| range.end - range.start).collect();
    // Axes that the box has whole run on in the file, with the one before them.
    let whole = lens
        .iter()
        .zip(shape)
        .rev()
        .take_while(|(len, all)| len == all);
    let split = (shape.len() - whole.count()).saturating_sub(1);
    let (outer, inner) = lens.split_at(split);
    let run = inner
        .iter()
        .fold(wide(typesize), |run, len| run.saturating_mul(*len));
    let run = usize::try_from(run).unwrap_or(usize::MAX).max(1);
    let mut places = Corners::new(outer.to_vec(), vec![1; outer.len()]);
    for part in bytes.chunks(run) {
        let Some(place) = places.next() else {
            return Err(Error::InvalidData(format!(
                "a box of {} bytes",
                bytes.len()
            )));
        };
        let mut element = 0_u64;
        for (axis, (range, len)) in ranges.iter().zip(shape).enumerate() {
            let at = place.get(axis).copied().unwrap_or(0) + range.start;
            element = element.saturating_mul(*len).saturating_add(at);
        }
        let at = element
            .saturating_mul(wide(typesize))
            .saturating_add(data_at);
        file.seek(SeekFrom::Start(at))?;
        file.write_all(part)?;
    }
    Ok(())
}

/// The corners of the boxes of a grid, in C order.
struct Corners {
    shape: Vec<u64>,
    steps: Vec<u64>,
    next: Option<Vec<u64>>,
}

impl Corners {
    fn new(shape: Vec<u64>, steps: Vec<u64>) -> Self {
        let next = Some(vec![0; shape.len()]);
        Self { shape, steps, next }
    }
}

impl Iterator for Corners {
    type Item = Vec<u64>;

    fn next(&mut self) -> Option<Vec<u64>> {
        let corner = self.next.take()?;
        let mut following = corner.clone();
        for (at, (step, len)) in following
            .iter_mut()
            .zip(self.steps.iter().zip(&self.shape))
            .rev()
        {
            *at = at.saturating_add(*step);
            if *at < *len {
                self.next = Some(following);
                break;
            }
            *at = 0;
        }
        Some(corner)
    }
}

/// The bytes of an element, in the order of the file.
#[derive(Clone)]
struct Item<const N: usize>([u8; N]);

/// The bytes of an element of any size.
#[derive(Clone)]
struct Long(Box<[u8]>);

impl<const N: usize> AsRef<[u8]> for Item<N> {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl AsRef<[u8]> for Long {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl<const N: usize> H5Type for Item<N> {
    fn hdf5_type() -> Datatype {
        opaque(u32::try_from(N).unwrap_or(0))
    }

    fn from_bytes(bytes: &[u8], _: &Datatype) -> Result<Self> {
        let item = bytes.first_chunk().ok_or_else(|| {
            let len = bytes.len();
            Error::InvalidData(format!("an element of {N} bytes, {len} are there"))
        })?;
        Ok(Self(*item))
    }

    fn element_size(_: &Datatype) -> usize {
        N
    }

    fn decode_vec(raw: &[u8], _: &Datatype, count: usize) -> Option<Result<Vec<Self>>> {
        let (items, rest) = raw.as_chunks();
        let whole = items.len() == count && rest.is_empty();
        whole.then(|| Ok(items.iter().map(|item| Self(*item)).collect()))
    }
}

impl H5Type for Long {
    fn hdf5_type() -> Datatype {
        opaque(1)
    }

    fn from_bytes(bytes: &[u8], _: &Datatype) -> Result<Self> {
        Ok(Self(bytes.into()))
    }

    fn element_size(dtype: &Datatype) -> usize {
        dtype_element_size(dtype).unwrap_or(0)
    }
}

fn opaque(size: u32) -> Datatype {
    Datatype::Opaque {
        size,
        tag: String::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn boxes_are_of_whole_chunks_and_as_large_as_a_piece() {
        let size = 8;
        let (piece, chunk) = (PIECE / 8, 500 * 500);
        assert_eq!(
            steps(&[4000, 16000], &[500, 500], size),
            [500, 500 * (piece / chunk)]
        );
        assert_eq!(steps(&[4000, 600], &[500, 300], size), [1500, 600]);
        assert_eq!(steps(&[1 << 40], &[], size), [piece]);
        assert_eq!(steps(&[3, 1 << 40], &[], size), [1, piece]);
        assert_eq!(steps(&[3, 1 << 40], &[3, 1 << 30], size), [3, 1 << 30]);
        assert_eq!(steps(&[], &[], size), [0; 0]);
    }

    #[test]
    fn every_box_comes_to_its_place() {
        let shape = [5, 6, 7];
        let all: Vec<u8> = (0..210).collect();
        for steps in [
            [2, 4, 3],
            [1, 6, 7],
            [5, 6, 7],
            [2, 6, 7],
            [1, 1, 4],
            [1, 4, 7],
            [5, 1, 1],
        ] {
            let mut file = tempfile::tempfile().unwrap();
            for corner in Corners::new(shape.to_vec(), steps.to_vec()) {
                let ranges: Vec<Range<u64>> = (0..3)
                    .map(|axis| corner[axis]..(corner[axis] + steps[axis]).min(shape[axis]))
                    .collect();
                let mut bytes = Vec::new();
                for i in ranges[0].clone() {
                    for j in ranges[1].clone() {
                        for k in ranges[2].clone() {
                            bytes.push(all[usize::try_from((i * 6 + j) * 7 + k).unwrap()]);
                        }
                    }
                }
                put(&mut file, 3, &shape, &ranges, 1, &bytes).unwrap();
            }
            let mut written = Vec::new();
            file.rewind().unwrap();
            file.read_to_end(&mut written).unwrap();
            assert!(written[3..] == all, "{steps:?}");
        }
    }
}
