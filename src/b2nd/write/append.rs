//! Appending rows ([format §11.5](crate::format#11.5)).
//!
//! A chunk is compressed as a whole, so rows wait in memory until their chunks are full:
//!
//! ```text
//! append    copied to the tail, which readers of this array see       no chunk is touched
//! full      the chunks of the tail are compressed and stored          once per row of chunks
//! commit    the rest of the tail, in chunks that are not full yet
//! ```

use std::ops::Range;

use crate::b2nd::array::{Array, Storing};
use crate::b2nd::copy::{BufferBox, Direction, copy_part};
use crate::b2nd::layout::dtype::{Element, stored_bytes};
use crate::b2nd::layout::grid::Grid;
use crate::b2nd::layout::meta::MAX_NDIM;
use crate::b2nd::layout::region::{Dims, Region};
use crate::b2nd::tail::MOST_PENDING;
use crate::b2nd::write::builder::Store;
use crate::error::{Error, Result};
use crate::num::{saturating_usize, to_u64, to_usize};
use crate::schunk::ChunkSink;

impl<C: ChunkSink> Array<C> {
    /// Adds elements in C order at the end of the first axis.
    ///
    /// Rows (the elements with the same first index) may come one by one: they stay in memory until
    /// they fill their chunks or 64 MiB, and reads of this array include them at once. The next
    /// commit, or another change, stores the remaining rows; if that fails, the later call returns
    /// the error. A commit after every row compresses its chunks every time.
    ///
    /// ```
    /// use oxiblosc::b2nd::{Array, ArrayParams};
    ///
    /// let params = ArrayParams::new::<u8>(&[1, 3]);
    /// let mut array = Array::from_elements(&[1_u8, 2, 3], &params)?;
    /// array.append(&[4_u8, 5, 6, 7, 8, 9])?;
    /// assert_eq!(array.shape(), [3, 3]);
    /// assert_eq!(array.get::<u8>(&[2, 0])?, 7);
    /// # Ok::<(), oxiblosc::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Mismatch`] when the dtype is not that of `T`; otherwise as
    /// [`append_bytes`](Self::append_bytes).
    #[doc(alias = "b2nd_append")]
    pub fn append<T: Element>(&mut self, src: &[T]) -> Result<()> {
        let swap = self.check_element::<T>()?;
        self.append_bytes(&stored_bytes(src, &swap))
    }

    /// Adds elements, as bytes in C order, at the end of the first axis; see
    /// [`append`](Self::append) ([format §11.5](crate::format#11.5)).
    ///
    /// Full chunks are not touched. The shape is written last.
    ///
    /// # Errors
    /// [`Error::Refused`] for an array of no dimensions; [`Error::Mismatch`] when the bytes are
    /// not a multiple of one row (the elements with the same first index); otherwise as
    /// [`resize`](Self::resize).
    pub fn append_bytes(&mut self, src: &[u8]) -> Result<()> {
        if self.tail.takes(src.len()) {
            return self.push_rows(src);
        }
        self.change_beside_tail(|array| array.append_some(src))
    }

    /// The size of a row in bytes, and the number of rows in `src`.
    fn count_rows(&self, src: &[u8]) -> Result<(usize, u64)> {
        let Some((_, others)) = self.shape().split_first() else {
            return Err(Error::Refused {
                what: "append to an array",
                why: "it has no dimensions",
            });
        };
        let row = others
            .iter()
            .try_fold(to_u64(self.typesize()), |row, &n| row.checked_mul(n));
        let len = to_u64(src.len());
        match row {
            Some(row) if row > 0 && len.is_multiple_of(row) => Ok((to_usize(row)?, len / row)),
            _ if len == 0 => Ok((0, 0)),
            _ => Err(Error::Mismatch {
                what: "size of a row in bytes",
                stored: row.unwrap_or(u64::MAX).to_string().into(),
                asked: len.to_string().into(),
            }),
        }
    }

    fn append_some(&mut self, src: &[u8]) -> Result<()> {
        let (row, rows) = self.count_rows(src)?;
        if rows == 0 {
            return Ok(());
        }
        // Refused before anything has changed.
        self.longer_by(rows)?;
        let mut src = src;
        if !self.tail.is_empty() {
            let (now, later) = src.split_at(src.len().min(self.tail.room));
            self.push_rows(now)?;
            src = later;
            if self.tail.room == 0 {
                self.store_rows()?;
            }
        }
        if src.is_empty() {
            return Ok(());
        }
        // Rows that fill their chunks are not copied first.
        let chunk = self.chunkshape()[0].max(1);
        let open = chunk - self.shape()[0] % chunk;
        let rows = to_u64(src.len() / row);
        let most = to_u64((MOST_PENDING / row).max(1));
        let direct = if self.cparams.prefilter.is_some() || rows >= most {
            rows
        } else if rows >= open {
            open + (rows - open) / chunk * chunk
        } else {
            0
        };
        let (now, later) = src.split_at(to_usize(direct)?.saturating_mul(row));
        if !now.is_empty() {
            self.append_to_end(now, direct)?;
        }
        if later.is_empty() {
            return Ok(());
        }
        self.begin_tail(row, later)
    }

    /// The shape with more rows, and its grid.
    fn longer_by(&self, rows: u64) -> Result<Grid> {
        let mut shape = self.shape().to_vec();
        shape[0] = shape[0].saturating_add(rows);
        self.regrid(&shape)
    }

    /// Keeps rows in memory that do not fill their chunks.
    fn begin_tail(&mut self, row: usize, src: &[u8]) -> Result<()> {
        // Storing them needs a chunk in memory, and is not to fail later.
        let chunksize = self.grid.chunksize();
        self.dparams.limits.check_alloc(to_u64(chunksize), None)?;
        let (first, chunk) = (self.shape()[0], self.chunkshape()[0]);
        let rows = (chunk - first % chunk).min(to_u64((MOST_PENDING / row).max(1)));
        let grid = self.longer_by(to_u64(src.len() / row))?;
        let mut coords: Dims = [0; MAX_NDIM];
        coords[0] = first / chunk;
        let first_chunk = grid.chunk_number(&coords);
        coords[0] += 1;
        let beside = to_usize(grid.chunk_number(&coords) - first_chunk)?;
        self.tail.chunks = (0..beside).map(|_| Default::default()).collect();
        (self.tail.first, self.tail.first_chunk, self.tail.row) = (first, first_chunk, row);
        let all = to_usize(rows)?.saturating_mul(row);
        self.tail.room = all - src.len();
        // Memory for all of them: a vector that doubles row by row touches twice as much. When it
        // is not to be had, the vector grows.
        if self.dparams.limits.check_alloc(to_u64(all), None).is_ok() {
            let _ = self.tail.bytes.try_reserve_exact(all);
        }
        self.tail.bytes.extend_from_slice(src);
        self.meta.shape[0] = grid.shape()[0];
        self.grid = grid;
        self.storing = Some(Storing {
            now: Self::store_tail,
            at_end: Self::end_tail,
        });
        Ok(())
    }

    /// Adds rows to those in memory, which have room for them.
    fn push_rows(&mut self, src: &[u8]) -> Result<()> {
        let rows = to_u64(src.len().checked_div(self.tail.row).unwrap_or(0));
        let before = self.shape()[0];
        self.grid.add_rows(rows);
        self.meta.shape[0] += rows;
        self.tail.room -= src.len();
        self.tail.bytes.extend_from_slice(src);
        // Chunks that were made for readers get the rows, too.
        let mut built = self.tail.built().peekable();
        if built.peek().is_none() {
            return Ok(());
        }
        let mut region = Region::whole(self.grid.shape());
        region.lo[0] = before;
        let chunksize = saturating_usize(self.grid.chunksize());
        for (nchunk, chunk) in built {
            let coords = self.grid.chunk_coords(nchunk);
            let part = self.grid.chunk_box(&coords).and(&region);
            let header = chunk.len().saturating_sub(chunksize);
            let to = Direction::In(&mut chunk[header..], src);
            copy_part(&self.grid, &coords, &part, &BufferBox::new(region), to)?;
        }
        Ok(())
    }

    /// Stores the rows in memory, and keeps them when that fails.
    fn store_tail(&mut self) -> Result<()> {
        let mut shape = self.shape().to_vec();
        shape[0] = self.tail.first;
        let stored = self.regrid(&shape)?;
        let rows = self.shape()[0] - self.tail.first;
        let tail = std::mem::take(&mut self.tail);
        let whole = std::mem::replace(&mut self.grid, stored);
        self.meta.shape[0] = shape[0];
        let done = self.append_to_end(&tail.bytes, rows);
        self.tail = tail;
        if done.is_err() {
            self.meta.shape[0] = whole.shape()[0];
            self.grid = whole;
            self.tail.failed = true;
            self.chunks.note_failure(false);
            return done;
        }
        self.tail.clear();
        Ok(())
    }

    /// Stores the rows when the array is dropped; a sink that cannot keep them says so.
    fn end_tail(&mut self) {
        let given_up = std::thread::panicking() || self.tail.failed;
        if given_up || self.store_tail().is_err() {
            self.chunks.note_failure(true);
        }
    }

    fn append_to_end(&mut self, src: &[u8], rows: u64) -> Result<()> {
        let old = self.shape()[0];
        let target = self.longer_by(rows)?;
        let end = target.shape()[0];
        let step = self.chunkshape()[0];
        let border = old.next_multiple_of(step).min(end);

        // The grid of the new shape numbers the old chunks as before, since only the first axis
        // grows. The metalayer follows when all chunks are stored.
        let before = std::mem::replace(&mut self.grid, target.clone());
        let nchunks = self.chunks.layout().nchunks;
        let others = self.chunks.other_changes().map(|others| *others);
        let done = self
            .append_rows(old..border, border..end, src)
            .and_then(|()| self.set_grid(target));
        if done.is_err() {
            self.grid = before;
            // Those that were stored belong to no row.
            let mut last = self.chunks.layout().nchunks;
            while last > nchunks && self.chunks.delete_chunk(last - 1).is_ok() {
                last -= 1;
            }
        } else if let (Some(now), Some(before)) = (self.chunks.other_changes(), others) {
            // Only rows at the end have changed, and the shape with them.
            *now = before;
        }
        done
    }

    /// Writes new rows: those inside of stored chunks, and those of new chunks after them.
    fn append_rows(&mut self, inside: Range<u64>, after: Range<u64>, src: &[u8]) -> Result<()> {
        let mut region = Region::whole(self.shape());
        (region.lo[0], region.hi[0]) = (inside.start, inside.end);
        let (front, back) = src.split_at(to_usize(self.region_nbytes(&region)?)?);
        if !region.is_empty() {
            self.write_region(&region, front, Store::Update)?;
        }
        (region.lo[0], region.hi[0]) = (after.start, after.end);
        self.write_region(&region, back, Store::Append)
    }
}
