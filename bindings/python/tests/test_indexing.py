"""Keys, compared with NumPy."""

import numpy as np
import pytest

import oxiblosc

SHAPES = [(11,), (7, 9), (5, 6, 7), (2, 3, 4, 5)]


def random_slice(rng, length):
    one = lambda: None if rng.random() < 0.3 else int(rng.integers(-length - 3, length + 4))
    step = None if rng.random() < 0.4 else int(rng.choice([-3, -2, -1, 1, 2, 3]))
    return slice(one(), one(), step)


def random_key(rng, shape):
    """Integers, slices of any step, `...`, new axes; a list, a mask or several in one of three."""
    items = []
    several = rng.random() < 0.15
    size = int(rng.integers(0, 6))
    for length in shape[: rng.integers(0, len(shape) + 1)]:
        kind = rng.random()
        if several and kind < 0.6:
            items.append(rng.integers(-length, length, size))
        elif kind < 0.3:
            items.append(int(rng.integers(-length, length)))
        elif kind < 0.35 and not several:
            items.append(list(map(int, rng.integers(-length, length, rng.integers(0, 5)))))
            several = True
            size = len(items[-1])
        elif kind < 0.4 and not several:
            mask = rng.random(length) < 0.5
            items.append(mask)
            several = True
            size = int(mask.sum())
        else:
            items.append(random_slice(rng, length))
    if rng.random() < 0.3:
        items.insert(int(rng.integers(0, len(items) + 1)), Ellipsis)
    if rng.random() < 0.2:
        items.insert(int(rng.integers(0, len(items) + 1)), None)
    return tuple(items) if len(items) != 1 or rng.random() < 0.5 else items[0]


def pairs(shape, seed):
    rng = np.random.default_rng(seed)
    chunks = [int(rng.integers(1, length + 1)) for length in shape]
    blocks = [int(rng.integers(1, chunk + 1)) for chunk in chunks]
    numbers = rng.integers(0, 10**6, shape, dtype=np.int32)
    return rng, numbers, oxiblosc.asarray(numbers, chunks=chunks, blocks=blocks)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_reads(shape, seed):
    rng, numbers, array = pairs(shape, seed)
    for _ in range(400):
        key = random_key(rng, shape)
        try:
            expected = numbers[key]
        except IndexError:
            # `...` has moved a list or mask to another axis.
            with pytest.raises(IndexError):
                array[key]
            continue
        found = array[key]
        assert np.shape(found) == np.shape(expected), key
        assert np.array_equal(found, expected), key
        assert type(found) is type(expected), key


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_writes(shape, seed):
    rng, numbers, array = pairs(shape, seed)
    for _ in range(60):
        key = random_key(rng, shape)
        try:
            part = numbers[key]
        except IndexError:
            continue
        value = rng.integers(0, 10**6, np.shape(part), dtype=np.int32)
        # Elements that a list names twice have no defined winner.
        if rng.random() < 0.3 or any(isinstance(one, (list, np.ndarray)) for one in
                                     (key if isinstance(key, tuple) else (key,))):
            value = int(rng.integers(0, 100))
        numbers[key] = value
        array[key] = value
        assert np.array_equal(array[...], numbers), key


def test_masks_of_all_axes():
    _, numbers, array = pairs((7, 9), 1)
    mask = numbers % 3 == 0
    assert np.array_equal(array[mask], numbers[mask])
    array[mask] = -1
    numbers[mask] = -1
    assert np.array_equal(array[...], numbers)


@pytest.mark.parametrize(
    "key",
    [7, -8, (0, 9), (0, 0, 0), ([7],), ([0], [-10]), "x", 1.5, (Ellipsis, Ellipsis),
     np.zeros(6, bool), np.zeros((7, 8), bool), ([0, 1], [0, 1, 2]), [1.5]],
    ids=repr,
)
def test_refused(key):
    _, numbers, array = pairs((7, 9), 2)
    with pytest.raises(IndexError):
        numbers[key]
    with pytest.raises(IndexError):
        array[key]
    with pytest.raises(IndexError):
        array[key] = 1
    assert np.array_equal(array[...], numbers)


def test_values_that_do_not_fit():
    _, numbers, array = pairs((7, 9), 3)
    for key, value in [((slice(0, 2),), np.zeros((3, 9))), (([0, 2],), np.zeros(5))]:
        with pytest.raises(ValueError):
            numbers[key] = value
        with pytest.raises(ValueError):
            array[key] = value
    assert np.array_equal(array[...], numbers)


def test_no_axes():
    array = oxiblosc.asarray(np.float64(2.5))
    assert array.shape == () and array[()] == 2.5 and array[...] == 2.5
    array[()] = 3
    assert array[()] == 3 and float(np.asarray(array)) == 3
    with pytest.raises(TypeError):
        len(array)


def test_no_elements():
    array = oxiblosc.zeros((0, 4), "i4", chunks=(5, 4))
    assert array[...].shape == (0, 4) and array[:, 1].shape == (0,)
    array.append(np.arange(8).reshape(2, 4))
    assert array[1].tolist() == [4, 5, 6, 7]
