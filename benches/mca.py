"""Cycles of the byte shuffles' loops by llvm-mca, for processors that are not at hand.

    cargo build --release -p oxiblosc-kernels --example filters_vs_c
    python benches/mca.py target/release/examples/filters_vs_c [TOOLS] [CPU,..]

TOOLS is the folder with llvm-objdump and llvm-mca (`ci/llvm-tools.sh DIR` puts them into DIR/bin). Each row is one loop of a
program: the innermost one of the functions for whole blocks, with the bytes that it stores per turn and, for each
processor, bytes per cycle when every load and store hits the first-level cache.
"""

import pathlib
import re
import subprocess
import sys

FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:$")
LINE = re.compile(r"^\s*([0-9a-f]+):\s+(\S.*)$")
JUMP = re.compile(r"^(j\w+|b\.\w+|cbn?z|tbn?z|b)\b.*?(?:0x)?([0-9a-f]{4,})\b(?: <.*>)?$")
WANTED = re.compile(r"::(sse2|avx2|avx512|neon)::(un)?shuffle::(exact\w*|half_16)$|::halves::planes$|::neon::interleaved::(run|unshuffle)$")
STORES = (
    (re.compile(r"^vmov\w+\s+%zmm\d+,.*\("), 64),
    (re.compile(r"^vmov\w+\s+%ymm\d+,.*\("), 32),
    (re.compile(r"^v?mov[du]\w+\s+%xmm\d+,.*\("), 16),
    (re.compile(r"^stp\s+q"), 32),
    (re.compile(r"^stu?r\s+q"), 16),
    (re.compile(r"^st1\s+\{\s*v\d+\.16b\s*\}"), 16),
    (re.compile(r"^st2\s+\{\s*v\d+\.16b"), 32),
    (re.compile(r"^st4\s+\{\s*v\d+\.16b"), 64),
)


def functions(program, tools):
    text = subprocess.run(
        [tools / "llvm-objdump", "-d", "--no-show-raw-insn", "-C", program], capture_output=True, text=True, check=True
    ).stdout
    name, lines = None, []
    for line in text.splitlines():
        if found := FUNCTION.match(line):
            if name and WANTED.search(name):
                yield name, lines
            name, lines = re.sub(r"::h[0-9a-f]{16}( \(.*\))?$", "", found[1]), []
        elif found := LINE.match(line):
            lines.append((int(found[1], 16), found[2].strip()))
    if name and WANTED.search(name):
        yield name, lines


def loops(lines):
    """Loops without another one inside, that store vectors."""
    at = {address: index for index, (address, _) in enumerate(lines)}
    spans = []
    for index, (_, text) in enumerate(lines):
        found = JUMP.match(text)
        if found and at.get(int(found[2], 16), index + 1) <= index:
            spans.append((at[int(found[2], 16)], index))
    for span in spans:
        if not any(other != span and span[0] <= other[0] and other[1] <= span[1] for other in spans):
            body = [text for _, text in lines[span[0] : span[1] + 1]]
            stored = sum(width for text in body for store, width in STORES if store.match(text))
            if stored:
                yield body, stored


def cycles(body, cpu, arch, tools):
    plain = "\n".join(re.sub(r"\s+<.*>$|\s+(#\s|//).*$", "", text) for text in body if not JUMP.match(text))
    done = subprocess.run(
        [tools / "llvm-mca", f"-march={arch}", f"-mcpu={cpu}", "-iterations=200", "-"],
        input=plain, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return int(re.search(r"Total Cycles:\s+(\d+)", done.stdout)[1]) / 200


def main():
    program, *rest = sys.argv[1:]
    tools = pathlib.Path(rest[0]) if rest else pathlib.Path("/usr/bin")
    arm = pathlib.Path(program).read_bytes()[18:20] == b"\xb7\x00"
    arch = "aarch64" if arm else "x86-64"
    default = "neoverse-n1,neoverse-v1,apple-m1" if arm else "icelake-server,sapphirerapids,znver4"
    cpus = (rest[1] if len(rest) > 1 else default).split(",")
    print("| function | bytes | " + " | ".join(cpus) + " |")
    print("|---|---|" + "---|" * len(cpus))
    for name, lines in functions(program, tools):
        for body, stored in loops(lines):
            speeds = [f"{stored / cycles(body, cpu, arch, tools):.1f}" for cpu in cpus]
            print(f"| {name.split('filters::')[-1]} | {stored} | " + " | ".join(speeds) + " |")


main()
