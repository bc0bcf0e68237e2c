"""The tables, the page and the plots of compare.sh out of its measurements: `compare_page.py DIR`."""

import csv
import html
import math
import pathlib
import sys

STYLE = """body{font-family:sans-serif;margin:2em;max-width:1100px}table{border-collapse:collapse;margin:1em 0}
td,th{padding:.15em .6em;border-bottom:1px solid #ddd;text-align:right}td:first-child,th:first-child{text-align:left}
svg{display:block;margin:1em 0}pre{background:#f4f4f4;padding:.6em}"""
NOISE = 0.95
DIRECTIONS = ("compress", "decompress")
LEVELS = ("native", "avx2", "portable")
COLOURS = {"native": "#c85014", "avx2": "#e8a060", "portable": "#9a9a9a"}


def mean(values):
    values = [float(value) for value in values if value]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def figure(value):
    return "–" if math.isnan(value) else f"{value:.2f}"


def distinct(values):
    return list(dict.fromkeys(values))


class Cells(list):
    """Cells of the matrix, as in cells.csv, with the level and offset of their run."""

    def where(self, **wanted):
        return Cells(cell for cell in self if all(cell[key] == value for key, value in wanted.items()))

    def column(self, name):
        return [cell[name] for cell in self]

    def over_c(self, direction):
        """Geometric mean, slowest cell, cells below 0.95."""
        ratios = [float(value) for value in self.column(f"{direction}_over_c")]
        if not ratios:
            return "–"
        below = sum(ratio < NOISE for ratio in ratios)
        return f"{mean(ratios):.2f} ({min(ratios):.2f}, {below})"

    def noise(self):
        """How far C is from itself: where 90 % of the cells lie."""
        values = sorted(float(cell[f"{way}_c_over_c"]) for cell in self for way in DIRECTIONS if cell[f"{way}_c_over_c"])
        if not values:
            return "–"
        return f"{values[len(values) // 20]:.2f} to {values[-1 - len(values) // 20]:.2f}"

    def size(self):
        return mean(int(cell["cbytes"]) / int(cell["cbytes_c"]) for cell in self)


def read(folder):
    cells = Cells()
    for path in sorted((folder / "cells").glob("*/cells.csv")):
        level, offset, _ = path.parent.name.split("-")
        with path.open(encoding="utf-8", newline="") as file:
            cells.extend({**row, "level": level, "offset": offset} for row in csv.DictReader(file))
    return cells


def table(head, rows):
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(row) + " |"
    yield ""


def name(cell):
    return f"{cell['codec']} {cell['clevel']} {cell['filters']}, {cell['data']}"


def by_origin(cells):
    """The cells of each codec by the origin of their data, then all of them if there are several."""
    for codec in distinct(cells.column("codec")):
        of = cells.where(codec=codec)
        origins = distinct(of.column("origin"))
        for origin in origins:
            yield codec, origin, of.where(origin=origin)
        if len(origins) > 1:
            yield codec, "all", of


def codecs(cells):
    levels = [level for level in LEVELS if cells.where(level=level)]
    main = cells.where(offset="16")
    native = main.where(level="native")
    count = len(native)
    forced = sorted({len(main.where(level=level)) for level in levels[1:]})
    clevels = distinct(main.where(level=levels[-1]).column("clevel"))
    yield "## Codecs"
    yield ""
    yield "C's time over ours, compressing / decompressing: above 1 oxiblosc is faster. A cell is one codec, level, pipeline"
    yield "and data set; it has the median over rounds in which both work on the same buffers in turn, one thread, with C's"
    yield "block size. Each entry is the geometric mean, and in brackets the slowest cell and the number of cells below 0.95."
    yield "C always runs with all that the machine has; `avx2` and `portable` force our level alone. C over C is a second"
    yield f"context of C in the same rounds: where 90 % of its ratios lie. {count} cells"
    yield f"at the native level, {' or '.join(map(str, forced)) or 'none'} at forced ones (codec levels {', '.join(clevels)})."
    yield ""
    head = ["codec", "data", "cells"]
    for level in levels:
        head += [f"{level}, compress", "decompress"]
    rows = []
    for codec, origin, part in by_origin(main):
        here = part.where(level="native")
        row = [codec, origin, str(len(here))]
        for level in levels:
            row += [part.where(level=level).over_c(way) for way in DIRECTIONS]
        rows.append([*row, here.noise(), f"{here.size():.3f}"])
    yield from table([*head, "C over C", "size over C's"], rows)
    yield "By level and pipeline, native, geometric means compressing / decompressing:"
    yield ""
    pipelines = distinct(native.column("filters"))
    rows = []
    for codec, clevel in distinct((cell["codec"], cell["clevel"]) for cell in native):
        parts = [native.where(codec=codec, clevel=clevel, filters=pipeline) for pipeline in pipelines]
        means = [[figure(mean(part.column(f"{way}_over_c"))) for way in DIRECTIONS] for part in parts]
        rows.append([f"{codec} {clevel}", *(" / ".join(pair) for pair in means)])
    yield from table(["codec, level", *pipelines], rows)
    aligned = cells.where(offset="0")
    if aligned:
        yield "Buffers that begin 16 bytes after a multiple of 64, as `malloc` returns large ones, and at a multiple of 64:"
        yield ""
        key = ("codec", "clevel", "filters", "data", "level")
        both = {tuple(cell[name] for name in key) for cell in aligned}
        shared = Cells(cell for cell in cells if tuple(cell[name] for name in key) in both)
        rows = []
        for codec in distinct(native.column("codec")):
            for level in distinct(aligned.column("level")):
                row = [f"{codec}, {level}"]
                for offset in ("16", "0"):
                    part = shared.where(codec=codec, level=level, offset=offset)
                    row += [part.over_c(way) for way in DIRECTIONS]
                rows.append(row)
        yield from table(["codec, level", "16, compress", "decompress", "0, compress", "decompress"], rows)
    if any(native.column("compress_over_third")):
        yield "Over blosc2-pure-rs, where it has the codec and gives the bytes back:"
        yield ""
        rows = []
        for codec in distinct(native.column("codec")):
            part = native.where(codec=codec)
            means = [figure(mean(part.column(f"{way}_over_third"))) for way in DIRECTIONS]
            rows.append([codec, str(sum(map(bool, part.column("compress_over_third")))), *means])
        yield from table(["codec", "cells", "compress", "decompress"], rows)
    slow = []
    for cell in native:
        for way in DIRECTIONS:
            if float(cell[f"{way}_over_c"]) < NOISE:
                slow.append((float(cell[f"{way}_over_c"]), way, name(cell), cell[f"{way}_c_over_c"] or "–"))
    yield f"### Native cells below {NOISE}: {len(slow)} of {2 * count}"
    yield ""
    yield from table(
        ["over C", "C over C", "cell"], [[f"{ratio:.2f}", noise, f"{of}, {way}"] for ratio, way, of, noise in sorted(slow)]
    )


def bars(cells, direction):
    """Geometric means by codec and clevel, a bar per instruction set, beside the line of C."""
    main = cells.where(offset="16")
    levels = [level for level in LEVELS if main.where(level=level)]
    groups = distinct((cell["codec"], cell["clevel"]) for cell in main)
    bar, gap, left, top, height = 11, 14, 34, 34, 180
    width = left + len(groups) * (bar * len(levels) + gap) + 10
    values = {
        (level, *group): mean(
            main.where(level=level, codec=group[0], clevel=group[1]).column(f"{direction}_over_c")
        )
        for level in levels
        for group in groups
    }
    most = max(2.0, *(value for value in values.values() if not math.isnan(value)))

    def y(value):
        return top + height * (1 - value / most)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{top + height + 44}" font-family="sans-serif"'
        f' font-size="11"><rect width="100%" height="100%" fill="white"/>',
        f'<text x="{left}" y="14" font-size="13">{direction}: times as fast as C-Blosc2</text>',
    ]
    for at, level in enumerate(levels):
        parts.append(f'<rect x="{left + at * 90}" y="20" width="9" height="9" fill="{COLOURS[level]}"/>')
        parts.append(f'<text x="{left + at * 90 + 13}" y="28">{level}</text>')
    for tick in range(1, math.floor(most) + 1):
        colour = "#333" if tick == 1 else "#ddd"
        parts.append(f'<line x1="{left}" x2="{width - 6}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" stroke="{colour}"/>')
        parts.append(f'<text x="{left - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick}</text>')
    for at, group in enumerate(groups):
        x = left + gap / 2 + at * (bar * len(levels) + gap)
        for turn, level in enumerate(levels):
            value = values[(level, *group)]
            if math.isnan(value):
                continue
            parts.append(
                f'<rect x="{x + turn * bar:.1f}" y="{y(value):.1f}" width="{bar - 1}" height="{top + height - y(value):.1f}"'
                f' fill="{COLOURS[level]}"><title>{value:.2f}</title></rect>'
            )
        middle = x + bar * len(levels) / 2
        parts.append(f'<text x="{middle:.1f}" y="{top + height + 14}" text-anchor="middle">{group[1]}</text>')
    for codec in distinct(group[0] for group in groups):
        mine = [at for at, group in enumerate(groups) if group[0] == codec]
        middle = left + gap / 2 + (mine[0] + mine[-1] + 1) / 2 * (bar * len(levels) + gap) - gap / 2
        parts.append(f'<text x="{middle:.1f}" y="{top + height + 30}" text-anchor="middle">{codec}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def others(folder):
    for path in sorted((folder / "tables").iterdir()):
        text = path.read_text(encoding="utf-8").strip()
        yield f"## {path.name.partition(' ')[2]}"
        yield ""
        if "|---" in text:
            yield from text.splitlines()
        else:
            yield from ["```text", *text.splitlines(), "```"]
        yield ""


def cells_of(line, tag):
    columns = line.strip().strip("|").split("|")
    return "<tr>" + "".join(f"<{tag}>{html.escape(cell.strip())}</{tag}>" for cell in columns) + "</tr>"


def is_rule(line):
    return line.startswith("|") and not line.strip("|-: ")


def body(lines):
    """HTML of as much of Markdown as the tables use."""
    at = 0
    while at < len(lines):
        line = lines[at]
        end = at + 1
        if line.startswith("```"):
            while not lines[end].startswith("```"):
                end += 1
            yield f"<pre>{html.escape(chr(10).join(lines[at + 1 : end]))}</pre>"
            end += 1
        elif line.startswith("#"):
            level = len(line) - len(line.lstrip("#"))
            yield f"<h{level}>{html.escape(line[level:].strip())}</h{level}>"
        elif line.startswith("|"):
            while end < len(lines) and lines[end].startswith("|"):
                end += 1
            yield "<table>"
            headed = end > at + 1 and is_rule(lines[at + 1])
            yield cells_of(line, "th" if headed else "td")
            yield from (cells_of(row, "td") for row in lines[at + 2 if headed else at + 1 : end])
            yield "</table>"
        elif line.startswith("- "):
            while end < len(lines) and lines[end].startswith("- "):
                end += 1
            yield "<ul>" + "".join(f"<li>{html.escape(item[2:])}</li>" for item in lines[at:end]) + "</ul>"
        elif line.strip():
            while end < len(lines) and lines[end].strip() and lines[end][0] not in "#|-`":
                end += 1
            yield f"<p>{html.escape(' '.join(lines[at:end]))}</p>"
        at = end


def main(folder):
    cells = read(folder)
    lines = ["# oxiblosc beside C-Blosc2", "", *(folder / "machine.md").read_text(encoding="utf-8").splitlines(), ""]
    lines += [*codecs(cells), *others(folder)]
    (folder / "results.md").write_text("\n".join(lines), encoding="utf-8")
    plots = []
    for direction in DIRECTIONS:
        plots.append(bars(cells, direction))
        (folder / f"{direction}.svg").write_text(plots[-1], encoding="utf-8")
    for path in sorted((folder / "cells").glob("native-16-*/results.html")):
        plots.append(path.read_text(encoding="utf-8").partition("</h1>")[2])
    (folder / "compare.html").write_text(
        f"<!doctype html><meta charset=utf-8><title>oxiblosc beside C-Blosc2</title><style>{STYLE}</style>\n"
        + "\n".join(body(lines))
        + "\n<h2>Plots, native</h2>\n"
        + "\n".join(plots)
        + "\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
