"""Real arrays out of PyPI packages, for the matrix: `python arrays.py FOLDER`.

Writes the raw bytes of each array and `index.tsv` (name, typesize, file). Needs the packages
numpy, matplotlib, scikit-learn, statsmodels, nibabel and pillow; what is missing is named and left out.
"""

import gzip
import importlib
import pathlib
import sys

import numpy as np


def package(name):
    return pathlib.Path(importlib.import_module(name).__file__).parent


def matplotlib_elevation():
    """Elevations in metres, 16 bits (USGS)."""
    with np.load(package("matplotlib") / "mpl-data/sample_data/jacksboro_fault_dem.npz") as f:
        return f["elevation"]


def matplotlib_topography():
    """Heights of the land and depths of the sea, 32-bit floats."""
    with np.load(package("matplotlib") / "mpl-data/sample_data/topobathy.npz") as f:
        return np.ascontiguousarray(f["topo"])


def matplotlib_head():
    """A slice through a head, 16 bits, big-endian."""
    with gzip.open(package("matplotlib") / "mpl-data/sample_data/s1045.ima.gz") as f:
        return np.frombuffer(f.read(), ">u2")


def sklearn_photograph():
    """A photograph, three bytes a pixel."""
    from PIL import Image

    return np.asarray(Image.open(package("sklearn") / "datasets/images/china.jpg")).view("V3")


def sklearn_digits():
    """Images of handwritten digits, 64-bit floats of 0 to 16."""
    from sklearn.datasets import load_digits

    return load_digits().data


def nibabel_anatomy():
    """A scan of a head, 16 bits or what the file has."""
    import nibabel

    image = nibabel.load(package("nibabel") / "tests/data/anatomical.nii")
    return np.asarray(image.dataobj.get_unscaled())


def nibabel_functional():
    """Scans of a head over time."""
    import nibabel

    image = nibabel.load(package("nibabel") / "tests/data/functional.nii")
    return np.asarray(image.dataobj.get_unscaled())


def statsmodels_sunspots():
    """Carbon dioxide over Mauna Loa and sun spots, 64-bit floats."""
    from statsmodels.datasets import co2, sunspots

    return np.concatenate([co2.load_pandas().data.values.ravel(), sunspots.load_pandas().data.values.ravel()])


def main(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for make in [
        matplotlib_elevation,
        matplotlib_topography,
        matplotlib_head,
        sklearn_photograph,
        sklearn_digits,
        nibabel_anatomy,
        nibabel_functional,
        statsmodels_sunspots,
    ]:
        try:
            array = make()
        except (ImportError, OSError, KeyError) as error:
            print(f"{make.__name__}: left out: {error}", file=sys.stderr)
            continue
        file = f"{make.__name__}.bin"
        (folder / file).write_bytes(array.tobytes())
        lines.append(f"{make.__name__}\t{array.dtype.itemsize}\t{file}\n")
        print(f"{make.__name__}: {array.dtype}, {array.shape}, {array.nbytes} bytes")
    (folder / "index.tsv").write_text("".join(lines))


if __name__ == "__main__":
    main(sys.argv[1])
