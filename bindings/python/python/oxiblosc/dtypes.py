"""Dtypes as arrays store them."""

from __future__ import annotations

import ast

import numpy as np


def text_of(dtype: np.dtype) -> str:
    """The text that python-blosc2 stores, too."""
    if dtype.hasobject or dtype.kind == "T":
        raise TypeError(f"elements of dtype {dtype} are not of a fixed size in memory")
    if dtype.itemsize == 0:
        raise TypeError(f"elements of dtype {dtype} have no bytes")
    return dtype.str if dtype.fields is None else str(dtype)


def dtype_of(text: str, itemsize: int) -> np.dtype:
    """The dtype of a stored text; raw bytes where NumPy knows no such dtype of this size."""
    try:
        if text[:1] == "[":
            dtype = np.lib.format.descr_to_dtype(ast.literal_eval(text))
        elif text[:1] == "{":
            dtype = np.dtype(ast.literal_eval(text))
        else:
            dtype = np.dtype(text)
    except (SyntaxError, TypeError, ValueError, AttributeError):
        return np.dtype((np.void, itemsize))
    return dtype if dtype.itemsize == itemsize else np.dtype((np.void, itemsize))
