//! An array of which a page reads parts, and one such read.

use std::ops::Range;
use std::rc::Rc;

use oxiblosc::DParams;
use oxiblosc::b2nd::{Array, AxisSelection};
use oxiblosc::remote::{FrameOpen, ReadPolicy, RemoteArray, RemoteRead};

/// The fetched bytes that an array keeps for later reads.
const KEPT: usize = 16 << 20;

/// A request that a page sends takes about as long as 128 KiB do to arrive: browsers have six
/// connections to a host.
fn policy() -> ReadPolicy {
    let mut policy = ReadPolicy::default();
    policy.request = 128 << 10;
    policy
}

/// An array that is being opened, an array, or a read of one, as a page holds it.
///
/// Calls leave an answer, which stays until the next one.
#[derive(Debug)]
pub struct Handle {
    state: State,
    pub(crate) answer: Vec<u8>,
}

#[derive(Debug)]
enum State {
    Opening(Box<FrameOpen>),
    Array(Rc<RemoteArray>),
    Reading(Box<Read>),
    Failed(String),
}

#[derive(Debug)]
struct Read {
    // Dropped before the array that it borrows.
    read: RemoteRead<'static>,
    _array: Rc<RemoteArray>,
}

impl Read {
    fn new(array: &Rc<RemoteArray>, axes: &[Range<u64>]) -> Result<Self, String> {
        let kept = Rc::clone(array);
        // SAFETY: the array is on the heap and lives as long as `_array`, which is dropped after
        // the read; there is no mutable reference to what an `Rc` holds.
        let borrowed: &'static RemoteArray = unsafe { &*Rc::as_ptr(&kept) };
        let axes: Vec<AxisSelection> = axes.iter().cloned().map(AxisSelection::from).collect();
        let read = borrowed.plan_read(axes, &policy()).map_err(text)?;
        Ok(Self { read, _array: kept })
    }
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is done; the answer holds the result.
    Done,
    /// Bytes are missing: ask what is needed.
    Missing,
    /// It failed; the answer holds the reason.
    Failed,
}

#[expect(clippy::needless_pass_by_value, reason = "it maps errors of results")]
fn text(error: oxiblosc::Error) -> String {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(&error);
    while let Some(inner) = source {
        text = format!("{text}: {inner}");
        source = inner.source();
    }
    text
}

impl Handle {
    fn new(state: State) -> Self {
        let answer = Vec::new();
        Self { state, answer }
    }

    /// Begins to open the array that is all of an object of `len` bytes.
    pub fn open(len: u64) -> Self {
        let open = FrameOpen::new(len, DParams::new().cache_bytes(KEPT));
        Self::new(State::Opening(Box::new(open.policy(policy()))))
    }

    /// Begins to read a box of an array: a range of each axis.
    pub fn slice(&self, axes: &[Range<u64>]) -> Self {
        Self::new(match &self.state {
            State::Array(array) => match Read::new(array, axes) {
                Ok(read) => State::Reading(Box::new(read)),
                Err(why) => State::Failed(why),
            },
            State::Failed(why) => State::Failed(why.clone()),
            _ => State::Failed("slice: the handle is no open array".into()),
        })
    }

    /// Answers with the ranges to fetch, a start and an end for each; with none when
    /// [`finish`](Self::finish) can be called.
    pub fn needs(&mut self) -> Outcome {
        let ranges = match &mut self.state {
            State::Opening(open) => open.needs().map_err(text),
            State::Reading(one) => one.read.needs().map_err(text),
            State::Array(_) => Ok(Vec::new()),
            State::Failed(why) => Err(why.clone()),
        };
        match ranges {
            Ok(ranges) => {
                let both = |range: Range<u64>| [range.start, range.end];
                self.numbers(ranges.into_iter().flat_map(both))
            }
            Err(why) => self.fail(why),
        }
    }

    /// Takes fetched bytes of the object, from `at` on.
    pub fn give(&mut self, at: u64, bytes: &[u8]) {
        match &mut self.state {
            State::Opening(open) => open.give(at, bytes),
            State::Reading(one) => one.read.give(at, bytes),
            State::Array(_) | State::Failed(_) => {}
        }
    }

    /// Ends opening, after which this is an array, or answers with the elements that were read.
    pub fn finish(&mut self) -> Outcome {
        self.answer.clear();
        match &mut self.state {
            State::Opening(open) => {
                let empty = FrameOpen::new(0, DParams::new());
                let open = std::mem::replace(&mut **open, empty);
                match open.finish().and_then(Array::open_in) {
                    Ok(array) => self.state = State::Array(Rc::new(array)),
                    Err(error) => return self.fail(text(error)),
                }
                Outcome::Done
            }
            State::Reading(one) => {
                let nbytes = one.read.nbytes();
                if self.answer.try_reserve_exact(nbytes).is_err() {
                    return self.fail(format!("slice: no memory for {nbytes} bytes"));
                }
                self.answer.resize(nbytes, 0);
                match one.read.finish_into(&mut self.answer) {
                    Ok(Some(_)) => Outcome::Done,
                    Ok(None) => Outcome::Missing,
                    Err(error) => self.fail(text(error)),
                }
            }
            State::Array(_) => Outcome::Done,
            State::Failed(why) => {
                let why = why.clone();
                self.fail(why)
            }
        }
    }

    /// Answers with the shape, the chunk shape and the block shape of an array.
    pub fn shapes(&mut self) -> Outcome {
        let State::Array(array) = &self.state else {
            return self.fail("shapes: the handle is no open array".into());
        };
        let array = Rc::clone(array);
        let shapes = [array.shape(), array.chunkshape(), array.blockshape()];
        self.numbers(shapes.into_iter().flatten().copied())
    }

    /// Answers with the dtype of an array, as NumPy writes it.
    pub fn dtype(&mut self) -> Outcome {
        let State::Array(array) = &self.state else {
            return self.fail("dtype: the handle is no open array".into());
        };
        self.answer = array.dtype().as_str().as_bytes().to_vec();
        Outcome::Done
    }

    fn numbers(&mut self, numbers: impl Iterator<Item = u64>) -> Outcome {
        self.answer = numbers.flat_map(u64::to_le_bytes).collect();
        Outcome::Done
    }

    fn fail(&mut self, why: String) -> Outcome {
        self.answer = why.clone().into_bytes();
        // An array stays one, whatever was asked of it.
        if !matches!(self.state, State::Array(_)) {
            self.state = State::Failed(why);
        }
        Outcome::Failed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oxiblosc::b2nd::ArrayParams;

    fn fetched(handle: &mut Handle, object: &[u8]) -> Outcome {
        for _ in 0..8 {
            assert_eq!(handle.needs(), Outcome::Done, "{}", answer(handle));
            let numbers: Vec<usize> = handle
                .answer
                .chunks(8)
                .map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap()))
                .map(|number| usize::try_from(number).unwrap())
                .collect();
            for range in numbers.chunks(2) {
                handle.give(range[0] as u64, &object[range[0]..range[1]]);
            }
            if numbers.is_empty() {
                match handle.finish() {
                    Outcome::Missing => {}
                    outcome => return outcome,
                }
            }
        }
        panic!("no end");
    }

    fn answer(handle: &Handle) -> String {
        String::from_utf8_lossy(&handle.answer).into_owned()
    }

    #[test]
    #[expect(clippy::single_range_in_vec_init, reason = "a box of one axis")]
    fn a_box_is_read() {
        let numbers: Vec<u16> = (0..30_000).collect();
        let params = ArrayParams::new::<u16>([100, 300]).chunkshape([50, 100]);
        let array = Array::from_elements(&numbers, &params).unwrap();
        let object = array.schunk().to_cframe().unwrap();
        let mut array = Handle::open(object.len() as u64);
        assert_eq!(fetched(&mut array, &object), Outcome::Done);
        assert_eq!(array.shapes(), Outcome::Done);
        let shapes: Vec<u64> = array
            .answer
            .chunks(8)
            .map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap()))
            .collect();
        assert_eq!(shapes[..4], [100, 300, 50, 100]);
        assert_eq!(array.dtype(), Outcome::Done);
        assert_eq!(answer(&array), "<u2");

        let mut read = array.slice(&[49..51, 99..101]);
        // The read keeps what it reads from.
        drop(array);
        assert_eq!(fetched(&mut read, &object), Outcome::Done);
        let expected: Vec<u8> = [49 * 300 + 99, 49 * 300 + 100, 50 * 300 + 99, 50 * 300 + 100]
            .into_iter()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(read.answer, expected);

        let mut array = Handle::open(object.len() as u64);
        assert_eq!(array.slice(&[0..1]).finish(), Outcome::Failed);
        assert_eq!(fetched(&mut array, &object), Outcome::Done);
        let mut wrong = array.slice(&[0..1, 0..301]);
        assert_eq!(wrong.needs(), Outcome::Failed);
        assert!(answer(&wrong).contains("301"), "{}", answer(&wrong));
        assert_eq!(array.slice(&[0..1]).needs(), Outcome::Failed);
        assert_eq!(array.slice(&[0..1, 0..1]).needs(), Outcome::Done);
    }

    #[test]
    fn no_array_is_an_error() {
        let object = vec![7; 5000];
        let mut array = Handle::open(object.len() as u64);
        assert_eq!(array.needs(), Outcome::Done);
        array.give(0, &object);
        assert_eq!(array.needs(), Outcome::Failed);
        assert_eq!(array.finish(), Outcome::Failed);
        assert_eq!(array.shapes(), Outcome::Failed);
    }
}
