"""Keys of NumPy as selections of the library.

A key is read in two steps: a box, a grid of steps or a grid of lists by the library, and what is
left of it by NumPy on the result, which thereby has NumPy's semantics in every case.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

import numpy as np

Axis = Any


@dataclass
class Plan:
    """What the library reads, the shape of that, and the key that NumPy applies to it."""

    axes: list[Axis]
    shape: tuple[int, ...]
    then: Any = None
    points: np.ndarray | None = None


def expand(key: Any, shape: tuple[int, ...]) -> list[Any]:
    """The items of a key, one per axis, beside `None` for new axes: `...` is spelled out, lists are
    arrays, and masks the lists of what they select. A `...` that stands for no axis remains: to
    NumPy, it keeps lists and integers on both sides apart."""
    items = [_item(one) for one in (key if isinstance(key, tuple) else (key,))]
    rest = [at for at, item in enumerate(items) if item is Ellipsis]
    if len(rest) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    used = sum(_naxes(item) for item in items)
    if used > len(shape):
        raise IndexError(f"too many indices: the array has {len(shape)} axes, not {used}")
    whole: list[Any] = [slice(None)] * (len(shape) - used)
    if rest and not whole:
        whole = [Ellipsis]
    at = rest[0] if rest else len(items)
    expanded: list[Any] = []
    axis = 0
    for item in items[:at] + whole + items[at + 1 :]:
        if _is_mask(item):
            part = shape[axis : axis + item.ndim]
            if item.shape != part:
                raise IndexError(f"the mask has shape {item.shape}, its axes have {part}")
            expanded.extend(np.nonzero(item))
        else:
            expanded.append(item)
        axis += _naxes(item)
    return expanded


def _item(item: Any) -> Any:
    if isinstance(item, (bool, np.bool_)):
        raise IndexError("scalar booleans are no indices here")
    if not isinstance(item, (list, np.ndarray)):
        return item
    array = np.asarray(item)
    if array.size == 0 and isinstance(item, list):
        array = array.astype(np.int64)
    return array if array.ndim else array[()]


def _is_mask(item: Any) -> bool:
    return isinstance(item, np.ndarray) and item.dtype.kind == "b"


def _naxes(item: Any) -> int:
    if item is None or item is Ellipsis:
        return 0
    return item.ndim if _is_mask(item) else 1


def _index(item: Any, axis: int, length: int) -> int:
    try:
        index = operator.index(item)
    except TypeError:
        text = "only integers, slices, `...`, `None`, lists and arrays are indices"
        raise IndexError(f"{text}, not {type(item).__name__}") from None
    if not -length <= index < length:
        raise IndexError(f"index {index} is out of bounds for axis {axis} with size {length}")
    return index + length if index < 0 else index


def _list(item: np.ndarray, axis: int, length: int) -> np.ndarray:
    if item.dtype.kind not in "iu":
        raise IndexError(f"arrays of indices are of integers, not {item.dtype}")
    if item.size and not (-length <= int(item.min()) and int(item.max()) < length):
        wrong = item.max() if item.max() >= length else item.min()
        raise IndexError(f"index {wrong} is out of bounds for axis {axis} with size {length}")
    item = item.astype(np.int64)
    return np.where(item < 0, item + length, item)


def forward(item: slice, length: int) -> tuple[int, int, int, bool]:
    """The indices of a slice in ascending order, and whether they are to be reversed."""
    start, stop, step = item.indices(length)
    count = len(range(start, stop, step))
    if step < 0:
        return start + (count - 1) * step if count else 0, start + 1 if count else 0, -step, True
    return (start, max(start, stop), step, False) if count else (0, 0, 1, False)


def plan_read(key: Any, shape: tuple[int, ...]) -> Plan:
    """How a key is read."""
    items = expand(key, shape)
    if any(isinstance(item, np.ndarray) for item in items):
        return _plan_lists(items, shape)
    axes: list[Axis] = []
    found: list[int] = []
    then: list[Any] = []
    plain, axis = True, 0
    for item in items:
        if item is None or item is Ellipsis:
            if item is None:
                then.append(None)
                plain = False
            continue
        length = shape[axis]
        if isinstance(item, slice):
            start, stop, step, backwards = forward(item, length)
            axes.append((start, stop, step))
            found.append(len(range(start, stop, step)))
            then.append(slice(None, None, -1) if backwards else slice(None))
            plain = plain and not backwards
        else:
            axes.append(_index(item, axis, length))
        axis += 1
    return Plan(axes, tuple(found), None if plain else tuple(then))


def _plan_lists(items: list[Any], shape: tuple[int, ...]) -> Plan:
    axes: list[Axis] = []
    found: list[int] = []
    then: list[Any] = []
    lists: list[np.ndarray] = []
    axis = 0
    # One list beside slices: the library reads it in its own order.
    simple = [one for one in items if not isinstance(one, slice) and one is not Ellipsis]
    direct = len(simple) == 1 and isinstance(simple[0], np.ndarray) and simple[0].ndim == 1
    for item in items:
        if item is None or item is Ellipsis:
            then.append(item)
            continue
        length = shape[axis]
        if isinstance(item, np.ndarray):
            wanted = _list(item, axis, length)
            lists.append(wanted)
            if direct:
                axes.append(wanted)
                found.append(len(wanted))
                then.append(slice(None))
                axis += 1
                continue
            once, inverse = np.unique(wanted, return_inverse=True)
            axes.append(once)
            found.append(len(once))
            then.append(inverse.reshape(wanted.shape))
        elif isinstance(item, slice):
            start, stop, step, backwards = forward(item, length)
            axes.append((start, stop, step))
            found.append(len(range(start, stop, step)))
            then.append(slice(None, None, -1) if backwards else slice(None))
        else:
            # Scalars beside lists take part in the broadcasting: an axis of length 1 here.
            index = _index(item, axis, length)
            axes.append((index, index + 1, 1))
            found.append(1)
            then.append(0)
        axis += 1
    try:
        together = np.broadcast_shapes(*(one.shape for one in lists))
    except ValueError as error:
        raise IndexError(f"the lists of indices do not broadcast: {error}") from None
    if len(lists) == len([one for one in items if one is not Ellipsis]) > 1:
        # Single elements: no grid of all their combinations.
        points = np.stack([np.broadcast_to(one, together) for one in lists], axis=-1)
        return Plan([], together, points=np.ascontiguousarray(points.reshape(-1)))
    return Plan(axes, tuple(found), tuple(then))


def plan_write(key: Any, shape: tuple[int, ...]) -> tuple[list[Axis], tuple[int, ...], Any]:
    """The box that holds what a key writes, its shape, and the key within it; `None` when the key
    is the box."""
    plan = plan_read(key, shape)
    if plan.points is not None:
        points = plan.points.reshape(*plan.shape, len(shape))
        lists = [points[..., axis] for axis in range(len(shape))]
        return _box([(one, one) for one in lists], lists)
    if plan.then is None and all(not isinstance(one, tuple) or one[2] == 1 for one in plan.axes):
        return plan.axes, plan.shape, None
    spans: list[Any] = []
    inside: list[Any] = []
    axis = 0
    for item in expand(key, shape):
        if item is None or item is Ellipsis:
            inside.append(item)
            continue
        if isinstance(item, np.ndarray):
            wanted = _list(item, axis, shape[axis])
            spans.append((wanted, wanted))
            inside.append(wanted)
        elif isinstance(item, slice):
            start, stop, step, backwards = forward(item, shape[axis])
            spans.append((start, stop))
            end = None if backwards else stop - start
            inside.append(slice(None, None, -step) if backwards else slice(0, end, step))
        else:
            index = _index(item, axis, shape[axis])
            spans.append((index, index + 1))
            inside.append(0)
        axis += 1
    return _box(spans, inside)


def _box(spans: list[Any], inside: list[Any]) -> tuple[list[Axis], tuple[int, ...], Any]:
    axes: list[Axis] = []
    shape: list[int] = []
    starts: list[int] = []
    for first, last in spans:
        if isinstance(first, np.ndarray):
            first, last = (int(first.min()), int(last.max()) + 1) if first.size else (0, 0)
        axes.append((first, last, 1))
        shape.append(last - first)
        starts.append(first)
    within: list[Any] = []
    offsets = iter(starts)
    for item in inside:
        if item is None or item is Ellipsis:
            within.append(item)
            continue
        start = next(offsets)
        within.append(item - start if isinstance(item, np.ndarray) else item)
    return axes, tuple(shape), tuple(within)
