"""Blosc2 arrays: compressed, n-dimensional, in memory, in files and behind URLs.

>>> import numpy as np, oxiblosc
>>> a = oxiblosc.asarray(np.arange(12.0).reshape(3, 4))
>>> a[1:, ::2]
array([[ 4.,  6.],
       [ 8., 10.]])

Names are those of python-blosc2 where it has one. Files are the same: `blosc2.open` reads what
`oxiblosc` writes, and the other way round.
"""

from oxiblosc._native import Error, __version__
from oxiblosc.array import NDArray
from oxiblosc.bytes import compress2, decompress2
from oxiblosc.files import from_cframe, info, load, open, save
from oxiblosc.make import asarray, empty, full, nans, ones, uninit, zeros
from oxiblosc.params import Codec, CParams, Filter, SplitMode
from oxiblosc.policy import ReadPolicy

__all__ = [
    "CParams",
    "Codec",
    "Error",
    "Filter",
    "NDArray",
    "ReadPolicy",
    "SplitMode",
    "__version__",
    "asarray",
    "compress2",
    "decompress2",
    "empty",
    "from_cframe",
    "full",
    "info",
    "load",
    "nans",
    "ones",
    "open",
    "save",
    "uninit",
    "zeros",
]
