"""The cells of several runs of compare.sh: `runs.py DIR DIR DIR...`.

Prints a table of the native level with the median of each cell over the runs that have it, C-Blosc2's time over ours,
and every cell whose median is below 0.95, with its ratios in the order of the runs. The noise is that of the median of
C over C in the same cell.
"""

import pathlib
import statistics
import sys

from compare_page import DIRECTIONS, NOISE, Cells, by_origin, distinct, read, table

KEY = ("codec", "clevel", "filters", "data")


def merged(runs):
    """Cells with the medians, and the ratios that they are of."""
    cells = Cells()
    by_run = [{tuple(cell[key] for key in KEY): cell for cell in run.where(level="native", offset="16")} for run in runs]
    for key in distinct(key for run in by_run for key in run):
        found = [run[key] for run in by_run if key in run]
        cell = dict(found[-1])
        for way in DIRECTIONS:
            cell[f"{way}_runs"] = [float(run[f"{way}_over_c"]) for run in found]
            cell[f"{way}_over_c"] = statistics.median(cell[f"{way}_runs"])
            noise = [float(run[f"{way}_c_over_c"]) for run in found if run[f"{way}_c_over_c"]]
            cell[f"{way}_c_over_c"] = statistics.median(noise) if noise else ""
        cells.append(cell)
    return cells


def main(folders):
    cells = merged([read(pathlib.Path(folder)) for folder in folders])
    rows = []
    for codec, origin, part in by_origin(cells):
        ratios = [part.over_c(way) for way in DIRECTIONS]
        rows.append([codec, origin, str(len(part)), *ratios, part.noise(), f"{part.size():.3f}"])
    head = ["codec", "data", "cells", "compress", "decompress", "C over C", "size over C's"]
    print("\n".join(table(head, rows)))
    rows = []
    for codec in distinct(cells.column("codec")):
        for way in DIRECTIONS:
            low = [cell for cell in cells.where(codec=codec) if cell[f"{way}_over_c"] < NOISE]
            texts = {}
            for cell in sorted(low, key=lambda cell: (cell["data"], cell["filters"], cell["clevel"])):
                ratios = " ".join(f"{ratio:.2f}" for ratio in cell[f"{way}_runs"])
                name = f"{cell['data'].split('_')[-1]} {cell['filters']}"
                texts.setdefault(name, []).append(f"{cell['clevel']} {ratios}")
            listed = "; ".join(f"{name}: {', '.join(levels)}" for name, levels in texts.items())
            rows.append([f"{codec}, {way}ing", str(len(low)), listed or "none"])
    print("\n".join(table(["codec", "cells", "level and ratios"], rows)))


if __name__ == "__main__":
    main(sys.argv[1:])
