//! The numbers of an element whose bytes an array stores in the other order.

/// The bytes to reverse in each element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Swap {
    /// None.
    Nothing,
    /// An element is numbers of this many bytes each.
    Numbers(usize),
    /// Some fields of a record.
    Fields(Vec<SwappedField>),
}

/// A field of a record: `count` times `step` bytes from `offset` on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SwappedField {
    pub(crate) offset: usize,
    pub(crate) step: usize,
    pub(crate) count: usize,
    pub(crate) swap: Swap,
}

impl Swap {
    /// Reverses the bytes of every number. Elements have `size` bytes.
    #[inline]
    pub(crate) fn apply(&self, bytes: &mut [u8], size: usize) {
        if *self != Self::Nothing {
            self.reverse(bytes, size);
        }
    }

    fn reverse(&self, bytes: &mut [u8], size: usize) {
        match self {
            Self::Nothing => {}
            Self::Numbers(2) => reverse::<2>(bytes),
            Self::Numbers(4) => reverse::<4>(bytes),
            Self::Numbers(8) => reverse::<8>(bytes),
            Self::Numbers(part) => bytes
                .chunks_exact_mut((*part).max(1))
                .for_each(<[u8]>::reverse),
            Self::Fields(fields) => {
                for element in bytes.chunks_exact_mut(size.max(1)) {
                    for field in fields {
                        let len = field.step.saturating_mul(field.count);
                        let end = field.offset.saturating_add(len);
                        if let Some(part) = element.get_mut(field.offset..end) {
                            field.swap.apply(part, field.step);
                        }
                    }
                }
            }
        }
    }
}

fn reverse<const SIZE: usize>(bytes: &mut [u8]) {
    bytes
        .as_chunks_mut::<SIZE>()
        .0
        .iter_mut()
        .for_each(|number| number.reverse());
}
