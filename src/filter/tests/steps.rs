//! Shuffle and bytedelta as one step of the pipeline, and when they stay two.

use oxiblosc_kernels::{Isa, Kernels};

use super::{bytes, context, forward};
use crate::error::BoxError;
use crate::filter::pipeline::Pipeline;
use crate::filter::{Filter, FilterContext, FilterId, FilterSlot, MAX_FILTERS};
use crate::registry::Registry;

/// Takes all steps of a pipeline, in one of the directions.
fn take(pipeline: &Pipeline<'_>, forward: bool, cx: &FilterContext<'_>, src: &[u8]) -> Vec<u8> {
    let mut data = src.to_vec();
    for step in pipeline.steps() {
        let mut dst = vec![0x77; data.len()];
        if forward {
            step.forward(cx, &data, &mut dst).unwrap();
        } else {
            step.backward(cx, &data, &mut dst).unwrap();
        }
        data = dst;
    }
    data
}

#[test]
fn shuffle_and_bytedelta_of_one_width_are_one_step() {
    let (shuffle, bytedelta) = (FilterId::SHUFFLE, FilterId::BYTEDELTA);
    // Filters with their meta bytes, the typesize, and the steps in both directions with vectors.
    let cases = [
        ([(shuffle, 0), (bytedelta, 0)], 4, [1, 1]),
        ([(shuffle, 0), (bytedelta, 8)], 8, [1, 1]),
        ([(shuffle, 2), (bytedelta, 2)], 8, [1, 1]),
        ([(shuffle, 0), (bytedelta, 0)], 16, [2, 1]),
        ([(shuffle, 0), (bytedelta, 2)], 4, [2, 2]),
        ([(shuffle, 0), (bytedelta, 0)], 3, [2, 2]),
        ([(bytedelta, 0), (shuffle, 0)], 4, [2, 2]),
        ([(shuffle, 0), (shuffle, 0)], 4, [2, 2]),
    ];
    let every = cases
        .iter()
        .flat_map(|case| Kernels::available().map(move |kernels| (case, kernels)));
    for (&(filters, typesize, mut steps), kernels) in every {
        if matches!(kernels.isa(), Isa::Scalar | Isa::Portable) {
            // There two passes are faster when compressing.
            steps[0] = 2;
        }
        let mut slots = [FilterSlot::NONE; MAX_FILTERS];
        // With an empty slot between them.
        slots[1] = FilterSlot::new(filters[0].0, filters[0].1);
        slots[3] = FilterSlot::new(filters[1].0, filters[1].1);
        let mut there = Pipeline::empty();
        assert!(there.push_forward(&slots, typesize, None, kernels).is_ok());
        let back = Pipeline::backward(&slots, typesize, None).ok().unwrap();
        let found = [there.steps().len(), back.steps().len()];
        assert_eq!(found, steps, "{filters:?} of {typesize} bytes, {kernels:?}");
        for len in [
            0,
            1,
            typesize,
            63 * typesize + 1,
            1000 * typesize + typesize / 2,
        ] {
            let src = bytes(len);
            let mut want = src.clone();
            for (id, meta) in filters {
                want = forward(id, &context(FilterSlot::new(id, meta), typesize), &want).unwrap();
            }
            let cx = FilterContext {
                kernels,
                ..context(FilterSlot::NONE, typesize)
            };
            assert!(
                take(&there, true, &cx, &src) == want,
                "{filters:?}, {len} bytes"
            );
            assert!(
                take(&back, false, &cx, &want) == src,
                "{filters:?}, {len} bytes, back"
            );
        }
    }
}

/// A filter of the user with the id of bytedelta, which does nothing.
#[derive(Debug)]
struct Instead;

impl Filter for Instead {
    fn id(&self) -> FilterId {
        FilterId::BYTEDELTA
    }

    fn name(&self) -> &str {
        "instead"
    }

    fn forward(&self, _: &FilterContext<'_>, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        dst.copy_from_slice(src);
        Ok(())
    }

    fn backward(&self, _: &FilterContext<'_>, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        dst.copy_from_slice(src);
        Ok(())
    }
}

#[test]
fn a_filter_of_the_user_is_not_replaced_by_our_bytedelta() {
    let registry = Registry::new().with_filter(Instead).unwrap();
    let mut slots = [FilterSlot::NONE; MAX_FILTERS];
    slots[0] = FilterSlot::SHUFFLE;
    slots[1] = FilterSlot::BYTEDELTA;
    let mut there = Pipeline::empty();
    assert!(
        there
            .push_forward(&slots, 4, Some(&registry), Kernels::best())
            .is_ok()
    );
    let back = Pipeline::backward(&slots, 4, Some(&registry)).ok().unwrap();
    let (cx, src) = (context(FilterSlot::NONE, 4), bytes(1001));
    let want = forward(FilterId::SHUFFLE, &cx, &src).unwrap();
    assert!(take(&there, true, &cx, &src) == want);
    assert!(take(&back, false, &cx, &want) == src);
}
