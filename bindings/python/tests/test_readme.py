"""The examples of the README, as a new user would run them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parents[1]
PAGES = [HERE / "README.md", *sorted((HERE.parents[1] / "docs").glob("*zarr*.md"))]


def examples():
    for page in PAGES:
        for at, code in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.S)):
            yield pytest.param(code, id=f"{page.stem}-{at}")


@pytest.mark.parametrize("code", list(examples()))
def test_example(tmp_path, code):
    done = subprocess.run([sys.executable, "-W", "error::DeprecationWarning", "-c", code], cwd=tmp_path,
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
