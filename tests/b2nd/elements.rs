//! Element types against the definition of their bytes, in either byte order.
#![cfg(feature = "b2nd")]
#![expect(clippy::unwrap_used, reason = "what fails in a test fails the test")]
#![expect(
    clippy::single_range_in_vec_init,
    reason = "a slice of one axis is a list of one range"
)]

use oxiblosc::Error;
use oxiblosc::b2nd::{Array, ArrayParams, AxisSelection, Bool, Dtype, Element, Selection};

/// Elements in an array of this dtype, given by their bytes.
fn check<T: Element + PartialEq + std::fmt::Debug>(
    dtype: &str,
    elements: &[T],
    bytes: impl Fn(&T) -> Vec<u8>,
) {
    let expected: Vec<u8> = elements.iter().flat_map(bytes).collect();
    let len = elements.len() as u64;
    let dtype: Dtype = dtype.parse().unwrap();
    let params = ArrayParams::with_dtype(dtype.clone(), &[len]);
    let array = Array::from_elements(elements, &params).unwrap();
    assert_eq!(array.dtype(), &dtype);
    assert_eq!(array.to_bytes().unwrap(), expected, "{dtype}");
    let mut array = Array::from_bytes(&expected, &params).unwrap();
    assert_eq!(array.to_elements::<T>().unwrap(), elements, "{dtype}");
    assert_eq!(array.slice::<T>(&[1..3]).unwrap(), elements[1..3]);
    assert_eq!(
        array.get::<T>(&[len - 1]).unwrap(),
        elements[elements.len() - 1]
    );
    assert_eq!(
        array.slice::<T>(Selection::points(&[[2], [0]])).unwrap(),
        [elements[2], elements[0]]
    );
    assert_eq!(
        array.slice::<T>([AxisSelection::steps(0..len, 2)]).unwrap(),
        elements.iter().step_by(2).copied().collect::<Vec<_>>()
    );
    let mut chunk = vec![elements[0]; elements.len()];
    assert_eq!(
        array
            .slice_into(&array.chunk_region(0).unwrap(), &mut chunk)
            .unwrap(),
        elements.len()
    );
    assert_eq!(chunk, elements);
    array.set_slice(&[0..2], &elements[1..3]).unwrap();
    array.append(&elements[..1]).unwrap();
    array.insert(0, 1, &elements[3..4]).unwrap();
    let mut edited = vec![elements[1], elements[3], elements[2]];
    edited.extend(&elements[2..]);
    edited.push(elements[0]);
    assert_eq!(array.to_elements::<T>().unwrap(), edited, "{dtype}");
    let full = Array::full(elements[1], &params).unwrap();
    assert_eq!(
        full.to_elements::<T>().unwrap(),
        vec![elements[1]; elements.len()]
    );
}

macro_rules! numbers {
    ($($number:ty, $little:literal, $big:literal, $values:expr;)+) => {$(
        check::<$number>($little, &$values, |value| value.to_le_bytes().to_vec());
        check::<$number>($big, &$values, |value| value.to_be_bytes().to_vec());
    )+};
}

#[test]
fn numbers_have_their_bytes_in_either_order() {
    numbers! {
        u8, "|u1", "|u1", [1, 200, 3, 4];
        i8, "|i1", "|i1", [1, -100, 3, 4];
        u16, "<u2", ">u2", [1, 0xFEDC, 3, 4];
        i16, "<i2", ">i2", [1, -0x1234, 3, 4];
        u32, "<u4", ">u4", [1, 0xFEDC_BA98, 3, 4];
        i32, "<i4", ">i4", [1, -0x1234_5678, 3, 4];
        u64, "<u8", ">u8", [1, 0xFEDC_BA98_7654_3210, 3, 4];
        i64, "<i8", ">i8", [1, -0x1234_5678_9ABC, 3, 4];
        f32, "<f4", ">f4", [1.5, -2.25e30, 3.0, 4.0];
        f64, "<f8", ">f8", [1.5, -2.25e300, 3.0, 4.0];
    }
}

#[test]
fn truth_values_are_one_byte() {
    let values = [true, false, true, true].map(Bool::from);
    check::<Bool>("|b1", &values, |value| vec![u8::from(value.get())]);
    let params = ArrayParams::new::<Bool>(&[3]);
    let array = Array::from_bytes(&[0, 1, 7], &params).unwrap();
    let found: Vec<bool> = array
        .to_elements::<Bool>()
        .unwrap()
        .into_iter()
        .map(bool::from)
        .collect();
    assert_eq!(found, [false, true, true]);
}

#[test]
fn other_types_are_refused_both_ways() {
    let array = Array::zeros(&ArrayParams::new::<i32>(&[4])).unwrap();
    assert!(matches!(
        array.to_elements::<u32>(),
        Err(Error::Mismatch { .. })
    ));
    assert!(matches!(
        array.to_elements::<f32>(),
        Err(Error::Mismatch { .. })
    ));
    assert!(matches!(
        array.slice::<i64>(Selection::points(&[[0]])),
        Err(Error::Mismatch { .. })
    ));
    let params = ArrayParams::new::<i32>(&[4]);
    assert!(Array::from_elements(&[1_u32; 4], &params).is_err());
    assert!(Array::full(1_u32, &params).is_err());
}

#[cfg(feature = "half")]
#[test]
fn half_precision_floats_are_elements() {
    use half::f16;

    let values = [1.5, -0.25, 65504.0, 4.0].map(f16::from_f64);
    check::<f16>("<f2", &values, |value| value.to_le_bytes().to_vec());
    check::<f16>(">f2", &values, |value| value.to_be_bytes().to_vec());
    // The sign, 5 bits of exponent, 10 of mantissa.
    let array = Array::from_elements(&values, &ArrayParams::new::<f16>(&[4])).unwrap();
    assert_eq!(array.to_bytes().unwrap()[..4], [0x00, 0x3E, 0x00, 0xB4]);
}

#[cfg(feature = "num-complex")]
#[test]
fn complex_numbers_turn_their_parts_around() {
    use num_complex::Complex;

    let values = [(1.5, -2.0), (0.25, 1e30), (3.0, 0.0), (0.0, 4.0)];
    let wide = values.map(|(re, im)| Complex::<f64>::new(re, im));
    let join = |re: &[u8], im: &[u8]| [re, im].concat();
    check("<c16", &wide, |z| {
        join(&z.re.to_le_bytes(), &z.im.to_le_bytes())
    });
    check(">c16", &wide, |z| {
        join(&z.re.to_be_bytes(), &z.im.to_be_bytes())
    });
    let narrow = [(1.5_f32, -2.0_f32), (0.25, 1e30), (3.0, 0.0), (0.0, 4.0)]
        .map(|(re, im)| Complex::<f32>::new(re, im));
    check("<c8", &narrow, |z| {
        join(&z.re.to_le_bytes(), &z.im.to_le_bytes())
    });
    check(">c8", &narrow, |z| {
        join(&z.re.to_be_bytes(), &z.im.to_be_bytes())
    });
}

#[cfg(feature = "ndarray")]
#[test]
fn views_of_any_strides_go_in_and_come_out() {
    use ndarray::{Array3, Ix2, Ix3, IxDyn, s};
    let numbers = Array3::from_shape_fn((7, 6, 5), |(i, j, k)| {
        i32::try_from(i * 10_000 + j * 100 + k).unwrap()
    });
    for dtype in ["<i4", ">i4"] {
        for view in [
            numbers.view(),
            numbers.view().reversed_axes(),
            numbers.slice(s![..;2, ..;-1, 1..4]),
            numbers.slice(s![3..3, .., ..]),
            numbers.view().permuted_axes([1, 2, 0]),
        ] {
            let shape: Vec<u64> = view.shape().iter().map(|&len| len as u64).collect();
            let params = ArrayParams::with_dtype(dtype.parse().unwrap(), &shape)
                .chunkshape(&[3, 4, 2])
                .blockshape(&[2, 3, 2]);
            let mut array = Array::from_ndarray(view, &params).unwrap();
            assert_eq!(array.to_ndarray::<i32, Ix3>().unwrap(), view);
            assert_eq!(array.to_ndarray::<i32, IxDyn>().unwrap(), view.into_dyn());
            if view.is_empty() {
                continue;
            }
            let corner = array
                .slice_ndarray::<i32, Ix3>(&[1..3, 0..2, 1..3])
                .unwrap();
            assert_eq!(corner, view.slice(s![1..3, 0..2, 1..3]));
            let picked = array
                .slice_ndarray::<i32, Ix3>([
                    AxisSelection::steps(0..3, 2),
                    AxisSelection::list(&[2, 0]),
                    AxisSelection::from(1..2),
                ])
                .unwrap();
            let expected = view.select(ndarray::Axis(1), &[2, 0]);
            assert_eq!(picked, expected.slice(s![0..3;2, .., 1..2]));
            // Back in, turned around.
            let mut model = view.to_owned();
            let patch = view.slice(s![0..2, 0..3, 1..2]);
            let patch = patch.slice(s![.., ..;-1, ..]);
            model.slice_mut(s![1..3, 2..5, 0..1]).assign(&patch);
            if array.set_slice_ndarray(&[1..3, 2..5, 0..1], patch).is_ok() {
                assert_eq!(array.to_ndarray::<i32, Ix3>().unwrap(), model);
            }
            assert!(array.to_ndarray::<i32, Ix2>().is_err());
            assert!(array.to_ndarray::<u32, Ix3>().is_err());
            assert!(array.set_slice_ndarray((0, ..), patch).is_err());
            let row = array
                .slice_ndarray::<i32, ndarray::Ix1>((-1, 1, ..))
                .unwrap();
            assert_eq!(
                row,
                array.to_ndarray::<i32, Ix3>().unwrap().slice(s![-1, 1, ..])
            );
            array
                .set_slice_ndarray(
                    (0, .., 1),
                    array
                        .slice_ndarray::<i32, ndarray::Ix1>((1, .., 0))
                        .unwrap()
                        .view(),
                )
                .unwrap();
            let all = array.to_ndarray::<i32, Ix3>().unwrap();
            assert_eq!(all.slice(s![0, .., 1]), all.slice(s![1, .., 0]));
        }
    }
    let params = ArrayParams::new::<i32>(&[7, 6, 4]);
    assert!(Array::from_ndarray(numbers.view(), &params).is_err());
}

/// Selections read into views of any strides, against indexing by `ndarray`.
#[cfg(feature = "ndarray")]
#[test]
fn selections_are_read_into_views_of_any_strides() {
    use ndarray::{Array1, Array2, Array3, ArrayD, Ix3, s};
    let numbers = Array3::from_shape_fn((7, 6, 5), |(i, j, k)| {
        i32::try_from(i * 10_000 + j * 100 + k).unwrap()
    });
    for dtype in ["<i4", ">i4"] {
        let params = ArrayParams::with_dtype(dtype.parse().unwrap(), numbers.shape())
            .chunkshape([3, 4, 2])
            .blockshape([2, 3, 2]);
        let array = Array::from_ndarray(numbers.view(), &params).unwrap();
        let mut all = Array3::<i32>::zeros((7, 6, 5));
        array.slice_ndarray_into(.., all.view_mut()).unwrap();
        assert_eq!(all, numbers);
        // Axes in another order, reversed, every second place; what lies between stays.
        let mut turned = Array3::from_elem((10, 6, 7), -1);
        let view = turned.slice_mut(s![..;2, ..;-1, ..]).reversed_axes();
        array.slice_ndarray_into(.., view).unwrap();
        assert_eq!(turned.slice(s![..;2, ..;-1, ..]).reversed_axes(), numbers);
        assert!(
            turned
                .slice(s![1..;2, .., ..])
                .iter()
                .all(|&element| element == -1)
        );
        // A box without its second axis, steps, a list, points.
        let mut plane = Array2::<i32>::zeros((3, 4));
        let into = plane.view_mut().reversed_axes();
        array.slice_ndarray_into((2..6, 4, 1..4), into).unwrap();
        assert_eq!(plane.t(), numbers.slice(s![2..6, 4, 1..4]));
        let mut some = Array2::<i32>::zeros((2, 3));
        let picked = (AxisSelection::steps(.., 3), 5, &[4, 0]);
        array
            .slice_ndarray_into(picked, some.view_mut().reversed_axes())
            .unwrap();
        let column = |k: usize| numbers.slice(s![..;3, 5, k]).to_owned();
        assert_eq!(
            (some.row(0), some.row(1)),
            (column(4).view(), column(0).view())
        );
        let mut points = Array1::<i32>::zeros(4);
        let wanted = Selection::points(&[[6, 5, 4], [0, 0, 1]]);
        array
            .slice_ndarray_into(wanted, points.slice_mut(s![..;2]))
            .unwrap();
        assert_eq!(points.to_vec(), [60504, 0, 1, 0]);
        let mut empty = Array3::<i32>::zeros((5, 6, 0));
        let into = empty.view_mut().reversed_axes();
        array.slice_ndarray_into((2..2, .., ..), into).unwrap();
        // Other shapes and types.
        assert!(
            array
                .slice_ndarray_into((.., .., 0), all.view_mut())
                .is_err()
        );
        assert!(
            array
                .slice_ndarray_into((..6, .., ..), all.view_mut())
                .is_err()
        );
        let mut wrong = Array3::<u32>::zeros((5, 6, 7));
        let into = wrong.view_mut().reversed_axes();
        assert!(array.slice_ndarray_into(.., into).is_err());

        assert_eq!(Array3::<i32>::try_from(&array).unwrap(), numbers);
        assert!(Array2::<i32>::try_from(&array).is_err());
        let again = Array::try_from(numbers.slice(s![..;-1, .., ..])).unwrap();
        assert_eq!(
            again.to_ndarray::<i32, Ix3>().unwrap(),
            numbers.slice(s![..;-1, .., ..])
        );
        for chunk in array.chunks::<i32>() {
            let chunk = chunk.unwrap();
            let region = chunk.region.clone();
            let inside: ArrayD<i32> = chunk.into_ndarray().unwrap();
            assert_eq!(
                inside,
                array.slice_ndarray::<i32, ndarray::IxDyn>(&region).unwrap()
            );
        }
    }
}
