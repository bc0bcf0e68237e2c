//! An array as a vector in C order and nothing else, and the dice for random cases.

use std::ops::Range;

/// xorshift: the cases are the same in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    /// A number of `range`.
    pub(crate) fn of(&mut self, range: Range<u64>) -> u64 {
        range.start + self.next() % (range.end - range.start)
    }

    pub(crate) fn one_in(&mut self, n: u64) -> bool {
        self.of(0..n) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[usize::try_from(self.of(0..choices.len() as u64)).unwrap()]
    }
}

/// An array as a vector: the definition.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) shape: Vec<u64>,
    pub(crate) typesize: usize,
    pub(crate) bytes: Vec<u8>,
}

impl Model {
    pub(crate) fn zeros(shape: &[u64], typesize: usize) -> Self {
        let items: u64 = shape.iter().product();
        let len = usize::try_from(items).unwrap() * typesize;
        Self {
            shape: shape.to_vec(),
            typesize,
            bytes: vec![0; len],
        }
    }

    pub(crate) fn random(random: &mut Random, shape: &[u64], typesize: usize) -> Self {
        let mut model = Self::zeros(shape, typesize);
        let smooth = random.one_in(2);
        for (n, byte) in model.bytes.iter_mut().enumerate() {
            let value = if smooth { n as u64 / 3 } else { random.next() };
            *byte = value.to_le_bytes()[0];
        }
        model
    }

    /// The position of an element in bytes.
    pub(crate) fn at(&self, index: &[u64]) -> usize {
        let items = index.iter().zip(&self.shape).fold(0, |at, (&index, &len)| {
            assert!(index < len);
            at * len + index
        });
        usize::try_from(items).unwrap() * self.typesize
    }

    pub(crate) fn element(&self, index: &[u64]) -> &[u8] {
        let at = self.at(index);
        &self.bytes[at..at + self.typesize]
    }

    pub(crate) fn slice(&self, slice: &[Range<u64>]) -> Vec<u8> {
        indices(slice)
            .iter()
            .flat_map(|index| self.element(index).to_vec())
            .collect()
    }

    /// The elements whose index along each axis is in the list of that axis.
    pub(crate) fn select(&self, lists: &[Vec<u64>]) -> Vec<u8> {
        product(lists)
            .iter()
            .flat_map(|index| self.element(index).to_vec())
            .collect()
    }

    pub(crate) fn set_slice(&mut self, slice: &[Range<u64>], src: &[u8]) {
        for (index, element) in indices(slice).iter().zip(src.chunks(self.typesize)) {
            let at = self.at(index);
            self.bytes[at..at + element.len()].copy_from_slice(element);
        }
    }

    /// Result of `take` for each index along an axis: an index of this array or of another.
    fn rebuild(&mut self, axis: usize, len: u64, take: impl Fn(u64) -> (bool, u64), other: &Self) {
        let mut new = self.clone();
        new.shape[axis] = len;
        new.bytes.clear();
        let whole: Vec<Range<u64>> = new.shape.iter().map(|&len| 0..len).collect();
        for mut index in indices(&whole) {
            let (from_other, at) = take(index[axis]);
            index[axis] = at;
            let source = if from_other { other } else { &*self };
            new.bytes.extend(source.element(&index));
        }
        *self = new;
    }

    pub(crate) fn insert(&mut self, axis: usize, at: u64, src: &Self) {
        let n = src.shape[axis];
        let take = |index| match index {
            index if index < at => (false, index),
            index if index < at + n => (true, index - at),
            index => (false, index - n),
        };
        self.rebuild(axis, self.shape[axis] + n, take, src);
    }

    pub(crate) fn delete(&mut self, axis: usize, range: &Range<u64>) {
        let n = range.end - range.start;
        let take = |index| {
            (
                false,
                if index < range.start {
                    index
                } else {
                    index + n
                },
            )
        };
        let unused = self.clone();
        self.rebuild(axis, self.shape[axis] - n, take, &unused);
    }

    pub(crate) fn resize(&mut self, shape: &[u64]) {
        let mut new = Self::zeros(shape, self.typesize);
        let both: Vec<Range<u64>> = shape
            .iter()
            .zip(&self.shape)
            .map(|(&new, &old)| 0..new.min(old))
            .collect();
        for index in indices(&both) {
            let at = new.at(&index);
            new.bytes[at..at + self.typesize].copy_from_slice(self.element(&index));
        }
        *self = new;
    }
}

/// All index tuples of a box, in C order.
pub(crate) fn indices(slice: &[Range<u64>]) -> Vec<Vec<u64>> {
    let lists: Vec<Vec<u64>> = slice.iter().map(|range| range.clone().collect()).collect();
    product(&lists)
}

/// All tuples of one entry per list, the last running fastest.
pub(crate) fn product(lists: &[Vec<u64>]) -> Vec<Vec<u64>> {
    lists.iter().fold(vec![Vec::new()], |prefixes, list| {
        let extend = |prefix: &Vec<u64>| {
            let prefix = prefix.clone();
            list.iter()
                .map(move |&index| [prefix.as_slice(), &[index]].concat())
        };
        prefixes.iter().flat_map(extend).collect()
    })
}
