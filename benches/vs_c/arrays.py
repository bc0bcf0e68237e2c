"""Real arrays out of PyPI packages, for the matrix: `python arrays.py FOLDER [--few]`.

Writes the raw bytes of each array and `index.tsv` (name, typesize, file, and "set aside" for arrays that nothing is
tuned on). Needs the packages numpy, matplotlib, scikit-learn, statsmodels, nibabel and pillow; what is missing is named
and left out. With --few it writes the two arrays of tests/data, which need numpy alone; with --more it writes other arrays
of the same packages, for claims about data that nothing was tuned on.
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


def sklearn_flower():
    """A photograph, three bytes a pixel."""
    from PIL import Image

    return np.asarray(Image.open(package("sklearn") / "datasets/images/flower.jpg")).view("V3")


def sklearn_cancer():
    """Measurements of cell nuclei, 64-bit floats."""
    from sklearn.datasets import load_breast_cancer

    return load_breast_cancer().data


def matplotlib_prices():
    """A share's prices by day: records of a date, five floats and a volume."""
    with np.load(package("matplotlib") / "mpl-data/sample_data/goog.npz") as f:
        return f["price_data"]


def nibabel_diffusion():
    """Scans of a head in several directions, 16 bits."""
    import nibabel

    image = nibabel.load(package("nibabel") / "tests/data/example4d.nii.gz")
    return np.asarray(image.dataobj.get_unscaled())


def statsmodels_insurance():
    """A study of households, a table of 64-bit floats."""
    from statsmodels.datasets import randhie

    return randhie.load_pandas().data.values


def statsmodels_survey():
    """Answers to a survey, a table of 64-bit floats."""
    from statsmodels.datasets import fair

    return fair.load_pandas().data.values


def repository_elevation():
    """Elevations in metres, 16 bits (USGS)."""
    return np.load(DATA / "elevation.npy")


def repository_camera():
    """A photograph, 8 bits."""
    return np.load(DATA / "camera.npy")


DATA = pathlib.Path(__file__).resolve().parents[2] / "tests/data"
# Nobody looks at these while working on the library; a change that is tuned on one of them moves it up.
SET_ASIDE = [
    sklearn_flower,
    sklearn_cancer,
    matplotlib_prices,
    nibabel_diffusion,
    statsmodels_insurance,
    statsmodels_survey,
]
FEW = [repository_elevation, repository_camera]


def more():
    """Other arrays of the same packages, at most 1 MiB of each: (name, array)."""
    import nibabel
    import statsmodels.api
    from PIL import Image
    from sklearn import datasets

    samples = package("matplotlib") / "mpl-data/sample_data"
    for name in ["grace_hopper.jpg", "Minduka_Present_Blue_Pack.png", "logo2.png"]:
        yield name, np.asarray(Image.open(samples / name).convert("RGB")).view("V3")
    for name in ["eeg.dat", "membrane.dat"]:
        yield name, np.frombuffer((samples / name).read_bytes(), "<f4")
    for name in ["star98", "co2", "macrodata", "modechoice", "fertility", "anes96"]:
        table = getattr(statsmodels.api.datasets, name).load_pandas().data
        yield name, np.ascontiguousarray(table.select_dtypes("number").to_numpy("f8"))
    for name in ["diabetes", "wine", "iris"]:
        yield name, np.ascontiguousarray(getattr(datasets, "load_" + name)().data)
    for name in [
        "example4d+orig.HEAD",
        "example4d.nii.gz",
        "example_nifti2.nii.gz",
        "phantom_EPI_asc_CLEAR_2_1.PAR",
        "phantom_varscale.PAR",
        "reoriented_anat_moved.nii",
    ]:
        image = nibabel.load(package("nibabel") / "tests/data" / name)
        yield name, np.ascontiguousarray(image.dataobj.get_unscaled())


def write_more(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for name, array in more():
        name = name.split(".")[0]
        (folder / f"{name}.bin").write_bytes(array.tobytes()[: 1 << 20])
        lines.append(f"{name}\t{array.dtype.itemsize}\t{name}.bin\n")
        print(f"{name}: {array.dtype}, {array.shape}, {array.nbytes} bytes")
    (folder / "index.tsv").write_text("".join(lines))


def main(folder, few=False):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for make in FEW if few else [
        matplotlib_elevation,
        matplotlib_topography,
        matplotlib_head,
        sklearn_photograph,
        sklearn_digits,
        nibabel_anatomy,
        nibabel_functional,
        statsmodels_sunspots,
        *SET_ASIDE,
    ]:
        try:
            array = make()
        except (ImportError, OSError, KeyError) as error:
            print(f"{make.__name__}: left out: {error}", file=sys.stderr)
            continue
        file = f"{make.__name__}.bin"
        (folder / file).write_bytes(array.tobytes())
        aside = "\tset aside" if make in SET_ASIDE else ""
        lines.append(f"{make.__name__}\t{array.dtype.itemsize}\t{file}{aside}\n")
        print(f"{make.__name__}: {array.dtype}, {array.shape}, {array.nbytes} bytes")
    (folder / "index.tsv").write_text("".join(lines))


if __name__ == "__main__":
    if "--more" in sys.argv[2:]:
        write_more(sys.argv[1])
    else:
        main(sys.argv[1], "--few" in sys.argv[2:])
